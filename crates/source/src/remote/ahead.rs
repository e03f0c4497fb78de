//! Opens the objects that come next in a listing while others are read.

use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::sync::{Arc, Mutex};

use tokio::task::JoinHandle;

use super::network_errors::network;
use super::transport::runtime;
use crate::Source;
use crate::access::{Access, Session};
use crate::lock;
use rread_text::{Address, Error, Result};

/// Objects that are opened at the same time.
const SIDE_BY_SIDE: usize = 16;

/// The name in a session.
const NAME: &str = "objects to open";

/// Opens one object.
type Open = fn(&Address<'_>, &Access) -> Result<Box<dyn Source>>;
type Opening = JoinHandle<Result<Box<dyn Source>>>;

/// URLs of objects to open, and objects that are being opened or open.
#[derive(Default)]
struct Ahead {
    waiting: VecDeque<String>,
    begun: HashMap<String, Opening>,
}

/// Has the objects `urls` opened in this order.
pub(crate) fn expect(session: &Session, urls: VecDeque<String>) {
    if let Ok(ahead) = session.kept(NAME.to_owned(), || Ok(Arc::<Mutex<Ahead>>::default())) {
        *lock(&ahead) = Ahead { waiting: urls, ..Ahead::default() };
    }
}

/// Opens the object at `address` by `open`, and begins to open those that come next.
pub(crate) fn in_turn(address: &Address<'_>, access: &Access, open: Open) -> Result<Box<dyn Source>> {
    let Some(session) = &access.session else { return open(address, access) };
    if let Some(error) = session.known::<Error>(address.url) {
        return Err((*error).clone());
    }
    let ahead = session.known::<Mutex<Ahead>>(NAME);
    let begun = ahead.map(|ahead| begin(&ahead, address.url, access, open)).transpose()?.flatten();
    let Some(begun) = begun else { return open(address, access) };
    let opened = runtime()?.block_on(begun);
    opened.map_err(|cause| network(format!("the request was given up: {cause}")))?
}

/// Has opening `address` fail with the error of listing what it means.
pub(crate) fn refuse(address: &Address<'_>, error: Error, session: &Session) {
    // Only making a value can fail.
    let _ = session.kept(address.url.to_owned(), || Ok(Arc::new(error)));
}

/// The opening of the object at `url`, if it was to be opened in turn.
fn begin(ahead: &Mutex<Ahead>, url: &str, access: &Access, open: Open) -> Result<Option<Opening>> {
    let mut ahead = lock(ahead);
    while ahead.begun.len() < SIDE_BY_SIDE
        && let Some(next) = ahead.waiting.pop_front()
    {
        let (url, access) = (next.clone(), access.clone());
        let not_url = || network("the name is not a URL");
        let opening = move || open(&Address::of(Path::new(&url)).ok_or_else(not_url)?, &access);
        ahead.begun.insert(next, runtime()?.spawn_blocking(opening));
    }
    Ok(ahead.begun.remove(url))
}
