//! The workers of a query, and connections to them: encrypted or not, with the token and the version of this program, and errors that name the worker;
//! and the question which workers are there.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use datafusion_distributed::grpc::{BoxCloneSyncChannel, create_worker_client};
use datafusion_distributed::{
    ChannelResolver, CoordinatorToWorkerMsg, ExecuteTaskRequest, GetWorkerInfoRequest, GetWorkerInfoResponse,
    SetPlanRequest, WorkerChannel, WorkerToCoordinatorMsg,
};
use futures::StreamExt;
use futures::future::join_all;
use futures::stream::BoxStream;
use http::{HeaderMap, HeaderValue};
use rread_sql::datafusion::arrow::array::RecordBatch;
use rread_sql::datafusion::common::Result;
use rread_sql::datafusion::error::DataFusionError;
use rread_sql::datafusion::execution::TaskContext;
use rread_sql::datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use tonic::body::Body;
use tonic::codegen::{Context, Poll, Service};
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Error as TransportError};
use url::Url;

use super::wire::{SentError, shortened};
use crate::wire::ReadSettings;
use rread_sql::external;
use rread_text::{Error, Kind, Sentence, setting};

/// The header with the version of the program.
pub(crate) const VERSION: &str = "x-rread-version";

/// How long a worker may take to accept a connection.
const CONNECT: Duration = Duration::from_secs(5);

/// How often a silent worker is asked whether it is there, and how long it may take to say so.
const ASK: Duration = Duration::from_secs(5);
const ANSWER: Duration = Duration::from_secs(10);

/// Workers that answered, in the order in which work is given to them.
#[derive(Clone)]
pub struct Workers {
    /// Each as HOST:PORT.
    pub addresses: Vec<String>,
    pub access: Arc<ClusterAccess>,
    /// The bytes from which on a query is sent.
    pub least: u64,
    /// How the files are opened.
    pub options: ReadSettings,
    /// Says what happens to workers.
    pub note: Arc<dyn Fn(&str) + Send + Sync>,
    /// Workers that were lost meanwhile.
    pub(crate) lost: Arc<Mutex<Vec<String>>>,
}

/// How a process and the workers of a cluster trust each other.
#[derive(Clone, Default)]
pub struct ClusterAccess {
    /// The secret that all of them know.
    pub token: Option<String>,
    /// The version of the program, which is the same everywhere.
    pub version: String,
    /// Certificates, in PEM, of who signs those of the workers; without, connections are not encrypted.
    pub ca: Option<Vec<u8>>,
}

rread_text::opaque!(ClusterAccess, Workers);

impl Workers {
    pub fn new(addresses: Vec<String>, access: Arc<ClusterAccess>, least: u64) -> Self {
        let (options, note) = (ReadSettings::default(), Arc::new(|_: &str| ()));
        Workers { addresses, access, least, options, note, lost: Arc::default() }
    }

    pub(crate) fn lost(&self) -> MutexGuard<'_, Vec<String>> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn note_lost(&self, address: &str) {
        let mut lost = self.lost();
        if !lost.iter().any(|known| known == address) {
            lost.push(address.to_owned());
        }
    }

    /// The workers that answer.
    ///
    /// # Errors
    ///
    /// None answers, or one refuses.
    pub fn answering(self) -> rread_text::error::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|cause| Error::read("cannot start a thread", &cause))?;
        let asked = self.addresses.iter().map(|address| ask(address, &self.access));
        let answers = runtime.block_on(join_all(asked));
        runtime.shutdown_background();
        let (mut addresses, mut dead) = (Vec::new(), Vec::new());
        for (address, answer) in self.addresses.iter().zip(answers) {
            match answer {
                Ok(()) => addresses.push(address.clone()),
                Err(error) if error.kind == Kind::Network => dead.push(error),
                Err(error) => return Err(error),
            }
        }
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
            (self.note)(&format!("{}; it is left out", error.message.plain()));
        }
        Ok(Workers { addresses, lost: Arc::default(), ..self })
    }
}

/// Connects to a worker once, and adds the headers to each request.
#[derive(Clone)]
pub struct Connections {
    access: Arc<ClusterAccess>,
    /// Lost workers are noted here.
    workers: Option<Workers>,
    open: Arc<Mutex<HashMap<Url, Signed>>>,
}

impl Connections {
    pub fn new(access: &Arc<ClusterAccess>, workers: Option<Workers>) -> Self {
        Connections { access: Arc::clone(access), workers, open: Arc::default() }
    }

    /// The address that workers have in this cluster.
    pub fn url(access: &ClusterAccess, address: &str) -> rread_text::error::Result<Url> {
        let scheme = if access.ca.is_some() { "https" } else { "http" };
        let url = Url::parse(&format!("{scheme}://{address}"));
        let valid = url.ok().filter(|url| url.host().is_some() && url.path() == "/" && url.query().is_none());
        valid.ok_or_else(|| {
            Error::usage(format!("'{address}' is not the address of a worker, such as 10.0.0.7:7180"))
        })
    }

    pub(crate) async fn channel(&self, url: &Url) -> std::result::Result<Signed, TransportError> {
        let known = self.open.lock().unwrap_or_else(PoisonError::into_inner).get(url).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let mut endpoint = Endpoint::from_shared(url.to_string())?
            .connect_timeout(CONNECT)
            .tcp_nodelay(true)
            .http2_keep_alive_interval(ASK)
            .keep_alive_timeout(ANSWER)
            .keep_alive_while_idle(true);
        if let Some(ca) = &self.access.ca {
            let certificate = Certificate::from_pem(ca);
            endpoint = endpoint.tls_config(ClientTlsConfig::new().ca_certificate(certificate))?;
        }
        let signed = Signed { channel: endpoint.connect().await?, headers: self.access.headers() };
        self.open.lock().unwrap_or_else(PoisonError::into_inner).insert(url.clone(), signed.clone());
        Ok(signed)
    }

    fn watched(&self, url: &Url) -> Watched {
        let host = url.host_str().unwrap_or_default();
        let port = url.port_or_known_default().unwrap_or_default();
        Watched { address: format!("{host}:{port}"), workers: self.workers.clone() }
    }
}

impl ClusterAccess {
    /// The version and the token, for each request.
    fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if let Ok(version) = HeaderValue::from_str(&self.version) {
            headers.insert(VERSION, version);
        }
        if let Some(Ok(mut token)) =
            self.token.as_ref().map(|token| HeaderValue::from_str(&format!("Bearer {token}")))
        {
            token.set_sensitive(true);
            headers.insert(http::header::AUTHORIZATION, token);
        }
        headers
    }
}

#[async_trait]
impl ChannelResolver for Connections {
    async fn get_worker_client_for_url(&self, url: &Url) -> Result<Box<dyn WorkerChannel>> {
        let watched = self.watched(url);
        let signed = self.channel(url).await;
        let signed = signed.map_err(|cause| watched.lost(&reason(&cause)))?;
        let client = create_worker_client(BoxCloneSyncChannel::new(signed));
        Ok(Box::new(WatchedChannel { client, watched }))
    }
}

/// A channel whose requests have the headers.
#[derive(Clone)]
pub(crate) struct Signed {
    channel: Channel,
    headers: HeaderMap,
}

impl Service<http::Request<Body>> for Signed {
    type Response = http::Response<Body>;
    type Error = TransportError;
    type Future = <Channel as Service<http::Request<Body>>>::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<std::result::Result<(), TransportError>> {
        self.channel.poll_ready(context)
    }

    fn call(&mut self, mut request: http::Request<Body>) -> Self::Future {
        request.headers_mut().extend(self.headers.clone());
        self.channel.call(request)
    }
}

/// Words the errors of one worker.
#[derive(Clone)]
struct Watched {
    address: String,
    workers: Option<Workers>,
}

impl Watched {
    /// The error of a worker that is not there any more.
    fn lost(&self, why: &str) -> DataFusionError {
        let error = Error::new(Kind::Network, format!("the worker {} is lost: {why}", self.address));
        self.found(SentError { error, lost: Some(self.address.clone()) })
    }

    /// The error for who asked: a client, which has an error of its own, or another worker, which sends it on.
    fn found(&self, sent: SentError) -> DataFusionError {
        let Some(workers) = &self.workers else { return sent.engine() };
        if let Some(lost) = &sent.lost {
            workers.note_lost(lost);
        }
        external(sent.error)
    }

    fn worded(&self, error: DataFusionError) -> DataFusionError {
        if let Some(sent) = SentError::find(&error) {
            return self.found(sent);
        }
        match error.find_root() {
            DataFusionError::ResourcesExhausted(_) => {
                let worker = format!("the query needs more memory of the worker {} than its ", self.address);
                let message = Sentence::from(worker).then(setting("memory")).then(" allows");
                let hint = "start the worker with more, or use more workers";
                self.found(SentError::of(Error::new(Kind::Io, message).hint(hint)))
            }
            DataFusionError::External(cause) => match cause.downcast_ref::<tonic::Status>() {
                Some(status) => self.of_status(status),
                // The answer of a worker has another form only if its bytes are damaged.
                None => self.lost(&shortened(&cause.to_string())),
            },
            _ => error,
        }
    }

    fn of_status(&self, status: &tonic::Status) -> DataFusionError {
        let message = format!("the worker {} refuses: {}", self.address, shortened(status.message()));
        let error = match status.code() {
            tonic::Code::Unauthenticated => {
                let hint = setting("token-file").then(" FILE, with the token of the worker");
                Error::new(Kind::Permission, message).hint(hint)
            }
            tonic::Code::DeadlineExceeded => {
                let hint = Sentence::from("start the worker with a longer ").then(setting("timeout"));
                Error::new(Kind::Io, message).hint(hint.then(", or query less data"))
            }
            tonic::Code::FailedPrecondition | tonic::Code::OutOfRange => Error::new(Kind::Io, message),
            _ => return self.lost(&of_status(status)),
        };
        self.found(SentError::of(error))
    }
}

/// The words of the cause of an error, which are those of the system.
fn reason(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    let mut text = cause.to_string();
    text.truncate(text.find(" (os error ").unwrap_or(text.len()));
    shortened(&text)
}

fn of_status(status: &tonic::Status) -> String {
    match std::error::Error::source(status) {
        Some(cause) => reason(cause),
        None => shortened(status.message()),
    }
}

struct WatchedChannel {
    client: Box<dyn WorkerChannel>,
    watched: Watched,
}

#[async_trait]
impl WorkerChannel for WatchedChannel {
    async fn coordinator_channel(
        &mut self,
        headers: HeaderMap,
        request: SetPlanRequest,
        messages: BoxStream<'static, CoordinatorToWorkerMsg>,
        metrics: ExecutionPlanMetricsSet,
        context: &Arc<TaskContext>,
    ) -> Result<BoxStream<'static, Result<WorkerToCoordinatorMsg>>> {
        let watched = self.watched.clone();
        let answers = self.client.coordinator_channel(headers, request, messages, metrics, context).await;
        let answers = answers.map_err(|error| watched.worded(error))?;
        Ok(answers.map(move |answer| answer.map_err(|error| watched.worded(error))).boxed())
    }

    async fn execute_task(
        &mut self,
        headers: HeaderMap,
        request: ExecuteTaskRequest,
        metrics: ExecutionPlanMetricsSet,
        context: &Arc<TaskContext>,
    ) -> Result<Vec<BoxStream<'static, Result<RecordBatch>>>> {
        let watched = &self.watched;
        let parts = self.client.execute_task(headers, request, metrics, context).await;
        let parts = parts.map_err(|error| watched.worded(error))?;
        let worded = |part: BoxStream<'static, Result<RecordBatch>>| {
            let watched = watched.clone();
            part.map(move |batch| batch.map_err(|error| watched.worded(error))).boxed()
        };
        Ok(parts.into_iter().map(worded).collect())
    }

    async fn get_worker_info(&mut self, request: GetWorkerInfoRequest) -> Result<GetWorkerInfoResponse> {
        let watched = &self.watched;
        self.client.get_worker_info(request).await.map_err(|error| watched.worded(error))
    }
}

/// How long a worker may take to say that it is there.
const PATIENCE: Duration = Duration::from_secs(5);

async fn ask(address: &str, access: &Arc<ClusterAccess>) -> rread_text::error::Result<()> {
    let url = Connections::url(access, address)?;
    let connections = Connections::new(access, None);
    let answer = async {
        let mut client = connections.get_worker_client_for_url(&url).await?;
        client.get_worker_info(GetWorkerInfoRequest {}).await
    };
    let failed = |how: &str| Error::new(Kind::Network, format!("the worker {address} {how}"));
    match tokio::time::timeout(PATIENCE, answer).await {
        Ok(Ok(answer)) if answer.version == access.version => Ok(()),
        Ok(Ok(answer)) => {
            let (other, own) = (shortened(&answer.version), &access.version);
            let message = format!("the worker {address} is rread {other}, and this is rread {own}");
            Err(Error::new(Kind::Io, message).hint("install the same version everywhere"))
        }
        Ok(Err(cause)) => Err(match SentError::find(&cause) {
            Some(sent) => sent.error,
            None => failed(&format!("is lost: {}", shortened(&cause.to_string()))),
        }),
        Err(_) => Err(failed("does not answer")),
    }
}
