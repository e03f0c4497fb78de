//! What stands between rread and a server: proxies and certificates, and the errors that they cause.

use std::time::Duration;
use std::{env, fs, io};

use hyper_util::client::proxy::matcher::Matcher;
use reqwest::{Certificate, ClientBuilder, Url};
use rustls::{CertificateError, Error as TlsError};

use super::network_errors::{count_tries, host, network, of_client, root, silent};
use rread_text::error::{Error, Result};

/// The variable that AWS tools read for the certificates of further authorities, as a file in PEM.
const CA_BUNDLE: &str = "AWS_CA_BUNDLE";

/// A client that trusts further authorities, and uses no proxy where `NO_PROXY` is `*`. The library takes `*` for the
/// name of every host, but not for addresses.
pub(super) fn configured(client: ClientBuilder) -> Result<ClientBuilder> {
    let client = client.tls_certs_merge(authorities()?);
    Ok(if uses_no_proxy() { client.no_proxy() } else { client })
}

fn uses_no_proxy() -> bool {
    let list = env::var("NO_PROXY").or_else(|_| env::var("no_proxy")).unwrap_or_default();
    list.split(',').any(|host| host.trim() == "*")
}

fn authorities() -> Result<Vec<Certificate>> {
    let Some(path) = env::var_os(CA_BUNDLE).filter(|path| !path.is_empty()) else { return Ok(Vec::new()) };
    let of_file =
        |cause: String| Error::usage(format!("{}, which {CA_BUNDLE} names: {cause}", path.display()));
    let text = fs::read(&path).map_err(|cause| of_file(root(&cause)))?;
    match Certificate::from_pem_bundle(&text) {
        Ok(found) if !found.is_empty() => Ok(found),
        _ => Err(of_file("has no certificate in PEM".to_owned())),
    }
}

pub(super) fn no_answer_error(cause: &reqwest::Error, url: &Url, timeout: Duration, tries: u32) -> Error {
    let host = host(url);
    if cause.is_timeout() && !cause.is_connect() {
        return silent(&host, timeout, tries);
    }
    if let Some(cause) = lasting(cause) {
        return tls_error(&host, cause);
    }
    let what = if cause.is_connect() { "cannot connect to" } else { "no response from" };
    network(format!("{what} {host}{}{}: {}", way(url), count_tries(tries), of_client(cause)))
}

/// Names the proxy of requests to `url` and the variable that set it, such as " through the proxy p:3128 of HTTP_PROXY".
fn way(url: &Url) -> String {
    let proxy = || Matcher::from_system().intercept(&url.as_str().parse().ok()?);
    let Some(proxy) = proxy().filter(|_| !uses_no_proxy()) else { return String::new() };
    let own = format!("{}_PROXY", url.scheme().to_ascii_uppercase());
    let names = [own.clone(), own.to_ascii_lowercase(), "ALL_PROXY".to_owned(), "all_proxy".to_owned()];
    let set = names.iter().find(|name| env::var_os(name).is_some_and(|value| !value.is_empty()));
    // Only the host and the port: the rest may be a password.
    let host = proxy.uri().host().unwrap_or_default();
    let port = proxy.uri().port_u16().map_or(String::new(), |port| format!(":{port}"));
    format!(" through the proxy {host}{port} of {}", set.map_or("the system", |name| name))
}

/// The error of TLS that another try does not mend.
pub(super) fn lasting<'a>(cause: &'a (dyn std::error::Error + 'static)) -> Option<&'a TlsError> {
    let mut next = Some(cause);
    while let Some(error) = next {
        let found = error.downcast_ref::<TlsError>();
        if found.is_some() {
            return found.filter(|error| !matches!(error, TlsError::AlertReceived(_)));
        }
        // An I/O error does not name the error that it wraps as its source.
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        next = wrapped.map_or_else(|| error.source(), |inner| Some(inner));
    }
    None
}

fn tls_error(host: &str, cause: &TlsError) -> Error {
    let (what, hint) = match cause {
        TlsError::InvalidMessage(_) => {
            ("it does not speak TLS".to_owned(), "write http:// if it speaks plain HTTP")
        }
        TlsError::InvalidCertificate(reason) => {
            let (what, hint) = of_certificate(reason);
            (format!("its certificate {what}"), hint)
        }
        other => (other.to_string(), ""),
    };
    let error = network(format!("cannot connect to {host}: {what}"));
    if hint.is_empty() { error } else { error.hint(hint) }
}

fn of_certificate(reason: &CertificateError) -> (String, &'static str) {
    match reason {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => ("has expired".to_owned(), ""),
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            ("is of another host".to_owned(), "write the name of the host as the certificate has it")
        }
        CertificateError::UnknownIssuer => (
            "is not trusted: its authority is unknown".to_owned(),
            "set SSL_CERT_FILE to the file with the certificate of that authority",
        ),
        other => (
            format!("is not trusted: {other}"),
            "set SSL_CERT_FILE to the file with the certificate of its authority",
        ),
    }
}
