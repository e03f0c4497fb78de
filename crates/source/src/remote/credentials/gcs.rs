//! Google Cloud Storage: client and principal, from the variables and files of Google's own tools.

use std::path::{Path, PathBuf};

use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey as Setting};

use super::settings::{Variables, endpoint_url, read_file, sendable};
use crate::remote::network_errors::{self, Principal, or_anonymous};
use rread_text::error::{Error, Kind, Result};

const HINT: &str = "gcloud auth application-default login";

const DEFAULT_FILE: &str = "application_default_credentials.json";

const KINDS: [&str; 2] = ["service_account", "authorized_user"];

/// A placeholder token for anonymous requests, so that the crate does not look for credential files.
const NO_TOKEN: &str = "none";

pub(super) fn builder(
    bucket: &str,
    variables: &Variables,
    anonymous: bool,
) -> Result<(GoogleCloudStorageBuilder, Principal)> {
    let mut builder = GoogleCloudStorageBuilder::new().with_bucket_name(bucket);
    builder = builder.with_client_options(object_store::ClientOptions::new().with_allow_http(true));
    let anonymously = |builder: GoogleCloudStorageBuilder, hint| {
        Ok((builder.with_skip_signature(true).with_bearer_token(NO_TOKEN), Principal::anonymous(hint)))
    };
    if let Some(base) = base(variables)? {
        builder = builder.with_base_url(&base);
    }
    if variables.get("STORAGE_EMULATOR_HOST").is_some() {
        return anonymously(builder, "unset STORAGE_EMULATOR_HOST");
    }
    let account = service_account(variables)?;
    if let Some((setting, _, value)) = &account {
        builder = builder.with_config(*setting, value);
    }
    if anonymous || variables.is_true("GOOGLE_SKIP_SIGNATURE") {
        return anonymously(builder, "gcloud auth application-default login");
    }
    let from = if let Some((name, token)) =
        variables.first(&["GOOGLE_BEARER_TOKEN", "CLOUDSDK_AUTH_ACCESS_TOKEN"])
    {
        builder = builder.with_bearer_token(sendable(name, token)?);
        format!("the token in {name}")
    } else if let Some((_, name, _)) = account {
        format!("the service account in {name}")
    } else if let Some((from, path)) = default_file(variables) {
        check_file(&from, &path)?;
        builder = builder.with_application_credentials(path.to_string_lossy());
        format!("the credentials in {from}")
    } else {
        let lacking =
            "there are no credentials: GOOGLE_APPLICATION_CREDENTIALS is not set, and gcloud has saved none";
        if variables.is_true("NO_GCE_CHECK") {
            let message = format!("{lacking} (NO_GCE_CHECK disables the metadata server)");
            return Err(Error::new(Kind::Permission, message).hint(or_anonymous(HINT)));
        }
        let principal = Principal::with("the service account of this machine", HINT);
        return Ok((builder, principal.lacking(format!("{lacking}, and the metadata server returns none"))));
    };
    Ok((builder, Principal::with(&from, HINT)))
}

/// The URL of the server.
pub(super) fn endpoint(variables: &Variables) -> Result<String> {
    Ok(base(variables)?.unwrap_or_else(|| "https://storage.googleapis.com".to_owned()))
}

/// The URL of another server than that of Google.
fn base(variables: &Variables) -> Result<Option<String>> {
    let emulator = variables.get("STORAGE_EMULATOR_HOST").map(emulator).transpose()?;
    let base = variables.get("GOOGLE_BASE_URL").map(|value| endpoint_url("GOOGLE_BASE_URL", value));
    Ok(base.transpose()?.or(emulator))
}

/// The endpoint of an emulator; users often omit `http://`.
fn emulator(value: &str) -> Result<String> {
    let whole = if value.contains("://") { value.to_owned() } else { format!("http://{value}") };
    endpoint_url("STORAGE_EMULATOR_HOST", &whole)
}

fn service_account(variables: &Variables) -> Result<Option<(Setting, &'static str, String)>> {
    let path = variables.first(&["GOOGLE_SERVICE_ACCOUNT", "GOOGLE_SERVICE_ACCOUNT_PATH"]);
    let key = variables.first(&["GOOGLE_SERVICE_ACCOUNT_KEY"]);
    match (path, key) {
        (Some((name, _)), Some(_)) => {
            Err(Error::usage(format!("{name} and GOOGLE_SERVICE_ACCOUNT_KEY are both set"))
                .hint("unset GOOGLE_SERVICE_ACCOUNT_KEY"))
        }
        (Some((name, path)), None) => {
            contents(name, Path::new(path))?;
            Ok(Some((Setting::ServiceAccount, name, path.to_owned())))
        }
        (None, Some((name, key))) => Ok(Some((Setting::ServiceAccountKey, name, key.to_owned()))),
        (None, None) => Ok(None),
    }
}

/// The origin of application default credentials, and their file.
fn default_file(variables: &Variables) -> Option<(String, PathBuf)> {
    if let Some(path) = variables.get("GOOGLE_APPLICATION_CREDENTIALS") {
        return Some(("GOOGLE_APPLICATION_CREDENTIALS".to_owned(), PathBuf::from(path)));
    }
    let folder = match variables.get("CLOUDSDK_CONFIG") {
        Some(folder) => PathBuf::from(folder),
        None if cfg!(windows) => Path::new(variables.get("APPDATA")?).join("gcloud"),
        None => std::env::home_dir()?.join(".config/gcloud"),
    };
    let path = folder.join(DEFAULT_FILE);
    path.exists().then(|| (path.display().to_string(), path))
}

fn check_file(from: &str, path: &Path) -> Result<()> {
    let bytes = contents(from, path)?;
    let json: Option<serde_json::Value> = serde_json::from_slice(&bytes).ok();
    let kind = json.as_ref().and_then(|json| json.get("type")?.as_str());
    match kind {
        Some(kind) if KINDS.contains(&kind) => Ok(()),
        Some(kind) if kind.len() < 64 && kind.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => {
            let message =
                format!("the credentials in {from} are of the type {kind}, which rread does not support");
            Err(Error::new(Kind::Permission, message)
                .hint("export GOOGLE_BEARER_TOKEN=\"$(gcloud auth print-access-token)\""))
        }
        _ => Err(Error::usage(format!("the file of {from} has no credentials for Google"))
            .hint(or_anonymous(HINT))),
    }
}

fn contents(from: &str, path: &Path) -> Result<Vec<u8>> {
    read_file(path).map_err(|cause| {
        let cause = network_errors::root(&cause);
        Error::usage(format!("the file of {from}, {}, cannot be read: {cause}", path.display()))
            .hint(or_anonymous(HINT))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_source_of_credentials_wins() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let user = write(DEFAULT_FILE, r#"{"type": "authorized_user"}"#);
        let external = write("external.json", r#"{"type": "external_account"}"#);
        let wrong = write("wrong.json", r#""hidden""#);
        let config = ("CLOUDSDK_CONFIG", folder.path().to_str().unwrap());
        let empty = ("CLOUDSDK_CONFIG", "/dev/null/x");
        let principal =
            |pairs: &[(&str, &str)], anonymous| match builder("logs", &Variables::these(pairs), anonymous) {
                Ok((_, principal)) => principal.requested,
                Err(error) => error.to_string(),
            };
        assert_eq!(principal(&[empty], false), "requested with the service account of this machine");
        assert_eq!(principal(&[config], false), format!("requested with the credentials in {user}"));
        assert_eq!(principal(&[config], true), "requested without credentials");
        assert_eq!(
            principal(&[config, ("GOOGLE_BEARER_TOKEN", "t")], false),
            "requested with the token in GOOGLE_BEARER_TOKEN"
        );
        assert_eq!(
            principal(&[config, ("STORAGE_EMULATOR_HOST", "localhost:1")], false),
            "requested without credentials"
        );
        let named = |path: &str| principal(&[("GOOGLE_APPLICATION_CREDENTIALS", path)], false);
        assert!(named(&external).contains("external_account"));
        assert!(named(&wrong).contains("has no credentials") && !named(&wrong).contains("hidden"));
        assert!(named("/dev/null/x").contains("cannot be read"));
        assert!(principal(&[empty, ("NO_GCE_CHECK", "true")], false).contains("NO_GCE_CHECK"));
        assert!(
            principal(&[("GOOGLE_SERVICE_ACCOUNT", &user), ("GOOGLE_SERVICE_ACCOUNT_KEY", "{}")], false)
                .contains("both")
        );
    }
}
