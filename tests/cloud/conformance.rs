//! Runs the suite of every source on objects of a web server, with ranges and without.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use rread_source::{access::Access, open::open_as};
use rread_testkit::suite::conforms;

use super::servers::nginx::{Location, nginx};
use super::servers::{Object, Store};

fn conform(place: Location, names: &str) {
    let Some(server) = nginx() else { return };
    let count = AtomicU32::new(0);
    conforms(&|bytes| {
        let name = format!("{names}{}", count.fetch_add(1, Ordering::Relaxed));
        server.put(&Object::new(&name, bytes));
        let target = server.at(place, &name, server.port());
        let access = Access { raw: true, ..Access::default() };
        open_as(Path::new(&target.url), &access).unwrap()
    });
}

#[test]
fn ranged_objects_conform() {
    conform(Location::Files, "ranged");
}

#[test]
fn streamed_objects_conform() {
    conform(Location::Whole, "whole");
}

#[test]
fn objects_without_a_tag_conform() {
    conform(Location::Untagged, "untagged");
}
