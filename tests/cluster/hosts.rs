//! Workers on hosts of their own: network namespaces with addresses and links that these tests make and remove.
//!
//! The client and a store are on a third host, whose bridge joins all. Nothing of it reaches the network of this machine.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use rread_testkit::sandbox::{AtHome, Run, Sandbox, binary};

use super::workers::{Worker, failed, succeeded};
use crate::cloud::http::Head;

/// The variable that makes a store of the test that is no test: the address that it does not answer.
const HELD: &str = "RREAD_TEST_STORE_HOLDS";

/// The addresses of the hosts, and the port of the store on the first.
const ADDRESSES: [&str; 3] = ["10.213.7.1", "10.213.7.2", "10.213.7.3"];
const STORE: &str = "10.213.7.1:8080";

/// What the store prints once the worker that it does not answer waits for it.
const WAITS: &str = "the worker waits";

const SQL: &str = "SELECT g, count(*) AS n, sum(id) AS s FROM t GROUP BY g ORDER BY g";

/// How long a query may take: rread notices after 15 seconds that a host is gone.
const PATIENCE: Duration = Duration::from_secs(50);

const OBJECTS: usize = 8;
const ROWS: usize = 100;

fn object(nth: usize) -> String {
    let row = |n: usize| format!("{},{}\n", nth * ROWS + n, n % 7);
    format!("id,g\n{}", (0..ROWS).map(row).collect::<String>())
}

/// The answer of [`SQL`].
fn counts() -> String {
    let of = |g: usize| (0..OBJECTS * ROWS).filter(move |id| id % ROWS % 7 == g);
    let row = |g: usize| format!("{g},{},{}\n", of(g).count(), of(g).sum::<usize>());
    format!("g,n,s\n{}", (0..7).map(row).collect::<String>())
}

fn ip(words: &str) -> bool {
    Command::new("ip").args(words.split(' ')).output().is_ok_and(|run| run.status.success())
}

/// Three hosts: that of the client and the store, and those of two workers.
struct Hosts {
    sandbox: Sandbox,
    names: [String; 3],
    store: Option<Child>,
}

impl Hosts {
    /// `None` if this user may not make hosts. The store does not answer `held`.
    fn start(held: &str) -> Option<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let own = format!("rread-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let names = ["client", "one", "two"].map(|name| format!("{own}-{name}"));
        let mut hosts = Hosts { sandbox: Sandbox::new(), names, store: None };
        if !hosts.are_joined() {
            // Whoever may make namespaces can join them too.
            assert!(!ip(&format!("-n {} link set lo up", hosts.names[0])), "the hosts are not joined");
            eprintln!("SKIPPED: making network namespaces needs iproute2 and root");
            return None;
        }
        let names = (0..OBJECTS).map(|nth| format!("http://{STORE}/logs/{nth}.csv\n"));
        hosts.sandbox.file("names", names.collect::<String>());
        hosts.sandbox.file("token", "0123456789abcdef\n");
        let mut store = hosts.on(0);
        store.arg(std::env::current_exe().unwrap()).args(["--exact", "cluster::hosts::store", "--nocapture"]);
        hosts.store = Some(store.env(HELD, held).stdout(Stdio::piped()).spawn().unwrap());
        Some(hosts)
    }

    fn are_joined(&self) -> bool {
        let [client, workers @ ..] = &self.names;
        let is_made = self.names.iter().all(|name| ip(&format!("netns add {name}")))
            && ip(&format!("-n {client} link set lo up"))
            && ip(&format!("-n {client} link add bridge type bridge"))
            && ip(&format!("-n {client} addr add {}/24 dev bridge", ADDRESSES[0]))
            && ip(&format!("-n {client} link set bridge up"));
        let mut others = workers.iter().zip(&ADDRESSES[1..]).enumerate();
        is_made
            && others.all(|(nth, (name, address))| {
                ip(&format!("-n {client} link add to{nth} type veth peer name own netns {name}"))
                    && ip(&format!("-n {client} link set to{nth} master bridge up"))
                    && ip(&format!("-n {name} addr add {address}/24 dev own"))
                    && ip(&format!("-n {name} link set own up"))
                    && ip(&format!("-n {name} link set lo up"))
            })
    }

    /// A command that runs on a host.
    fn on(&self, host: usize) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.names[host]]);
        command.current_dir(self.sandbox.path("")).at_home(&self.sandbox.home());
        command
    }

    fn worker(&self, host: usize) -> Worker {
        let mut command = self.on(host);
        command.arg(binary()).args(["worker", "--listen", &format!("{}:7180", ADDRESSES[host])]);
        command.args(["--root", &format!("http://{STORE}/logs"), "--token-file", "token"]);
        Worker::of(command)
    }

    /// A query from the first host.
    fn select(&self, sql: &str, workers: &[&Worker], format: &str) -> Run {
        let addresses: Vec<&str> = workers.iter().map(|worker| worker.address.as_str()).collect();
        let mut command = assert_cmd::Command::new("ip");
        command.args(["netns", "exec", &self.names[0]]).arg(binary()).args(["select", "@names", sql, format]);
        command.args(["--workers", &addresses.join(","), "--token-file", "token"]);
        command.current_dir(self.sandbox.path("")).at_home(&self.sandbox.home()).timeout(PATIENCE);
        command.env("RREAD_WORKERS_MIN", "1");
        Run::of(&mut command)
    }

    /// Cuts the last host off, once its worker waits for the store.
    fn cut(&mut self) -> std::thread::JoinHandle<()> {
        let lines = BufReader::new(self.store.as_mut().unwrap().stdout.take().unwrap()).lines();
        let name = self.names[2].clone();
        std::thread::spawn(move || {
            let mut lines = lines.map_while(Result::ok);
            assert!(lines.any(|line| line.ends_with(WAITS)), "the worker never asked the store");
            assert!(ip(&format!("-n {name} link set own down")));
            // Other requests wait too.
            lines.for_each(drop);
        })
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        if let Some(store) = &mut self.store {
            let _ = store.kill();
            let _ = store.wait();
        }
        for name in &self.names {
            ip(&format!("netns del {name}"));
        }
    }
}

/// The store, in a process that [`Hosts::start`] starts on a host; otherwise nothing.
#[test]
fn store() {
    let Ok(held) = std::env::var(HELD) else { return };
    let listener = TcpListener::bind(STORE).unwrap();
    for client in listener.incoming().flatten() {
        let is_held = client.peer_addr().unwrap().ip().to_string() == held;
        std::thread::spawn(move || answer(&client, is_held));
    }
}

fn answer(client: &TcpStream, is_held: bool) {
    let mut requests = BufReader::new(client);
    while let Ok(Some(head)) = Head::read(&mut requests) {
        if is_held {
            // The test reads it from the output of this process.
            std::io::stdout().write_all(format!("{WAITS}\n").as_bytes()).unwrap();
            std::thread::sleep(10 * PATIENCE);
        }
        let name = head.word(1).rsplit('/').next().unwrap_or_default();
        let Some(nth) = name.strip_suffix(".csv").and_then(|nth| nth.parse().ok()) else { return };
        let body = object(nth);
        let range = head.header("range").and_then(|range| range.strip_prefix("bytes=")?.split_once('-'));
        let (status, from, to) = match range {
            Some((from, to)) => {
                let last = to.parse().unwrap_or(usize::MAX).min(body.len() - 1);
                ("206 Partial Content", from.parse::<usize>().unwrap(), last + 1)
            }
            None => ("200 OK", 0, body.len()),
        };
        let mut answer = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nETag: \"1\"\r\n", to - from);
        answer += "Accept-Ranges: bytes\r\n";
        if range.is_some() {
            answer += &format!("Content-Range: bytes {from}-{}/{}\r\n", to - 1, body.len());
        }
        answer += "\r\n";
        if head.word(0) == "GET" {
            answer += &body[from..to];
        }
        if { client }.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

#[test]
fn two_hosts_do_a_query_together() {
    let Some(hosts) = Hosts::start("") else { return };
    let [one, two] = [1, 2].map(|host| hosts.worker(host));
    let answer = hosts.select(SQL, &[&one, &two], "--json").ok().json();
    assert_eq!(answer["content"], counts());
    assert_eq!((&answer["metadata"]["workers"], &answer["metadata"]["retried"]), (&2.into(), &().into()));
    // One whose port nobody answers, on a host that is there.
    two.killer()();
    let run = succeeded(hosts.select(SQL, &[&one, &two], "--json"));
    assert!(run.stderr.contains("is left out") && run.json()["content"] == counts(), "{run}");
}

#[test]
fn the_others_answer_for_a_host_that_is_cut_off() {
    for format in ["--json", "--raw"] {
        let Some(mut hosts) = Hosts::start(ADDRESSES[2]) else { return };
        let [one, two] = [1, 2].map(|host| hosts.worker(host));
        let (cut, began) = (hosts.cut(), Instant::now());
        let run = succeeded(hosts.select(SQL, &[&one, &two], format));
        assert!(began.elapsed() < PATIENCE, "{:?}", began.elapsed());
        assert!(run.stderr.contains(&two.address) && run.stderr.contains("sends the query"), "{run}");
        if format == "--raw" {
            assert_eq!(run.text(), counts());
        } else {
            let answer = run.json();
            assert_eq!(answer["content"], counts());
            let facts = &answer["metadata"];
            assert_eq!((&facts["retried"], &facts["workers"]), (&1.into(), &1.into()), "{facts}");
        }
        drop(hosts);
        cut.join().unwrap();
    }
}

/// The other worker has sent rows by then.
#[test]
fn without_another_host_there_is_an_error_and_no_row() {
    let Some(mut hosts) = Hosts::start(ADDRESSES[2]) else { return };
    let [one, two] = [1, 2].map(|host| hosts.worker(host));
    let (cut, began) = (hosts.cut(), Instant::now());
    // The first worker is gone when the query is sent once more.
    let kill = one.killer();
    let gone = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(8));
        kill();
    });
    failed(hosts.select("SELECT id FROM t", &[&one, &two], "--raw"), "worker");
    assert!(began.elapsed() < PATIENCE, "{:?}", began.elapsed());
    gone.join().unwrap();
    drop(hosts);
    cut.join().unwrap();
}
