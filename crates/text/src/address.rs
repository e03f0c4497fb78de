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

const SCHEMES: [(&str, Scheme); 9] = [
    ("s3", Scheme::S3),
    // As Hadoop and Spark write it.
    ("s3a", Scheme::S3),
    ("s3n", Scheme::S3),
    ("gs", Scheme::Gcs),
    ("gcs", Scheme::Gcs),
    ("az", Scheme::Azure),
    ("azure", Scheme::Azure),
    ("http", Scheme::Http),
    ("https", Scheme::Http),
];

/// The text in place of a secret.
pub const HIDDEN: &str = "***";

/// A query parameter is a secret if its name contains one of these: signatures, tokens, keys and passwords.
const SECRETS: [&str; 18] = [
    "sig", "token", "key", "secret", "pass", "cred", "auth", "pwd", "jwt", "hmac", "hdn", "policy", "code",
    "session", "bearer", "ticket", "sas", "md5",
];

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
    // Any byte may belong to it.
    match path.to_string_lossy() {
        Cow::Borrowed(name) => hide(name, &|_| false),
        Cow::Owned(name) => Cow::Owned(hide(&name, &|_| false).into_owned()),
    }
}

/// `text`, such as a message or a query, without the passwords and signatures of the URLs in it.
pub fn hide_in(text: &str) -> Cow<'_, str> {
    hide(text, &|c| c.is_whitespace() || "'\"`<>|".contains(c))
}

/// `text` without the secrets of its URLs, which go on until `is_end`.
fn hide<'a>(text: &'a str, is_end: &dyn Fn(char) -> bool) -> Cow<'a, str> {
    let (mut shown, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("://") {
        let start = rest[..at].trim_end_matches(|c: char| c.is_ascii_alphanumeric()).len();
        // Another URL may stand in one of another kind, such as that of a file.
        let is_known = SCHEMES.iter().any(|(name, _)| rest[start..at].eq_ignore_ascii_case(name));
        let end = match is_known {
            true => rest[at..].find(is_end).map_or(rest.len(), |length| at + length),
            false => at + "://".len(),
        };
        let url = &rest[start..end];
        shown += &rest[..start];
        shown += &Address::of(Path::new(url)).map_or(Cow::Borrowed(url), |url| url.display());
        rest = &rest[end..];
    }
    if shown.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(shown + rest) }
}

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
        assert_eq!(
            shown("http://h/f?code=a&Session=b&sas=c&md5=d"),
            "http://h/f?code=***&Session=***&sas=***&md5=***"
        );
        assert_eq!(shown("file://http://me:word@h/a"), "file://http://***@h/a");
        assert_eq!(shown("@./http://me:w ord@h/a?sig=b c"), "@./http://***@h/a?sig=***");
        for name in ["http://host/a?b=c&d", "s3://b/k@l?token=x", "a?token=x", "http://h/me:word@x"] {
            assert_eq!(shown(name), name);
        }
    }

    #[test]
    fn secrets_of_urls_in_sentences_are_not_shown() {
        let text = "no table `http://me:a@h/t?sig=x` nor 's3://b/k?sig=y' at https://h/?token=z, see a://b@c";
        let shown =
            "no table `http://***@h/t?sig=***` nor 's3://b/k?sig=***' at https://h/?token=*** see a://b@c";
        assert_eq!(hide_in(text), shown);
        // In a time that grows with the text alone.
        let long = "x://".repeat(1 << 18);
        assert_eq!(hide_in(&long), long);
    }
}
