//! The workers of a query: who they are, who of them answers, and what they need to know.

use std::sync::Arc;

use super::args::SelectArgs;
use crate::args::environment;
use crate::args::workers::{named, pem_of, token_of};
use crate::cmd::worker::opening::{OpenedAs, version};
use rread_source::stdio::note;
use rread_sql::cluster::{FoundWorkers, find};
use rread_sql::{ClusterAccess, ClusterTls, Workers};
use rread_text::error::{Error, Kind, Result};
use rread_text::sentence::setting;

/// A smaller query takes less time here than it takes to send it.
const LEAST: u64 = 4 << 20;

/// The workers that the user names and that answer; `None` if there are none.
pub(super) fn workers(args: &SelectArgs) -> Result<Option<Workers>> {
    let Some(words) = args.cluster.workers.clone().or_else(environment::workers) else {
        let option = args.cluster.token_file.as_ref().map(|_| "token-file");
        return match option.or(args.cluster.tls_ca.as_ref().map(|_| "tls-ca")) {
            Some(option) => Err(Error::usage(setting(option).then(" is for workers"))
                .hint(setting("workers").then(" HOST:PORT"))),
            None => Ok(None),
        };
    };
    let tls = args.cluster.tls_ca.as_deref().map(pem_of).transpose()?.map(|ca| ClusterTls { ca });
    let token = args.cluster.token_file.as_deref().map(token_of).transpose()?;
    let access = Arc::new(ClusterAccess { token, version: version(), tls });
    answering(&named(&words)?, &access).map(Some)
}

/// The workers that are left after some were lost.
pub(super) fn left(workers: &Workers) -> Result<Workers> {
    let lost = workers.lost();
    let others: Vec<String> =
        workers.addresses.iter().filter(|other| !lost.contains(other)).cloned().collect();
    answering(&others, &workers.access)
}

fn answering(addresses: &[String], access: &Arc<ClusterAccess>) -> Result<Workers> {
    let FoundWorkers { addresses, dead } = find(addresses, access)?;
    if addresses.is_empty() {
        let message = match &dead[..] {
            [] => "no worker is left".into(),
            [one] => one.message.clone(),
            [first, ..] => {
                first.message.clone().then(format!("; none of the {} workers answers", dead.len()))
            }
        };
        let hint = setting("workers").then(" with others, or without it");
        return Err(Error::new(Kind::Network, message).hint(hint));
    }
    for error in &dead {
        note(&format!("{}; it is left out", error.message.plain()));
    }
    let least = environment::workers_min()?.unwrap_or(LEAST);
    Ok(Workers::new(addresses, Arc::clone(access), least))
}

/// How the files are opened, in words for a worker.
pub(super) fn opening(args: &SelectArgs) -> String {
    OpenedAs {
        encoding: args.encoding.encoding.clone(),
        salvage: args.source.salvage,
        no_decompress: args.source.packing.no_decompress,
        anonymous: args.source.remote.anonymous,
        sheet: args.table.sheet.clone(),
    }
    .words()
}
