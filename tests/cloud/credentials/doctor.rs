//! `rread doctor URL`: which server, region and credentials requests would use, without a request.

use serde_json::Value;

use super::server::{Server, User};

const KEYS: &str = "[default]\naws_access_key_id = AKIADEFAULT\naws_secret_access_key = TOPSECRET\n";

/// The facts of the only URL, and the exit code.
fn planned(user: &User, line: &str) -> (Value, i32) {
    let output = user.run(&format!("doctor {line} --json").split(' ').collect::<Vec<_>>());
    let text = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(!text.contains("TOPSECRET") && !errors.contains("TOPSECRET"), "{text}{errors}");
    let answer: Value = serde_json::from_str(&text).unwrap();
    (answer["urls"][0].clone(), output.status.code().unwrap())
}

#[test]
fn the_plan_of_a_url_has_no_secret_and_sends_nothing() {
    let server = Server::of_objects();
    let url = server.url();
    let user = User::new().with("TERM", "xterm");
    user.file(".aws/credentials", KEYS);
    user.file(".aws/config", "[default]\nregion = eu-north-1\n");
    let here = user.clone().with("AWS_ENDPOINT_URL", &url);
    let environment = here.with("AWS_ACCESS_KEY_ID", "AKIAENV").with("AWS_SECRET_ACCESS_KEY", "TOPSECRET");
    let azure = user.clone().with("AZURE_STORAGE_ACCOUNT", "me");
    let key = azure.with("AZURE_STORAGE_KEY", "VE9QU0VDUkVU");
    let token = user.clone().with("GOOGLE_BEARER_TOKEN", "TOPSECRET");
    let profile = "the keys of the profile 'default'";
    let headers =
        user.clone().with("RREAD_HTTP_HEADERS", "Authorization: Bearer TOPSECRET\nX-Team: TOPSECRET");
    let none = "";
    for (user, line, store, endpoint, region, credentials) in [
        (&user, "s3://logs/k", "s3", "https://s3.eu-north-1.amazonaws.com", "eu-north-1", profile),
        (&user, "s3://logs", "s3", "https://s3.eu-north-1.amazonaws.com", "eu-north-1", profile),
        (&here, "s3://logs/k", "s3", url.as_str(), "eu-north-1", profile),
        (&here, "s3://logs/k --anonymous", "s3", url.as_str(), "eu-north-1", none),
        (
            &environment,
            "s3://logs/k",
            "s3",
            url.as_str(),
            "eu-north-1",
            "the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
        ),
        (
            &user.with("AWS_VIRTUAL_HOSTED_STYLE_REQUEST", "true"),
            "s3://logs/k",
            "s3",
            "https://logs.s3.eu-north-1.amazonaws.com",
            "eu-north-1",
            profile,
        ),
        (
            &token,
            "gs://logs/k",
            "gcs",
            "https://storage.googleapis.com",
            none,
            "the token in GOOGLE_BEARER_TOKEN",
        ),
        (&token.with("GOOGLE_BASE_URL", &url), "gs://logs/k --anonymous", "gcs", url.as_str(), none, none),
        (
            &user.with("STORAGE_EMULATOR_HOST", "localhost:1"),
            "gs://logs/k",
            "gcs",
            "http://localhost:1",
            none,
            none,
        ),
        (
            &key,
            "az://logs/k",
            "azure",
            "https://me.blob.core.windows.net",
            none,
            "the account key in the environment",
        ),
        (
            &key.with("AZURE_STORAGE_ENDPOINT", &url),
            "az://logs/k",
            "azure",
            url.as_str(),
            none,
            "the account key in the environment",
        ),
        (&user, "https://host:8443/a?b=c", "http", "https://host:8443", none, none),
        (
            &user,
            "https://me:TOPSECRET@host/a?sig=TOPSECRET",
            "http",
            "https://host",
            none,
            "the user and password in the URL, and the signature or token in the query of the URL",
        ),
        (&headers, "http://host/a", "http", "http://host", none, "the headers authorization, x-team"),
    ] {
        let (found, code) = planned(user, line);
        let get = |name: &str| found[name].as_str().unwrap_or_default();
        assert_eq!(
            (get("store"), get("endpoint"), get("region"), get("credentials"), code),
            (store, endpoint, region, credentials, 0),
            "{line}: {found}"
        );
    }
    assert_eq!(server.take().len(), 0);
}

#[test]
fn credentials_that_cannot_be_used_are_problems() {
    let user = User::new().with("TERM", "xterm");
    for (user, url, part) in [
        (&user.with("AWS_PROFILE", "nobody"), "s3://logs/k", "nobody"),
        (&user.with("AWS_ACCESS_KEY_ID", "AKIA"), "s3://logs/k", "AWS_SECRET_ACCESS_KEY is not"),
        (&user, "s3://logs/k", "there are no credentials"),
        (&user, "gs://logs/k", "there are no credentials"),
        (&user, "az://logs/k", "AZURE_STORAGE_ACCOUNT_NAME is not set"),
        (&user, "s3:///k", "has no bucket"),
        (
            &user.with_keys().with("AWS_ENDPOINT_URL", "http://u:TOPSECRET@h"),
            "s3://logs/k",
            "AWS_ENDPOINT_URL",
        ),
        (&user.with("RREAD_HTTP_HEADERS", "TOPSECRET"), "http://host/a", "header"),
    ] {
        let (found, code) = planned(user, url);
        let error = found["error"].as_str().unwrap_or_default();
        assert!(code == 1 && error.contains(part), "{url}: {found}");
    }
}
