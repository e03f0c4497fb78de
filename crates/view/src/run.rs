//! The loop of the viewer: events in, frames out. It reads nothing by itself.

use std::collections::VecDeque;
use std::io::IsTerminal;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crossterm::event::{Event as Input, KeyCode, KeyModifiers};

use super::app::frame::JobProgress;
use super::app::{App, Effect, FileFacts, MergedFacts, Settings};
use super::merged;
use super::prompt::{Kind as PromptKind, Modifiers};
use super::syntax::ColorThread;
use super::terminal::{self, Terminal};
use super::viewed_file::{Opener, ViewRequest, ViewedFile};
use super::worker::{Event, Job, ROLES, Report, Role, Worker};
use crate::options::Begin;
use rread_answer::output::ThemeChoice;
use rread_answer::{Out, worded};
use rread_reader::{Handle, TimeOptions};
use rread_source::{Change, lock, retried, start_thread, stdin};
use rread_text::{Error, Kind, Result, address, printable, quoted};

/// A file that takes longer to open is waited for on the full screen.
const QUICK: Duration = Duration::from_millis(300);

/// Keys wait so long for the screen to which those before them lead; a longer search leaves the keys alone.
const TYPED_AHEAD: Duration = Duration::from_secs(1);

/// A stream that takes longer to fill a screen is shown on the full screen meanwhile.
const SOON: Duration = Duration::from_millis(500);

/// Bytes that are copied at once.
const COPIED: usize = 256 << 10;

/// The effect of `-F`, for users of tail and of older versions.
const ABOUT_F: &str = "-F quits if one screen shows everything, as in less; F or --follow follows";

/// The outcome of the first screen.
enum Beginning {
    /// The full screen is open.
    Open,
    /// For so long, one screen may still show everything.
    Waits(Duration),
    /// One screen has shown everything.
    Ended,
}

/// From one turn of the bar to the next.
const TURN: Duration = Duration::from_millis(120);

/// How often the file is looked at for changes.
const LOOK: Duration = Duration::from_millis(250);

pub struct Start {
    pub wanted: ViewRequest,
    pub opener: Arc<Opener>,
    pub times: TimeOptions,
    /// Whether every record is looked at for a time.
    pub scan: bool,
    pub settings: Settings,
    pub begin: Option<Begin>,
    /// Whether it ends at once if one screen shows everything.
    pub one_screen: bool,
    /// Whether the status line says what `-F` means.
    pub is_f_typed: bool,
    /// Opens the output for the text, where it is not viewed.
    pub out: fn() -> Result<Out>,
    pub theme: ThemeChoice,
}

/// Shows the file until the user quits.
pub fn view(start: Start) -> Result<()> {
    if !std::io::stdout().is_terminal() {
        return copy(&start);
    }
    if !terminal::is_able() {
        stdin::warn(&start.wanted.path, "the terminal of TERM cannot show a full screen; this is the text");
        return copy(&start);
    }
    let (events, inbox) = channel();
    open(&start, events.clone())?;
    // An error of opening is reported on the screen of the shell.
    let opened = match inbox.recv_timeout(QUICK) {
        Ok(Event::Opened(opened)) => Some(opened?),
        _ => None,
    };
    let mut session = Session::new(start, events)?;
    if let Some(text) = opened {
        session.opened(text)?;
    }
    session.run(&inbox)
}

/// Copies the text to standard output, as less does if that is not a terminal.
fn copy(start: &Start) -> Result<()> {
    if let Some(request) = &start.wanted.merge {
        return merged::copy(request);
    }
    let text = ViewedFile::open(start.wanted.clone(), &*start.opener)?;
    let (mut at, end) = text.window().map_or((0, u64::MAX), |window| (window.start, window.end));
    let (source, mut out) = (text.reader.source(), (start.out)()?);
    let mut block = vec![0; COPIED];
    while at < end {
        let wanted = usize::try_from(end - at).unwrap_or(COPIED).min(COPIED);
        match retried(|| source.read_at(&mut block[..wanted], at)) {
            Ok(0) => break,
            Ok(got) => {
                out.write(&block[..got])?;
                at += got as u64;
            }
            Err(cause) => {
                out.flush()?;
                return Err(Error::read("cannot read", &cause));
            }
        }
        if text.is_live() {
            out.flush()?;
        }
    }
    out.flush()
}

fn open(start: &Start, events: Sender<Event>) -> Result<()> {
    let (wanted, opener) = (start.wanted.clone(), Arc::clone(&start.opener));
    start_thread("view", move || {
        let _ = events.send(Event::Opened(ViewedFile::open(wanted, &*opener)));
    })
}

struct Session {
    start: Start,
    app: App,
    /// The size of the terminal before keys are read.
    size: (usize, usize),
    terminal: Terminal,
    text: Option<Arc<ViewedFile>>,
    /// The text that the thread watches that looks for changes.
    watched: Arc<Mutex<Option<Arc<ViewedFile>>>>,
    workers: [Option<Worker>; ROLES.len()],
    /// The numbers of the reports that are waited for.
    awaited: [u64; ROLES.len()],
    events: Sender<Event>,
    keys: Option<Sender<()>>,
    /// Keys that were typed and wait for the screen to which those before them lead, and since when.
    typed: VecDeque<Input>,
    moving_since: Option<Instant>,
    painter: Option<ColorThread>,
    /// Whether it ends if one screen shows everything and no key was typed.
    may_end: bool,
    started: Instant,
    turn: usize,
    turned: Instant,
}

impl Session {
    fn new(start: Start, events: Sender<Event>) -> Result<Self> {
        let terminal = Terminal::hidden();
        if !start.one_screen {
            terminal.show()?;
        }
        let size = terminal::dimensions();
        let app = App::new(start.settings.clone(), size);
        Ok(Session {
            may_end: start.one_screen,
            started: Instant::now(),
            start,
            app,
            size,
            terminal,
            text: None,
            watched: Arc::default(),
            workers: Default::default(),
            awaited: Default::default(),
            events,
            keys: None,
            typed: VecDeque::new(),
            moving_since: None,
            painter: None,
            turn: 0,
            turned: Instant::now(),
        })
    }

    fn run(mut self, inbox: &Receiver<Event>) -> Result<()> {
        loop {
            self.type_keys()?;
            if !self.carry_out()? {
                return Ok(());
            }
            match self.await_first_screen()? {
                Beginning::Ended => return Ok(()),
                Beginning::Open => {}
                Beginning::Waits(pause) => {
                    if let Ok(event) = inbox.recv_timeout(pause) {
                        self.handle(event)?;
                    }
                    continue;
                }
            }
            // The first screen comes before them.
            if self.keys.is_none() {
                self.keys = Some(terminal::read_keys(self.events.clone(), self.size)?);
                terminal::watch_signals(self.events.clone())?;
            }
            self.draw()?;
            self.color()?;
            let event = if self.app.is_busy() || !self.typed.is_empty() {
                match inbox.recv_timeout(TURN) {
                    Ok(event) => event,
                    Err(RecvTimeoutError::Timeout) => continue,
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
            } else {
                self.restart_bar();
                let Ok(event) = inbox.recv() else { return Ok(()) };
                event
            };
            self.handle(event)?;
            // Draws together all that has come meanwhile.
            while let Ok(event) = inbox.try_recv() {
                self.type_keys()?;
                if !self.carry_out()? {
                    return Ok(());
                }
                self.handle(event)?;
            }
        }
    }

    /// Enters the full screen, unless one screen shows everything: then that is printed.
    fn await_first_screen(&mut self) -> Result<Beginning> {
        if !self.may_end {
            return Ok(Beginning::Open);
        }
        match self.app.fits_on_screen() {
            Some(true) => {
                terminal::leave();
                self.print()?;
                return Ok(Beginning::Ended);
            }
            Some(false) => self.may_end = false,
            None if self.terminal.is_shown() => return Ok(Beginning::Open),
            None => {
                let left = SOON.saturating_sub(self.started.elapsed());
                if !left.is_zero() {
                    return Ok(Beginning::Waits(left));
                }
            }
        }
        self.terminal.show()?;
        if self.start.is_f_typed {
            self.app.say(ABOUT_F);
        }
        Ok(Beginning::Open)
    }

    /// Prints the text, which one screen shows.
    fn print(&mut self) -> Result<()> {
        let mut out = (self.start.out)()?;
        for line in self.app.printed() {
            out.write(line.as_bytes())?;
            out.write(b"\n")?;
        }
        out.flush()?;
        if self.start.is_f_typed {
            stdin::warn(&self.start.wanted.path, ABOUT_F);
        }
        Ok(())
    }

    fn restart_bar(&mut self) {
        self.turn = 0;
        self.turned = Instant::now();
    }

    fn draw(&mut self) -> Result<()> {
        if self.turned.elapsed() >= TURN {
            self.turn += 1;
            self.turned = Instant::now();
        }
        let frame = self.app.frame(JobProgress::of(self.turn, &self.workers));
        self.terminal.draw(frame).map_err(|cause| Error::write(&cause))
    }

    /// Has what was drawn colored.
    fn color(&mut self) -> Result<()> {
        let Some((text, wanted)) = self.text.clone().zip(self.app.request_colors()) else { return Ok(()) };
        let painter = match &self.painter {
            Some(painter) => painter,
            None => {
                let events = self.events.clone();
                let send = move |colored| events.send(Event::Colored(colored)).is_ok();
                let (path, theme) = (self.start.wanted.path.clone(), self.start.theme.clone());
                self.painter.insert(ColorThread::start(path, theme, Box::new(send))?)
            }
        };
        painter.order(text, wanted);
        Ok(())
    }

    fn handle(&mut self, event: Event) -> Result<()> {
        match event {
            Event::Input(inputs) => {
                self.may_end &= !inputs.iter().any(|input| matches!(input, Input::Key(_)));
                self.typed.extend(inputs);
                self.type_keys()?;
            }
            Event::NoTerminal => return Err(Error::new(Kind::Io, "the terminal has gone")),
            Event::Stopped => self.outside(terminal::stop),
            // Somebody else stopped the process.
            Event::Continued => self.outside(|| {}),
            Event::Opened(opened) => self.opened(opened?)?,
            Event::Report { role, number, result } => {
                if self.awaited[role as usize] == number {
                    if let Ok(Report::Text(text)) = &result {
                        self.replace(text)?;
                    }
                    if let Some(text) = &self.text {
                        self.app.set_size(text.size());
                    }
                    self.app.report(role, result);
                }
            }
            Event::Grew(result) => {
                if let Err(error) = result {
                    self.app.say(worded(&error.message));
                    self.app.cut_short();
                }
                if let Some(text) = &self.text {
                    self.app.grow(text.size(), text.is_live());
                }
            }
            Event::Changed(change) => self.app.changed(change),
            Event::Colored(colored) => self.app.colored(colored),
        }
        Ok(())
    }

    /// Handles what was typed, as far as it does not wait for the screen to which the keys before lead.
    fn type_keys(&mut self) -> Result<()> {
        if self.typed.is_empty() {
            return Ok(());
        }
        // Ctrl-C waits for nothing.
        let control_c = (KeyCode::Char('c'), KeyModifiers::CONTROL);
        let is_it = |input: &_| matches!(input, Input::Key(key) if (key.code, key.modifiers) == control_c);
        let stops = self.typed.iter().any(is_it);
        while let Some(input) = self.typed.front() {
            let since = self.app.is_moving().then(|| *self.moving_since.get_or_insert_with(Instant::now));
            self.moving_since = since;
            let is_soon = since.is_some_and(|since| since.elapsed() < TYPED_AHEAD);
            if is_soon && !stops && matches!(input, Input::Key(_)) {
                return Ok(());
            }
            let Some(input) = self.typed.pop_front() else { break };
            // Terminals move, wrap or drop rows when their size changes, also if it is the same again in the end.
            if matches!(input, Input::Resize(..)) {
                self.terminal.forget();
            }
            self.app.input(&input);
            if !self.carry_out()? {
                // Seen again by the loop.
                self.app.quit();
                return Ok(());
            }
        }
        let _ = self.keys.as_ref().map(|keys| keys.send(()));
        Ok(())
    }

    /// The file is open for the first time.
    fn opened(&mut self, text: Arc<ViewedFile>) -> Result<()> {
        self.text = Some(Arc::clone(&text));
        self.app.opened(self.facts(&text));
        match self.start.begin.take() {
            None | Some(Begin::Time(_)) if text.window().is_some() => {
                self.app.jump(text.window().map_or(0, |window| window.start));
            }
            None => {}
            Some(Begin::End | Begin::Follow) => self.app.go_to_end(),
            Some(Begin::Line(line)) => self.app.go_to_place(&line.to_string()),
            Some(Begin::Percent(percent)) => self.app.go_to_place(&percent),
            Some(Begin::Time(time)) => self.app.go_to_time(time),
            Some(Begin::Pattern(pattern)) => {
                let (modifiers, pattern) = Modifiers::split(&pattern, PromptKind::Find);
                self.app.find(pattern, modifiers, false, None);
            }
        }
        self.carry_out()?;
        if text.is_live() {
            self.draw_text(&text)?;
        } else {
            *lock(&self.watched) = Some(Arc::clone(&text));
            let (watched, events) = (Arc::clone(&self.watched), self.events.clone());
            start_thread("view", move || watch(&watched, &events))?;
        }
        Ok(())
    }

    /// The file was opened again.
    fn replace(&mut self, text: &Arc<ViewedFile>) -> Result<()> {
        if let Some(old) = self.text.replace(Arc::clone(text)) {
            old.give_up();
        }
        *lock(&self.watched) = Some(Arc::clone(text));
        let facts = self.facts(text);
        self.app.opened(facts);
        if text.is_live() { self.draw_text(text) } else { Ok(()) }
    }

    /// Reads a stream as it comes.
    fn draw_text(&self, text: &Arc<ViewedFile>) -> Result<()> {
        let (text, events) = (Arc::clone(text), self.events.clone());
        start_thread("view", move || text.draw(&mut |result| events.send(Event::Grew(result)).is_ok()))
    }

    fn facts(&self, text: &ViewedFile) -> FileFacts {
        let ViewRequest { path, window, merge, .. } = &self.start.wanted;
        let merged = text.merged.as_ref().zip(merge.as_ref()).map(|(merged, request)| MergedFacts {
            files: Arc::clone(&merged.names),
            shows_files: request.names && request.files.len() > 1,
            notes: merged.notes.join("; "),
            options: request.times.reading.typed(),
        });
        let name = match &merged {
            Some(merged) => merged.name(),
            None if path == Path::new("-") => "standard input".to_owned(),
            None => printable(&address::display(path)),
        };
        FileFacts {
            name,
            quoted: quoted(path),
            size: text.size(),
            is_live: text.is_live(),
            is_cut_short: false,
            is_stream: path == Path::new("-"),
            until: window.as_ref().and_then(|window| window.until.clone()),
            is_object: text.is_object(),
            is_plain: path != Path::new("-")
                && merged.is_none()
                && !text.is_object()
                && !text.is_decoded()
                && Handle::from_path(path).is_none(),
            merged,
        }
    }

    /// Does what the state asks for; returns whether the viewer goes on.
    fn carry_out(&mut self) -> Result<bool> {
        loop {
            let effects = self.app.take_effects();
            if effects.is_empty() {
                return Ok(true);
            }
            for effect in effects {
                if !self.effect(effect)? {
                    return Ok(false);
                }
            }
        }
    }

    fn effect(&mut self, effect: Effect) -> Result<bool> {
        match effect {
            Effect::Quit => return Ok(false),
            Effect::Order(job) => self.order(job)?,
            Effect::Stop(role) => {
                self.awaited[role as usize] = 0;
                if let Some(worker) = &self.workers[role as usize] {
                    worker.stop();
                }
            }
            Effect::Want(offset) => self.text.iter().for_each(|text| text.want(offset)),
            Effect::Enough => self.text.iter().for_each(|text| text.enough()),
            Effect::Copy(text) => self.terminal.copy(&text).map_err(|cause| Error::write(&cause))?,
            Effect::Edit(line) => self.edit(line),
            Effect::Suspend => self.outside(terminal::suspend),
            Effect::Redraw => {
                self.terminal.forget();
                self.resize();
            }
        }
        Ok(true)
    }

    fn order(&mut self, job: Job) -> Result<()> {
        let Some(text) = &self.text else { return Ok(()) };
        let role = job.role();
        let slot = &mut self.workers[role as usize];
        let stuck = slot.take_if(|worker| text.is_object() && worker.is_stuck());
        let last = stuck.map_or(0, |worker| {
            worker.stop();
            worker.last
        });
        let worker = match slot {
            Some(worker) => worker,
            None => {
                let events = self.events.clone();
                let opener = Arc::clone(&self.start.opener);
                let send =
                    move |role, number, result| events.send(Event::Report { role, number, result }).is_ok();
                let times = (self.start.times.clone(), self.start.scan);
                slot.insert(Worker::start(role, Box::new(send), opener, times, last)?)
            }
        };
        self.awaited[role as usize] = worker.order(Arc::clone(text), job);
        if role == Role::Seek || role == Role::Show {
            self.restart_bar();
        }
        Ok(())
    }

    fn edit(&mut self, line: Option<u64>) {
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let Some(editor) = set("VISUAL").or_else(|| set("EDITOR")).or_else(|| Some("vi".into())) else {
            return;
        };
        let editor = editor.to_string_lossy().into_owned();
        let at = line.map_or(String::new(), |line| format!("+{line} "));
        let command = format!("{editor} {at}{}", quoted(&self.start.wanted.path));
        let status = self.terminal.outside(|| Command::new("sh").arg("-c").arg(&command).status());
        match status {
            Ok(status) if status.success() => {}
            Ok(status) => self.app.say(format!("{editor} ended with {status}")),
            Err(cause) => self.app.say(format!("cannot start {editor}: {cause}")),
        }
        self.resize();
    }

    fn outside(&mut self, outside: fn()) {
        self.terminal.outside(outside);
        self.resize();
    }

    /// The terminal may have another size now.
    fn resize(&mut self) {
        let (columns, lines) = terminal::dimensions();
        self.app.resize(columns, lines);
    }
}

/// A change, and the file that has the name after it.
type ChangedName = (Change, Option<(u64, u64)>);

/// Reports changes of the file, each once.
fn watch(watched: &Mutex<Option<Arc<ViewedFile>>>, events: &Sender<Event>) {
    let mut reported: Option<(Arc<ViewedFile>, ChangedName)> = None;
    loop {
        let Some(text) = lock(watched).clone() else { return };
        let Some(change) = text.next_change(LOOK) else { continue };
        // The next file of that name is another change: the one before may have gone before it was opened.
        let state = (change, text.identity_of_name().filter(|_| change == Change::Replaced));
        let is_known = reported.as_ref().is_some_and(|(old, was)| Arc::ptr_eq(old, &text) && *was == state);
        if !is_known && events.send(Event::Changed(change)).is_err() {
            return;
        }
        reported = Some((text, state));
    }
}
