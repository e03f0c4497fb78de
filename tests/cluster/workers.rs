//! Worker processes, a table that is large enough for them, and a connection that breaks.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use rread_testkit::sandbox::{AtHome, Run, Sandbox, binary};

/// A worker that ends with the test.
pub struct Worker {
    child: Arc<Mutex<Child>>,
    pub address: String,
    /// The file of its token, if it made one.
    pub token: Option<String>,
}

impl Worker {
    pub fn start(sandbox: &Sandbox, options: &[&str]) -> Self {
        Worker::with(sandbox, options, &[])
    }

    pub fn with(sandbox: &Sandbox, options: &[&str], env: &[(String, String)]) -> Self {
        let mut command = Command::new(binary());
        command.current_dir(sandbox.path("")).args(["worker", "--listen", "127.0.0.1:0"]).args(options);
        command.at_home(&sandbox.home());
        command.envs(env.iter().map(|(name, value)| (name, value)));
        Worker::of(command)
    }

    /// The worker that `command` starts.
    pub fn of(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let (mut line, mut token) = (String::new(), String::new());
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let has_token = command.get_args().any(|word| word.to_string_lossy().contains("--token-file"));
        if !has_token {
            out.read_line(&mut token).unwrap();
        }
        let address = line.trim().strip_prefix("rread worker listens on ").expect(&line).to_owned();
        let token = token.trim().strip_prefix("the token is in ").map(str::to_owned);
        Worker { child: Arc::new(Mutex::new(child)), address, token }
    }

    /// What kills the process at once.
    pub fn killer(&self) -> impl Fn() + Send + Sync + 'static {
        let child = Arc::clone(&self.child);
        move || {
            let mut child = child.lock().unwrap();
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// The exit code, once the process has ended.
    pub fn exit_code(&self) -> Option<i32> {
        self.child.lock().unwrap().wait().unwrap().code()
    }

    pub fn process(&self) -> u32 {
        self.child.lock().unwrap().id()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let mut child = self.child.lock().unwrap();
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Five files of a MiB in the directory `data`: `id` is unique, `g` one of seven.
pub fn data() -> Sandbox {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("data")).unwrap();
    for file in 0..5 {
        let filler = "x".repeat(1000);
        let row = |n: usize| format!("{},{},{filler}\n", file * 1000 + n, n % 7);
        sandbox.file(
            &format!("data/{file}.csv"),
            format!("id,g,filler\n{}", (0..1000).map(row).collect::<String>()),
        );
    }
    sandbox
}

pub const COUNTS: &str = "SELECT g, count(*) AS n, sum(id) AS s FROM t GROUP BY g ORDER BY g";

/// The answer of [`COUNTS`].
pub fn counts() -> String {
    let of = |g: usize| (0..5000).filter(move |id| id % 1000 % 7 == g);
    let row = |g: usize| format!("{g},{},{}\n", of(g).count(), of(g).sum::<usize>());
    format!("g,n,s\n{}", (0..7).map(row).collect::<String>())
}

pub fn select(sandbox: &Sandbox, sql: &str, workers: &str, more: &[&str]) -> Run {
    let words = ["select", "data", sql, "--workers", workers];
    sandbox.run(words.iter().chain(more))
}

/// The run, if it has succeeded; notes may be on standard error.
#[track_caller]
pub fn succeeded(run: Run) -> Run {
    assert_eq!(run.code, 0, "{run}");
    run
}

/// The run, if it has failed without a row.
#[track_caller]
pub fn failed(run: Run, said: &str) {
    assert_eq!(run.code, 3, "{run}");
    assert!(run.stdout.is_empty() && run.stderr.contains(said), "{said}: {run}");
}

/// Passes bytes on to `to`, and calls `cut` for each connection on which a client sends a plan. It lets no byte through any
/// more once `cut` says so.
pub fn proxy(to: &str, cut: impl Fn() -> bool + Send + Sync + 'static) -> String {
    // The question whether a worker is there is smaller, and a plan larger.
    const PLAN: usize = 1500;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (to, cut) = (to.to_owned(), Arc::new(cut));
    let is_cut = Arc::new(AtomicBool::new(false));
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let mut client = client.unwrap();
            let Ok(mut server) = TcpStream::connect(&to) else { continue };
            if is_cut.load(Ordering::SeqCst) {
                continue;
            }
            let (mut back, mut forth) = (server.try_clone().unwrap(), client.try_clone().unwrap());
            std::thread::spawn(move || {
                let _ = std::io::copy(&mut back, &mut forth);
                let _ = forth.shutdown(Shutdown::Both);
            });
            let (cut, is_cut) = (Arc::clone(&cut), Arc::clone(&is_cut));
            std::thread::spawn(move || {
                let (mut buffer, mut sent) = (vec![0; 1 << 16], 0);
                while let Ok(got @ 1..) = client.read(&mut buffer) {
                    let had_plan = sent > PLAN;
                    sent += got;
                    if sent > PLAN && !had_plan && cut() {
                        is_cut.store(true, Ordering::SeqCst);
                        break;
                    }
                    if server.write_all(&buffer[..got]).is_err() {
                        break;
                    }
                }
                let _ = client.shutdown(Shutdown::Both);
                let _ = server.shutdown(Shutdown::Both);
            });
        }
    });
    address
}
