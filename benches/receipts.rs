//! The cost of thirty receipts in bytes and tokens (`o200k_base`), of this program and of an older one.
//!
//! `RREAD_BEFORE=/path/to/old/rread cargo bench --profile dev --bench receipts`

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs)]

use std::path::{Path, PathBuf};

use rread_testkit::receipts::{CALLS, Calls, KINDS};
use tiktoken_rs::CoreBPE;

#[derive(Clone, Copy, Default)]
struct Cost {
    bytes: usize,
    tokens: usize,
}

impl Cost {
    fn of(receipt: &str, tokenizer: &CoreBPE) -> Self {
        Cost { bytes: receipt.len(), tokens: tokenizer.encode_ordinary(receipt).len() }
    }

    fn shown(self) -> String {
        format!("{} / {}", self.bytes, self.tokens)
    }
}

fn main() {
    let tokenizer = tiktoken_rs::o200k_base().unwrap();
    let now = Path::new(env!("CARGO_BIN_EXE_rread"));
    let before = std::env::var_os("RREAD_BEFORE").map(PathBuf::from);
    println!("bytes / tokens of receipts, beside the content and the path\n");
    println!(
        "| call | before | after | ratio | JSON before | after | ratio | `--brief` |\n|---|---|---|---|---|---|---|---|"
    );
    // Each program has files of its own, so that the captures and indexes of one are not those of the other.
    let (files, old_files) = (Calls::new(), Calls::new());
    let mut totals = [[Cost::default(); 2]; 3];
    for (call, _) in CALLS {
        let mut row = format!("| `{call}` |");
        for (kind, total) in KINDS.iter().zip(&mut totals) {
            let cost = files.receipt(now, call, kind).map(|receipt| Cost::of(&receipt, &tokenizer));
            let old = before.as_ref().and_then(|program| old_files.receipt(program, call, kind));
            let old = old.map(|receipt| Cost::of(&receipt, &tokenizer));
            for (sum, one) in total.iter_mut().zip([old, cost]) {
                sum.bytes += one.map_or(0, |one| one.bytes);
                sum.tokens += one.map_or(0, |one| one.tokens);
            }
            row += &cells(old, cost, kind);
        }
        println!("{row}");
    }
    let sums = totals
        .iter()
        .zip(KINDS)
        .map(|([old, new], kind)| cells(before.is_some().then_some(*old), Some(*new), kind));
    println!("| **all** |{}", sums.collect::<String>());
}

/// The cells of one kind of receipt; that of --brief has no past.
fn cells(old: Option<Cost>, new: Option<Cost>, kind: &str) -> String {
    let shown = |cost: Option<Cost>| cost.map_or("-".to_owned(), Cost::shown);
    if kind == "--brief" {
        return format!(" {} |", shown(new));
    }
    let ratio = old.zip(new).map(|(old, new)| new.tokens * 100 / old.tokens.max(1));
    let ratio = ratio.map_or("-".to_owned(), |percent| format!("{percent} %"));
    format!(" {} | {} | {ratio} |", shown(old), shown(new))
}
