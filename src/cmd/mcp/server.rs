//! The protocol: lists the tools, runs their calls on threads, reports progress, cancels.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ProgressToken, ServerCapabilities,
    ServerConfig, Tool as Listed, ToolAnnotations,
};
use rmcp::service::{Peer, RequestContext, ServerInitializeError};
use rmcp::{ErrorData, RoleServer, ServerHandler, serve_server};
use tokio::sync::Semaphore;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use super::lines::Lines;
use crate::cmd::tools;
use crate::cmd::tools::table::{Answer, Arguments, Body, Tool};
use crate::roots::call::{Call, Permissions};
use rread_source::interrupt;
use rread_text::error::{Error, Result};

/// Calls of a tool that work at the same time; others of this tool wait for their turn.
const JOBS: usize = 8;
/// Calls with a thread: those that work, those that wait, and those that ended while their thread works on, such as in a
/// match of one long line.
const MAX_THREADS: usize = 256;
/// Standard input and output take threads too.
const MAX_ALL_THREADS: usize = MAX_THREADS + 4;
const PROGRESS: Duration = Duration::from_millis(250);
/// A call whose time is up has this long to answer by itself.
const MAX_DELAY: Duration = Duration::from_secs(1);
/// After the end of input, running calls have this long to finish.
const GRACE: Duration = Duration::from_millis(15);

struct Server {
    /// Each with its places: long calls of one tool keep no other tool waiting.
    tools: Vec<(&'static Tool, Semaphore)>,
    instructions: String,
    permissions: Arc<Permissions>,
    threads: Arc<Semaphore>,
    /// How long a call may take that does not say so.
    limit: Duration,
}

/// Serves `tools` on standard input and output until the input ends; then ends the process.
pub(crate) fn serve(
    tools: Vec<&'static Tool>,
    instructions: String,
    permissions: Arc<Permissions>,
    limit: Duration,
) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .max_blocking_threads(MAX_ALL_THREADS)
        .build()
        .map_err(|cause| Error::read("cannot start the server", &cause))?;
    let tools = tools.into_iter().map(|tool| (tool, Semaphore::new(JOBS))).collect();
    let server =
        Server { tools, instructions, permissions, threads: Arc::new(Semaphore::new(MAX_THREADS)), limit };
    let served = runtime.block_on(async {
        let (lines, ended) = Lines::new();
        let running = tokio::select! {
            running = serve_server(server, lines) => running,
            () = async { ended.notified().await; sleep(GRACE).await } => return Ok(()),
        };
        let running = match running {
            Ok(running) => running,
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(cause) => return Err(Error::usage(format!("the client does not speak MCP: {cause}"))),
        };
        tokio::select! {
            _ = running.waiting() => {}
            () = async { ended.notified().await; sleep(GRACE).await } => {}
        }
        Ok(())
    });
    served?;
    // A job may run on: neither wait for it nor leave its unfinished files.
    let _undone = interrupt::undo();
    std::process::exit(0)
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("rread", env!("CARGO_PKG_VERSION")))
            .with_instructions(self.instructions.clone())
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<ListToolsResult, ErrorData> {
        if let Some(cursor) = request.and_then(|request| request.cursor) {
            let what = format!("'{cursor}' is not a cursor of this server: the first list has all tools");
            return Err(ErrorData::invalid_params(what, None));
        }
        Ok(ListToolsResult::with_all_items(self.tools.iter().map(|(tool, _)| list_tool(tool)).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> std::result::Result<CallToolResponse, ErrorData> {
        let Some((tool, places)) = self.tools.iter().find(|(tool, _)| tool.name == request.name) else {
            let names: Vec<&str> = self.tools.iter().map(|(tool, _)| tool.name).collect();
            let what = format!("there is no tool '{}'; the tools are {}", request.name, names.join(", "));
            return Err(ErrorData::invalid_params(what, None));
        };
        let arguments = request.arguments.unwrap_or_default();
        let call = Arc::new(Call::new(Arc::clone(&self.permissions), tool.limit(&arguments, self.limit)));
        let ended = context.ct.clone();
        let token = context.meta.get_progress_token();
        tokio::select! {
            biased;
            () = ended.cancelled() => Err(ErrorData::internal_error("cancelled", None)),
            answer = self.run(tool, places, &call, arguments) => answer.map(|answer| result(answer).into()),
            () = report(&context.peer, token, &call) => Err(ErrorData::internal_error("no progress", None)),
        }
    }
}

impl Server {
    async fn run(
        &self,
        tool: &'static Tool,
        places: &Semaphore,
        call: &Arc<Call>,
        arguments: Arguments,
    ) -> std::result::Result<Answer, ErrorData> {
        let failed = |cause: &dyn std::fmt::Display| ErrorData::internal_error(cause.to_string(), None);
        let thread = Arc::clone(&self.threads).acquire_owned().await.map_err(|cause| failed(&cause))?;
        // A call that waits takes no place of calls that work. A place is free as soon as nobody waits for the answer.
        let _place = match tool.waits {
            true => None,
            false => Some(places.acquire().await.map_err(|cause| failed(&cause))?),
        };
        let unwanted = Unwanted(Arc::clone(call));
        let own = Arc::clone(call);
        let job = tokio::task::spawn_blocking(move || {
            let _thread = thread;
            tools::call(tool, &own, arguments).unwrap_or_else(Answer::from)
        });
        // A job notices by itself that its time is up, and answers with what it has.
        let answered = timeout(call.limit.saturating_add(MAX_DELAY), job).await;
        drop(unwanted);
        answered.unwrap_or_else(|_| Ok(Answer::from(call.too_late()))).map_err(|cause| failed(&cause))
    }
}

/// Cancels its call when nobody waits for the answer any more.
struct Unwanted(Arc<Call>);

impl Drop for Unwanted {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Reports how much was read, as long as that changes; never ends.
async fn report(peer: &Peer<RoleServer>, token: Option<ProgressToken>, call: &Call) {
    let Some(token) = token else { return std::future::pending().await };
    let mut ticks = interval(PROGRESS);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks.tick().await;
    let mut before = 0;
    loop {
        ticks.tick().await;
        let (passed, opened) = call.progress();
        if passed > before {
            before = passed;
            let note = ProgressNotificationParam::new(token.clone(), as_float(passed));
            // A file may be read twice.
            let note = if passed <= opened { note.with_total(as_float(opened)) } else { note };
            let _ = peer.notify_progress(note.with_message("bytes read")).await;
        }
    }
}

#[allow(clippy::cast_precision_loss)]
fn as_float(bytes: u64) -> f64 {
    bytes as f64
}

fn result(answer: Answer) -> CallToolResult {
    match answer.body {
        Body::Text(text) if answer.is_error => CallToolResult::error(vec![ContentBlock::text(text)]),
        Body::Text(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
        Body::Structured(value) => CallToolResult::structured(value),
        Body::Picture { data, mime, facts } => {
            CallToolResult::success(vec![ContentBlock::text(facts), ContentBlock::image(data, mime)])
        }
    }
}

fn list_tool(tool: &Tool) -> Listed {
    let output = |text: &str| Arc::new(serde_json::from_str::<JsonObject>(text).unwrap_or_default());
    let annotations =
        ToolAnnotations::with_title(tool.title).read_only(tool.only_reads).open_world(!tool.only_reads);
    let mut listed = Listed::new(tool.name, tool.description, tool.input()).with_annotations(annotations);
    listed.output_schema = tool.output.map(output);
    listed
}
