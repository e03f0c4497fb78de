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
        // Some have a header alone.
        if cfg!(feature = "thumbnails") && sandbox.line("image a.txt").code == 3 {
            assert!(image::load_from_memory(&sample.bytes).is_err(), "{}", sample.mode);
            continue;
        }
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
        (
            "icon",
            "not supported, but magick converts it",
            "magick icon'[0]' picture.png && rread image picture.png",
        ),
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

/// A TIFF, or a BigTIFF, with a grey page for each shade, one pixel wider each.
fn pages(shades: &[u8], is_big: bool, is_little: bool) -> Vec<u8> {
    let number = |value: u64, width: usize| match is_little {
        true => value.to_le_bytes()[..width].to_vec(),
        false => value.to_be_bytes()[8 - width..].to_vec(),
    };
    let (word, count) = if is_big { (8, 8) } else { (4, 2) };
    let mut file = if is_little { b"II".to_vec() } else { b"MM".to_vec() };
    file.extend(number(if is_big { 43 } else { 42 }, 2));
    file.extend(if is_big { [number(8, 2), number(0, 2)].concat() } else { Vec::new() });
    file.extend(number(2 * word as u64, word));
    for (n, shade) in shades.iter().enumerate() {
        let width = 20 + n as u64;
        let tags = [
            (256, width),
            (257, 10),
            (258, 8),
            (259, 1),
            (262, 1),
            (273, 0),
            (277, 1),
            (278, 10),
            (279, width * 10),
        ];
        let size = count + tags.len() * (4 + 2 * word) + word;
        let data = file.len() + size;
        file.extend(number(tags.len() as u64, count));
        for (tag, value) in tags {
            file.extend([number(tag, 2), number(4, 2), number(1, word)].concat());
            let value = number(if tag == 273 { data as u64 } else { value }, 4);
            file.extend(value.into_iter().chain(vec![0; word - 4]));
        }
        let next = data as u64 + width * 10;
        file.extend(number(if n + 1 < shades.len() { next } else { 0 }, word));
        file.extend(vec![*shade; usize::try_from(width).unwrap() * 10]);
    }
    file
}

#[test]
fn the_pages_of_a_tiff_are_counted_and_fetched() {
    let sandbox = Sandbox::new();
    let shades = [0, 40, 80, 120, 160];
    for (is_big, is_little) in [(false, true), (false, false), (true, true), (true, false)] {
        sandbox.file("fax.tif", pages(&shades, is_big, is_little));
        let facts = sandbox.line("image fax.tif --no-data").ok();
        assert!(facts.text().contains("\nframes: 5\n"), "{facts}");
        for (n, shade) in (1..).zip(shades) {
            if cfg!(not(feature = "thumbnails")) {
                continue;
            }
            let facts = sandbox.line(&format!("image fax.tif --page {n} --no-data")).ok();
            assert!(facts.text().contains(&format!("\nwidth: {}\n", 19 + n)), "{facts}");
            let answer = sandbox.line(&format!("image fax.tif --page {n}")).ok().document();
            assert_eq!((answer.fact("exact") == "true", answer.has("page")), (n == 1, n > 1));
            if n == 1 {
                continue;
            }
            let picture = image::load_from_memory(&decoded(&answer.content)).unwrap().to_luma8();
            let seen = picture.get_pixel(3, 3).0[0];
            assert!(picture.width() == 19 + n && seen.abs_diff(shade) < 3, "{n}: {seen}");
        }
        sandbox.line("image fax.tif --page 6").refused(5).says(predicates::str::contains("(5 pages)"));
    }
    sandbox.file("one.tif", pages(&[9], false, true));
    assert!(!sandbox.line("image one.tif --no-data").ok().text().contains("frames"));
    sandbox.line("image one.tif --page 2").refused(5);
    // The last directory leads back to the first.
    let mut round = pages(&[1, 2], false, true);
    let last = round.len() - 21 * 10 - 4;
    round[last..last + 4].copy_from_slice(&8_u32.to_le_bytes());
    sandbox.file("round.tif", round);
    assert!(sandbox.line("image round.tif --no-data").ok().text().contains("\nframes: 2\n"));
    sandbox.file("a.png", coloured(ImageFormat::Png, 3, 4));
    sandbox.line("image a.png --page 2").refused(2);
    sandbox.line("image a.png --page 1").ok();
}

#[test]
fn the_frames_of_an_animated_webp_are_counted() {
    let chunk = |name: &[u8], data: &[u8]| {
        let length = u32::try_from(data.len()).unwrap().to_le_bytes();
        [name, &length, data, &vec![0; data.len() % 2]].concat()
    };
    let still = coloured(ImageFormat::WebP, 6, 4);
    let frame = [&[0; 6][..], &[5, 0, 0, 3, 0, 0, 9, 0, 0, 0], &still[12..]].concat();
    for (frames, padding) in [(1, 0), (3, 0), (3, 9001)] {
        let mut chunks = chunk(b"VP8X", &[2, 0, 0, 0, 5, 0, 0, 3, 0, 0]);
        chunks.extend(chunk(b"ANIM", &[0; 6]));
        chunks.extend(chunk(b"ICCP", &vec![1; padding]));
        (0..frames).for_each(|_| chunks.extend(chunk(b"ANMF", &frame)));
        chunks.extend(chunk(
            b"EXIF",
            b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0",
        ));
        let sandbox = Sandbox::with("loop.webp", chunk(b"RIFF", &[b"WEBP", &chunks[..]].concat()));
        let facts = sandbox.line("image loop.webp --no-data").ok();
        assert_eq!(facts.text().contains("\nframes: 3\n"), frames > 1, "{facts}");
    }
}

#[test]
fn a_picture_that_no_decoder_reads_is_not_sent() {
    let sandbox = Sandbox::new();
    for format in
        [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP, ImageFormat::Gif, ImageFormat::Tiff]
    {
        let mut bytes = coloured(format, 40, 30);
        sandbox.file("good", &bytes);
        sandbox.line("image good").ok();
        let size = bytes.len();
        if format == ImageFormat::Png {
            bytes[size / 2..size - 16].fill(b'x');
            sandbox.file("bad", &bytes);
            for call in ["image bad", "image bad --json", "image bad --raw", "image bad --thumbnail 20"] {
                let run = sandbox.line(call);
                assert!(run.code == 3 && run.stdout.is_empty(), "{run}");
                run.says(predicates::str::contains("is damaged"));
            }
            sandbox.line("image bad --no-data").ok();
        }
    }
}
