//! Credentials and endpoints from every source, errors without them, and secrets that stay hidden.

mod doctor;
mod keys;
mod secrets;
mod server;
mod web;

use std::time::{Duration, Instant};

use self::server::{Answer, Server, TEXT, User, object, refused};
use crate::cloud::http::Head;

const KEYS: &str = "[default]\naws_access_key_id = AKIADEFAULT\naws_secret_access_key = s\n\
                    [work]\naws_access_key_id = AKIAWORK\naws_secret_access_key = s\naws_session_token = tok\n";

/// The access key and the region that signed a request.
fn signer(head: &Head) -> String {
    let value = head.header("authorization").unwrap_or_default();
    let scope = value.split_once("Credential=").map_or("", |(_, rest)| rest);
    let parts: Vec<&str> = scope.split('/').take(3).collect();
    match parts[..] {
        [id, _, region] => format!("{id} {region}"),
        _ => "nobody".to_owned(),
    }
}

/// The signer of the only request since the last call.
fn only_signer(server: &Server) -> String {
    let seen = server.take();
    assert_eq!(seen.len(), 1);
    signer(&seen[0])
}

#[test]
fn profiles_are_used_as_by_amazons_tools() {
    let server = Server::of_objects();
    let user = User::of_s3(&server);
    user.file(".aws/credentials", KEYS);
    user.file(".aws/config", "[profile work]\nregion = eu-north-1\n");
    assert_eq!(user.reads("s3://logs/k"), TEXT);
    assert_eq!(only_signer(&server), "AKIADEFAULT us-east-1");
    let work = user.with("AWS_PROFILE", "work");
    work.reads("s3://logs/k");
    let seen = server.take();
    assert_eq!(
        (signer(&seen[0]).as_str(), seen[0].header("x-amz-security-token")),
        ("AKIAWORK eu-north-1", Some("tok"))
    );
    // Keys in the environment override the profile, including its token.
    work.with_keys().with("AWS_REGION", "ap-east-1").reads("s3://logs/k");
    let seen = server.take();
    assert_eq!(
        (signer(&seen[0]).as_str(), seen[0].header("x-amz-security-token")),
        ("AKIAENV ap-east-1", None)
    );
    let other = user.file("elsewhere", &KEYS.replace("AKIADEFAULT", "AKIAOTHER"));
    user.with("AWS_SHARED_CREDENTIALS_FILE", other.to_str().unwrap()).reads("s3://logs/k");
    assert_eq!(only_signer(&server), "AKIAOTHER us-east-1");
    user.with("AWS_SHARED_CREDENTIALS_FILE", "~/elsewhere").reads("s3://logs/k");
    assert_eq!(only_signer(&server), "AKIAOTHER us-east-1");
    // The endpoint may come from the profile, too.
    let bare = user.with("AWS_ENDPOINT_URL", "").with("AWS_PROFILE", "near");
    let near = format!(
        "[profile near]\naws_access_key_id=AKIANEAR\naws_secret_access_key=s\nservices=local\n\
         [services local]\ns3 =\n  endpoint_url = {}/\n",
        server.url()
    );
    bare.file(".aws/config", &near);
    bare.reads("s3://logs/k");
    assert_eq!(only_signer(&server), "AKIANEAR us-east-1");
}

#[test]
fn unsupported_profiles_never_fall_back() {
    let server = Server::of_objects();
    let user = User::of_s3(&server);
    user.file(".aws/credentials", KEYS);
    user.file(
        ".aws/config",
        "[profile role]\nrole_arn = arn:aws:iam::1:role/x\nsource_profile = default\n\
         [profile sso]\nsso_session = me\n",
    );
    for (profile, what) in [("role", "role_arn"), ("sso", "sso_session")] {
        let (code, kind, text) = user.with("AWS_PROFILE", profile).fails("s3://logs/k");
        assert_eq!((code, kind.as_str()), (3, "permission"), "{text}");
        let command =
            format!("eval \"$(aws configure export-credentials --profile {profile} --format env)\"");
        assert!(text.contains(what) && text.ends_with(&command), "{text}");
    }
    let (code, kind, text) = user.with("AWS_PROFILE", "gone").fails("s3://logs/k");
    assert_eq!((code, kind.as_str()), (2, "usage"), "{text}");
    assert!(text.contains("'gone'") && text.contains(".aws/config"), "{text}");
    assert!(server.take().is_empty());
}

#[test]
fn the_server_reports_the_region_once() {
    let elsewhere = |status, code: &'static str| {
        move |head: &Head| match signer(head).ends_with(" eu-west-3") {
            true => object(head),
            false => {
                let (status, _, body) = refused(status, code);
                (status, vec![("x-amz-bucket-region", "eu-west-3".to_owned())], body)
            }
        }
    };
    for (status, code) in [(301, "PermanentRedirect"), (400, "AuthorizationHeaderMalformed")] {
        let server = Server::answering(elsewhere(status, code));
        let user = User::of_s3(&server).with_keys();
        assert_eq!(user.reads("s3://logs/k"), TEXT);
        let regions: Vec<String> = server.take().iter().map(signer).collect();
        assert_eq!(regions, ["AKIAENV us-east-1", "AKIAENV eu-west-3"], "{code}");
        user.with("AWS_REGION", "eu-west-3").reads("s3://logs/k");
        assert_eq!(server.take().len(), 1);
    }
    // A server that always redirects receives two requests; one that names the same region receives one.
    for (next, times) in [("eu-west-3", 2), ("us-east-1", 1), ("evil.example/x", 1), ("", 1)] {
        let server = Server::answering(move |head| {
            let region = if signer(head).ends_with(" eu-west-3") { "us-west-2" } else { next };
            (301, vec![("x-amz-bucket-region", region.to_owned())], refused(301, "PermanentRedirect").2)
        });
        let (code, kind, text) = User::of_s3(&server).with_keys().fails("s3://logs/k");
        assert_eq!((code, kind.as_str(), server.take().len()), (3, "network", times), "{next}: {text}");
        assert!(text.contains("in another region") && text.ends_with("export AWS_REGION=REGION"), "{text}");
    }
}

#[test]
fn missing_credentials_fail_quickly() {
    let server = Server::of_objects();
    let user = User::of_s3(&server);
    let (code, kind, text) = user.fails("s3://logs/k");
    assert_eq!((code, kind.as_str()), (3, "permission"), "{text}");
    for said in ["'default'", "AWS_EC2_METADATA_DISABLED", "AWS_PROFILE", "AWS_ACCESS_KEY_ID", "--anonymous"]
    {
        assert!(text.contains(said), "{text}");
    }
    // A server that accepts connections and never answers, like a network that drops packets.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", silent.local_addr().unwrap());
    let host = address.trim_start_matches("http://").to_owned();
    let machine = user.with("AWS_EC2_METADATA_DISABLED", "").with("AWS_METADATA_ENDPOINT", &address);
    let azure = user.with("AZURE_STORAGE_ACCOUNT", "me").with("AZURE_MSI_ENDPOINT", &address);
    let google = user.with("NO_GCE_CHECK", "").with("GCE_METADATA_IP", &host);
    for (user, url, said) in [
        (&machine, "s3://logs/k", "AWS_PROFILE"),
        (&azure, "az://logs/k", "AZURE_STORAGE_ACCOUNT_KEY"),
        (&google, "gs://logs/k", "gcloud auth"),
    ] {
        let start = Instant::now();
        let (code, kind, text) = user.fails(url);
        assert_eq!((code, kind.as_str()), (3, "permission"), "{text}");
        assert!(start.elapsed() < Duration::from_secs(6), "{url}: {:?}", start.elapsed());
        assert!(text.contains("there are no credentials") && text.contains(said), "{text}");
    }
    assert!(server.take().is_empty());
}

#[test]
fn machines_and_containers_give_credentials() {
    let keys = r#"{"AccessKeyId": "ASIAMACHINE", "SecretAccessKey": "s", "Token": "t",
                    "Expiration": "2099-01-01T00:00:00Z"}"#;
    let server = Server::answering(move |head| match (head.word(0), head.word(1)) {
        ("PUT", "/latest/api/token") => (200, vec![], "session".to_owned()),
        (_, "/latest/meta-data/iam/security-credentials/") => (200, vec![], "role".to_owned()),
        (_, "/latest/meta-data/iam/security-credentials/role" | "/pod") => (200, vec![], keys.to_owned()),
        ("POST", _) => (200, vec![], sts_answer()),
        _ => object(head),
    });
    // Requests for this machine's credentials must not go to a proxy.
    let user = User::of_s3(&server).with("HTTP_PROXY", "http://127.0.0.1:1").with("NO_PROXY", "");
    let user = user.with("AWS_ENDPOINT_URL", &server.url()).with("NO_PROXY", "127.0.0.1");
    let machine = user
        .with("AWS_EC2_METADATA_DISABLED", "")
        .with("AWS_EC2_METADATA_SERVICE_ENDPOINT", &format!("{}/", server.url()));
    assert_eq!(machine.reads("s3://logs/k"), TEXT);
    let seen = server.take();
    assert_eq!(seen.len(), 4);
    assert_eq!(seen[1].header("x-aws-ec2-metadata-token"), Some("session"));
    assert_eq!(signer(&seen[3]), "ASIAMACHINE us-east-1");
    let token = user.file("token", "pod-token");
    let pod = user
        .with("AWS_CONTAINER_CREDENTIALS_FULL_URI", &format!("{}/pod", server.url()))
        .with("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", token.to_str().unwrap());
    assert_eq!(pod.reads("s3://logs/k"), TEXT);
    let seen = server.take();
    assert_eq!((seen.len(), seen[0].header("authorization")), (2, Some("pod-token")));
    let role = user
        .with("AWS_WEB_IDENTITY_TOKEN_FILE", token.to_str().unwrap())
        .with("AWS_ROLE_ARN", "arn:aws:iam::1:role/x")
        .with("AWS_ENDPOINT_URL_STS", &server.url());
    assert_eq!(role.reads("s3://logs/k"), TEXT);
    assert_eq!(signer(&server.take()[1]), "ASIAROLE us-east-1");
}

fn sts_answer() -> String {
    "<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>\
     <AccessKeyId>ASIAROLE</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>\
     <Expiration>2099-01-01T00:00:00Z</Expiration>\
     </Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>"
        .to_owned()
}

#[test]
fn anonymous_requests_need_no_credentials() {
    let server = Server::of_objects();
    let user = User::of_s3(&server)
        .with_keys()
        .with("STORAGE_EMULATOR_HOST", &server.url())
        .with("AZURE_STORAGE_ACCOUNT_KEY", "a2V5")
        .with(
            "AZURE_STORAGE_CONNECTION_STRING",
            &format!("BlobEndpoint={}/me;AccountName=me;AccountKey=a2V5", server.url()),
        );
    for url in ["s3://logs/k", "gs://logs/k", "az://logs/k"] {
        let output = user.run(&["lines", url, "--raw", "--anonymous"]);
        assert_eq!(output.stdout, TEXT.as_bytes(), "{}", String::from_utf8_lossy(&output.stderr));
        let seen = server.take();
        assert_eq!((seen.len(), seen[0].header("authorization")), (1, None), "{url}");
    }
    user.with("AWS_SKIP_SIGNATURE", "true").reads("s3://logs/k");
    assert_eq!(only_signer(&server), "nobody");
    // An emulator of Google gets anonymous requests, also if the variable holds only a host.
    user.with("STORAGE_EMULATOR_HOST", &format!("127.0.0.1:{}", server.port)).reads("gs://logs/k");
    assert_eq!(only_signer(&server), "nobody");
    user.reads("az://logs/k");
    let seen = server.take();
    assert!(seen[0].header("authorization").is_some_and(|value| value.starts_with("SharedKey me:")));
    assert_eq!(seen[0].word(1), "/me/logs/k");
}

#[test]
fn denials_name_the_principal() {
    let server = Server::answering(|head: &Head| -> Answer {
        match head.word(1) {
            "/logs/expired" => refused(400, "ExpiredToken"),
            _ => refused(403, "AccessDenied"),
        }
    });
    let user = User::of_s3(&server)
        .with("AZURE_STORAGE_ACCOUNT", "me")
        .with("AZURE_STORAGE_ENDPOINT", &server.url());
    user.file(".aws/credentials", KEYS);
    for (user, url, said) in [
        (
            &user,
            "s3://logs/k",
            "denies access: 403 Forbidden (AccessDenied), requested with the keys of the profile 'default'",
        ),
        (
            &user,
            "s3://logs/expired",
            "rejects the credentials (ExpiredToken), requested with the keys of the profile",
        ),
        (&user.with_keys(), "s3://logs/k", "requested with the keys in AWS_ACCESS_KEY_ID"),
        (&user.with("AWS_SKIP_SIGNATURE", "1"), "s3://logs/k", "requested without credentials"),
        (
            &user.with("AZURE_STORAGE_SAS_TOKEN", "?sig=x"),
            "az://logs/k",
            "requested with the shared access signature in the environment",
        ),
        (
            &user.with("GOOGLE_BASE_URL", &server.url()).with("GOOGLE_BEARER_TOKEN", "t"),
            "gs://logs/k",
            "requested with the token in GOOGLE_BEARER_TOKEN",
        ),
    ] {
        let (code, kind, text) = user.fails(url);
        assert_eq!((code, kind.as_str()), (3, "permission"), "{text}");
        assert!(text.contains(said), "{text}");
    }
}

#[test]
fn invalid_settings_are_refused_before_any_request() {
    let server = Server::of_objects();
    let user = User::of_s3(&server).with_keys();
    for (user, url, said) in [
        (user.with("AWS_ENDPOINT_URL", "localhost:9000"), "s3://logs/k", "AWS_ENDPOINT_URL is not an http"),
        (user.with("AWS_REGION", "no region\n"), "s3://logs/k", "is not a region"),
        (user.with("AWS_ACCESS_KEY_ID", "AKIA\r"), "s3://logs/k", "cannot be sent"),
        (user.with("AWS_SESSION_TOKEN", "a b"), "s3://logs/k", "cannot be sent"),
        (user.with("AWS_SECRET_ACCESS_KEY", ""), "s3://logs/k", "AWS_SECRET_ACCESS_KEY is not"),
        (user.clone(), "s3://a b/k", "has a bucket with characters"),
        (user.clone(), "s3://logs//k", "has a key with empty parts"),
        (user.clone(), "s3://logs/a//k", "has a key with empty parts"),
        (user.clone(), "s3://logs/../k", "has a key with empty parts"),
        (user.clone(), "az://logs/k", "AZURE_STORAGE_ACCOUNT_NAME"),
        (user.with("STORAGE_EMULATOR_HOST", "http://"), "gs://logs/k", "STORAGE_EMULATOR_HOST is not"),
        (user.with("GOOGLE_APPLICATION_CREDENTIALS", "/dev/null/x"), "gs://logs/k", "cannot be read"),
        (user.with("GOOGLE_SERVICE_ACCOUNT_KEY", "\"hidden\""), "gs://logs/k", "GOOGLE_SERVICE_ACCOUNT_KEY"),
    ] {
        let (code, kind, text) = user.fails(url);
        assert_eq!((code, kind.as_str()), (2, "usage"), "{url}: {text}");
        assert!(text.contains(said) && !text.contains("hidden"), "{url}: {text}");
    }
    assert!(server.take().is_empty());
}
