//! Mail (RFC 5322, MIME), web archives, and mailboxes: headers in plain words, the text, and the names of attachments.

use std::borrow::Cow;
use std::ops::Range;

use data_encoding::BASE64;
use mail_parser::decoders::{base64::base64_decode, quoted_printable::quoted_printable_decode};
use mail_parser::{
    Addr, Address, Encoding, GetHeader as _, Group, HeaderName, Message, MessageParser, MessagePart,
    MimeHeaders as _, PartType,
};
use memchr::{memchr_iter, memmem};

use super::lines::words;
use super::notebook::size;
use crate::decode::recognition::{FirstBytes, Verdict};
use crate::protocol::{Failure, Notice, Output};

/// The line before each message of a mailbox begins with this.
const SEPARATOR: &[u8] = b"From ";

/// Headers that mail begins with.
#[rustfmt::skip]
const FIRST: [&str; 17] = [
    "return-path", "received", "delivered-to", "from", "to", "date", "subject", "message-id", "mime-version", "sender",
    "reply-to", "cc", "content-type", "dkim-signature", "arc-seal", "authentication-results", "envelope-to",
];

/// Headers that a file without the name must have; one with the name has two of those above.
const NEEDED: [&str; 3] = ["from", "mime-version", "content-type"];

/// Whether `head` begins with the headers of a message, or, for a mailbox, with the line before them.
pub(super) fn recognise(head: &FirstBytes<'_>, is_mailbox: bool) -> Verdict {
    let bytes = head.bytes;
    let may_go_on = if head.is_last || head.is_other { Verdict::Not } else { Verdict::Open };
    let headers = match (is_mailbox, bytes.iter().position(|byte| *byte == b'\n')) {
        // Some programs export a message with the line that stands before it in a mailbox.
        (false, Some(end))
            if head.is_named && is_separator(&bytes[..end], true) && bytes.starts_with(SEPARATOR) =>
        {
            &bytes[end + 1..]
        }
        (false, _) => bytes,
        (true, _) if !bytes.iter().zip(SEPARATOR).all(|(byte, wanted)| byte == wanted) => {
            return Verdict::Not;
        }
        (true, None) => return may_go_on,
        (true, Some(end)) if is_separator(&bytes[..end], head.is_named) => &bytes[end + 1..],
        (true, Some(_)) => return Verdict::Not,
    };
    let (mut names, mut is_whole) = (Vec::new(), false);
    let lines = headers.split_inclusive(|byte| *byte == b'\n');
    for line in lines.take_while(|line| line.ends_with(b"\n")) {
        match (line, header_name(line)) {
            ([b' ' | b'\t', ..], _) if !names.is_empty() => {}
            ([b'\r', b'\n'] | [b'\n'], _) => {
                is_whole = true;
                break;
            }
            (_, Some(name)) => names.push(name),
            _ => return Verdict::Not,
        }
    }
    let is_first = |name: &String| FIRST.contains(&name.as_str());
    let has = |wanted: &&str| names.iter().any(|name| name == wanted);
    let is_mail = match head.is_named {
        true => names.iter().filter(|name| is_first(name)).count() > 1,
        false => NEEDED.iter().all(has) && names.first().is_some_and(is_first) && is_whole,
    };
    match is_mail && !head.is_other {
        true => Verdict::Is,
        // The first line of a log may be long in coming, and is rarely a header.
        false if is_whole || !(head.is_named || names.first().map_or(may_be_first(headers), is_first)) => {
            Verdict::Not
        }
        false => may_go_on,
    }
}

/// Whether the first header, of which `start` is a part, may be one that mail begins with.
fn may_be_first(start: &[u8]) -> bool {
    let start = String::from_utf8_lossy(start).to_ascii_lowercase();
    FIRST.iter().any(|name| name.starts_with(&start) || start.starts_with(&format!("{name}:")))
}

/// Whether `line` ends with a date, as those before messages do. `git format-patch` has a hash in place of a sender.
fn is_separator(line: &[u8], is_named: bool) -> bool {
    let line = String::from_utf8_lossy(line);
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_hash = |word: &str| word.len() == 40 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_time = |word: &&str| word.len() >= 5 && word.contains(':');
    words.len() >= 6 && words[2..].iter().any(is_time) && (is_named || !is_hash(words[1]))
}

/// The name of the header in `line`, in small letters.
fn header_name(line: &[u8]) -> Option<String> {
    let end = line.iter().position(|byte| *byte == b':')?;
    let name = str::from_utf8(&line[..end]).ok()?.trim_end();
    (!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic())).then(|| name.to_ascii_lowercase())
}

/// Sends the text of one message. The line before a message of a mailbox is not a header.
pub(super) fn decode(bytes: &[u8], out: &mut Output<'_>) -> Result<(), Failure> {
    let end = bytes.iter().position(|byte| *byte == b'\n').filter(|_| bytes.starts_with(SEPARATOR));
    let mut bytes = Cow::Borrowed(&bytes[end.map_or(0, |end| end + 1)..]);
    let mut damage = None;
    for round in 0.. {
        let Some(message) = MessageParser::default().parse(&*bytes) else {
            return Ok(out.text(&String::from_utf8_lossy(&bytes))?);
        };
        let repairs = if round < MOST_REPAIRS { repairs(&bytes, &message) } else { Vec::new() };
        if repairs.is_empty() {
            send(&message, out)?;
            break;
        }
        let (mut repaired, mut at) = (Vec::with_capacity(bytes.len()), 0);
        for Repair { range, text, damage: of_part } in repairs {
            repaired.extend([bytes.get(at..range.start).unwrap_or_default(), &text].concat());
            (at, damage) = (range.end, damage.or(of_part));
        }
        repaired.extend(bytes.get(at..).unwrap_or_default());
        bytes = repaired.into();
    }
    Ok(damage.map_or(Ok(()), |damage| out.notice(Notice::Damaged, damage))?)
}

/// Bytes of a message that the parser cannot read, and those in their place.
struct Repair {
    range: Range<usize>,
    text: Vec<u8>,
    damage: Option<&'static str>,
}

/// The most times that a message is repaired, which may show more parts each time, and the most boundaries in it.
const MOST_REPAIRS: usize = 16;
const MOST_BOUNDARIES: usize = 64;

/// The repairs of `message`, in its order.
fn repairs(bytes: &[u8], message: &Message<'_>) -> Vec<Repair> {
    let mut parts = Vec::new();
    add_parts(message, &mut parts);
    let mut repairs = missing_ends(bytes, &parts);
    if repairs.is_empty() {
        for part in parts {
            repairs.extend(split_words(bytes, part));
            repairs.extend(missing_boundary(bytes, part).or(footer(bytes, part)));
        }
    }
    repairs
}

/// Adds the parts of `message`, and of the messages in it that are not encoded.
fn add_parts<'m, 'a>(message: &'m Message<'a>, parts: &mut Vec<&'m MessagePart<'a>>) {
    for part in &message.parts {
        parts.push(part);
        if let (PartType::Message(inner), Encoding::None) = (&part.body, part.encoding) {
            add_parts(inner, parts);
        }
    }
}

/// The ends that parts do not have: such a part ends where one around it does. Without its end, the parser does not decode it.
fn missing_ends(bytes: &[u8], parts: &[&MessagePart<'_>]) -> Vec<Repair> {
    let names = parts.iter().filter_map(|part| part.content_type()?.attribute("boundary"));
    let names: Vec<&str> = names.take(MOST_BOUNDARIES).collect();
    let (mut inside, mut ends) = (Vec::new(), Vec::new());
    for at in memmem::find_iter(bytes, b"\n--").map(|at| at + 1) {
        let line = bytes[at + 2..].split(|byte| *byte == b'\n').next().unwrap_or_default();
        let found = names.iter().find_map(|name| {
            let rest = line.strip_prefix(name.as_bytes())?.trim_ascii_end();
            (rest.is_empty() || rest.starts_with(b"--")).then_some((*name, rest.is_empty()))
        });
        if let Some((name, is_start)) = found {
            let around = inside.iter().position(|of| *of == name).map_or(inside.len(), |depth| depth + 1);
            ends.extend(inside.drain(around..).rev().map(|name| (name, at)));
            // Text may have the boundary of a part around it: then this one goes on.
            ends.retain(|(of, _)| *of != name);
            inside.pop_if(|of| *of == name);
            inside.extend(is_start.then_some(name));
        }
    }
    ends.extend(inside.into_iter().rev().map(|name| (name, bytes.len())));
    ends.retain(|(name, _)| memmem::find(bytes, format!("\n--{name}--").as_bytes()).is_none());
    let damage = Some("the end of a part is missing");
    let text = |name: &str| format!("\n--{name}--\n").into_bytes();
    ends.into_iter().map(|(name, at)| Repair { range: at..at, text: text(name), damage }).collect()
}

/// The bytes of a message from `start` to `end`.
fn slice(bytes: &[u8], start: u32, end: u32) -> &[u8] {
    bytes.get(start as usize..end as usize).unwrap_or_default()
}

/// The boundary of a part that does not name its own: the first line that looks like one, as a header after the others.
fn missing_boundary(bytes: &[u8], part: &MessagePart<'_>) -> Option<Repair> {
    let body = slice(bytes, part.offset_body, part.offset_end);
    let is_there = |name: &str| memmem::find(body, name.as_bytes()).is_some();
    let kind = part.content_type().filter(|kind| kind.ctype() == "multipart")?;
    let kind = Some(kind).filter(|kind| !kind.attribute("boundary").is_some_and(is_there))?;
    let mut lines = body.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
    let line = lines.find(|line| line.len() > 2 && line.starts_with(b"--"))?;
    let name = str::from_utf8(&line[2..]).ok().filter(|name| !name.contains(['"', '\\']))?;
    lines.next().filter(|line| line.is_empty() || header_name(line).is_some())?;
    let kind = kind.subtype().unwrap_or("mixed");
    let text = format!("Content-Type: multipart/{kind}; boundary=\"{name}\"\n").into_bytes();
    let at = part.headers.header(HeaderName::ContentType)?.offset_end() as usize;
    Some(Repair { range: at..at, text, damage: Some("the boundary of its parts is missing") })
}

/// A text in Base64 with plain text after it, as mailing lists add it: both in Base64.
fn footer(bytes: &[u8], part: &MessagePart<'_>) -> Option<Repair> {
    let is_encoded = part.content_transfer_encoding()?.eq_ignore_ascii_case("base64");
    let is_text = part.content_type().is_none_or(|kind| kind.ctype() == "text");
    let range = part.offset_body as usize..part.offset_end as usize;
    let body = bytes.get(range.clone()).filter(|_| part.is_encoding_problem && is_encoded && is_text)?;
    let (mut whole, mut footer, mut is_over, mut width) = (Vec::new(), body, false, 0);
    for line in body.split_inclusive(|byte| *byte == b'\n') {
        let text = line.trim_ascii();
        let data = BASE64.decode(text).unwrap_or_default();
        if is_over || data.is_empty() {
            break;
        }
        // Words such as "Best" would be Base64, too, but a shorter line is the last one.
        is_over = text.len() < std::mem::replace(&mut width, text.len()) || text.ends_with(b"=");
        whole.extend(data);
        footer = &footer[line.len()..];
    }
    let text = BASE64.encode(&[&whole, &b"\n"[..], footer].concat()).into_bytes();
    (footer.len() < body.len()).then_some(Repair { range, text, damage: None })
}

/// What is between encoded words of the same charset and encoding (RFC 2047): both may have a part of a character.
fn split_words(bytes: &[u8], part: &MessagePart<'_>) -> Vec<Repair> {
    let headers = slice(bytes, part.offset_header, part.offset_body);
    let (mut repairs, mut last) = (Vec::new(), (&b""[..], 0));
    for start in memmem::find_iter(headers, b"=?") {
        let Some(between) = headers.get(last.1..start) else { continue };
        let mut marks = memchr_iter(b'?', &headers[start..]).skip(2);
        let (Some(kind), Some(end)) = (marks.next(), marks.next()) else { break };
        let kind = &headers[start..=start + kind];
        if between.trim_ascii().is_empty() && last.0.eq_ignore_ascii_case(kind) {
            let from = part.offset_header as usize;
            let range = from + last.1 - 2..from + start + kind.len();
            repairs.push(Repair { range, text: Vec::new(), damage: None });
        }
        last = (kind, start + end + 2);
    }
    repairs
}

/// Sends the text of each message of a mailbox as a page.
pub(super) fn decode_mailbox(bytes: &[u8], out: &mut Output<'_>) -> Result<(), Failure> {
    let messages = messages(bytes);
    out.pages(messages.len())?;
    for message in messages {
        decode(message, out)?;
        out.text("\n")?;
        out.page_end(false)?;
    }
    Ok(())
}

/// The messages of a mailbox, each with the line before it, which follows an empty line and is followed by headers.
fn messages(bytes: &[u8]) -> Vec<&[u8]> {
    let is_start = |at: &usize| {
        let before = &bytes[..*at];
        let mut lines = bytes[*at..].split(|byte| *byte == b'\n');
        let is_line = lines.next().is_some_and(|line| is_separator(line, true));
        (before.is_empty() || before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n"))
            && is_line
            && lines.next().is_some_and(|line| line.starts_with(b">") || header_name(line).is_some())
    };
    let starts: Vec<usize> = memmem::find_iter(bytes, SEPARATOR).filter(is_start).collect();
    let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
    starts.iter().zip(ends).map(|(start, end)| &bytes[*start..end]).collect()
}

fn send(message: &Message<'_>, out: &mut Output<'_>) -> Result<(), Failure> {
    for (name, addresses) in [("From", message.from()), ("To", message.to()), ("Cc", message.cc())] {
        if let Some(addresses) = addresses {
            out.text(&format!("{name}: {}\n", list(addresses)))?;
        }
    }
    let date = message.header_raw(HeaderName::Date).map(str::trim);
    for (name, value) in [("Date", date), ("Subject", message.subject())] {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            note_lost(value, out)?;
            out.text(&format!("{name}: {}\n", words(value)))?;
        }
    }
    for (nth, part) in message.text_bodies().enumerate() {
        out.text("\n")?;
        // Newsletters have plain parts without text beside their pages.
        let is_blank = part.text_contents().is_some_and(|text| text.trim().is_empty());
        let page = is_blank.then(|| message.html_bodies().nth(nth)).flatten();
        send_part(message, page.unwrap_or(part), out)?;
    }
    for part in message.attachments() {
        let name = part.attachment_name().map(words).filter(|name| !name.is_empty());
        let kind =
            part.content_type().map(|kind| format!("{}/{}", kind.ctype(), kind.subtype().unwrap_or("*")));
        let known: Vec<String> = name.into_iter().chain(kind).chain([size(part.len())]).collect();
        out.text(&format!("\n[{}]\n", known.join(", ")))?;
        send_part(message, part, out)?;
    }
    Ok(())
}

/// Sends a part of `message` that is text, or another message.
fn send_part(message: &Message<'_>, part: &MessagePart<'_>, out: &mut Output<'_>) -> Result<(), Failure> {
    // Reports of delivery and the like are text, and so is what has no parts.
    let is_text = part.content_type().is_some_and(|kind| matches!(kind.ctype(), "message" | "multipart"));
    let text = match &part.body {
        PartType::Text(text) => in_utf8(message, part, text, out)?,
        PartType::Binary(bytes) if is_text => {
            in_utf8(message, part, &String::from_utf8_lossy(bytes), out)?.into_owned().into()
        }
        PartType::Html(page) => {
            let page = in_utf8(message, part, page, out)?;
            match super::html::text(page.as_bytes()) {
                Err(Failure::Damaged) => page,
                text => text?.into(),
            }
        }
        PartType::Message(message) => return send(message, out),
        PartType::Binary(_) | PartType::InlineBinary(_) | PartType::Multipart(_) => Cow::default(),
    };
    let text = text.replace("\r\n", "\n");
    let text = text.trim_end_matches(['\n', '\r']);
    if !text.is_empty() {
        out.text(&format!("{text}\n"))?;
    }
    Ok(())
}

/// The text of a part, of which `decoded` follows its label: bytes that contradict the label count for more, and a page may
/// name its charset itself.
fn in_utf8<'a>(
    message: &Message<'_>,
    part: &MessagePart<'_>,
    decoded: &'a str,
    out: &mut Output<'_>,
) -> Result<Cow<'a, str>, Failure> {
    if decoded.is_ascii() {
        return Ok(decoded.into());
    }
    let label = part.content_type().and_then(|kind| kind.attribute("charset")).unwrap_or_default();
    let stored = message.raw_message.get(part.offset_body as usize..part.offset_end as usize);
    let bytes = stored.and_then(|stored| match part.encoding {
        Encoding::None => Some(stored.to_vec()),
        Encoding::QuotedPrintable => quoted_printable_decode(stored),
        Encoding::Base64 => base64_decode(stored),
    });
    let read = bytes.and_then(|bytes| super::html::in_utf8_of(label, &bytes));
    let Some((text, contradicted)) = read else {
        note_lost(decoded, out)?;
        return Ok(decoded.into());
    };
    if let Some(label) = contradicted {
        out.notice(Notice::Contradicted, &format!("charset {label}"))?;
    }
    note_lost(&text, out)?;
    Ok(text.into())
}

/// Says that `text` has characters that could not be read.
fn note_lost(text: &str, out: &mut Output<'_>) -> Result<(), Failure> {
    if text.contains(char::REPLACEMENT_CHARACTER) {
        out.notice(Notice::LeftOut, "letters in an encoding that the message does not name")?;
    }
    Ok(())
}

fn list(addresses: &Address<'_>) -> String {
    let one = |of: &Addr<'_>| match (of.name().map(words), of.address()) {
        (Some(name), Some(address)) => format!("{name} <{address}>"),
        (name, address) => name.or(address.map(str::to_owned)).unwrap_or_default(),
    };
    let join = |of: &[Addr<'_>]| of.iter().map(one).collect::<Vec<_>>().join(", ");
    let group = |of: &Group<'_>| match &of.name {
        Some(name) => format!("{}: {};", words(name), join(&of.addresses)).replace(": ;", ":;"),
        None => join(&of.addresses),
    };
    match addresses {
        Address::List(all) => join(all),
        Address::Group(groups) => groups.iter().map(group).collect::<Vec<_>>().join(", "),
    }
}
