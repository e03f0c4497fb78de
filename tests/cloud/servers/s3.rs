//! Two servers for S3: moto, which has most features, and s3s-fs, which checks signatures.
//!
//! moto accepts any signature. s3s-fs ignores If-Match, so only the ETag of a response shows that an object was
//! replaced; it closes the connection after a request for the end of an empty object, and computes the MD5 of the
//! whole object for every request.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use super::process::Process;
use super::{BUCKET, Object, Store, Target, installed};
use crate::cloud::http::{self, encoded};

/// The access key and its secret. moto accepts any.
pub const KEY_ID: &str = "AKIDREADER";
pub const SECRET: &str = "not/a+secret";

/// A header that moto accepts as credentials.
pub const ANYONE: (&str, &str) =
    ("Authorization", "AWS4-HMAC-SHA256 Credential=AKIDREADER/20260101/us-east-1/s3/aws4_request");

pub struct Moto(Process);

pub fn moto() -> Option<&'static Moto> {
    static MOTO: OnceLock<Option<Moto>> = OnceLock::new();
    MOTO.get_or_init(|| {
        let program = installed().join("moto/bin/moto_server");
        let args =
            |_: &_, port: u16| ["-H", "127.0.0.1", "-p", &port.to_string()].map(str::to_owned).to_vec();
        let moto = Moto(Process::start("moto (S3, Google)", &program, args)?);
        moto.send(&format!("/{BUCKET}"), &[], b"");
        Some(moto)
    })
    .as_ref()
}

impl Moto {
    /// A folder that lasts as long as the server.
    pub fn folder(&self) -> &Path {
        &self.0.folder
    }

    /// As [`Store::put`], with public access.
    pub fn put_public(&self, object: &Object) {
        self.send_object(object, &[("x-amz-acl", "public-read")]);
    }

    fn send_object(&self, object: &Object, headers: &[(&str, &str)]) {
        let metadata: Vec<(String, &str)> =
            object.metadata.iter().map(|(name, value)| (format!("x-amz-meta-{name}"), *value)).collect();
        let content_type = object.content_type.map(|content_type| ("Content-Type", content_type));
        let metadata = metadata.iter().map(|(name, value)| (name.as_str(), *value));
        let headers: Vec<(&str, &str)> =
            metadata.chain(content_type).chain(headers.iter().copied()).collect();
        self.send(&format!("/{BUCKET}/{}", encoded(object.name)), &headers, object.bytes);
    }

    fn send(&self, target: &str, headers: &[(&str, &str)], bytes: &[u8]) {
        let headers = [headers, &[ANYONE]].concat();
        let answer = http::request(self.0.port, "PUT", target, &headers, bytes).unwrap();
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    }
}

impl Store for Moto {
    fn name(&self) -> &'static str {
        "moto (S3)"
    }

    fn port(&self) -> u16 {
        self.0.port
    }

    fn put(&self, object: &Object) {
        self.send_object(object, &[]);
    }

    fn target_at(&self, name: &str, port: u16) -> Target {
        target(name, port)
    }
}

pub struct S3s(Process);

pub fn s3s() -> Option<&'static S3s> {
    static S3S: OnceLock<Option<S3s>> = OnceLock::new();
    S3S.get_or_init(|| {
        let program = installed().join("s3s/bin/s3s-fs");
        let process = Process::start("s3s-fs (S3)", &program, |folder, port| {
            let root = folder.join("root");
            fs::create_dir_all(root.join(BUCKET)).unwrap();
            let port = port.to_string();
            let args =
                ["--access-key", KEY_ID, "--secret-key", SECRET, "--host", "127.0.0.1", "--port", &port];
            args.into_iter().chain(root.to_str()).map(str::to_owned).collect()
        })?;
        Some(S3s(process))
    })
    .as_ref()
}

impl Store for S3s {
    fn name(&self) -> &'static str {
        "s3s-fs (S3)"
    }

    fn port(&self) -> u16 {
        self.0.port
    }

    fn put(&self, object: &Object) {
        let path = self.0.folder.join("root").join(BUCKET).join(object.name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, object.bytes).unwrap();
    }

    fn target_at(&self, name: &str, port: u16) -> Target {
        target(name, port)
    }

    fn keeps_metadata(&self) -> bool {
        false
    }
}

/// The target of an object on any server for S3 on this machine.
pub fn target(name: &str, port: u16) -> Target {
    let env = [
        ("AWS_ENDPOINT_URL", &*format!("http://127.0.0.1:{port}")),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_ACCESS_KEY_ID", KEY_ID),
        ("AWS_SECRET_ACCESS_KEY", SECRET),
        ("AWS_REGION", "us-east-1"),
    ];
    Target::new(format!("s3://{BUCKET}/{name}"), &env)
}
