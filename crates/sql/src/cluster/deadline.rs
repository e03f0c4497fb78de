//! The time that a worker gives to a query: its answers end with an error when it is over, and so does the work.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Request, Response};
use http_body::Frame;
use tokio::time::{Instant, Sleep, sleep_until, timeout_at};
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::{BoxFuture, Service};
use tonic::server::NamedService;

/// A service whose answers take at most `limit`.
#[derive(Clone)]
pub(super) struct Deadline<S> {
    pub service: S,
    pub limit: Option<Duration>,
}

impl<S: NamedService> NamedService for Deadline<S> {
    const NAME: &'static str = S::NAME;
}

impl<S> Service<Request<Body>> for Deadline<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Response<Body>, Infallible>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.service.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
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
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
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
