//! The command: its formats, its refusals, streams and budgets.

use data_encoding::BASE64;
use image::ImageFormat;
use rread_testkit::sandbox::Sandbox;

use super::pictures::{coloured, samples};

fn decoded(content: &str) -> Vec<u8> {
    BASE64.decode(content.split_once(";base64,").unwrap().1.as_bytes()).unwrap()
}

#[test]
fn every_format_gives_the_exact_bytes_whatever_the_name() {
    let sandbox = Sandbox::new();
    for sample in samples() {
        sandbox.file("a.txt", &sample.bytes);
        let answer = sandbox.line("image a.txt").ok().document();
        assert_eq!((answer.fact("format"), answer.fact("mode")), (sample.format, sample.mode));
        assert_eq!((answer.fact("width"), answer.fact("height")), ("21", "13"));
        assert_eq!(answer.fact("file_size"), sample.bytes.len().to_string());
        assert!(answer.content.starts_with(&format!("data:{};base64,", answer.fact("mime"))));
        assert!(decoded(&answer.content) == sample.bytes);
        let json = sandbox.line("image a.txt --json").ok();
        let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
        assert_eq!(json["content"], answer.content);
        assert_eq!(json["metadata"]["content_bytes"], answer.content.len());
        assert!(sandbox.line("image a.txt --format text").ok().stdout == answer.content.as_bytes());
        assert!(sandbox.line("image a.txt --raw").ok().stdout == sample.bytes);
        let xml = String::from_utf8(sandbox.line("image a.txt --xml").ok().stdout).unwrap();
        assert!(xml.starts_with("<image_content path=\"a.txt\" format=\"") && xml.contains(&answer.content));
        assert!(sandbox.piped("image - --raw", sample.bytes.clone()).ok().stdout == sample.bytes);
        let packed = zstd::encode_all(&sample.bytes[..], 1).unwrap();
        assert!(sandbox.piped("image - --raw", packed).ok().stdout == sample.bytes);
    }
}

#[test]
fn the_facts_alone_have_no_content() {
    let sandbox = Sandbox::with("a", coloured(ImageFormat::Png, 30, 20));
    for option in ["--no-data", "--metadata-only"] {
        let answer = sandbox.line(&format!("image a {option}")).ok();
        assert!(answer.stdout.ends_with(b"\n---\n"), "{answer}");
        let xml = sandbox.line(&format!("image a {option} --xml")).ok();
        assert!(xml.stdout.ends_with(b"\"/>\n"), "{xml}");
        sandbox.line(&format!("image a {option} --raw")).refused(2);
    }
}

#[test]
fn a_budget_bounds_the_content() {
    let sandbox = Sandbox::with("a", coloured(ImageFormat::Png, 60, 40));
    let exact = sandbox.line("image a").ok().document();
    let size = exact.content.len();
    let same = sandbox.line(&format!("image a --max-bytes {size}")).ok().document();
    assert_eq!((same.fact("exact"), &same.content), ("true", &exact.content));
    if cfg!(not(feature = "thumbnails")) {
        return;
    }
    let less = sandbox.line(&format!("image a --max-bytes {}", size - 1)).ok().document();
    assert_eq!(less.fact("exact"), "false");
    assert!(less.content.len() < size && !less.fact("thumbnail.width").is_empty());
    for most in [1500, 3000, 5000] {
        let by_variable =
            sandbox.line_env("image a", &[("RREAD_MAX_BYTES", &most.to_string())]).ok().document();
        assert!(by_variable.content.len() <= most, "{most}");
        assert_eq!(by_variable.fact("thumbnail.bytes"), decoded(&by_variable.content).len().to_string());
        let raw = sandbox.line(&format!("image a --raw --max-bytes {most}"));
        assert!(raw.code == 0 && raw.stdout.len() <= most && raw.stderr.contains("a thumbnail of"), "{raw}");
    }
    let run = sandbox.line("image a --max-bytes 10").refused(2);
    assert!(run.stderr.contains("--max-bytes 10") && run.stderr.contains("one pixel"), "{run}");
    assert!(run.stderr.contains("bytes, which is also too large\nhint: "), "{run}");
    // What has no content has no length of it.
    for options in ["--no-data", "--metadata-only --thumbnail 8", "--no-data --max-bytes 1500"] {
        let facts = String::from_utf8(sandbox.line(&format!("image a {options}")).ok().stdout).unwrap();
        assert!(facts.contains("width: ") && !facts.contains("content_bytes"), "{facts}");
    }
}

#[test]
fn other_files_are_refused_with_their_type() {
    let sandbox = Sandbox::new();
    sandbox.file("text", "hello\n");
    sandbox.file("empty", "");
    sandbox.file("a.pdf", "%PDF-1.7\n");
    sandbox.file("icon", [b"\0\0\x01\0\x01\0\x10\x10".to_vec(), vec![0; 60]].concat());
    sandbox.file("drawing", "<svg width='1' height='2'/>");
    for (name, words, hint) in [
        ("text", "is text/plain, not an image", "rread lines text 1:20"),
        ("empty", "is empty", "rread stat empty"),
        (
            "a.pdf",
            "is application/pdf, not an image",
            "pdftoppm -png -singlefile -f 1 -l 1 a.pdf page && rread image page.png",
        ),
        ("icon", "is image/", "rread bytes icon --encode base64"),
    ] {
        // The header alone is a damaged document.
        if cfg!(feature = "documents") && name == "a.pdf" {
            continue;
        }
        let run = sandbox.line(&format!("image {name}")).refused(2);
        assert!(run.stderr.contains(words) && run.stderr.contains(hint), "{run}");
    }
    let run = sandbox.line("image drawing --thumbnail 5").refused(2);
    assert!(run.stderr.contains("is an SVG") && run.stderr.contains("rread lines drawing"), "{run}");
    sandbox.line("image missing").refused(3);
}

#[test]
fn the_error_of_a_broken_picture_has_its_readable_facts() {
    let sandbox = Sandbox::new();
    let png = coloured(ImageFormat::Png, 30, 20);
    sandbox.file("cut.png", &png[..png.len() / 2]);
    sandbox.file("header.png", &png[..20]);
    sandbox.file("header.bmp", &coloured(ImageFormat::Bmp, 30, 20)[..12]);
    let run = sandbox.line("image header.bmp").refused(3);
    assert!(run.stderr.contains("is a BMP that ends inside its header, after 12 bytes"), "{run}");
    let run = sandbox.line("image cut.png").refused(3);
    assert!(run.stderr.contains("is a PNG of 30x20 pixels that ends early, after"), "{run}");
    assert!(run.stderr.contains("hint: rread image cut.png --no-data"), "{run}");
    let facts = String::from_utf8(sandbox.line("image cut.png --no-data").ok().stdout).unwrap();
    assert!(facts.contains("width: 30\n") && facts.contains("notices:\n- incomplete\n"), "{facts}");
    assert!(!facts.contains("exact"), "{facts}");
    let run = sandbox.line("image header.png").refused(3);
    assert!(run.stderr.contains("is a PNG that ends inside its header, after 20 bytes"), "{run}");
    assert!(run.stderr.contains("rread bytes header.png --encode base64"), "{run}");
    sandbox.piped("image -", &png[..png.len() / 2]).refused(3);
}

#[test]
fn the_refusal_of_a_binary_file_points_here() {
    let sandbox = Sandbox::with("a.png", coloured(ImageFormat::Png, 30, 20));
    let run = sandbox.line("lines a.png").refused(4);
    assert!(run.stderr.ends_with("hint: rread image a.png\n"), "{run}");
}
