//! Tests of `rread mcp`: raw JSON-RPC against the real program, hostile trees, races, and real clients.

mod archives;
#[cfg(all(unix, feature = "sql"))]
mod arguments;
mod captures;
mod client;
mod clients;
#[cfg(unix)]
mod confinement;
#[cfg(all(unix, feature = "sqlite"))]
mod databases;
mod follow;
#[cfg(target_os = "linux")]
mod life;
mod messages;
#[cfg(all(unix, feature = "sql"))]
mod models;
#[cfg(target_os = "linux")]
mod race;
mod read;
mod remote;
mod search;
#[cfg(feature = "sql")]
mod select;
mod tools;
