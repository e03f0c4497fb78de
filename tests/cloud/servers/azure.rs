//! Azurite, the emulator of Azure's Blob Storage. Neither supports requests for the last N bytes.

use std::sync::OnceLock;

use super::process::Process;
use super::{BUCKET, Object, Store, Target, installed};
use crate::cloud::http::{self, encoded};

/// The account of every Azurite, with the key from its documentation.
pub const ACCOUNT: &str = "devstoreaccount1";
pub const KEY: &str =
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

/// Shared access signatures of this key until 2099: for everything, and for reading objects.
const WRITER: &str = "sv=2021-08-06&ss=b&srt=sco&sp=rwdlac&se=2099-01-01T00:00:00Z&spr=https,http\
                      &sig=kV1%2FDJNn7340SUtIltqF6L9gEwifTOYTqBxfQeMSrhM%3D";
pub const READER: &str = "sv=2021-08-06&ss=b&srt=o&sp=r&se=2099-01-01T00:00:00Z&spr=https,http\
                          &sig=ruWXN3Ui9CTPzYCi51PPsDy3OtkyV%2F3HEqXBoIzHJTM%3D";

/// A container that needs no credentials.
pub const PUBLIC: &str = "open";

pub struct Azurite(Process);

pub fn azurite() -> Option<&'static Azurite> {
    static AZURITE: OnceLock<Option<Azurite>> = OnceLock::new();
    AZURITE
        .get_or_init(|| {
            let program = installed().join("azurite/node_modules/.bin/azurite-blob");
            let process = Process::start("Azurite (Azure)", &program, |_, port| {
                let port = port.to_string();
                let args =
                    ["--disableTelemetry", "--skipApiVersionCheck", "--inMemoryPersistence", "--silent"];
                let place = ["--blobHost", "127.0.0.1", "--blobPort", &port];
                args.into_iter().chain(place).map(str::to_owned).collect()
            })?;
            let azurite = Azurite(process);
            azurite.send(&format!("{BUCKET}?restype=container&"), &[], b"");
            azurite.send(
                &format!("{PUBLIC}?restype=container&"),
                &[("x-ms-blob-public-access", "blob")],
                b"",
            );
            Some(azurite)
        })
        .as_ref()
}

impl Azurite {
    fn send(&self, path: &str, headers: &[(&str, &str)], bytes: &[u8]) {
        let target = format!("/{ACCOUNT}/{path}{WRITER}");
        let headers: Vec<(&str, &str)> =
            headers.iter().copied().chain([("x-ms-version", "2021-08-06")]).collect();
        let answer = http::request(self.0.port, "PUT", &target, &headers, bytes).unwrap();
        assert_eq!(answer.status, 201, "{target}: {}", String::from_utf8_lossy(&answer.body));
    }

    /// As [`Store::put`], but into `container`.
    pub fn put_into(&self, container: &str, object: &Object) {
        let metadata: Vec<(String, &str)> =
            object.metadata.iter().map(|(name, value)| (format!("x-ms-meta-{name}"), *value)).collect();
        let content_type = object.content_type.map(|content_type| ("x-ms-blob-content-type", content_type));
        let headers: Vec<(&str, &str)> = metadata
            .iter()
            .map(|(name, value)| (name.as_str(), *value))
            .chain(content_type)
            .chain([("x-ms-blob-type", "BlockBlob")])
            .collect();
        self.send(&format!("{container}/{}?", encoded(object.name)), &headers, object.bytes);
    }
}

impl Store for Azurite {
    fn name(&self) -> &'static str {
        "Azurite (Azure)"
    }

    fn port(&self) -> u16 {
        self.0.port
    }

    fn put(&self, object: &Object) {
        self.put_into(BUCKET, object);
    }

    fn target_at(&self, name: &str, port: u16) -> Target {
        let mut target = unsigned(BUCKET, name, port);
        target.set("AZURE_STORAGE_ACCOUNT_KEY", KEY);
        target
    }
}

/// The target of an anonymous request.
pub fn unsigned(container: &str, name: &str, port: u16) -> Target {
    let env = [
        ("AZURE_STORAGE_ACCOUNT_NAME", ACCOUNT),
        ("AZURE_STORAGE_ENDPOINT", &*format!("http://127.0.0.1:{port}/{ACCOUNT}")),
        ("AZURE_ALLOW_HTTP", "true"),
    ];
    Target::new(format!("az://{container}/{name}"), &env)
}
