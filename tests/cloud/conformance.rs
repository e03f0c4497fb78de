//! Objects of a web server held to the suite of every source, with ranges and without.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use rread::internals::source::{access::Access, open::open_as};

use crate::servers::nginx::{Place, nginx};
use crate::servers::{Object, Store};
use crate::suite::conforms;

fn conform(place: Place, names: &str) {
    let Some(server) = nginx() else { return };
    let count = AtomicU32::new(0);
    conforms(&|bytes| {
        let name = format!("{names}{}", count.fetch_add(1, Ordering::Relaxed));
        server.put(&Object::new(&name, bytes));
        let target = server.at(place, &name, server.port());
        let access = Access { as_stored: true, ..Access::default() };
        open_as(Path::new(&target.url), &access).unwrap()
    });
}

#[test]
fn what_is_fetched_in_ranges_conforms() {
    conform(Place::Files, "ranged");
}

#[test]
fn what_comes_only_whole_conforms() {
    conform(Place::Whole, "whole");
}

#[test]
fn what_has_no_tag_conforms() {
    conform(Place::Untagged, "untagged");
}
