//! Malformed messages, calls in the words of other tools, complete lists, and pictures as people see them.

use std::fs;
use std::io::Write;

use serde_json::json;
use tempfile::TempDir;

use super::client::Client;

/// The codes and ids are a table in `src/cmd/mcp/lines.rs`; here the answers come, and the server goes on.
#[test]
fn malformed_messages_are_answered_and_the_server_goes_on() {
    let folder = TempDir::new().unwrap();
    let mut client = Client::start(folder.path(), &[]);
    for (line, code, id) in [
        ("this is not JSON", -32700, json!(null)),
        (r#"{"jsonrpc":"2.0","id":5}"#, -32600, json!(5)),
        (r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}}"#, -32602, json!(7)),
        (r#"{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"nothing"}}"#, -32602, json!(8)),
        (r#"{"jsonrpc":"2.0","id":"c","method":"tools/list","params":{"cursor":"zzz"}}"#, -32602, json!("c")),
        (r#"{"jsonrpc":"2.0","id":9,"method":"resources/list"}"#, -32601, json!(9)),
    ] {
        writeln!(client.input.as_mut().unwrap(), "{line}\n").unwrap();
        let answer = client.receive();
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(code), &id), "{line}: {answer}");
    }
    // A notification has no answer, whatever it is.
    writeln!(client.input.as_mut().unwrap(), r#"{{"jsonrpc":"2.0","method":"nonsense","params":{{"a":1}}}}"#)
        .unwrap();
    assert!(client.tools().len() >= 5);
}

#[test]
fn a_line_that_is_too_long_is_refused_and_passed_over() {
    let folder = TempDir::new().unwrap();
    let mut client = Client::start(folder.path(), &[]);
    let input = client.input.as_mut().unwrap();
    for _ in 0..40 {
        input.write_all(&vec![b'x'; 1 << 20]).unwrap();
    }
    input.write_all(b"\n").unwrap();
    assert_eq!(client.receive()["error"]["code"], -32700);
    assert!(client.tools().len() >= 5);
}

#[test]
fn the_words_of_other_tools_are_answered_with_ours() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.txt"), "1\n2\n3\n4\n").unwrap();
    let mut client = Client::start(folder.path(), &[]);
    for (tool, theirs, ours) in [
        ("read", json!({"path": "a.txt", "tail": 2}), "lines"),
        ("read", json!({"filePath": "a.txt"}), "path"),
        ("read", json!({"path": "a.txt", "maxBytes": 500}), "max_bytes"),
        ("search", json!({"query": "1"}), "pattern"),
        ("search", json!({"pattern": "1", "-i": true}), "ignore_case"),
    ] {
        let error = client.error(tool, &theirs);
        assert!(error.contains(&format!("hint: did you mean '{ours}'?")), "{theirs}: {error}");
    }
    let error = client.error("read", &json!({"path": "a.txt", "colour": 2}));
    assert!(error.contains("there is no argument 'colour'\nhint: the arguments are path, "), "{error}");
}

#[test]
fn a_list_of_names_is_complete_and_says_what_is_left_out() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    file("empty", b"");
    file("pic.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0");
    file("text", b"one\n");
    file(".hidden", b"one\n");
    file(".ignore", b"secret\n");
    file("secret", b"one\n");
    let mut client = Client::start(folder.path(), &[]);
    let list =
        client.call("search", &json!({"pattern": "", "files_only": true}))["structuredContent"].clone();
    assert_eq!(list["files"], json!([{"path": "empty"}, {"path": "pic.png"}, {"path": "text"}]), "{list}");
    assert_eq!((&list["complete"], &list["files_searched"]), (&json!(true), &json!(3)));
    assert_eq!(list["left_out"], json!({"hidden": 2, "ignored": 1}));
    // A search counts the binary files that it leaves out.
    let found = client.call("search", &json!({"pattern": "one"}))["structuredContent"].clone();
    assert_eq!(found["left_out"], json!({"binary": 1, "hidden": 2, "ignored": 1}), "{found}");
    // The list continues where it was cut.
    for number in 0..200 {
        file(&format!("more-{number:03}"), b"");
    }
    let (mut names, mut next) = (0, json!({"pattern": "", "files_only": true, "max_bytes": 1500}));
    for _ in 0..50 {
        let part = client.call("search", &next)["structuredContent"].clone();
        names += part["files"].as_array().unwrap().len();
        assert_eq!(part["complete"], json!(part.get("next").is_none()), "{part}");
        match part.get("next") {
            Some(following) => next = following.clone(),
            None => break,
        }
    }
    assert_eq!(names, 203);
}

/// A JPEG of 4 by 2 pixels with an orientation in its Exif part.
#[cfg(feature = "thumbnails")]
fn photo(orientation: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    let picture = image::RgbImage::from_fn(4, 2, |x, _| image::Rgb([if x < 2 { 250 } else { 5 }, 5, 5]));
    picture.write_to(&mut std::io::Cursor::new(&mut bytes), image::ImageFormat::Jpeg).unwrap();
    let tiff =
        [&b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"[..], &[orientation], b"\0\0\0\0\0\0"].concat();
    let exif = [&b"Exif\0\0"[..], &tiff].concat();
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    [&bytes[..2], b"\xFF\xE1", &length, &exif, &bytes[2..]].concat()
}

#[cfg(feature = "thumbnails")]
#[test]
fn a_picture_that_fits_is_upright_too() {
    let folder = TempDir::new().unwrap();
    let mut client = Client::start(folder.path(), &[]);
    for (orientation, size) in [(1, (4, 2)), (3, (4, 2)), (6, (2, 4)), (8, (2, 4))] {
        fs::write(folder.path().join("photo.jpg"), photo(orientation)).unwrap();
        let result = client.call("image", &json!({"path": "photo.jpg"}));
        let data = result["content"][1]["data"].as_str().unwrap();
        let bytes = data_encoding::BASE64.decode(data.as_bytes()).unwrap();
        let shown = image::load_from_memory(&bytes).unwrap().to_rgb8();
        assert_eq!(shown.dimensions(), size, "orientation {orientation}");
        // The bright half is where a person sees it.
        let bright = match orientation {
            1 => (0, 0),
            3 => (3, 0),
            6 => (0, 0),
            _ => (0, 3),
        };
        assert!(shown.get_pixel(bright.0, bright.1)[0] > 128, "orientation {orientation}");
    }
}
