//! URLs of objects and pages, recognised among file names and printed without their secrets.

use std::borrow::Cow;
use std::path::Path;

/// The store or server of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// `s3://bucket/key`: Amazon S3 and compatible stores.
    S3,
    /// `gs://bucket/key`: Google Cloud Storage.
    Gcs,
    /// `az://container/blob`: Azure Blob Storage.
    Azure,
    /// `http://…` and `https://…`.
    Http,
}

const SCHEMES: [(&str, Scheme); 6] = [
    ("s3", Scheme::S3),
    ("gs", Scheme::Gcs),
    ("az", Scheme::Azure),
    ("azure", Scheme::Azure),
    ("http", Scheme::Http),
    ("https", Scheme::Http),
];

/// The text in place of a secret.
pub const HIDDEN: &str = "***";

/// A query parameter is a secret if its name contains one of these: signatures, tokens, keys and passwords.
const SECRETS: [&str; 12] =
    ["sig", "token", "key", "secret", "pass", "cred", "auth", "pwd", "jwt", "hmac", "hdn", "policy"];

/// A URL, in its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address<'a> {
    /// The store or server.
    pub scheme: Scheme,
    /// The URL as the user wrote it, with its secrets.
    pub url: &'a str,
    /// The part after `://`.
    pub(crate) rest: &'a str,
}

impl<'a> Address<'a> {
    /// Parses `path`, even if a file has that name.
    pub fn of(path: &'a Path) -> Option<Self> {
        let url = path.to_str()?;
        let (word, rest) = url.split_once("://")?;
        let (_, scheme) = SCHEMES.iter().find(|(name, _)| word.eq_ignore_ascii_case(name))?;
        Some(Address { scheme: *scheme, url, rest })
    }

    /// The part after `://`, cut at its first `/`: the bucket (or container, or host) and the key, which may be empty.
    pub fn bucket_and_key(&self) -> (&'a str, &'a str) {
        self.rest.split_once('/').unwrap_or((self.rest, ""))
    }

    /// The URL with [`HIDDEN`] for passwords and signatures.
    fn display(&self) -> Cow<'a, str> {
        let (before, bare) = self.rest.split_at(self.user_end());
        let is_web = self.scheme == Scheme::Http;
        let shown = hide_secrets(bare, is_web);
        if before.is_empty() && shown == bare {
            return Cow::Borrowed(self.url);
        }
        let scheme = &self.url[..self.url.len() - self.rest.len()];
        let user = if before.is_empty() { String::new() } else { format!("{HIDDEN}@") };
        Cow::Owned(format!("{scheme}{user}{shown}"))
    }

    /// The end of user and password in `rest`, `@` included; 0 if there are none. A password may contain a `/` that
    /// should have been encoded: after the `:` of a host only a number may follow.
    fn user_end(&self) -> usize {
        // Web URL parsers skip any number of slashes.
        let rest = self.rest.trim_start_matches(['/', '\\']);
        let skipped = self.rest.len() - rest.len();
        let authority = rest.split(['/', '?', '\\']).next().unwrap_or_default();
        let after = |at: usize| skipped + at + 1;
        if let Some(at) = authority.rfind('@') {
            return after(at);
        }
        let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
        let is_host =
            authority.ends_with(']') || authority.rsplit_once(':').is_none_or(|(_, port)| is_port(port));
        if is_host { 0 } else { rest.rfind('@').map_or(0, after) }
    }
}

/// Hides the values of secrets in the query and the fragment of `text`.
fn hide_secrets(text: &str, is_web: bool) -> String {
    let mut pieces = text.split_inclusive(['?', '&', ';', '#']);
    let mut shown = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let value = piece.trim_end_matches(['?', '&', ';', '#']);
        shown += &hide_value(value, is_web);
        shown += &piece[value.len()..];
    }
    shown
}

/// Hides the value of one `name=value`. In a store these may be part of a key, so there only signatures are hidden:
/// they come from a URL meant for the web.
fn hide_value(pair: &str, is_web: bool) -> Cow<'_, str> {
    let Some((name, _)) = pair.split_once('=') else { return Cow::Borrowed(pair) };
    // An encoded name may be a secret.
    let is_encoded = name.contains('%');
    let lower = name.to_ascii_lowercase();
    let is_signature = lower == "sig" || lower.ends_with("-signature") || lower == "x-amz-security-token";
    if is_signature || is_web && (is_encoded || SECRETS.iter().any(|secret| lower.contains(secret))) {
        Cow::Owned(format!("{name}={HIDDEN}"))
    } else {
        Cow::Borrowed(pair)
    }
}

/// `path` for receipts and messages: a URL without passwords and signatures, a file name lossily.
pub fn display(path: &Path) -> Cow<'_, str> {
    if let Some(address) = Address::of(path) {
        return address.display();
    }
    // An archive at a URL is refused, by its name.
    let name = path.to_string_lossy();
    let at_url = INSIDE.iter().find_map(|prefix| {
        let address = Address::of(Path::new(name.strip_prefix(prefix)?))?;
        Some(format!("{prefix}{}", address.display()))
    });
    at_url.map_or(name, Cow::Owned)
}

/// The prefixes of names of members and values inside a file.
const INSIDE: [&str; 3] = ["tar:", "zip:", "sqlite:"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_urls_that_can_be_read_are_urls() {
        let scheme = |name: &str| Address::of(Path::new(name)).map(|address| address.scheme);
        assert_eq!(scheme("s3://logs/a/b.log"), Some(Scheme::S3));
        assert_eq!(scheme("HTTPS://host/x"), Some(Scheme::Http));
        assert_eq!(scheme("az://c/b"), Some(Scheme::Azure));
        for name in ["s3:/logs/a", "ftp://host/x", "a/s3://b/c", "http:", "://", ""] {
            assert_eq!(scheme(name), None, "{name}");
        }
        let key = |name| Address::of(Path::new(name)).unwrap().bucket_and_key();
        assert_eq!(key("gs://b/k/l?m"), ("b", "k/l?m"));
        assert_eq!(key("gs://b"), ("b", ""));
    }

    #[test]
    fn secrets_are_not_shown() {
        let shown = |name| display(Path::new(name)).into_owned();
        assert_eq!(shown("https://me:word@host:1/a@b?x=1"), "https://***@host:1/a@b?x=1");
        assert_eq!(shown("https://token@host"), "https://***@host");
        assert_eq!(
            shown("http://h/k?X-Amz-Signature=ab&X-Amz-Date=1"),
            "http://h/k?X-Amz-Signature=***&X-Amz-Date=1"
        );
        assert_eq!(shown("http://h/k?sv=1&sig=ab%3D"), "http://h/k?sv=1&sig=***");
        assert_eq!(shown("http:///me:word@host/a"), "http://***@host/a");
        assert_eq!(shown("http://h/k;token=x?a=b?sig=y#jwt=z"), "http://h/k;token=***?a=b?sig=***#jwt=***");
        assert_eq!(shown("http://h/k?si%67=y&a=b"), "http://h/k?si%67=***&a=b");
        // rread rejects user names in such URLs, but hides them too.
        assert_eq!(shown("s3://AKIA:secret@b/k"), "s3://***@b/k");
        assert_eq!(shown("tar:https://me:word@h/x.tar/a"), "tar:https://***@h/x.tar/a");
        assert_eq!(shown("zip:s3://b/k.zip?sig=y/a"), "zip:s3://b/k.zip?sig=***");
        assert_eq!(shown("tar:a/b.tar/x"), "tar:a/b.tar/x");
        assert_eq!(shown("s3://AKIA:se/c+ret@b/k"), "s3://***@b/k");
        assert_eq!(shown("az://c/b?sv=1&sig=ab"), "az://c/b?sv=1&sig=***");
        assert_eq!(shown("http://me:pa/ss?w@host/x?a=b"), "http://***@host/x?a=b");
        assert_eq!(shown("http://[::1]/a@b"), "http://[::1]/a@b");
        assert_eq!(shown("http://h:80/a@b"), "http://h:80/a@b");
        for name in ["http://host/a?b=c&d", "s3://b/k@l?token=x", "a?token=x", "http://h/me:word@x"] {
            assert_eq!(shown(name), name);
        }
    }
}
