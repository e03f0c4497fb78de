//! No secret is written anywhere: not to standard output or error, and not to the cache.

use std::path::Path;

use super::server::{Server, User, object, refused};
use crate::cloud::http::Head;

/// Part of every secret, and of nothing else.
const MARK: &str = "TOPSECRET";

/// [`MARK`] in base64 at each alignment (`VE9QU0VDUkVU`), as it is sent within a password.
const ENCODED: [&str; 3] = ["VE9QU0VDUkVU", "RPUFNFQ1JF", "UT1BTRUNSRV"];

fn answer(head: &Head) -> super::server::Answer {
    let path = head.word(1);
    match path {
        _ if path.contains("denied") => refused(403, "AccessDenied"),
        _ if path.contains("gone") => refused(404, "NoSuchKey"),
        _ if path.contains("busy") => refused(503, "SlowDown"),
        _ if path.contains("cut") => (206, vec![("Content-Range", "bytes 5-9/20".to_owned())], String::new()),
        _ if path.contains("packed") => {
            let (status, mut headers, body) = object(head);
            headers.push(("Content-Encoding", "br".to_owned()));
            (status, headers, body)
        }
        _ if path.contains("loop") => (302, vec![("Location", path.to_owned())], String::new()),
        _ if path.contains("ftp") => {
            (302, vec![("Location", format!("ftp://u:{MARK}@h/{MARK}"))], String::new())
        }
        _ => object(head),
    }
}

fn assert_clean(bytes: &[u8], what: &str) {
    let text = String::from_utf8_lossy(bytes);
    for secret in [&[MARK][..], &ENCODED].concat() {
        assert!(!text.contains(secret), "{what}: {text}");
    }
}

fn assert_clean_folder(folder: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let check = |path: &Path| match path.is_dir() {
        true => assert_clean_folder(path),
        false => {
            assert_clean(path.to_string_lossy().as_bytes(), "a name");
            assert_clean(&std::fs::read(path).unwrap(), &path.display().to_string());
            1
        }
    };
    entries.map(|entry| check(&entry.unwrap().path())).sum()
}

/// Users with secrets in different places.
fn users(server: &Server) -> Vec<User> {
    let url = server.url();
    let user = User::of_s3(server).with("RUST_LOG", "trace").with("RUST_BACKTRACE", "1");
    let user = user
        .with("GOOGLE_BASE_URL", &url)
        .with("AZURE_STORAGE_ACCOUNT", "me")
        .with("AZURE_STORAGE_ENDPOINT", &url);
    user.file(".aws/credentials", &format!("[default]\naws_access_key_id={MARK}ID\naws_secret_access_key={MARK}/+=\naws_session_token={MARK}T\n\
         [half]\naws_secret_access_key={MARK}\n\
         [bad]\naws_access_key_id={MARK}\taws\naws_secret_access_key={MARK}\n"));
    let process = format!(
        "[profile process]\ncredential_process = /bin/echo {MARK}\n[profile place]\nendpoint_url = http://u:{MARK}@h\n"
    );
    user.file(".aws/config", &process);
    let account = user.file(
        "account.json",
        &format!("{{\"type\": \"service_account\", \"private_key\": \"{MARK}\", \"client_email\": 1}}"),
    );
    let google_user = user.file(
        "user.json",
        &format!(
            "{{\"type\": \"authorized_user\", \"client_id\": \"x\", \"client_secret\": \"{MARK}\", \
         \"refresh_token\": [\"{MARK}\"]}}"
        ),
    );
    let token = user.file("token", MARK);
    let given = user
        .with("AWS_ACCESS_KEY_ID", &format!("AKIA{MARK}"))
        .with("AWS_SECRET_ACCESS_KEY", MARK)
        .with("AWS_SESSION_TOKEN", MARK)
        .with("GOOGLE_BEARER_TOKEN", MARK)
        .with("AZURE_STORAGE_ACCOUNT_KEY", "VE9QU0VDUkVUVE9QU0VDUkVU");
    vec![
        user.with("GOOGLE_APPLICATION_CREDENTIALS", account.to_str().unwrap())
            .with("AZURE_STORAGE_SAS_TOKEN", &format!("sv=1&sig={MARK}%3D")),
        given
            .with("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
            .with("AZURE_STORAGE_ENDPOINT", "http://127.0.0.1:1")
            .with("GOOGLE_BASE_URL", "http://127.0.0.1:1"),
        given
            .with("AWS_ENDPOINT_URL", &format!("http://u:{MARK}@127.0.0.1:1"))
            .with("AZURE_STORAGE_ENDPOINT", &format!("http://h?sig={MARK}"))
            .with("GOOGLE_BASE_URL", &format!("http://h#{MARK}")),
        given
            .with("AWS_SESSION_TOKEN", &format!("{MARK}\n"))
            .with("GOOGLE_BEARER_TOKEN", &format!("{MARK}\n"))
            .with("AZURE_STORAGE_ACCOUNT_KEY", &format!("{MARK}!")),
        user.with("AWS_PROFILE", "half")
            .with("GOOGLE_SERVICE_ACCOUNT_KEY", &format!("\"{MARK}\""))
            .with("AZURE_STORAGE_TOKEN", MARK),
        user.with("AWS_PROFILE", "bad")
            .with("GOOGLE_SERVICE_ACCOUNT", account.to_str().unwrap())
            .with("AZURE_STORAGE_SAS_TOKEN", MARK),
        user.with("AWS_PROFILE", "process")
            .with("GOOGLE_APPLICATION_CREDENTIALS", google_user.to_str().unwrap())
            .with("AZURE_STORAGE_CONNECTION_STRING", MARK),
        user.with("AWS_PROFILE", "place")
            .with_keys()
            .with(
                "AZURE_STORAGE_CONNECTION_STRING",
                &format!("BlobEndpoint={url}/me;SharedAccessSignature=sig={MARK}&sv=1"),
            )
            .with("AWS_ENDPOINT_URL", ""),
        user.with("AWS_WEB_IDENTITY_TOKEN_FILE", token.to_str().unwrap())
            .with("AWS_ROLE_ARN", "arn:x")
            .with("AWS_ENDPOINT_URL_STS", &format!("{url}/denied")),
        given,
    ]
}

#[test]
fn secrets_are_never_written() {
    let server = Server::answering(answer);
    let mut answered = 0;
    let users = users(&server);
    for (index, user) in users.iter().enumerate() {
        let web = format!("http://me:{MARK}@127.0.0.1:{}", server.port);
        let signed = format!(
            "X-Amz-Signature={MARK}&X-Amz-Credential={MARK}&X-Amz-Security-Token={MARK}&sig={MARK}&x=1"
        );
        let mut urls: Vec<String> = Vec::new();
        for path in ["k", "denied", "gone", "cut", "packed"] {
            urls.extend(["s3", "gs", "az"].map(|scheme| format!("{scheme}://logs/{path}")));
        }
        // The URL holds the secret, so one user is enough.
        if index == 0 {
            for path in ["k", "denied", "gone", "busy", "cut", "packed", "loop", "ftp"] {
                urls.push(format!("{web}/{path}?{signed}"));
            }
            urls.push(format!("http://me:{MARK}@127.0.0.1:1/k?{signed}"));
            urls.push(format!("http://me:{MARK}@/k?sig={MARK}"));
            urls.push(format!("http://me:{MARK}/{MARK}@127.0.0.1:1/k"));
            for scheme in ["s3", "gs", "az"] {
                urls.push(format!("{scheme}://AKIA:{MARK}@logs/"));
                urls.push(format!("{scheme}://AKIA:{MARK}/{MARK}@logs/k"));
                urls.push(format!("{scheme}://logs/k?X-Amz-Signature={MARK}&sig={MARK}"));
            }
            urls.push(format!("http://me:{MARK}@a b/k?sig={MARK}"));
            urls.push(format!("https://me:{MARK}@127.0.0.1:{}/k?sig={MARK}", server.port));
        }
        for url in &urls {
            for args in
                [&["lines", url, "2:3", "--retries", "0"][..], &["stat", url, "--json", "--retries", "0"]]
            {
                let output = user.run(args);
                answered += usize::from(output.status.code() == Some(0));
                assert!(matches!(output.status.code(), Some(0 | 2 | 3)), "{args:?}: {output:?}");
                assert_clean(&output.stdout, &format!("{args:?}"));
                assert_clean(&output.stderr, &format!("{args:?}"));
            }
        }
        let help = user.run(&["lines", "--help"]);
        assert_clean(&help.stdout, "--help");
    }
    assert!(answered > 10, "{answered}");
    let large = format!("http://me:{MARK}@127.0.0.1:{}/k?sig={MARK}", server.port);
    for args in [
        &["index", "build", &large][..],
        &["index", "list"],
        &["index", "show", &large],
        &["ranges", &large, "1:1", "--xml"],
    ] {
        let output = users[0].run(args);
        assert_clean(&output.stdout, &format!("{args:?}"));
        assert_clean(&output.stderr, &format!("{args:?}"));
    }
    let files = assert_clean_folder(&users[0].cache());
    assert!(files > 0, "nothing was kept, so nothing was shown");
}
