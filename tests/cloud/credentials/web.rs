//! Passwords and proxies of web servers.

use super::server::{Server, TEXT, User, object};

#[test]
fn passwords_are_sent_as_a_header_and_to_one_host() {
    let other = Server::of_objects();
    let there = other.url();
    let server = Server::answering(move |head| match head.word(1) {
        "/away" => (302, vec![("Location", format!("{there}/k"))], String::new()),
        "/here" => (302, vec![("Location", "/k".to_owned())], String::new()),
        _ => object(head),
    });
    // `me@home:p:ss/wörd` in base64.
    let expected = "Basic bWVAaG9tZTpwOnNzL3fDtnJk";
    let url = |path: &str| format!("http://me%40home:p%3Ass%2Fw%C3%B6rd@127.0.0.1:{}{path}", server.port);
    let user = User::new();
    assert_eq!(user.reads(&url("/k")), TEXT);
    assert_eq!(user.reads(&url("/here")), TEXT);
    for head in server.take() {
        assert_eq!(head.header("authorization"), Some(expected));
        assert!(!head.first.contains("home") && !head.header("host").unwrap().contains('@'));
    }
    assert_eq!(user.reads(&url("/away")), TEXT);
    assert_eq!(server.take()[0].header("authorization"), Some(expected));
    let seen = other.take();
    assert_eq!((seen.len(), seen[0].header("authorization")), (1, None));
    assert!(!format!("{seen:?}").contains("bWVA"));
}

#[test]
fn proxies_are_used_except_where_no_proxy_applies() {
    let (server, proxy) = (Server::of_objects(), Server::of_objects());
    let user = User::new()
        .with("HTTP_PROXY", &proxy.url())
        .with("AWS_ENDPOINT_URL", "http://store.invalid")
        .with_keys();
    assert_eq!(user.reads("http://web.invalid/a?b"), TEXT);
    assert_eq!(proxy.take()[0].word(1), "http://web.invalid/a?b");
    assert_eq!(user.reads("s3://logs/k"), TEXT);
    assert_eq!(proxy.take()[0].word(1), "http://store.invalid/logs/k");
    assert_eq!(user.with("NO_PROXY", "127.0.0.1").reads(&format!("{}/k", server.url())), TEXT);
    assert_eq!((proxy.take().len(), server.take().len()), (0, 1));
}
