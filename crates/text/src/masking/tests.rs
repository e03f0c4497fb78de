//! Tables of lines and their patterns.

use proptest::prelude::*;

use super::*;

fn pattern(line: &str) -> String {
    let mut out = Vec::new();
    mask(line.as_bytes(), &mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn what_varies_is_masked() {
    for (line, expected) in [
        ("", ""),
        ("plain words stay", "plain words stay"),
        ("GET /item/17 took 12.5ms", "GET /item/<n> took <n>ms"),
        ("user=0 n=-5 a-7 x_-9 1.2.3 1e-5 1.5E+10 7%", "user=<n> n=<n> a-<n> x_<n> <n> <n> <n> <n>%"),
        ("svc-0 worker12 blk_-1608 v2", "svc-<n> worker<n> blk_<n> v<n>"),
        (
            "at 0x7fff2a 0XAB deadbeef dc0e1a7 3fb 100b 1500B added",
            "at <hex> <hex> <n> <n> <n>fb <n> <n> added",
        ),
        (
            "trace=4bf92f3577b34da6a3ce929d0e0e4736 id=1234 id=12a4 id=a1b2",
            "trace=<hex> id=<n> id=<n> id=<n>",
        ),
        ("id 550e8400-e29b-41d4-a716-446655440000.", "id <uuid>."),
        ("abcdefab-e29b-41d4-a716-446655440000", "<uuid>"),
        ("from 10.0.0.1:8080 to 10.0.0.0/8, 1.2.3.4.5 999.1.1.1", "from <ip>:<n> to <ip>/<n>, <n> <n>"),
        (
            "fe80::1%eth0 ::1 2001:db8::8a2e:370:7334. a::b std::io [::]:80 1:2:3 ::ffff:1.2.3.4",
            "<ip> <ip> <ip>. <ip> std::io [::]:<n> <n>:<n>:<n> <ip>",
        ),
        ("link 00:1a:2b:3c:4d:5e 00-11-22-33-44-55", "link <mac> <mac>"),
        ("pod app-7d4b9c6f5-x2x9z1 1h2m3s a1b2c3d4g5", "pod app-<n>-<id> <n>h<n>m<n>s <id>"),
        ("a  b\t\tc", "a b c"),
        ("    at java.lang.Thread.run(Thread.java:748)", "    at java.lang.Thread.run(Thread.java:<n>)"),
        ("\x1b[32mINFO\x1b[0m 3 done", "INFO <n> done"),
        ("don't say 'x y' or 5\" it's", "don't say '<s>' or <n>\" it's"),
        ("größe 5 éa1", "größe <n> éa<n>"),
        ("tail\r", "tail"),
    ] {
        assert_eq!(pattern(line), expected, "{line}");
    }
}

#[test]
fn identifiers_of_every_sort_are_masked() {
    for (line, expected) in [
        ("token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP-mB9 ok", "token <id> ok"),
        ("id V1StGXR8_Z5jdHi6B-myT x", "id <id> x"),
        ("blob 3q2+7wAAdGVzdDEyMzQ1Njc4OTA= x", "blob <id> x"),
        ("mail to ann.lee@mail.example.org, sent", "mail to <email>, sent"),
        ("pod api-7dfb9c8q5z-x2x9z started", "pod api-<id>-<id> started"),
        ("Invalid user oracle from 10.0.0.1", "Invalid user <user> from <ip>"),
        ("Failed password for root from 10.0.0.1", "Failed password for <user> from <ip>"),
        (
            "input_userauth_request: invalid user 123 [preauth]",
            "input_userauth_request: invalid user <user> [preauth]",
        ),
        ("session closed for user news", "session closed for user <user>"),
        ("Too many failures for root [preauth]", "Too many failures for <user> [preauth]"),
        ("rhost=n1.a.netvigator.com, 191-210-2.user.vivo.com.br.", "rhost=<host>, <host>."),
        ("(dsl-059.45.101.203.touchtel.net) http://a.example.org:80/x", "(<host>) http://<host>:<n>/x"),
        (
            "java.net.SocketException at com.sun.Foo.bar(Foo.java:7)",
            "java.net.SocketException at com.sun.Foo.bar(Foo.java:<n>)",
        ),
        (
            "mapred.tip.id main.test.py /srv/www.example.com std.io",
            "mapred.tip.id main.test.py /srv/www.example.com std.io",
        ),
        ("9.6 KB of 384 B, 12MiB, 5 Bytes", "<n> of <n>, <n>, <n> Bytes"),
        ("user=bob login: ann", "user=<user> login: ann"),
        ("user logged in, user not found", "user logged in, user not found"),
        ("login failed from 10.0.0.1", "login failed from <ip>"),
        ("login accepted from 10.0.0.1", "login accepted from <ip>"),
        ("user removed from group 5", "user removed from group <n>"),
        ("session opened for user cyrus by (uid=0)", "session opened for user <user> by (uid=<n>)"),
        (
            "job Queued, GetHttpResponseCode2 AbstractFactoryBean",
            "job Queued, GetHttpResponseCode<n> AbstractFactoryBean",
        ),
        (r#"- "POST /a HTTP/1.1" 503 9"#, r#"- "POST <s>" 5xx <n>"#),
        (r#"say "GET well soon" 200"#, r#"say "<s>" <n>"#),
    ] {
        assert_eq!(pattern(line), expected, "{line}");
    }
}

#[test]
fn times_are_one_mask() {
    for time in [
        "2026-11-23T06:26:04.123Z",
        "2026-11-23 06:26:04,123",
        "2026-11-23 06:26:04.123456 +0200",
        "2026-11-23T06:26:04+02:00",
        "2026/11/23 06:26:04",
        "2026-11-23 06:26",
        "2026-11-23",
        "23.11.2026 6:26:04",
        "11/23/2026 06:26:04 PM",
        "23/Nov/2026:06:26:04 +0000",
        "23 Nov 2026 06:26:04",
        "20261123T062604Z",
        "20261123T062604.123",
        "06:26:04",
        "06:26:04.123456",
        "6:26:04 AM",
        "Nov 23 06:26:04",
        "Nov  3 06:26:04",
        "Sun Nov 23 06:26:04 2026",
        "Sun, 23 Nov 2026 06:26:04 +0100",
        "Nov 23, 2026 06:26:04",
        "2026-11-23 06:26:04:123",
    ] {
        assert_eq!(pattern(time), "<time>", "{time}");
        assert_eq!(pattern(&format!("[{time}] x{time}")).split(' ').next().unwrap(), "[<time>]", "{time}");
        assert_eq!(pattern(&format!("at {time}: done")), "at <time>: done", "{time}");
    }
    for (line, expected) in [
        ("May 5 apples", "May <n> apples"),
        ("Mon is a day", "Mon is a day"),
        ("Sun Microsystems", "Sun Microsystems"),
        ("line 5:12: error", "line <n>:<n>: error"),
        ("src/main.rs:10:5", "src/main.rs:<n>:<n>"),
        ("I1123 06:26:04.123456   12 file.go:3] x", "I<n> <time> <n> file.go:<n>] x"),
        ("1-2-3", "<n>-<n>-<n>"),
    ] {
        assert_eq!(pattern(line), expected, "{line}");
    }
}

#[test]
fn quoted_strings_are_masked_but_for_those_that_tell_the_kind() {
    for (line, expected) in [
        (
            r#"1.2.3.4 - - [23/Nov/2026:06:26:04 +0000] "GET / HTTP/1.1" 200 5"#,
            r#"<ip> - - [<time>] "GET <s>" 2xx <n>"#,
        ),
        (r#"say "a \"quoted\" word" now"#, r#"say "<s>" now"#),
        (r#"no end "of the string"#, r#"no end "of the string"#),
        (r#"empty "" 'x'"#, r#"empty "<s>" '<s>'"#),
        (
            r#"{"ts":"2026-11-23T06:26:04Z","level":"info","msg":"took 5 ms","user":"bob","n":7}"#,
            r#"{"ts":"<s>","level":"info","msg":"took <n> ms","user":"<s>","n":<n>}"#,
        ),
        (r#"{"level" : "info", "k8s": {"pod": "a-1"}}"#, r#"{"level" : "info", "k<n>s": {"pod": "<s>"}}"#),
        (r#"{"message":"a \"b\" 5"}"#, r#"{"message":"a \"b\" <n>"}"#),
        (r#"level=info msg="took 5 ms" user="bob 7""#, r#"level=info msg="took <n> ms" user="<s>""#),
        (r#"Message="x 1""#, r#"Message="x <n>""#),
    ] {
        assert_eq!(pattern(line), expected, "{line}");
    }
}

#[test]
fn only_the_beginning_of_a_long_line_counts() {
    let long = "word ".repeat(MAX_MASKED);
    assert_eq!(pattern(&long), long[..MAX_MASKED]);
}

proptest! {
    /// A line and one with other numbers have the same pattern, whatever stands between.
    #[test]
    fn other_numbers_make_the_same_pattern(
        parts in prop::collection::vec((r"[ -~é\x1b]{0,12}", 0u32..100_000, 0u32..100_000), 0..6),
    ) {
        let line = |second: bool| -> String {
            parts.iter().map(|(text, a, b)| format!("{} #{} ", text.replace(['\'', '"', '\\', '\x1b'], ""), if second { b } else { a })).collect()
        };
        prop_assert_eq!(pattern(&line(false)), pattern(&line(true)));
    }

    /// Any bytes have a pattern, and it is not much longer than they are.
    #[test]
    fn any_bytes_have_a_pattern(line in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut out = Vec::new();
        mask(&line, &mut out);
        prop_assert!(out.len() <= 3 * line.len());
        prop_assert!(line.contains(&b'\n') || !out.contains(&b'\n'));
    }
}
