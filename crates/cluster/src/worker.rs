//! A worker: answers the clients of its cluster until its process ends.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use datafusion_distributed::{DistributedExt, Worker, WorkerQueryContext};
use rread_sql::datafusion::common::exec_err;
use rread_sql::datafusion::execution::disk_manager::DiskManagerBuilder;
use rread_sql::datafusion::execution::memory_pool::FairSpillPool;
use rread_sql::datafusion::execution::object_store::ObjectStoreRegistry;
use rread_sql::datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use rread_sql::datafusion::execution::{SessionState, SessionStateBuilder};
use rread_sql::datafusion::object_store::ObjectStore;
use rread_sql::datafusion::prelude::SessionContext;
use tonic::codegen::InterceptedService;
use tonic::transport::{Identity, Server, ServerTlsConfig};
use tonic::{Request, Status};
use url::Url;

use crate::access::ClusterAccess;
use crate::channel::{Connections, VERSION};
use crate::codec::{Opening, ScanCodec};
use crate::incoming::{accepted, note_known};
use rread_source::limits;
use rread_sql::{dialect, exact, growth, run};
use rread_text::error::{Error, Kind, Result};

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
    let check = move |request| checked(request, &access);
    let worker = worker(options, runtime).into_worker_server().max_decoding_message_size(LONGEST_PLAN);
    let served = server.add_service(InterceptedService::new(worker, check));
    let served = served.serve_with_incoming(accepted(listener)).await;
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
        .with_memory_pool(Arc::new(FairSpillPool::new(memory)))
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
