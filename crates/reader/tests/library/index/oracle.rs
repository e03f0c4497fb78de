//! The reader finds the same lines without an index and with one that is new, whole, partial or extended.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use rread_reader::index::pages::EXTENSION;
use rread_reader::index::{MAX_BYTES, Outcome, Policy};
use rread_reader::reader::{Reader, Tuning};
use rread_reader::store::Store;
use rread_source::open::open;
use rread_testkit::ask::{B, Request, ask};
use rread_testkit::bulk::{STYLES, Style, settle, text_of};
use rread_testkit::naive::Whole;
use rread_testkit::rng::Rng;
use rread_testkit::sample::cases;
use tempfile::TempDir;

/// The state of the index before a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Off,
    /// None yet.
    Cold,
    /// The one that the same request saved.
    Warm,
    /// Of the first blocks.
    Partial,
    /// Of the file when it was shorter.
    Extended,
    Complete,
}

const STATES: [State; 6] =
    [State::Off, State::Cold, State::Warm, State::Partial, State::Extended, State::Complete];

fn policy_in(dir: &Path) -> Policy {
    Policy { store: Store::new(dir.to_owned(), EXTENSION), write: true, min_size: 1, limit: MAX_BYTES }
}

fn tuning(rng: &mut Rng) -> Tuning {
    let small = rng.pick(&[0, 1 << 20, u64::MAX]);
    Tuning { block: rng.pick(&[B, 4 * B]), fan_out_after: rng.pick(&[2 * B as u64, 32 << 20]), small }
}

/// Sends all `requests` to `bytes` in every state of the index; returns how many an index answered.
fn in_every_state(bytes: &[u8], requests: &[Request], rng: &mut Rng, case: &str) -> usize {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("text");
    let whole = Whole::new(bytes);
    let mut hits = 0;
    let ask_in = |store: &str, tuning: Tuning, request: &Request, state: State| {
        let policy = policy_in(&dir.path().join(store));
        let policy = (state != State::Off).then_some(&policy);
        ask(&path, &whole, policy, tuning, request, &format!("{case}, {state:?}, {tuning:?}")).0
    };
    // The index of the shorter text, twice: the request extends one of them.
    let cut = rng.below(bytes.len());
    fs::write(&path, &bytes[..cut]).unwrap();
    settle();
    for n in 0..requests.len() {
        count(&path, &policy_in(&dir.path().join(format!("{:?}{n}", State::Extended))));
    }
    OpenOptions::new().append(true).open(&path).unwrap().write_all(&bytes[cut..]).unwrap();
    settle();
    for state in STATES {
        for (n, request) in requests.iter().enumerate() {
            let store = format!("{state:?}{n}");
            let tuning = tuning(rng);
            match state {
                State::Warm => drop(ask_in(&store, tuning, request, state)),
                State::Complete => count(&path, &policy_in(&dir.path().join(&store))),
                State::Partial => {
                    let first = Request::Front(vec![rng.below(200) as u64]);
                    ask_in(&store, Tuning { small: 0, ..tuning }, &first, state);
                }
                State::Off | State::Cold | State::Extended => {}
            }
            let outcome = ask_in(&store, tuning, request, state);
            hits += usize::from(matches!(outcome, Outcome::Hit | Outcome::Extended));
            assert!(state != State::Off || outcome == Outcome::None, "{case}");
            assert!(state != State::Complete || outcome == Outcome::Hit, "{request:?}: {case}");
        }
    }
    hits
}

/// Builds the whole index.
fn count(path: &Path, policy: &Policy) {
    let reader = Reader::new(open(path).unwrap(), Tuning::default()).unwrap();
    reader.use_index(path, policy);
    reader.count_lines().unwrap();
    reader.save_index(true);
}

#[test]
fn random_requests_have_the_same_answers_in_every_state_of_the_index() {
    let mut hits = 0;
    let seeds = cases(40, 10);
    for seed in 0..seeds {
        let mut rng = Rng::new(seed);
        let style = STYLES[usize::try_from(seed).unwrap() % STYLES.len()];
        let length = match rng.below(3) {
            0 => B * (1 + rng.below(12)) + rng.below(3) - 1,
            1 => 1 + rng.below(B),
            _ => 1 + rng.below(12 * B),
        };
        let bytes = text_of(&mut rng, style, length);
        let whole = Whole::new(&bytes);
        let requests: Vec<Request> = (0..8).map(|_| Request::any(&mut rng, &whole)).collect();
        hits +=
            in_every_state(&bytes, &requests, &mut rng, &format!("seed {seed}, {style:?}, {length} bytes"));
    }
    // Otherwise this compared scans with scans.
    assert!(hits > 20 * usize::try_from(seeds).unwrap(), "only {hits} answers came from an index");
}

/// A text of `length` bytes of words or of one endless line, with the bytes `at` from the edge of each block
/// replaced by `what`.
fn with_edges(rng: &mut Rng, ground: Style, length: usize, at: isize, what: &[u8]) -> Vec<u8> {
    let mut bytes = text_of(rng, ground, length);
    for edge in (B..length).step_by(B) {
        let from = edge.checked_add_signed(at).unwrap();
        let to = (from + what.len()).min(length);
        bytes[from.min(length)..to].copy_from_slice(&what[..to - from.min(to)]);
    }
    bytes
}

#[test]
fn lines_that_end_at_the_edges_of_blocks_are_found() {
    let mut rng = Rng::new(7);
    for (turn, ground) in [Style::Words, Style::OneLine].into_iter().enumerate() {
        let edges = [
            (-2, "\n"),
            (-1, "\n"),
            (0, "\n"),
            (1, "\n"),
            (-1, "\r\n"),
            (-2, "\r\n"),
            (-1, "\n\n"),
            (-2, "\n\n\n"),
        ];
        for (n, (at, what)) in edges.into_iter().enumerate().skip(cases(0, turn)).step_by(cases(1, 2)) {
            // A sample takes one length after the other.
            for length in [3 * B, 3 * B + 1, 4 * B - 1].into_iter().skip(cases(0, n % 3)).take(cases(3, 1)) {
                let bytes = with_edges(&mut rng, ground, length, at, what.as_bytes());
                let whole = Whole::new(&bytes);
                let requests = edge_questions(&whole);
                let case = format!("{what:?} at {at:+} in {length} bytes of {ground:?}");
                in_every_state(&bytes, &requests, &mut rng, &case);
            }
        }
    }
}

/// The lines around every edge, from the front and from the end, and the bytes themselves.
fn edge_questions(whole: &Whole) -> Vec<Request> {
    let (mut front, mut requests) = (Vec::new(), vec![Request::Count, Request::FullScan]);
    for edge in (B as u64..=whole.size()).step_by(B) {
        let line = whole.newlines_before(edge);
        front.extend([line.saturating_sub(1), line, line + 1, line + 2]);
        requests.extend((edge - 1..=edge + 1).filter(|at| *at <= whole.size()).map(Request::Before));
    }
    front.push(whole.lines());
    front.sort_unstable();
    front.dedup();
    let mut back: Vec<u64> = front.iter().map(|n| (whole.lines() + 1).saturating_sub(*n).max(1)).collect();
    back.sort_unstable();
    requests.extend(front.iter().step_by(3).map(|n| Request::Front(vec![*n])));
    requests.extend([Request::Front(front), Request::Back(back)]);
    requests
}
