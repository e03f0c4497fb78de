//! UTF-16 and UTF-32 without a mark: texts of many scripts are recognised, and other data is not.

use rread_text::sniff::{Content, SAMPLE, sniff};

const TEXTS: [(&str, &str); 14] = [
    ("English", "level=info msg=\"started\" port=8080\r\nlevel=warn msg=\"slow\"\r\n"),
    ("Polish", "Zażółć gęślą jaźń, a potem wróć do domu przed zmrokiem.\n"),
    ("Vietnamese", "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm.\r\n"),
    ("Russian", "Все люди рождаются свободными и равными в своём достоинстве — «и правах».\n"),
    ("Greek", "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια.\n"),
    ("Hebrew", "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם.\n"),
    ("Arabic", "يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق.\n"),
    ("Hindi", "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतंत्रता प्राप्त है।\n"),
    ("Thai", "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ\n"),
    ("Chinese", "人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相对待。\n"),
    ("Japanese", "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。\n"),
    ("Hiragana", "すべてのひとは うまれながらに じゆうであり、たがいに たすけあう。\n"),
    ("Korean", "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.\n"),
    ("emoji", "done ✅ 100% 🎉🎉 next 🚀 → \"ship it\" 👩‍💻 tomorrow\n"),
];

const ENCODINGS: [&str; 4] = ["utf-16le", "utf-16be", "utf-32le", "utf-32be"];

fn encoded(text: &str, encoding: &str) -> Vec<u8> {
    match encoding {
        "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "utf-16be" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        "utf-32le" => text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(),
        _ => text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect(),
    }
}

fn content(bytes: &[u8]) -> Content {
    sniff(&bytes[..bytes.len().min(SAMPLE)], bytes.len() <= SAMPLE).content
}

#[test]
fn texts_of_every_script_are_found_in_every_encoding() {
    for (language, line) in TEXTS {
        for text in [line.to_owned(), line.repeat(3), line.repeat(if cfg!(miri) { 20 } else { 200 })] {
            for encoding in ENCODINGS {
                let bytes = encoded(&text, encoding);
                let found = sniff(&bytes[..bytes.len().min(SAMPLE)], bytes.len() <= SAMPLE);
                assert_eq!((found.content, found.bom), (Content::Wide(encoding), false), "{language}");
                let marked = encoded(&format!("\u{FEFF}{text}"), encoding);
                let found = sniff(&marked[..marked.len().min(SAMPLE)], marked.len() <= SAMPLE);
                assert_eq!((found.content, found.bom), (Content::Wide(encoding), true), "{language}");
            }
        }
    }
}

#[test]
fn a_pair_of_surrogates_may_lie_across_the_edge_of_the_sample() {
    for before in [4093, 4094, 4095, 4096] {
        for encoding in &ENCODINGS[..2] {
            let bytes = encoded(&format!("{}\n{}", "a".repeat(before), "🎉 done\n".repeat(9)), encoding);
            assert_eq!(content(&bytes), Content::Wide(encoding), "{before}");
        }
    }
    // A lone one is a mistake.
    let mut bytes = encoded("Все люди рождаются 🎉\n", "utf-16le");
    bytes.extend([0x3D, 0xD8]);
    assert_eq!(sniff(&bytes, true).content, Content::Binary);
}

/// A generator of pseudorandom numbers, the same in every run.
fn numbers(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    })
}

fn words(numbers: impl Iterator<Item = u64>, count: usize) -> Vec<u8> {
    numbers.take(count).flat_map(|n| u16::try_from(n % 65536).unwrap().to_le_bytes()).collect()
}

#[test]
fn arrays_and_sound_are_binary() {
    for seed in 0..if cfg!(miri) { 1 } else { 200 } {
        for limit in [16, 100, 200, 256, 1000, 2000, 4096, 10_000, 32_768, 65_536] {
            let array = words(numbers(seed).map(|n| n % limit), 600);
            assert_eq!(content(&array), Content::Binary, "below {limit}, seed {seed}");
            let sorted = words((0..600).map(|n| n * limit / 600), 600);
            assert_eq!(content(&sorted), Content::Binary, "sorted, below {limit}");
        }
        for loudness in [20, 300, 5000] {
            let sound = numbers(seed).scan(0u64, |level, n| {
                *level = (*level + n % (2 * loudness)).wrapping_sub(loudness) & 0xFFFF;
                Some(*level)
            });
            // Silence of -2 would be a byte order mark, which is honoured.
            let sound = std::iter::once(7).chain(sound);
            assert_eq!(content(&words(sound, 4000)), Content::Binary, "loudness {loudness}, seed {seed}");
        }
        let offsets: Vec<u8> = (0..600u32).flat_map(|n| (n * 24).to_le_bytes()).collect();
        assert_eq!(content(&offsets), Content::Binary);
    }
}

#[test]
fn strings_between_nuls_are_binary() {
    let names =
        ["PATH=/usr/bin", "HOME=/root", "TERM=xterm-256color", "my file.txt", "a", "LANG=C", "x y z\n"];
    for seed in (0..300).step_by(if cfg!(miri) { 50 } else { 1 }) {
        let mut list = Vec::new();
        for n in numbers(seed).take(3 + usize::try_from(seed).unwrap()) {
            list.extend(names[usize::try_from(n).unwrap() % names.len()].as_bytes());
            list.push(0);
        }
        assert_eq!(content(&list), Content::Binary, "seed {seed}: {list:?}");
    }
    assert_eq!(content(b"a\0b\n"), Content::Binary);
    assert_eq!(content(b"\0\n\n\0"), Content::Binary);
    assert_eq!(content(b"x\n\0yz\nthe log goes on\nand on\n"), Content::Binary);
}

#[test]
fn a_nul_among_line_ends_does_not_make_them_wide() {
    // In two-byte units, pairs of them are letters of Indian scripts. One of them is a byte of common characters.
    for encoding in &ENCODINGS[..2] {
        for word in ["不上三", "उसका"] {
            assert_eq!(content(&encoded(&format!("{word}\n"), encoding)), Content::Wide(encoding), "{word}");
        }
    }
    for length in 3..if cfg!(miri) { 5 } else { 8 } {
        for mut number in 0..3_usize.pow(length) {
            let mut breaks = Vec::new();
            for _ in 0..length {
                breaks.push(b"\t\r\n"[number % 3]);
                number /= 3;
            }
            for at in 0..=breaks.len() {
                let mut bytes = breaks.clone();
                bytes.insert(at, 0);
                assert_eq!(content(&bytes), Content::Binary, "{}", bytes.escape_ascii());
            }
        }
    }
}

#[test]
fn characters_that_no_text_has_make_a_file_binary() {
    for encoding in ENCODINGS {
        let line = "all of this is text\n".repeat(10);
        for (extra, at_most) in
            [("\0", 0), ("\u{FFFE}", 0), ("\u{FDD0}", 0), ("\u{1}", 2), ("\u{85}", 2), ("\u{E000}", 2)]
        {
            for count in 1..5 {
                let found = content(&encoded(&format!("{line}{}", extra.repeat(count)), encoding));
                let expected = if count <= at_most { Content::Wide(encoding) } else { Content::Binary };
                assert_eq!(found, expected, "{encoding}, {count} of {extra:?}");
            }
        }
    }
    // Numbers of 160 to 255 with blanks between them are letters with marks and no others.
    let numbers = words(numbers(5).map(|n| if n % 9 == 0 { 32 } else { 160 + n / 9 % 96 }), 900);
    assert_eq!(content(&numbers), Content::Binary);
}
