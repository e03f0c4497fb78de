//! The secret that workers and their clients know: in a file that the user names, or one of the state directory.

use std::io::{self, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use super::environment::state_dir;
use super::input::bytes_of;
use rread_reader::store;
use rread_text::{Error, Result, sentence, setting};

/// Fewer characters can be guessed.
const MIN_TOKEN: usize = 16;

/// The token that the workers and clients of one user share on one machine.
const OWN_TOKEN: &str = "worker-token";

/// The token in a file, without blanks around it.
pub(crate) fn token_of(path: &Path) -> Result<String> {
    checked(&String::from_utf8_lossy(&bytes_of(path)?), path)
}

fn checked(text: &str, path: &Path) -> Result<String> {
    let token = text.trim();
    let refused = |message: String| {
        let hint = sentence::shell("head -c 32 /dev/urandom | base64 > ").then(sentence::file(path));
        Err(Error::usage(message).at(path).hint(hint))
    };
    if let Some(place) = token.bytes().position(|byte| !byte.is_ascii_graphic()) {
        return refused(format!("a token is one word of ASCII, and byte {} is in no such word", place + 1));
    }
    if token.len() < MIN_TOKEN {
        return refused(format!(
            "a token has at least {MIN_TOKEN} characters, and this one has {}",
            token.len()
        ));
    }
    Ok(token.to_owned())
}

/// The token of this user on this machine, and its file; a worker makes it.
pub(crate) fn made_token() -> Result<(String, PathBuf)> {
    let give = || setting("token-file").then(" FILE names one with a secret of your own");
    let Some(dir) = state_dir() else {
        return Err(Error::usage("there is no home directory to keep the token of a worker in").hint(give()));
    };
    let path = dir.join(OWN_TOKEN);
    let failed = |cause: io::Error| {
        Error::read("cannot keep the token of a worker here", &cause).at(&path).hint(give())
    };
    let text = store::private_text(&dir, OWN_TOKEN, Some(&random_word)).map_err(failed)?;
    let token = checked(&text.unwrap_or_default(), &path)?;
    Ok((token, path))
}

/// The token of this user for workers at `addresses`, if all of them are on this machine and none is of another user.
pub(crate) fn own_token(addresses: &[String]) -> Result<Option<String>> {
    let Some(dir) = state_dir().filter(|_| addresses.iter().all(|address| is_own(address))) else {
        return Ok(None);
    };
    let path = dir.join(OWN_TOKEN);
    let text = store::private_text(&dir, OWN_TOKEN, None)
        .map_err(|cause| Error::read("cannot read the token of workers", &cause).at(&path))?;
    text.map(|text| checked(&text, &path)).transpose()
}

/// Whether `address` is on this machine, and not a port at which another user listens, who would get the token.
fn is_own(address: &str) -> bool {
    let Some((host, port)) = address.rsplit_once(':') else { return false };
    let is_local = host == "localhost" || address.parse::<SocketAddr>().is_ok_and(|at| at.ip().is_loopback());
    is_local && port.parse().is_ok_and(|port| !is_of_other(port))
}

#[cfg(target_os = "linux")]
fn is_of_other(port: u16) -> bool {
    const LISTENS: &str = "0A";
    let own = rustix::process::geteuid().as_raw();
    let tables =
        ["/proc/net/tcp", "/proc/net/tcp6"].map(|path| std::fs::read_to_string(path).unwrap_or_default());
    let mut users = tables.iter().flat_map(|table| table.lines().skip(1)).filter_map(|line| {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let is_port =
            words.get(1)?.rsplit_once(':').is_some_and(|(_, hex)| u16::from_str_radix(hex, 16) == Ok(port));
        (is_port && words.get(3) == Some(&LISTENS)).then(|| words.get(7)?.parse::<u32>().ok()).flatten()
    });
    users.any(|user| user != own && user != 0)
}

#[cfg(not(target_os = "linux"))]
fn is_of_other(_: u16) -> bool {
    false
}

/// 256 bits from the system, in hexadecimal.
fn random_word() -> io::Result<String> {
    let mut bytes = [0; 32];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
