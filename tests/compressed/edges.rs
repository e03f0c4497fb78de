//! Damage at the edges: before any text, at the end of a page, inside a block that is not compressed.

use rread_testkit::bulk::{Style, text_of};
use rread_testkit::lab::Lab;
use rread_testkit::pack::{Pack, xz, zstd};
use rread_testkit::rng::Rng;

/// The answer is empty.
#[test]
fn damage_before_any_text_is_in_the_receipt() {
    let text = text_of(&mut Rng::new(3), Style::Words, 5000);
    let packed = zstd(&text, 3);
    let lab = Lab::with("packed", &packed[..packed.len() - 20]);
    for request in ["lines packed", "lines packed 1:5", "bytes packed", "page packed", "stat packed --count"]
    {
        let run = lab.line(&format!("{request} --json"));
        assert_eq!(run.code, Some(3), "{run}");
        let answer = run.json();
        let facts = answer.get("metadata").unwrap_or(&answer);
        assert_eq!(facts["damaged"]["offset"], 0, "{request}: {answer}");
        assert!(facts["next"].is_null() && run.stderr.contains("--salvage"), "{request}: {run}");
    }
    assert_eq!(lab.json("stat packed")["damaged"]["offset"], 0);
    for request in ["lines packed -5:", "bytes packed -9:", "page packed -1", "where packed --line -1"] {
        let run = lab.line(request);
        assert_eq!((run.code, run.stdout.len()), (Some(3), 0), "{run}");
        assert!(run.stderr.contains(&format!("{request} --salvage")), "{run}");
        lab.line(&format!("{request} --salvage"));
    }
    let run = lab.line("verify packed 1#a1b2c3");
    assert_eq!((run.code, run.stdout.len()), (Some(3), 0), "{run}");
}

/// The index of the .xz file has the size, and the readable text ends where a page ends: no line is lost.
#[test]
fn pages_reach_damage_at_the_nominal_end_of_a_page() {
    let text = b"0123456789\n".repeat(3000);
    let mut packed = [xz(&text[..1000], 6), xz(&text[1000..], 6)].concat();
    let at = xz(&text[..1000], 6).len() + 30;
    packed[at] ^= 0xFF;
    let lab = Lab::with("packed", &packed);
    let readable = lab.line("bytes packed 0: --raw --salvage").ok().stdout;
    assert!(readable.len() >= 1000 && readable.len() < 2000, "{}", readable.len());
    let size =
        (4..=readable.len()).rfind(|size| readable.len().is_multiple_of(*size) && *size < 900).unwrap();
    let (mut number, mut pages) = ("1".to_owned(), String::new());
    loop {
        let run = lab.line(&format!("page packed {number} --page-size {size} --json"));
        pages.push_str(run.json()["content"].as_str().unwrap());
        let next = &run.json()["metadata"]["next"]["range"];
        match next.as_str() {
            Some(next) => next.clone_into(&mut number),
            None => break assert_eq!(run.code, Some(3), "{run}"),
        }
    }
    assert!(pages.as_bytes() == readable, "{} of {} by {size}", pages.len(), readable.len());
}

/// The lz4 command does the same.
#[test]
fn an_uncompressed_block_of_lz4_is_read_as_far_as_it_goes() {
    let mut rng = Rng::new(12);
    let text: Vec<u8> = (0..3000).map(|_| b' ' + u8::try_from(rng.below(90)).unwrap()).collect();
    let packed = Pack::Lz4.of(&text);
    assert!(packed.len() > text.len(), "{}", packed.len());
    let lab = Lab::with("packed", &packed[..packed.len() / 2]);
    let run = lab.line("bytes packed --raw");
    assert!(run.code == Some(3) && text.starts_with(&run.stdout), "{run}");
    assert!(run.stdout.len() > packed.len() / 2 - 32, "{}", run.stdout.len());
}
