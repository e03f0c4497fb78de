//! Objects in the full-screen viewer: every key, on servers that are quick, slow, away, or have another object.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rread_testkit::pack;
use rread_testkit::terminal::{Setup, Terminal, setup};

use super::servers::{self, Object, Store, Target};

const LINES: usize = 200_000;

/// Lines of 40 bytes.
fn text(word: &str) -> String {
    (1..=LINES).map(|number| format!("{word} {number:0width$}\n", width = 38 - word.len())).collect()
}

fn row(number: usize) -> String {
    format!("line {number:034}")
}

fn at(setup: Setup, target: &Target) -> Setup {
    target.env.iter().fold(setup, |setup, (name, value)| setup.variable(name.clone().leak(), value))
}

fn view(target: &Target) -> Terminal {
    at(setup().size(120, 11), target).view(&format!("'{}'", target.url))
}

/// Forwards connections, as fast as it is told, while it is open.
struct Gate {
    port: u16,
    delay: Arc<AtomicU64>,
    is_open: Arc<AtomicBool>,
    connections: Arc<Mutex<Vec<TcpStream>>>,
}

impl Gate {
    fn before(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let gate = Gate {
            port: listener.local_addr().unwrap().port(),
            delay: Arc::default(),
            is_open: Arc::new(AtomicBool::new(true)),
            connections: Arc::default(),
        };
        let (delay, is_open, connections) =
            (Arc::clone(&gate.delay), Arc::clone(&gate.is_open), Arc::clone(&gate.connections));
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(("127.0.0.1", port)) else { continue };
                if !is_open.load(Ordering::SeqCst) {
                    continue;
                }
                let ends = [&client, &server].map(|end| end.try_clone().unwrap());
                connections.lock().unwrap().extend(ends);
                let ends = (client.try_clone().unwrap(), server.try_clone().unwrap());
                let delay = Arc::clone(&delay);
                thread::spawn(move || forward(&client, &server, &delay));
                thread::spawn(move || forward(&ends.1, &ends.0, &AtomicU64::new(0)));
            }
        });
        gate
    }

    /// Each request waits so long.
    fn delay(&self, time: Duration) {
        self.delay.store(u64::try_from(time.as_millis()).unwrap(), Ordering::SeqCst);
    }

    fn close(&self) {
        self.is_open.store(false, Ordering::SeqCst);
        for connection in self.connections.lock().unwrap().drain(..) {
            let _ = connection.shutdown(Shutdown::Both);
        }
    }

    fn open(&self) {
        self.is_open.store(true, Ordering::SeqCst);
    }
}

fn forward(mut from: &TcpStream, mut to: &TcpStream, delay: &AtomicU64) {
    let mut buffer = [0; 1 << 16];
    while let Ok(got @ 1..) = from.read(&mut buffer) {
        thread::sleep(Duration::from_millis(delay.load(Ordering::SeqCst)));
        if to.write_all(&buffer[..got]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}

#[test]
fn objects_have_the_keys_of_files() {
    let text = text("line");
    let packed = pack::gzip(text.as_bytes(), 6);
    for store in servers::all() {
        for (name, bytes) in [("view.log", text.as_bytes()), ("view.log.gz", &packed)] {
            store.put(&Object::new(name, bytes));
            let mut terminal = view(&store.target(name));
            terminal.shows(&[&row(1), &row(2)]).says("lines 1-10");
            terminal.send("j").shows(&[&row(2)]);
            terminal.send("G").shows(&[&row(LINES - 9)]).says("(END)");
            terminal.send("50%").shows(&[&row(LINES / 2 + 1)]).says("50%");
            terminal.send(":123456\r").shows(&[&row(123_456)]).says("lines 123456-");
            terminal.send("g/line 0*150000\r").shows(&[&row(150_000)]).says("1 of 1");
            terminal.send("?line 0*150$\r").shows(&[&row(150)]).says("1 of 1");
            terminal.send("F").says("objects are not followed: R reads this one again").says("(END)");
            terminal.send("R").until("the message is gone", |terminal| {
                !terminal.status().contains("followed") && !terminal.status().contains("reading")
            });
            terminal.send("g").shows(&[&row(1)]);
            terminal.send("v").says("an editor can open only a file of the disk");
            terminal.quit();
        }
    }
}

#[test]
fn a_slow_server_leaves_the_keys_alone() {
    let Some(store) = servers::nginx() else { return };
    store.put(&Object::new("slow.log", text("line").as_bytes()));
    let gate = Gate::before(store.port());
    let target = store.target_at("slow.log", gate.port);
    gate.delay(Duration::from_secs(2));
    // Keys that are typed before the file is open are not lost.
    let mut terminal = view(&target);
    terminal.says("opening: q or Ctrl-C ends it").send("3j").shows(&[&row(4)]);
    terminal.send("50%").says("reading");
    terminal.send("h").says("help: q leaves it").send("q").says("reading");
    terminal.send("k").shows(&[&row(LINES / 2)]).says("lines 100000-");
    // A request that is not wanted any more delays no other one.
    gate.delay(Duration::from_secs(25));
    terminal.send("70%").says("reading");
    thread::sleep(Duration::from_millis(400));
    terminal.send("\x03").until("nothing", |terminal| !terminal.status().contains("reading"));
    terminal.send("g").shows(&[&row(1)]);
    gate.delay(Duration::ZERO);
    let since = Instant::now();
    terminal.send("90%").shows(&[&row(LINES * 9 / 10 + 1)]);
    assert!(since.elapsed() < Duration::from_secs(20), "{:?}", since.elapsed());
    terminal.quit();
    gate.delay(Duration::from_secs(20));
    for key in ["q", "\x03"] {
        let mut terminal = view(&target);
        terminal.says("opening").send(key);
        assert_eq!(terminal.code(), 0);
    }
}

#[test]
fn a_server_that_goes_away_is_reported_and_asked_again() {
    let Some(store) = servers::nginx() else { return };
    store.put(&Object::new("away.log", text("line").as_bytes()));
    let gate = Gate::before(store.port());
    let mut terminal = view(&store.target_at("away.log", gate.port));
    terminal.shows(&[&row(1)]);
    gate.close();
    terminal.send("50%").says("; R reads it again").shows(&[&row(1)]);
    // What is there is still shown.
    terminal.send("5j").shows(&[&row(6)]);
    gate.open();
    terminal.send("R").until("no message", |terminal| {
        !terminal.status().contains("R reads") && !terminal.status().contains("reading")
    });
    terminal.send("50%").shows(&[&row(LINES / 2 + 1)]);
    terminal.quit();
}

#[test]
fn an_object_that_changes_is_reported_and_read_again() {
    for store in [servers::nginx().map(|store| store as &dyn Store), servers::moto().map(|s| s as &dyn Store)]
    {
        let Some(store) = store else { continue };
        store.put(&Object::new("changes.log", text("line").as_bytes()));
        let mut terminal = view(&store.target("changes.log"));
        terminal.shows(&[&row(1)]);
        // Web servers tell states of one second apart by their size.
        store.put(&Object::new("changes.log", (text("another") + "more\n").as_bytes()));
        terminal.send("50%").says("changed on the server while it was read; R reads it again");
        terminal.shows(&[&row(1)]);
        terminal.send("R").until("the new one", |terminal| terminal.rows()[0].starts_with("another 0"));
        terminal.send("G").until("its end", |terminal| terminal.rows()[9] == "more");
        terminal.quit();
    }
}

#[test]
fn an_object_that_is_not_there_is_an_error_of_the_shell() {
    let Some(store) = servers::nginx() else { return };
    let mut terminal = view(&store.target("absent.log"));
    assert_eq!(terminal.code(), 3);
    terminal.until("the error", |terminal| terminal.rows().join(" ").contains("does not exist"));
    assert!(!terminal.is_full_screen());
}
