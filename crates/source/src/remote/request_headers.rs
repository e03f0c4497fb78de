//! The headers that a user gives for requests to web servers.

use http::HeaderMap;
use http::header::{HeaderName, HeaderValue};

use crate::access::HttpHeaders;
use rread_text::error::{Error, Result};
use rread_text::sentence::{Sentence, call};

/// Headers that rread sets itself.
const OWN: [&str; 9] = [
    "accept-encoding",
    "connection",
    "content-length",
    "if-match",
    "if-none-match",
    "if-range",
    "range",
    "te",
    "transfer-encoding",
];

/// A call with a header.
pub(super) fn with_token() -> Sentence {
    call("stat").word("https://HOST/PATH").with("http-header", "Authorization: Bearer TOKEN").into()
}

/// The headers as they are sent. Errors name no value: it may be a secret.
pub(super) fn parsed(headers: &HttpHeaders) -> Result<HeaderMap> {
    let mut parsed = HeaderMap::new();
    for text in headers.texts() {
        let wrong =
            |what: &str| Err(Error::usage(format!("a header for web servers {what}")).hint(with_token()));
        let Some((name, value)) = text.split_once(':') else {
            return wrong("has no colon: it is 'NAME: VALUE'");
        };
        let Ok(name) = name.trim().parse::<HeaderName>() else {
            return wrong("has a name with other characters");
        };
        if OWN.contains(&name.as_str()) {
            return wrong(&format!("is {name}, which rread sets itself"));
        }
        let Ok(mut value) = HeaderValue::from_str(value.trim()) else {
            return wrong(&format!("has a value with other characters, that of {name}"));
        };
        value.set_sensitive(true);
        parsed.append(name, value);
    }
    Ok(parsed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_names_and_values_and_errors_show_no_value() {
        let parse =
            |texts: &[&str]| parsed(&HttpHeaders::new(texts.iter().map(|text| (*text).to_owned()).collect()));
        let headers = parse(&["Authorization: Bearer a:b", "X-Key:k", "x-key: l", "User-Agent: me"]).unwrap();
        assert_eq!(headers["authorization"], "Bearer a:b");
        assert_eq!(headers.get_all("x-key").iter().count(), 2);
        for wrong in [
            "secret",
            "a b: secret",
            "Range: secret",
            "accept-encoding: secret",
            "X: secret\r\nY: z",
            ": secret",
        ] {
            let error = parse(&[wrong]).unwrap_err();
            assert!(!format!("{error:?}").contains("secret"), "{error:?}");
        }
        let shown = format!("{:?}", HttpHeaders::new(vec!["A: secret".to_owned()]));
        assert!(!shown.contains("secret"), "{shown}");
    }
}
