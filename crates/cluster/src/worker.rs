//! A worker: answers the clients of its cluster until its process ends, and ends what takes too long.

use std::convert::Infallible;
use std::future::Future;
use std::net::TcpListener;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;
use http_body::Frame;

use datafusion_distributed::{DistributedExt, Worker, WorkerQueryContext};
use rread_sql::datafusion::common::exec_err;
use rread_sql::datafusion::execution::disk_manager::DiskManagerBuilder;
use rread_sql::datafusion::execution::object_store::ObjectStoreRegistry;
use rread_sql::datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use rread_sql::datafusion::execution::{SessionState, SessionStateBuilder};
use rread_sql::datafusion::object_store::ObjectStore;
use rread_sql::datafusion::prelude::SessionContext;
use tokio::time::{Instant, Sleep, sleep_until, timeout_at};
use tonic::body::Body;
use tonic::codegen::{BoxFuture, InterceptedService, Service};
use tonic::server::NamedService;
use tonic::transport::{Identity, Server, ServerTlsConfig};
use tonic::{Request, Status};
use url::Url;

use super::wire::{Opening, ScanCodec};
use crate::channel::{ClusterAccess, Connections, VERSION};
use crate::incoming::{accepted, note_known};
use rread_source::limits;
use rread_sql::{QueryMemory, dialect, exact, growth, run};
use rread_text::{Error, Kind, Result};

/// The bytes of a message of a client: a plan.
const LONGEST_PLAN: usize = 128 << 20;

/// How often a silent client is asked whether it is there, and how long it may take to say so.
const ASK: Duration = Duration::from_secs(10);
const ANSWER: Duration = Duration::from_secs(20);

/// The limits of a worker, and its clients.
pub struct WorkerOptions {
    pub access: Arc<ClusterAccess>,
    /// Its certificate and its key, in PEM.
    pub identity: Option<(Vec<u8>, Vec<u8>)>,
    /// In bytes, for all queries together.
    pub memory: usize,
    /// How long a query may take.
    pub timeout: Option<Duration>,
    pub opening: Arc<Opening>,
}

/// Answers clients that connect to `listener`, for ever.
///
/// # Errors
///
/// The certificate or the key is not valid, or the system fails.
pub fn serve(listener: TcpListener, options: WorkerOptions) -> Result<()> {
    limits::raise_descriptors();
    run::runtime()?.block_on(answer(listener, options))
}

async fn answer(listener: TcpListener, options: WorkerOptions) -> Result<()> {
    let failed =
        |cause: &dyn std::fmt::Display| Error::new(Kind::Io, format!("the worker cannot listen: {cause}"));
    listener.set_nonblocking(true).map_err(|cause| failed(&cause))?;
    let listener = tokio::net::TcpListener::from_std(listener).map_err(|cause| failed(&cause))?;
    let runtime = runtime(options.memory)?;
    let access = Arc::clone(&options.access);
    let mut server =
        Server::builder().http2_keepalive_interval(Some(ASK)).http2_keepalive_timeout(Some(ANSWER));
    if let Some(identity) = &options.identity {
        server = encrypted(server, identity)?;
    }
    let limit = options.timeout;
    let check = move |request| checked(request, &access);
    let worker = worker(options, runtime).into_worker_server();
    let service = worker.max_decoding_message_size(LONGEST_PLAN);
    let worker = InterceptedService::new(Deadline { service, limit }, check);
    let served = server.add_service(worker).serve_with_incoming(accepted(listener)).await;
    served.map_err(|cause| failed(&cause))
}

/// Refuses a certificate and a key that a worker cannot use.
///
/// # Errors
///
/// One of them is not valid, or they are not a pair.
pub fn check_identity(identity: &(Vec<u8>, Vec<u8>)) -> Result<()> {
    encrypted(Server::builder(), identity).map(drop)
}

fn encrypted(server: Server, (certificate, key): &(Vec<u8>, Vec<u8>)) -> Result<Server> {
    let tls = ServerTlsConfig::new().identity(Identity::from_pem(certificate, key));
    let refused =
        |_| Error::usage("the certificate and the key of the worker are not valid PEM, or not a pair");
    server.tls_config(tls).map_err(refused)
}

pub fn runtime(memory: usize) -> Result<Arc<RuntimeEnv>> {
    let built = RuntimeEnvBuilder::new()
        .with_memory_pool(Arc::new(QueryMemory::new(memory)))
        .with_disk_manager_builder(DiskManagerBuilder::default())
        .with_object_store_registry(Arc::new(NoStores))
        .build_arc();
    built.map_err(|cause| Error::new(Kind::Io, format!("cannot start the engine: {cause}")))
}

/// The engine's own nodes find no files: a client could put them into its plan, and read or write outside of the roots.
#[derive(Debug)]
struct NoStores;

impl ObjectStoreRegistry for NoStores {
    fn register_store(&self, _: &Url, _: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        None
    }

    fn get_store(&self, url: &Url) -> rread_sql::datafusion::common::Result<Arc<dyn ObjectStore>> {
        exec_err!("a worker reads files only as rread does, and not {url}")
    }
}

fn worker(options: WorkerOptions, runtime: Arc<RuntimeEnv>) -> Worker {
    let WorkerOptions { access, opening, .. } = options;
    let codec = Arc::new(ScanCodec::Worker(opening));
    let version = access.version.clone();
    let connections = Connections::new(&access, None);
    let build = move |context: WorkerQueryContext| {
        let (codec, connections) = (Arc::clone(&codec), connections.clone());
        async move { Ok(session_of(context.builder, codec, connections)) }
    };
    Worker::from_session_builder(build).with_runtime_env(runtime).with_version(version)
}

/// The session of one task: it knows our functions and our nodes.
pub fn session_of(
    builder: SessionStateBuilder,
    codec: Arc<ScanCodec>,
    connections: Connections,
) -> SessionState {
    let builder =
        builder.with_distributed_user_codec_arc(codec).with_distributed_channel_resolver(connections);
    let context = SessionContext::new_with_state(builder.build());
    dialect::register(&context);
    exact::register(&context);
    exact::register_operators(&context);
    growth::bound(&context);
    context.state()
}

/// Refuses a request without the token, and one of another version.
fn checked(request: Request<()>, access: &ClusterAccess) -> std::result::Result<Request<()>, Status> {
    let header = |name: &str| request.metadata().get(name).and_then(|value| value.to_str().ok());
    let given = header("authorization").and_then(|value| value.strip_prefix("Bearer "));
    let both = given.zip(access.token.as_deref());
    if !both.is_some_and(|(given, token)| is_same(given.as_bytes(), token.as_bytes())) {
        return Err(Status::unauthenticated("the token is not that of the worker"));
    }
    note_known(&request);
    let other = header(VERSION).unwrap_or("an unknown version");
    if other != access.version {
        let own = &access.version;
        return Err(Status::failed_precondition(format!("it is rread {own}, and this is rread {other}")));
    }
    Ok(request)
}

/// Compares all bytes, so that the time says nothing about a secret.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |all, (one, other)| all | (one ^ other)) == 0
}

/// A service whose answers take at most `limit`.
#[derive(Clone)]
struct Deadline<S> {
    service: S,
    limit: Option<Duration>,
}

impl<S: NamedService> NamedService for Deadline<S> {
    const NAME: &'static str = S::NAME;
}

impl<S> Service<http::Request<Body>> for Deadline<S>
where
    S: Service<http::Request<Body>, Response = http::Response<Body>, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<http::Response<Body>, Infallible>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<std::result::Result<(), Infallible>> {
        self.service.poll_ready(context)
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let answer = self.service.call(request);
        let Some(limit) = self.limit else { return Box::pin(answer) };
        // A limit that no clock can hold is none.
        let Some(end) = Instant::now().checked_add(limit) else { return Box::pin(answer) };
        Box::pin(async move {
            match timeout_at(end, answer).await {
                Ok(answer) => Ok(answer?.map(|body| Body::new(Limited::new(body, end, limit)))),
                Err(_) => Ok(too_long(limit).into_http()),
            }
        })
    }
}

fn too_long(limit: Duration) -> Status {
    let limit = humantime::format_duration(limit);
    Status::deadline_exceeded(format!("the query takes longer than {limit}"))
}

/// The body of an answer until its end, or until the deadline. The work for a body ends when it is dropped.
struct Limited {
    body: Option<Body>,
    end: Pin<Box<Sleep>>,
    limit: Duration,
}

impl Limited {
    fn new(body: Body, end: Instant, limit: Duration) -> Self {
        Limited { body: Some(body), end: Box::pin(sleep_until(end)), limit }
    }
}

impl http_body::Body for Limited {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<std::result::Result<Frame<Bytes>, Status>>> {
        if self.body.is_some() && self.end.as_mut().poll(context).is_ready() {
            self.body = None;
            let mut trailers = HeaderMap::new();
            return Poll::Ready(Some(
                too_long(self.limit).add_header(&mut trailers).map(|()| Frame::trailers(trailers)),
            ));
        }
        match &mut self.body {
            Some(body) => Pin::new(body).poll_frame(context),
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plan with nodes of the engine would read below no root, and write.
    #[tokio::test]
    async fn the_engine_alone_reads_and_writes_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("t.parquet");
        let context = SessionContext::new();
        let rows = context.sql("SELECT 1 AS one").await.unwrap();
        rows.write_parquet(table.to_str().unwrap(), Default::default(), None).await.unwrap();
        let read = format!("file://{}", table.display());
        let plan = context.read_parquet(&read, Default::default()).await.unwrap();
        let plan = plan.create_physical_plan().await.unwrap();
        let worker = SessionContext::new_with_config_rt(Default::default(), runtime(64 << 20).unwrap());
        for (context, is_read) in [(&context, true), (&worker, false)] {
            let rows =
                rread_sql::datafusion::physical_plan::collect(Arc::clone(&plan), context.task_ctx()).await;
            assert_eq!(rows.is_ok(), is_read, "{rows:?}");
        }
        let rows = worker.sql("SELECT 1 AS one").await.unwrap();
        let written = folder.path().join("w.parquet");
        assert!(rows.write_parquet(written.to_str().unwrap(), Default::default(), None).await.is_err());
        assert!(!written.exists());
    }

    #[test]
    fn requests_need_the_token_and_the_version() {
        let access =
            ClusterAccess { token: Some("secret".to_owned()), version: "1.2.3".to_owned(), ca: None };
        for (token, version, refused) in [
            (Some("Bearer secret"), Some("1.2.3"), None),
            (None, Some("1.2.3"), Some("token")),
            (Some("secret"), Some("1.2.3"), Some("token")),
            (Some("Bearer secre"), Some("1.2.3"), Some("token")),
            (Some("Bearer Secret"), Some("1.2.3"), Some("token")),
            (Some("Bearer secret"), Some("1.2.4"), Some("rread 1.2.3, and this is rread 1.2.4")),
            (Some("Bearer secret"), None, Some("an unknown version")),
        ] {
            let mut request = Request::new(());
            for (name, value) in [("authorization", token), (VERSION, version)] {
                if let Some(value) = value {
                    request.metadata_mut().insert(name, value.parse().unwrap());
                }
            }
            match (checked(request, &access), refused) {
                (Ok(_), None) => {}
                (Err(status), Some(words)) => assert!(status.message().contains(words), "{status}"),
                (outcome, _) => panic!("{token:?} {version:?}: {outcome:?}"),
            }
        }
    }
}
