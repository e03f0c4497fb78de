//! TLS with a real server: rread reads nothing if the certificate is wrong.

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
