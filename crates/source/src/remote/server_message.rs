//! The sentence with which a server explains a refusal, in the body of its response.

use serde_json::Value;

/// The most characters of the sentence.
const LONGEST: usize = 200;

/// Members of a JSON body that have a sentence, the best first.
const MEMBERS: [&str; 7] =
    ["message", "error_description", "detail", "errorMessage", "error", "title", "errors"];

/// The sentence in `body`: the message of XML or JSON, the title of a page, or the first line of a plain text.
pub(super) fn sentence(body: &str) -> Option<String> {
    let body = body.trim_start_matches('\u{feff}').trim();
    let found = if body.starts_with(['{', '[']) {
        of_json(&serde_json::from_str(body).ok()?)?
    } else if body.starts_with('<') {
        unescaped(
            element(body, "message").or_else(|| element(body, "title")).or_else(|| element(body, "h1"))?,
        )
    } else {
        body.to_owned()
    };
    let is_shown = |c: &char| !c.is_control() && !is_direction(*c);
    let line = found.trim().lines().next()?.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown: String = line.chars().filter(is_shown).take(LONGEST).collect();
    if line.chars().count() > LONGEST {
        shown.push('…');
    }
    let is_text = !shown.contains(char::REPLACEMENT_CHARACTER) && shown.chars().any(char::is_alphanumeric);
    is_text.then_some(shown)
}

/// Characters that change the direction of text, and so what a reader believes to see.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn of_json(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()).filter(|text| !text.trim().is_empty()),
        Value::Array(values) => values.iter().find_map(of_json),
        Value::Object(members) => MEMBERS.iter().find_map(|name| {
            let named = members.iter().find(|(member, _)| member.eq_ignore_ascii_case(name));
            named.and_then(|(_, value)| of_json(value))
        }),
        _ => None,
    }
}

/// The text of the first element `name` without elements inside, in any case.
fn element<'b>(body: &'b str, name: &str) -> Option<&'b str> {
    // Lower case in ASCII keeps all offsets.
    let lower = body.to_ascii_lowercase();
    let mut from = 0;
    while let Some(at) = lower[from..].find(&format!("<{name}")) {
        let after = from + at + 1 + name.len();
        from = after;
        let rest = &lower[after..];
        if !rest.starts_with(['>', ' ', '\t', '\r', '\n']) {
            continue;
        }
        let start = after + rest.find('>')? + 1;
        let end = start + lower[start..].find(&format!("</{name}"))?;
        let text = body[start..end].trim();
        let text = text.strip_prefix("<![CDATA[").and_then(|text| text.strip_suffix("]]>")).unwrap_or(text);
        return (!text.is_empty()).then_some(text);
    }
    None
}

fn unescaped(text: &str) -> String {
    let without_tags = text.split('<').enumerate().map(|(at, part)| match part.split_once('>') {
        Some((_, text)) if at > 0 => text,
        _ => part,
    });
    let mut text: String = without_tags.collect();
    for (name, character) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&apos;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ] {
        text = text.replace(name, character);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_body_has_its_sentence() {
        for (body, expected) in [
            (
                "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>",
                "Request has expired",
            ),
            (
                "\u{feff}<?xml version=\"1.0\"?><Error><Message>Signature did not match.\nRequestId:1\nTime:2</Message></Error>",
                "Signature did not match.",
            ),
            ("<error><message><![CDATA[no such thing]]></message></error>", "no such thing"),
            (r#"{"message": "Bad credentials", "documentation_url": "x"}"#, "Bad credentials"),
            (r#"{"error": {"code": 403, "message": "no access to it"}}"#, "no access to it"),
            (r#"{"error": "invalid_token", "error_description": "The token expired"}"#, "The token expired"),
            (r#"{"errors": [{"status": 1, "detail": "page 7 is gone"}]}"#, "page 7 is gone"),
            (r#"[{"Message": "in a list"}]"#, "in a list"),
            (r#""only text""#, "\"only text\""),
            (
                "<!DOCTYPE html><html><head><title>\n Sign in &amp; go on </title></head><body>x</body></html>",
                "Sign in & go on",
            ),
            ("<HTML><H1>No <b>such</b> page</H1></HTML>", "No such page"),
            ("no ranges", "no ranges"),
            ("first line\nsecond line", "first line"),
            ("tabs\tand   blanks", "tabs and blanks"),
            ("red \u{1b}[31m and \u{202e}turned", "red [31m and turned"),
        ] {
            assert_eq!(sentence(body).as_deref(), Some(expected), "{body}");
        }
        for body in [
            "",
            "   ",
            "<html></html>",
            "{}",
            "{\"message\": ",
            "[]",
            "\u{fffd}\u{fffd}",
            "---",
            "<title></title>",
            "{\"error\": 5}",
        ] {
            assert_eq!(sentence(body), None, "{body}");
        }
        let long = sentence(&"word ".repeat(100)).unwrap();
        assert!(long.chars().count() == LONGEST + 1 && long.ends_with('…'));
    }
}
