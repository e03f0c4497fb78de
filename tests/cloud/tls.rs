//! TLS with a real server: rread reads nothing if the certificate is wrong.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use rread_testkit::sandbox::{Run, Sandbox};

use super::content;
use super::servers::nginx::{Location, Nginx, nginx};
use super::servers::{Object, Store, Target};

/// A server with a certificate, and a file that one request fetches.
fn server(name: &str) -> Option<&'static Nginx> {
    let server = nginx()?;
    server.secure(Location::Files, name)?;
    server.put(&Object::new(name, &content::text(20_000)));
    Some(server)
}

fn run(target: &Target) -> Run {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command();
    command.args(["lines", &target.url, "2:3", "--raw", "--retries", "0"]);
    command.envs(target.env.iter().map(|(name, value)| (name, value)));
    Run::of(&mut command)
}

#[test]
fn valid_certificates_are_accepted() {
    let Some(server) = server("certified.log") else { return };
    let run = run(&server.secure(Location::Files, "certified.log").unwrap()).ok();
    assert_eq!(run.stdout, content::slice(64, 128, false));
}

#[test]
fn invalid_certificates_are_refused() {
    let Some(server) = server("uncertified.log") else { return };
    let right = server.secure(Location::Files, "uncertified.log").unwrap();
    let mut of_unknown_authority = right.clone();
    of_unknown_authority.unset("SSL_CERT_FILE");
    let mut of_other_name = right.clone();
    of_other_name.url = right.url.replace("127.0.0.1", "localhost");
    for target in [of_unknown_authority, of_other_name] {
        run(&target).refused(3).says(contains("certificate"));
    }
    // The log is in order: no request came before the right one.
    run(&right).ok();
    let log = server.log("uncertified.log", 1);
    assert_eq!(log.len(), 1, "{log:?}");
}

#[test]
fn redirects_to_plain_http_are_refused() {
    let Some(server) = server("away.log") else { return };
    let target = server.secure(Location::Away, "away.log").unwrap();
    run(&target).refused(3).says(contains("redirected from https to http"));
    // Without TLS, the redirect is followed; it was the first.
    run(&server.at(Location::Away, "away.log", server.port())).ok();
    let log = server.log("/files/away.log", 1);
    assert_eq!(log.len(), 1, "{log:?}");
}

/// Another try would not mend it: one connection, and a word about the way out.
#[test]
fn errors_that_last_come_after_one_try() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let connections = thread::spawn(move || {
        let mut count = 0;
        for client in listener.incoming().flatten() {
            let mut start = [0; 4];
            let _ = (&client).read(&mut start);
            if &start == b"done" {
                break;
            }
            count += 1;
            let _ = (&client).write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        }
        count
    });
    let sandbox = Sandbox::new();
    let run = Run::of(sandbox.command().args(["lines", &format!("https://127.0.0.1:{port}/a.log"), "1"]));
    run.refused(3).says(contains("does not speak TLS")).says(contains("http://"));
    TcpStream::connect(("127.0.0.1", port)).unwrap().write_all(b"done").unwrap();
    assert_eq!(connections.join().unwrap(), 1);

    let Some(server) = server("authority.log") else { return };
    let mut target = server.secure(Location::Files, "authority.log").unwrap();
    let authority = target.env.iter().find(|(name, _)| name == "SSL_CERT_FILE").unwrap().1.clone();
    target.unset("SSL_CERT_FILE");
    let mut command = sandbox.command();
    command.args(["lines", &target.url, "2:3", "--raw"]);
    Run::of(&mut command).refused(3).says(contains("SSL_CERT_FILE")).says(contains("tried").not());
    // The variable of AWS tools names authorities too.
    command.env("AWS_CA_BUNDLE", &authority);
    assert_eq!(Run::of(&mut command).ok().stdout, content::slice(64, 128, false));
    command.env("AWS_CA_BUNDLE", sandbox.path("missing.pem"));
    Run::of(&mut command).refused(2).says(contains("AWS_CA_BUNDLE"));
}

#[test]
fn errors_of_a_proxy_name_it() {
    let Some(server) = server("proxied.log") else { return };
    let url = server.target("proxied.log").url;
    let sandbox = Sandbox::new();
    let with = |names: &[(&str, &str)]| {
        let mut command = sandbox.command();
        command.args(["lines", &url, "2:3", "--raw", "--retries", "0"]);
        command.envs(names.iter().copied());
        Run::of(&mut command)
    };
    let nowhere = "http://user:secret@127.0.0.1:9";
    for name in ["HTTP_PROXY", "http_proxy", "ALL_PROXY"] {
        let run = with(&[(name, nowhere)]).refused(3);
        run.says(contains(format!("through the proxy 127.0.0.1:9 of {name}"))).says(contains("secret").not());
    }
    with(&[("HTTP_PROXY", "socks5h://127.0.0.1:9")]).refused(3).says(contains("SOCKS"));
    for none in ["*", " * ", "example.com, *", "127.0.0.1"] {
        for name in ["NO_PROXY", "no_proxy"] {
            with(&[("HTTP_PROXY", nowhere), (name, none)]).ok();
        }
    }
}
