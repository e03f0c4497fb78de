//! The workers of a query: who they are, and what they need to know.

use std::net::ToSocketAddrs;
use std::path::Path;
use std::sync::Arc;

use super::args::SelectArgs;
use crate::args::environment;
use crate::args::input::bytes_of;
use crate::args::token::{own_token, token_of};
use crate::cmd::worker::run::VERSION;
use rread_cluster::{ClusterAccess, ReadSettings, Workers};
use rread_source::stdin::note;
use rread_sql::Cluster;
use rread_text::{Error, Kind, Result, setting};

/// A smaller query takes less time here than it takes to send it.
const MIN_SENT: u64 = 4 << 20;

impl SelectArgs {
    /// The workers that the user names and that answer; `None` if there are none.
    pub(super) fn workers(&self) -> Result<Option<Arc<dyn Cluster>>> {
        let Some(words) = self.cluster.workers.clone().or_else(environment::workers) else {
            let option = self.cluster.token_file.as_ref().map(|_| "token-file");
            return match option.or(self.cluster.tls_ca.as_ref().map(|_| "tls-ca")) {
                Some(option) => Err(Error::usage(setting(option).then(" is for workers"))
                    .hint(setting("workers").then(" HOST:PORT"))),
                None => Ok(None),
            };
        };
        let ca = self.cluster.tls_ca.as_deref().map(bytes_of).transpose()?;
        let addresses = named(&words)?;
        let token = match self.cluster.token_file.as_deref() {
            Some(path) => Some(token_of(path)?),
            None => own_token(&addresses)?,
        };
        let access = Arc::new(ClusterAccess { token, version: VERSION.to_owned(), ca });
        let options = ReadSettings {
            encoding: self.encoding.encoding.clone(),
            salvage: self.source.salvage,
            no_decompress: self.source.access.no_decompress,
            anonymous: self.source.access.anonymous,
            sheet: self.table.sheet.clone(),
        };
        let least = environment::size_from("RREAD_WORKERS_MIN")?.unwrap_or(MIN_SENT);
        let mut workers = Workers::new(addresses, access, least);
        (workers.options, workers.note) = (options, Arc::new(note));
        Ok(Some(Arc::new(workers.answering()?)))
    }
}

/// The addresses that `words` name, each once.
fn named(words: &str) -> Result<Vec<String>> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

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
