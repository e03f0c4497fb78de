//! Finds out which workers are there, before a query is given to them.

use std::sync::Arc;
use std::time::Duration;

use datafusion_distributed::{ChannelResolver, GetWorkerInfoRequest};
use futures::future::join_all;

use super::channel::Connections;
use super::words::SentError;
use crate::request::ClusterAccess;
use rread_text::error::{Error, Kind, Result};

/// How long a worker may take to say that it is there.
const PATIENCE: Duration = Duration::from_secs(5);

/// The workers of a list.
#[derive(Debug, Default)]
pub struct FoundWorkers {
    pub addresses: Vec<String>,
    /// Workers that did not answer, each with the reason.
    pub dead: Vec<Error>,
}

/// Asks each of `addresses` whether it is there.
///
/// # Errors
///
/// A worker refuses: its token or its version is another one.
pub fn find(addresses: &[String], access: &Arc<ClusterAccess>) -> Result<FoundWorkers> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.map_err(|cause| Error::read("cannot start a thread", &cause))?;
    let found = runtime.block_on(join_all(addresses.iter().map(|address| ask(address, access))));
    runtime.shutdown_background();
    let mut all = FoundWorkers::default();
    for (address, found) in addresses.iter().zip(found) {
        match found {
            Ok(()) => all.addresses.push(address.clone()),
            Err(error) if error.kind == Kind::Network => all.dead.push(error),
            Err(error) => return Err(error),
        }
    }
    Ok(all)
}

async fn ask(address: &str, access: &Arc<ClusterAccess>) -> Result<()> {
    let url = Connections::url(access, address)?;
    let connections = Connections::new(access, None);
    let answer = async {
        let mut client = connections.get_worker_client_for_url(&url).await?;
        client.get_worker_info(GetWorkerInfoRequest {}).await
    };
    match tokio::time::timeout(PATIENCE, answer).await {
        Ok(Ok(answer)) if answer.version == access.version => Ok(()),
        Ok(Ok(answer)) => {
            let (other, own) = (answer.version, &access.version);
            let message = format!("the worker {address} is rread {other}, and this is rread {own}");
            Err(Error::new(Kind::Io, message).hint("install the same version everywhere"))
        }
        Ok(Err(cause)) => Err(SentError::find(&cause).map_or_else(
            || Error::new(Kind::Network, format!("the worker {address} is lost: {cause}")),
            SentError::error,
        )),
        Err(_) => Err(Error::new(Kind::Network, format!("the worker {address} does not answer"))),
    }
}
