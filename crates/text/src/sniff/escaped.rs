//! Recognises seven-bit encodings by their escape sequences: ISO-2022-JP, -KR and -CN, and HZ.

use encoding_rs::{DecoderResult, EUC_KR, Encoding, GBK, ISO_2022_JP};
use memchr::memmem;

const SO: u8 = 0x0E;
const SI: u8 = 0x0F;

/// Headers that select the characters between shifts, the label, and the encoding with the same characters plus 0x80.
const HEADERS: [(&[u8], &str, &Encoding); 2] =
    [(b"\x1B$)C", "iso-2022-kr", EUC_KR), (b"\x1B$)A", "iso-2022-cn", GBK)];

/// The label of the encoding of `head`, which is ASCII. Most lines with escape sequences must decode.
pub(super) fn detect(head: &[u8]) -> Option<&'static str> {
    // This runs at every start; most texts have no escape sequence.
    if memmem::find(head, b"\x1B$").is_some() {
        for (header, label, encoding) in HEADERS {
            if memmem::find(head, header).is_some()
                && is_mostly(head, &[SO], |line| are_shifted_characters(line, encoding))
            {
                return Some(label);
            }
        }
        return is_mostly(head, b"\x1B$", |line| decodes(ISO_2022_JP, line)).then_some("iso-2022-jp");
    }
    let is_hz = memmem::find(head, b"~{").is_some() && is_mostly(head, b"~{", hz);
    is_hz.then_some("hz-gb-2312")
}

/// Whether `judge` accepts more than half of the lines with `mark`. All these encodings begin each line in ASCII.
fn is_mostly(head: &[u8], mark: &[u8], judge: impl Fn(&[u8]) -> bool) -> bool {
    let lines = head.split(|byte| *byte == b'\n').filter(|line| memmem::find(line, mark).is_some());
    let (mut good, mut bad) = (0, 0);
    lines.for_each(|line| if judge(line) { good += 1 } else { bad += 1 });
    good > bad
}

/// Whether `bytes` decode to text beyond ASCII; the end may cut a character.
fn decodes(encoding: &'static Encoding, bytes: &[u8]) -> bool {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let room = decoder.max_utf8_buffer_length_without_replacement(bytes.len()).unwrap_or(0);
    let mut text = String::with_capacity(room);
    let (result, _) = decoder.decode_to_string_without_replacement(bytes, &mut text, false);
    result == DecoderResult::InputEmpty && !text.is_ascii()
}

/// Whether the bytes after each shift out are characters of `encoding`, up to a shift in or the end.
fn are_shifted_characters(line: &[u8], encoding: &'static Encoding) -> bool {
    let spans = line.split(|byte| *byte == SO).skip(1);
    spans.map(|span| span.split(|byte| *byte == SI).next().unwrap_or_default()).all(|span| {
        let high: Vec<u8> = span.iter().map(|byte| if *byte > b' ' { byte | 0x80 } else { *byte }).collect();
        span.is_empty() || decodes(encoding, &high)
    })
}

/// Whether `~{` begins pairs of GB 2312 that `~}` or the end of the sample ends. Half of the characters must be
/// frequent (level 1), which pairs of lower-case letters in source code are not.
fn hz(line: &[u8]) -> bool {
    let (mut frequent, mut all) = (0, 0);
    let mut rest = line;
    while let Some(at) = memmem::find(rest, b"~{") {
        rest = &rest[at + 2..];
        loop {
            match rest {
                [b'~', b'}', ..] => break,
                [first @ 0x21..=0x77, 0x21..=0x7E, ..] => {
                    all += 1;
                    frequent += usize::from((0x30..=0x57).contains(first));
                    rest = &rest[2..];
                }
                _ => return false,
            }
        }
    }
    all > 0 && frequent * 2 >= all
}

#[cfg(test)]
mod tests {
    use super::detect;

    #[test]
    fn escape_sequences_name_their_encoding() {
        let (japanese, ..) = ISO_2022_JP.encode("日本語のテキスト\nand ASCII\n");
        assert_eq!(detect(&japanese), Some("iso-2022-jp"));
        // The end of the sample cuts a character.
        assert_eq!(detect(b"\x1B$B\x46\x7C\x4B"), Some("iso-2022-jp"));
        assert_eq!(detect(b"\x1B$)C\n\x0EGQ1[\x0F and ASCII\n"), Some("iso-2022-kr"));
        assert_eq!(detect(b"\x1B$)A\x0E=;;;\x0F\n"), Some("iso-2022-cn"));
        assert_eq!(detect(b"~{VPND~} in ASCII ~~\n"), Some("hz-gb-2312"));
    }

    #[test]
    fn code_and_recordings_of_terminals_are_plain() {
        for text in [
            &b"\x1B[31mred\x1B(B\x1B[m\n"[..],
            b"if ($a =~ {x}) { ~{} }\n",
            b"\\section~{\\bf text~}\n",
            b"$ echo '\x1B$'\n",
            b"cd ~/src; ls ~\n",
        ] {
            assert_eq!(detect(text), None, "{}", text.escape_ascii());
        }
    }

    use encoding_rs::ISO_2022_JP;
}
