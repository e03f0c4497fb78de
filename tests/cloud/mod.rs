//! Tests object stores and HTTP, on real servers and on one that misbehaves in every way.

// The tests of one feature do not use all servers and helpers.
#![allow(dead_code)]

mod content;
mod credentials;
pub mod http;

mod bucket;
mod faulty;
mod proxy;
pub mod servers;

mod conformance;
mod faults;
mod growing;
mod odd;
mod prefixes;
mod same;
#[cfg(feature = "sql")]
mod select;
#[cfg(feature = "sql")]
mod sets;
mod tls;
mod valid;
#[cfg(all(unix, feature = "view"))]
mod view;
mod window;
mod wire;
