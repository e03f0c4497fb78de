//! The modes of a misbehaving server, as data: each lists its differences from a correct server.

/// The behaviour of a server; each field has a correct value.
#[derive(Clone, Copy, Debug)]
pub struct Behaviour {
    /// A response instead of the object.
    pub instead: Option<Instead>,
    pub ranges: Ranges,
    /// Whether the server sends `Accept-Ranges: bytes`.
    pub accept_ranges: bool,
    pub framing: Framing,
    /// The length that HEAD reports.
    pub head: HeadLength,
    pub body: Body,
    pub etag: Etag,
    /// The preconditions that the server checks.
    pub conditions: Conditions,
    /// The object changes after so many requests for it.
    pub replaced_after: Option<u32>,
    /// The body is compressed, with Content-Encoding.
    pub gzip: bool,
    /// Additional headers of 60,000 bytes each.
    pub padding: u32,
}

/// A response that is not the object. `{size}`, `{path}`, `{here}` and `{elsewhere}` in headers stand for the
/// requested size and path, and the two ports of the server.
#[derive(Clone, Copy, Debug)]
pub struct Instead {
    pub of: Requests,
    /// How often; then the object follows.
    pub times: u32,
    pub status: u16,
    pub headers: &'static [(&'static str, &'static str)],
    pub body: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requests {
    All,
    Heads,
    Ranged,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranges {
    Right,
    Ignored,
    /// Requests for the last N bytes return the whole object, as on Azure.
    NoSuffix,
    /// One byte later than requested, with the Content-Range of that.
    Shifted,
    /// From the multiple of 4096 before the start.
    Wider,
    /// At most 1000 bytes.
    Narrower,
    /// No Content-Range.
    Unlabelled,
    /// `*` for the size.
    SizeUnknown,
    /// A different size each time.
    SizeWrong,
    /// Content-Range is right, but the bytes are the first of the object.
    Mislabelled,
    /// A response with several ranges.
    Multipart,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    Length,
    Chunked,
    /// The end of the connection is the end of the body, as in HTTP/1.0.
    Close,
    /// This text instead of the length.
    Nonsense(&'static str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadLength {
    Truth,
    Half,
    Nothing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    Whole,
    /// Closes the connection in the middle.
    Cut,
    /// Resets the connection in the middle.
    Reset,
    /// Sends nothing after the middle.
    Stalled,
    /// Sends nothing, not even a head.
    Silent,
    /// So many bytes every 50 ms.
    Slow(u64),
    /// Sends text forever.
    Endless,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Etag {
    Strong,
    Weak,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conditions {
    All,
    /// Only If-Range: a changed object is sent whole.
    IfRange,
    Ignored,
}

/// A correct server.
pub const OK: Behaviour = Behaviour {
    instead: None,
    ranges: Ranges::Right,
    accept_ranges: true,
    framing: Framing::Length,
    head: HeadLength::Truth,
    body: Body::Whole,
    etag: Etag::Strong,
    conditions: Conditions::All,
    replaced_after: None,
    gzip: false,
    padding: 0,
};

const ALWAYS: u32 = u32::MAX;

/// A status and nothing else, for every request.
const fn status(status: u16, headers: &'static [(&'static str, &'static str)]) -> Behaviour {
    Behaviour { instead: Some(Instead { of: Requests::All, times: ALWAYS, status, headers, body: "" }), ..OK }
}

/// A refusal with a page of text, `times` times.
const fn busy(code: u16, times: u32, body: &'static str) -> Behaviour {
    let headers = &[("Retry-After", "1"), ("Content-Type", "text/html")];
    Behaviour { instead: Some(Instead { of: Requests::All, times, status: code, headers, body }), ..OK }
}

/// A refusal in the XML of the object stores, `times` times.
const fn refusal(status: u16, times: u32, body: &'static str) -> Behaviour {
    let headers = &[("Content-Type", "application/xml"), ("x-amz-request-id", "4442587FB7D0A2F9")];
    Behaviour { instead: Some(Instead { of: Requests::All, times, status, headers, body }), ..OK }
}

macro_rules! error_xml {
    ($code:literal, $message:literal) => {
        concat!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>",
            $code,
            "</Code><Message>",
            $message,
            "</Message></Error>"
        )
    };
}

/// Every mode by its name, which is the first part of the path.
pub const MODES: &[(&str, Behaviour)] = &[
    ("ok", OK),
    ("noaccept", Behaviour { accept_ranges: false, ..OK }),
    // Ranges.
    ("norange", Behaviour { ranges: Ranges::Ignored, accept_ranges: false, ..OK }),
    ("norangeliar", Behaviour { ranges: Ranges::Ignored, ..OK }),
    ("nosuffix", Behaviour { ranges: Ranges::NoSuffix, ..OK }),
    ("wrongcr", Behaviour { ranges: Ranges::Shifted, ..OK }),
    ("wide", Behaviour { ranges: Ranges::Wider, ..OK }),
    ("narrow", Behaviour { ranges: Ranges::Narrower, ..OK }),
    ("nocr", Behaviour { ranges: Ranges::Unlabelled, ..OK }),
    ("crunknown", Behaviour { ranges: Ranges::SizeUnknown, ..OK }),
    ("crwrongsize", Behaviour { ranges: Ranges::SizeWrong, ..OK }),
    ("mislabelled", Behaviour { ranges: Ranges::Mislabelled, ..OK }),
    ("multi", Behaviour { ranges: Ranges::Multipart, ..OK }),
    // HEAD.
    ("nohead", Behaviour { instead: Some(NO_HEAD), ..OK }),
    ("headlies", Behaviour { head: HeadLength::Half, ..OK }),
    ("headnolen", Behaviour { head: HeadLength::Nothing, ..OK }),
    // Framing.
    ("chunked", Behaviour { framing: Framing::Chunked, ..OK }),
    ("http10", Behaviour { framing: Framing::Close, ..OK }),
    ("badlen", Behaviour { framing: Framing::Nonsense("banana"), ..OK }),
    ("biglen", Behaviour { framing: Framing::Nonsense("18446744073709551616"), ..OK }),
    ("bigheader", Behaviour { padding: 40, ..OK }),
    ("gzip", Behaviour { gzip: true, ..OK }),
    ("transcode", TRANSCODE),
    // Bodies.
    ("short", Behaviour { body: Body::Cut, ..OK }),
    ("chunkcut", Behaviour { body: Body::Cut, framing: Framing::Chunked, ..OK }),
    ("closecut", Behaviour { body: Body::Cut, framing: Framing::Close, ..OK }),
    ("reset", Behaviour { body: Body::Reset, ..OK }),
    ("stall", Behaviour { body: Body::Stalled, ..OK }),
    ("mute", Behaviour { body: Body::Silent, ..OK }),
    ("drip", Behaviour { body: Body::Slow(1), ..OK }),
    ("slow", Behaviour { body: Body::Slow(16_384), ..OK }),
    ("overlong", Behaviour { body: Body::Endless, ..OK }),
    ("endless", Behaviour { body: Body::Endless, framing: Framing::Chunked, ranges: Ranges::Ignored, ..OK }),
    // Versions.
    ("weak", Behaviour { etag: Etag::Weak, conditions: Conditions::Ignored, ..OK }),
    ("weakstrict", Behaviour { etag: Etag::Weak, ..OK }),
    ("noetag", Behaviour { etag: Etag::None, ..OK }),
    ("changes", Behaviour { replaced_after: Some(2), conditions: Conditions::Ignored, ..OK }),
    ("changes412", Behaviour { replaced_after: Some(2), ..OK }),
    ("ifrange", Behaviour { replaced_after: Some(2), conditions: Conditions::IfRange, ..OK }),
    ("changesnoetag", CHANGES_NO_ETAG),
    // Refusals.
    ("err500", busy(500, ALWAYS, "<html>oops</html>")),
    ("flaky", busy(503, 2, "<html>oops</html>")),
    ("r429", busy(429, 2, "slow down")),
    ("r429long", long_wait()),
    ("e403", refusal(403, ALWAYS, error_xml!("AccessDenied", "Access Denied"))),
    ("e404", refusal(404, ALWAYS, error_xml!("NoSuchKey", "The specified key does not exist."))),
    ("nobucket", refusal(404, ALWAYS, error_xml!("NoSuchBucket", "The specified bucket does not exist"))),
    ("slowdown", refusal(503, 2, error_xml!("SlowDown", "Please reduce your request rate."))),
    ("archived", refusal(403, ALWAYS, ARCHIVED)),
    ("badxml", refusal(403, ALWAYS, "<Error><Code>Access<<&\u{1b}[31m\u{202e}")),
    ("e416", Behaviour { instead: Some(NOT_SATISFIABLE), ..OK }),
    ("azempty", Behaviour { instead: Some(EMPTY_RANGE), ..OK }),
    ("login", status(401, &[("WWW-Authenticate", "Basic realm=\"logs\"")])),
    ("teapot", status(418, &[])),
    ("nocontent", status(204, &[])),
    // Redirects.
    ("redirect", status(302, &[("Location", "/ok/{size}")])),
    ("redirloop", status(302, &[("Location", "{path}")])),
    ("redirfile", status(302, &[("Location", "file:///etc/passwd")])),
    ("redirnowhere", status(302, &[])),
    ("redirother", status(307, &[("Location", "http://127.0.0.1:{elsewhere}/ok/{size}")])),
    ("region", wrong_region()),
];

const NO_HEAD: Instead =
    Instead { of: Requests::Heads, times: ALWAYS, status: 405, headers: &[("Allow", "GET")], body: "" };

const NOT_SATISFIABLE: Instead = Instead {
    of: Requests::Ranged,
    times: ALWAYS,
    status: 416,
    headers: &[("Content-Range", "bytes */{size}")],
    body: "",
};

/// The response of an Azure emulator to a range of an empty object.
const EMPTY_RANGE: Instead = Instead {
    of: Requests::Ranged,
    times: ALWAYS,
    status: 206,
    headers: &[("Content-Range", "bytes 0--1/0"), ("ETag", "\"empty\"")],
    body: "",
};

/// Google's decompression: the length is that of the compressed object, and ranges are ignored.
const TRANSCODE: Behaviour = Behaviour {
    ranges: Ranges::Ignored,
    accept_ranges: false,
    framing: Framing::Chunked,
    head: HeadLength::Half,
    ..OK
};

const CHANGES_NO_ETAG: Behaviour =
    Behaviour { replaced_after: Some(2), etag: Etag::None, conditions: Conditions::Ignored, ..OK };

const ARCHIVED: &str =
    error_xml!("InvalidObjectState", "The operation is not valid for the object's storage class");

/// The response of S3 in another region than the bucket's.
const fn wrong_region() -> Behaviour {
    let body = error_xml!("PermanentRedirect", "The bucket must be addressed using the specified endpoint.");
    let headers = &[("x-amz-bucket-region", "eu-central-1"), ("Content-Type", "application/xml")];
    Behaviour {
        instead: Some(Instead { of: Requests::All, times: ALWAYS, status: 301, headers, body }),
        ..OK
    }
}

/// A server that asks to retry after an hour.
const fn long_wait() -> Behaviour {
    let headers = &[("Retry-After", "3600")];
    Behaviour {
        instead: Some(Instead { of: Requests::All, times: ALWAYS, status: 429, headers, body: "" }),
        ..OK
    }
}
