//! The progress of a query: its client asks each worker how much it has read, and adds it to what it shows.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::ready;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use http::uri::PathAndQuery;
use prost::Message;
use tokio::task::JoinHandle;
use tonic::codegen::{Body, BoxFuture, Context, Poll, Service, StdError};
use tonic::server::{NamedService, UnaryService};
use tonic::{Request, Response, Status};
use tonic_prost::ProstCodec;

use crate::access::Workers;
use crate::channel::Connections;
use rread_sql::files::{FilesProgress, Passed};

/// The address of the question on a worker.
const PATH: &str = "/rread.Progress/Read";

/// How often a client asks; it shows nothing earlier.
const PAUSE: Duration = Duration::from_millis(500);

/// A worker remembers the counts of a query that nobody asks for as long as this.
const KEPT: Duration = Duration::from_secs(60);

/// The question: the number of a table.
#[derive(Clone, Copy, Message)]
struct Asked {
    #[prost(uint64, tag = "1")]
    id: u64,
}

/// The answer: stored bytes that were read, and files that are done.
#[derive(Clone, Copy, Message)]
struct Told {
    #[prost(uint64, tag = "1")]
    bytes: u64,
    #[prost(uint64, tag = "2")]
    done: u64,
}

/// The reads that a worker does, by the number of the table that its client gave.
#[derive(Clone, Default)]
pub struct Running(Arc<Mutex<HashMap<u64, TableReads>>>);

struct TableReads {
    parts: Vec<FilesProgress>,
    last: Instant,
}

impl Running {
    /// Counts a part of the table `id` from now on.
    pub(crate) fn add(&self, id: u64, part: &FilesProgress) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, table| table.last.elapsed() < KEPT);
        let table = all.entry(id).or_insert_with(|| TableReads { parts: Vec::new(), last: Instant::now() });
        table.parts.push(part.clone());
        table.last = Instant::now();
    }

    fn passed(&self, id: u64) -> Passed {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(table) = all.get_mut(&id) else { return Passed::default() };
        table.last = Instant::now();
        table.parts.iter().map(FilesProgress::passed).sum()
    }
}

/// Answers clients.
#[derive(Clone)]
pub(crate) struct ProgressServer(pub Running);

impl NamedService for ProgressServer {
    const NAME: &'static str = "rread.Progress";
}

impl<B> Service<http::Request<B>> for ProgressServer
where
    B: Body + Send + 'static,
    B::Error: Into<StdError> + Send + 'static,
{
    type Response = http::Response<tonic::body::Body>;
    type Error = Infallible;
    type Future = BoxFuture<Self::Response, Infallible>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<B>) -> Self::Future {
        let answer = Answer(self.0.clone());
        Box::pin(async move {
            let mut server = tonic::server::Grpc::new(ProstCodec::<Told, Asked>::default());
            Ok(server.unary(answer, request).await)
        })
    }
}

struct Answer(Running);

impl UnaryService<Asked> for Answer {
    type Response = Told;
    type Future = std::future::Ready<Result<Response<Told>, Status>>;

    fn call(&mut self, asked: Request<Asked>) -> Self::Future {
        let Passed { bytes, done } = self.0.passed(asked.into_inner().id);
        ready(Ok(Response::new(Told { bytes, done })))
    }
}

/// Asks as long as it lives.
pub(crate) struct Asking(JoinHandle<()>);

impl Asking {
    /// Asks `workers` for the tables with these numbers, in the runtime that runs this.
    pub fn start(workers: &Workers, tables: Vec<(u64, FilesProgress)>) -> Self {
        let workers = workers.clone();
        let ask = async move {
            let connections = Connections::new(&workers.access, None);
            loop {
                tokio::time::sleep(PAUSE).await;
                for (id, progress) in &tables {
                    for (nth, address) in workers.addresses.iter().enumerate() {
                        // The query itself notices a worker that is lost.
                        if let Some(passed) = ask(&connections, &workers, address, *id).await {
                            progress.set_elsewhere(nth, passed);
                        }
                    }
                }
            }
        };
        Asking(tokio::spawn(ask))
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn ask(connections: &Connections, workers: &Workers, address: &str, id: u64) -> Option<Passed> {
    let url = Connections::url(&workers.access, address).ok()?;
    let answer = async {
        let mut client = tonic::client::Grpc::new(connections.channel(&url).await.ok()?);
        client.ready().await.ok()?;
        let codec = ProstCodec::<Asked, Told>::default();
        let told = client.unary(Request::new(Asked { id }), PathAndQuery::from_static(PATH), codec).await;
        let Told { bytes, done } = told.ok()?.into_inner();
        Some(Passed { bytes, done })
    };
    tokio::time::timeout(PAUSE, answer).await.ok()?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_table_are_added_and_tables_are_apart() {
        let running = Running::default();
        let parts = [(1, 10), (1, 20), (2, 400)].map(|(id, size)| {
            let part = FilesProgress::default();
            running.add(id, &part);
            part.watch(0, Some(size)).report_read(size / 2);
            (part, size)
        });
        assert_eq!(running.passed(1), Passed { bytes: 15, done: 0 });
        assert_eq!(running.passed(2), Passed { bytes: 200, done: 0 });
        assert_eq!(running.passed(3), Passed::default());
        for (part, size) in parts {
            part.finish(0, Some(size));
        }
        assert_eq!(running.passed(1), Passed { bytes: 30, done: 2 });
    }
}
