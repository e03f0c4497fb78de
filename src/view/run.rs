//! The loop of the viewer: events in, frames out. It reads nothing by itself.

use std::io::IsTerminal;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::app::frame::JobProgress;
use super::app::{App, Effect, FileFacts, Settings};
use super::event::Event;
use super::follower::{self, FollowNews, FollowedText, Follower};
use super::painter::ColorThread;
use super::terminal::{self, Terminal};
use super::viewed_file::{Opener, ViewRequest, ViewedFile};
use super::worker::{Job, ROLES, Report, Role, Worker};
use crate::args::view_start::Begin;
use crate::hints;
use rread_reader::capture::Handle;
use rread_reader::times::TimeOptions;
use rread_source::Change;
use rread_text::address;
use rread_text::error::{Error, Kind, Result, printable};
use rread_text::quote::quoted;

/// A file that takes longer to open is waited for on the full screen.
const QUICK: Duration = Duration::from_millis(300);

/// From one turn of the bar to the next.
const TURN: Duration = Duration::from_millis(120);

/// How often the file is looked at for changes.
const LOOK: Duration = Duration::from_millis(250);

pub(crate) struct Start {
    pub(crate) wanted: ViewRequest,
    pub(crate) opener: Arc<Opener>,
    pub(crate) times: TimeOptions,
    /// Whether every record is looked at for a time.
    pub(crate) scan: bool,
    pub(crate) settings: Settings,
    pub(crate) begin: Option<Begin>,
}

/// Shows the file until the user quits.
pub(crate) fn view(start: Start) -> Result<()> {
    if !std::io::stdout().is_terminal() {
        return Err(Error::usage("view needs a terminal, and standard output is not one")
            .hint(hints::again("lines", &start.wanted.path, "")));
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

fn open(start: &Start, events: Sender<Event>) -> Result<()> {
    let (wanted, opener) = (start.wanted.clone(), Arc::clone(&start.opener));
    spawn(move || {
        let _ = events.send(Event::Opened(ViewedFile::open(wanted, &*opener)));
    })
}

fn spawn(run: impl FnOnce() + Send + 'static) -> Result<()> {
    let started = thread::Builder::new().name("view".to_owned()).spawn(run);
    started.map(drop).map_err(|cause| Error::read("cannot start a thread", &cause))
}

struct Session {
    start: Start,
    app: App,
    terminal: Terminal,
    text: Option<Arc<ViewedFile>>,
    /// The text that the thread watches that looks for changes.
    watched: Arc<Mutex<Option<Arc<ViewedFile>>>>,
    workers: [Option<Worker>; ROLES.len()],
    /// The numbers of the reports that are waited for.
    awaited: [u64; ROLES.len()],
    events: Sender<Event>,
    keys: Option<Sender<()>>,
    painter: Option<ColorThread>,
    follower: Option<Follower>,
    /// The text of the followed file, and whether the thread that looks for changes has a rest.
    followed: Arc<Mutex<Option<FollowedText>>>,
    turn: usize,
    turned: Instant,
}

impl Session {
    fn new(start: Start, events: Sender<Event>) -> Result<Self> {
        let terminal = Terminal::enter()?;
        let app = App::new(start.settings.clone(), terminal::dimensions());
        Ok(Session {
            start,
            app,
            terminal,
            text: None,
            watched: Arc::default(),
            workers: Default::default(),
            awaited: Default::default(),
            events,
            keys: None,
            painter: None,
            follower: None,
            followed: Arc::default(),
            turn: 0,
            turned: Instant::now(),
        })
    }

    fn run(mut self, inbox: &Receiver<Event>) -> Result<()> {
        loop {
            if !self.carry_out()? {
                return Ok(());
            }
            // The first screen comes before them.
            if self.keys.is_none() {
                self.keys = Some(terminal::read_keys(self.events.clone())?);
                terminal::watch_signals(self.events.clone())?;
            }
            self.draw()?;
            self.color()?;
            let event = if self.app.is_busy() {
                match inbox.recv_timeout(TURN) {
                    Ok(event) => event,
                    Err(RecvTimeoutError::Timeout) => continue,
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
            } else {
                self.restart_bar();
                match inbox.recv() {
                    Ok(event) => event,
                    Err(_) => return Ok(()),
                }
            };
            self.handle(event)?;
            // What has come meanwhile is drawn together.
            while let Ok(event) = inbox.try_recv() {
                if !self.carry_out()? {
                    return Ok(());
                }
                self.handle(event)?;
            }
        }
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
        let painter = match self.painter.take() {
            Some(painter) => painter,
            None => {
                let events = self.events.clone();
                let send = move |colored| events.send(Event::Colored(colored)).is_ok();
                ColorThread::start(self.start.wanted.path.clone(), Box::new(send))?
            }
        };
        painter.order(text, wanted);
        self.painter = Some(painter);
        Ok(())
    }

    fn handle(&mut self, event: Event) -> Result<()> {
        match event {
            Event::Input(inputs) => {
                for input in inputs {
                    self.app.input(&input);
                    if !self.carry_out()? {
                        // Seen again by the loop.
                        self.app.quit();
                        return Ok(());
                    }
                }
                let _ = self.keys.as_ref().map(|keys| keys.send(()));
            }
            Event::NoTerminal => return Err(Error::new(Kind::Io, "the terminal has gone")),
            Event::Continued => {
                self.terminal.resume();
                let (columns, lines) = terminal::dimensions();
                self.app.resize(columns, lines);
            }
            Event::Opened(opened) => self.opened(opened?)?,
            Event::Report { role, number, result } => {
                if self.awaited[role as usize] == number {
                    if let Ok(Report::Text(text)) = &result {
                        self.replace(text);
                    }
                    if let Some(text) = &self.text {
                        self.app.set_size(text.size());
                    }
                    self.app.report(role, result);
                }
            }
            Event::Grew(result) => {
                if let Err(error) = result {
                    self.app.say(error.message);
                }
                if let Some(text) = &self.text {
                    self.app.grow(text.size(), text.is_live());
                }
            }
            Event::Changed(change) => self.app.changed(change),
            Event::Followed(news) => self.take_news(news),
            Event::Colored(colored) => self.app.colored(colored),
        }
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
            Some(Begin::Pattern(pattern)) => self.app.find(&pattern, false),
        }
        self.carry_out()?;
        if text.is_live() {
            let (text, events) = (Arc::clone(&text), self.events.clone());
            spawn(move || text.draw(&mut |result| events.send(Event::Grew(result)).is_ok()))?;
        } else {
            *lock(&self.watched) = Some(Arc::clone(&text));
            let (watched, events) = (Arc::clone(&self.watched), self.events.clone());
            let followed = Arc::clone(&self.followed);
            spawn(move || watch(&watched, &followed, &events))?;
        }
        Ok(())
    }

    /// The file was opened again.
    fn replace(&mut self, text: &Arc<ViewedFile>) {
        self.text = Some(Arc::clone(text));
        *lock(&self.watched) = Some(Arc::clone(text));
        let facts = self.facts(text);
        self.app.opened(facts);
    }

    fn facts(&self, text: &ViewedFile) -> FileFacts {
        let path = &self.start.wanted.path;
        let name = if path == Path::new("-") {
            "standard input".to_owned()
        } else {
            address::shown(path).into_owned()
        };
        FileFacts {
            name: printable(&name),
            quoted: quoted(path),
            size: text.size(),
            is_live: text.is_live(),
            is_joined: self.follower.as_ref().is_some_and(|follower| follower.chain().files() > 1),
            until: self.start.wanted.window.as_ref().and_then(|window| window.until.clone()),
            is_object: text.is_object(),
            is_plain: path != Path::new("-")
                && !text.is_object()
                && !text.is_decoded()
                && Handle::from_path(path).is_none(),
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
            Effect::Want(offset) => {
                if let Some(text) = &self.text {
                    text.want(offset);
                }
            }
            Effect::Enough => {
                if let Some(text) = &self.text {
                    text.enough();
                }
            }
            Effect::Copy(text) => self.terminal.copy(&text).map_err(|cause| Error::write(&cause))?,
            Effect::Edit(line) => self.edit(line),
            Effect::Follow => self.follow()?,
            Effect::Unfollow => {
                self.follower = None;
                *lock(&self.followed) = None;
            }
            Effect::Suspend => {
                self.terminal.outside(terminal::suspend);
                let (columns, lines) = terminal::dimensions();
                self.app.resize(columns, lines);
            }
            Effect::Redraw => {
                self.terminal.forget();
                let (columns, lines) = terminal::dimensions();
                self.app.resize(columns, lines);
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
                let opener = follower::opener(&self.start.opener, &self.followed, &self.start.wanted.path);
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

    /// Follows the file by its name from what is shown of it on.
    fn follow(&mut self) -> Result<()> {
        let path = &self.start.wanted.path;
        let Some(text) = self.text.as_ref().filter(|_| self.follower.is_none()) else { return Ok(()) };
        let info = text.reader().source().info();
        let has_name = path == Path::new("-") || !hints::is_ours(path) || path.symlink_metadata().is_ok();
        let (Some((file, 0)), Some(size)) = (info.file, text.size()) else { return Ok(()) };
        if !has_name || text.is_decoded() || text.is_object() || Handle::from_path(path).is_some() {
            return Ok(());
        }
        let name = Some(path.clone()).filter(|path| path != Path::new("-"));
        let events = self.events.clone();
        let report = move |news| events.send(Event::Followed(news)).is_ok();
        self.follower = Some(Follower::start(name, file, size, Box::new(report))?);
        self.keep_followed();
        Ok(())
    }

    /// Has the next text be that of the followed file.
    fn keep_followed(&mut self) {
        let Some((follower, text)) = self.follower.as_ref().zip(self.text.as_ref()) else { return };
        *lock(&self.followed) =
            Some(FollowedText { chain: follower.chain(), decided: text.reader().decided() });
    }

    fn take_news(&mut self, news: Result<FollowNews>) {
        self.keep_followed();
        match news {
            Ok(news) => self.app.followed(news),
            Err(error) => self.app.fail_to_follow(&error),
        }
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
        let (columns, lines) = terminal::dimensions();
        self.app.resize(columns, lines);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A change, and the file that has the name after it.
type ChangedName = (Change, Option<(u64, u64)>);

/// Reports changes of the file, each once, unless it is followed by its name.
fn watch(
    watched: &Mutex<Option<Arc<ViewedFile>>>,
    followed: &Mutex<Option<FollowedText>>,
    events: &Sender<Event>,
) {
    let mut reported: Option<(Arc<ViewedFile>, ChangedName)> = None;
    loop {
        let Some(text) = lock(watched).clone() else { return };
        let Some(change) = text.next_change(LOOK) else { continue };
        if lock(followed).is_some() {
            continue;
        }
        // The next file of that name is another change: the one before may have gone before it was opened.
        let state = (change, text.identity_of_name().filter(|_| change == Change::Replaced));
        let is_known = reported.as_ref().is_some_and(|(old, was)| Arc::ptr_eq(old, &text) && *was == state);
        if !is_known && events.send(Event::Changed(change)).is_err() {
            return;
        }
        reported = Some((text, state));
    }
}
