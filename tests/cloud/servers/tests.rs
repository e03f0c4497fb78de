//! The servers start and keep their objects, and proxies count correctly.

use super::nginx::{Location, PASSWORD, USER};
use super::s3::ANYONE;
use super::{Object, Store, all, azure, azurite, counted, moto, nginx};
use crate::cloud::content;
use crate::cloud::http::{self, Answer, encoded};

/// The path of an object on the server's port.
fn path(store: &dyn Store, name: &str) -> String {
    match store.target(name).url.split_once("://").unwrap() {
        ("http", rest) => rest[rest.find('/').unwrap()..].to_owned(),
        ("az", rest) => format!("/{}/{}?{}", azure::ACCOUNT, encoded(rest), azure::READER),
        (_, rest) => format!("/{}", encoded(rest)),
    }
}

/// Sends credentials that moto accepts and other servers ignore.
fn get(port: u16, path: &str, headers: &[(&str, &str)]) -> Answer {
    let anyone = Some(ANYONE).filter(|_| !path.contains("secret"));
    let headers: Vec<(&str, &str)> = headers.iter().copied().chain(anyone).collect();
    http::request(port, "GET", path, &headers, b"").unwrap()
}

#[test]
fn every_server_answers_ranges() {
    let bytes = content::text(100_000);
    for store in all().into_iter().filter(|store| !store.name().starts_with("s3s")) {
        for name in ["starts/plain.log", "starts/with blank é.log"] {
            store.put(&Object::new(name, &bytes));
            let answer = get(store.port(), &path(store, name), &[("Range", "bytes=50000-59999")]);
            assert_eq!(answer.status, 206, "{}: {name}: {:?}", store.name(), answer.head);
            assert!(answer.body == bytes[50_000..60_000], "{}: {name}", store.name());
            let tag = answer.head.header("etag");
            assert!(tag.is_some_and(|tag| tag.starts_with('"')), "{}: {tag:?}", store.name());
        }
    }
}

#[test]
fn metadata_is_kept() {
    let metadata = [("origin", "rack7")];
    let object =
        Object { content_type: Some("text/csv"), metadata: &metadata, ..Object::new("meta.csv", b"a,b\n") };
    for store in all().into_iter().filter(|store| store.keeps_metadata()) {
        store.put(&object);
        let answer = get(store.port(), &path(store, "meta.csv"), &[]);
        assert_eq!(answer.head.header("content-type"), Some("text/csv"), "{}", store.name());
        let kept = answer.head.headers.iter().find(|header| header.0.ends_with("meta-origin")).unwrap();
        assert_eq!(kept.1, "rack7", "{}", store.name());
    }
}

#[test]
fn a_proxy_counts_what_passes() {
    let bytes = content::text(100_000);
    for store in all().into_iter().filter(|store| !store.name().starts_with("s3s")) {
        store.put(&Object::new("counted.log", &bytes));
        let (target, proxy) = counted(store, "counted.log");
        assert!(!target.env.iter().any(|var| var.1.contains(&format!(":{}", store.port()))));
        let answer = get(proxy.port(), &path(store, "counted.log"), &[("Range", "bytes=10-19")]);
        assert_eq!(answer.body, bytes[10..20], "{}", store.name());
        assert_eq!(proxy.exchanges()[0].head.range(), Some("bytes=10-19"));
        let (requests, received) = proxy.take();
        assert_eq!(requests, 1);
        assert!((100..2000).contains(&received), "{}: {received}", store.name());
        assert_eq!(proxy.take(), (0, 0));
    }
}

#[test]
fn moto_denies_private_objects() {
    let Some(moto) = moto() else { return };
    moto.put(&Object::new("guarded.log", b"text\n"));
    moto.put_public(&Object::new("public.log", b"text\n"));
    let get = |name: &str| http::request(moto.port(), "GET", &format!("/logs/{name}"), &[], b"").unwrap();
    assert_eq!((get("guarded.log").status, get("public.log").status), (403, 200));
}

#[test]
fn azurite_denies_private_objects() {
    let Some(azurite) = azurite() else { return };
    let object = Object::new("guarded.log", b"text\n");
    azurite.put(&object);
    azurite.put_into(azure::PUBLIC, &object);
    let at = |container: &str| format!("/{}/{container}/guarded.log", azure::ACCOUNT);
    let get = |container| http::request(azurite.port(), "GET", &at(container), &[], b"").unwrap();
    assert_ne!(get(super::BUCKET).status, 200);
    assert_eq!(get(azure::PUBLIC).body, b"text\n");
}

#[test]
fn nginx_locations_behave_as_named() {
    let Some(nginx) = nginx() else { return };
    let bytes = content::text(3000);
    nginx.put(&Object::new("places.txt", &bytes));
    let of = |place: Location, headers: &[(&str, &str)]| {
        let url = nginx.at(place, "places.txt", nginx.port()).url;
        let path = &url[url.find("/").unwrap() + 2..];
        get(nginx.port(), &path[path.find('/').unwrap()..], headers)
    };
    let range = ("Range", "bytes=1000-1999");
    for (place, status, count) in [
        (Location::Files, 206, 1000),
        (Location::Whole, 200, 3000),
        (Location::Slow, 206, 1000),
        (Location::Untagged, 206, 1000),
    ] {
        let answer = of(place, &[range]);
        assert_eq!((answer.status, answer.body.len()), (status, count), "{place:?}");
        assert_eq!(answer.head.header("etag").is_some(), place != Location::Untagged, "{place:?}");
    }
    let packed = of(Location::Gzip, &[range, ("Accept-Encoding", "gzip")]);
    assert_eq!(packed.head.header("content-encoding"), Some("gzip"));
    let location = |place| of(place, &[]).head.header("location").unwrap_or("none").to_owned();
    assert_eq!(location(Location::Moved), "/files/places.txt");
    assert_eq!(location(Location::Loop), "/loop/places.txt");
    assert_eq!(location(Location::Away), format!("http://127.0.0.1:{}/files/places.txt", nginx.other_port()));
    assert_eq!((of(Location::Secret, &[]).status, of(Location::Closed, &[]).status), (401, 403));
    // `reader:p@ss?w/rd` in base64.
    assert_eq!((USER, PASSWORD), ("reader", "p@ss?w/rd"));
    assert_eq!(of(Location::Secret, &[("Authorization", "Basic cmVhZGVyOnBAc3M/dy9yZA==")]).body, bytes);
    let log = nginx.log("/files/places.txt", 1);
    assert_eq!((log[0].status, log[0].body, log[0].range.as_str()), (206, 1000, "bytes=1000-1999"));
}
