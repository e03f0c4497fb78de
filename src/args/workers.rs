//! The words of options about workers, and the small files that they name: lists, tokens, certificates.

use std::fs;
use std::net::ToSocketAddrs;
use std::path::Path;

use rread_text::error::{Error, Kind, Result};
use rread_text::sentence::{file, setting, shell};

/// Characters of a token: fewer can be guessed.
const SHORTEST: usize = 16;

/// The addresses that `words` name, each once.
pub(crate) fn named(words: &str) -> Result<Vec<String>> {
    let list = match words.strip_prefix('@') {
        Some(path) => String::from_utf8_lossy(&bytes_of(Path::new(path))?).into_owned(),
        None => words.to_owned(),
    };
    let mut addresses = Vec::new();
    let is_comment = |word: &&str| word.is_empty() || word.starts_with('#');
    for word in list.split([',', '\n']).map(str::trim).filter(|word| !is_comment(word)) {
        let more = match word.strip_prefix("dns:") {
            Some(name) => resolved(name)?,
            None => vec![checked(word)?],
        };
        addresses.extend(more);
    }
    let mut once: Vec<String> = Vec::new();
    for address in addresses {
        if !once.contains(&address) {
            once.push(address);
        }
    }
    if once.is_empty() {
        return Err(Error::usage(format!("'{words}' names no worker"))
            .hint(setting("workers").then(" HOST:PORT,...")));
    }
    Ok(once)
}

/// An address with a port.
fn checked(word: &str) -> Result<String> {
    let port = word.rsplit_once(':').filter(|(host, _)| !host.is_empty()).map(|(_, port)| port);
    match port.and_then(|port| port.parse::<u16>().ok()) {
        Some(1..) => Ok(word.to_owned()),
        _ => Err(Error::usage(format!("'{word}' is not the address of a worker"))
            .hint(setting("workers").then(" 10.0.0.7:7180, @FILE or dns:NAME:PORT"))),
    }
}

/// All addresses of a name.
fn resolved(name: &str) -> Result<Vec<String>> {
    let name = checked(name)?;
    let found = name
        .to_socket_addrs()
        .map_err(|cause| Error::new(Kind::Network, format!("the name {name} has no address: {cause}")))?;
    let mut addresses: Vec<String> = found.map(|address| address.to_string()).collect();
    addresses.sort();
    Ok(addresses)
}

/// The secret in a file, without blanks around it.
pub(crate) fn token_of(path: &Path) -> Result<String> {
    let text = String::from_utf8_lossy(&bytes_of(path)?).into_owned();
    let token = text.trim();
    let refused = |message: String| {
        let hint = shell("head -c 32 /dev/urandom | base64 > ").then(file(path));
        Err(Error::usage(message).at(path).hint(hint))
    };
    if let Some(place) = token.bytes().position(|byte| !byte.is_ascii_graphic()) {
        return refused(format!("a token is one word of ASCII, and byte {} is in no such word", place + 1));
    }
    if token.len() < SHORTEST {
        return refused(format!(
            "a token has at least {SHORTEST} characters, and this one has {}",
            token.len()
        ));
    }
    Ok(token.to_owned())
}

/// Certificates or a key.
pub(crate) fn pem_of(path: &Path) -> Result<Vec<u8>> {
    bytes_of(path)
}

fn bytes_of(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|cause| Error::read("cannot read", &cause).at(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_are_named_by_a_list_a_file_or_a_name() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("workers");
        fs::write(&list, "# ours\na:1\n\nb:2\na:1\n").unwrap();
        let from_file = format!("@{}", list.display());
        for (words, expected) in [
            ("a:1", &["a:1"][..]),
            ("a:1, b:2,a:1,", &["a:1", "b:2"]),
            ("[::1]:7180", &["[::1]:7180"]),
            ("dns:127.0.0.1:7180,a:1", &["127.0.0.1:7180", "a:1"]),
            (&from_file, &["a:1", "b:2"]),
        ] {
            assert_eq!(named(words).unwrap(), expected, "{words}");
        }
        for words in ["", ",", "a", "a:", ":1", "a:0", "a:70000", "a:b", "dns:a", "@/nosuch/file"] {
            assert!(named(words).is_err(), "{words}");
        }
    }
}
