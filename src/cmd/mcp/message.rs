//! JSON-RPC messages of a client: those that the server takes, and the error for each other one.

use serde_json::{Map, Value, json};

/// The codes of JSON-RPC 2.0, section 5.1.
const NOT_JSON: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
pub(super) const INVALID_PARAMS: i64 = -32602;

/// Requests that may come before the handshake.
const FIRST: [&str; 3] = ["initialize", "ping", "server/discover"];

/// The member of `_meta` with which newer clients do without a handshake.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// What a line of the client is.
#[derive(Debug, PartialEq)]
pub(super) enum Incoming {
    Message(Value),
    /// The answer that refuses it.
    Refused(Value),
    Empty,
}

/// What `line` is; `is_greeted` is whether the handshake has begun.
pub(super) fn incoming(line: &[u8], is_greeted: bool) -> Incoming {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Incoming::Empty;
    }
    let Ok(mut message) = serde_json::from_slice::<Value>(line) else {
        return refused(&Value::Null, NOT_JSON, "the line is not JSON");
    };
    let Some(fields) = message.as_object_mut() else {
        return refused(&Value::Null, INVALID_REQUEST, "a message is one JSON object on one line");
    };
    // No parameters are as good as none.
    if fields.get("params") == Some(&Value::Null) {
        fields.remove("params");
    }
    match fault(fields, is_greeted) {
        Some((code, what)) => refused(&id_of(fields), code, &what),
        None => Incoming::Message(message),
    }
}

/// The refusal of a request whose parameters are not those of its method.
pub(super) fn refused(id: &Value, code: i64, what: &str) -> Incoming {
    Incoming::Refused(json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": what}}))
}

/// The number or the text by which the client knows the request; otherwise null.
pub(super) fn id_of(fields: &Map<String, Value>) -> Value {
    fields.get("id").filter(|id| id.is_string() || id.is_number()).cloned().unwrap_or(Value::Null)
}

fn fault(fields: &Map<String, Value>, is_greeted: bool) -> Option<(i64, String)> {
    let invalid = |what: &str| Some((INVALID_REQUEST, what.to_owned()));
    if fields.get("jsonrpc") != Some(&json!("2.0")) {
        return invalid(r#"jsonrpc is not "2.0""#);
    }
    let id = fields.get("id");
    let method = match fields.get("method") {
        Some(Value::String(method)) => method,
        Some(_) => return invalid("method is not a text"),
        // An error in a message that the client did not understand has no id.
        None if (id.is_some() || fields.contains_key("error"))
            && fields.contains_key("result") != fields.contains_key("error") =>
        {
            return None;
        }
        None => return invalid("there is no method"),
    };
    match id {
        // A notification has no answer.
        None => return None,
        Some(Value::String(_)) => {}
        Some(Value::Number(number)) if number.is_i64() => {}
        Some(_) => return invalid("id is not a text or a whole number"),
    }
    let none = Map::new();
    let params = match fields.get("params") {
        None => &none,
        Some(Value::Object(params)) => params,
        Some(_) => return Some((INVALID_PARAMS, format!("the params of {method} are not an object"))),
    };
    let has_version = params.get("_meta").is_some_and(|meta| meta.get(VERSION).is_some());
    if !(is_greeted || has_version || FIRST.contains(&method.as_str())) {
        return invalid("the first request must be initialize");
    }
    params_fault(method, params).map(|what| (INVALID_PARAMS, what))
}

/// What is wrong with the parameters of the methods that this server has.
fn params_fault(method: &str, params: &Map<String, Value>) -> Option<String> {
    let is = |name: &str, fits: fn(&Value) -> bool| params.get(name).is_none_or(fits);
    let has = |name: &str, fits: fn(&Value) -> bool| params.get(name).is_some_and(fits);
    let or_null =
        |fits: fn(&Value) -> bool, name: &str| params.get(name).is_none_or(|it| it.is_null() || fits(it));
    if !is("_meta", Value::is_object) {
        return Some(format!("_meta of {method} is not an object"));
    }
    match method {
        "tools/call" if !has("name", Value::is_string) => Some("tools/call needs name, a text".to_owned()),
        "tools/call" if !or_null(Value::is_object, "arguments") => {
            Some("arguments of tools/call is not an object".to_owned())
        }
        "tools/list" if !or_null(Value::is_string, "cursor") => {
            Some("cursor of tools/list is not a text".to_owned())
        }
        "initialize" if !has("protocolVersion", Value::is_string) => {
            Some("initialize needs protocolVersion, a text".to_owned())
        }
        "initialize" if !has("capabilities", Value::is_object) => {
            Some("initialize needs capabilities, an object".to_owned())
        }
        "initialize" if !has("clientInfo", has_name_and_version) => {
            Some("initialize needs clientInfo, an object with name and version".to_owned())
        }
        _ => None,
    }
}

fn has_name_and_version(info: &Value) -> bool {
    ["name", "version"].iter().all(|name| info.get(name).is_some_and(Value::is_string))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(line: &str, is_greeted: bool) -> Option<(i64, Value)> {
        match incoming(line.as_bytes(), is_greeted) {
            Incoming::Refused(answer) => {
                assert!(answer["error"]["message"].as_str().is_some_and(|text| !text.is_empty()));
                assert_eq!(answer["jsonrpc"], "2.0");
                Some((answer["error"]["code"].as_i64().unwrap(), answer["id"].clone()))
            }
            _ => None,
        }
    }

    #[test]
    fn each_malformed_message_has_its_code_and_id() {
        let call = |params: &str| format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call"{params}}}"#);
        let list = |params: &str| format!(r#"{{"jsonrpc":"2.0","id":"a","method":"tools/list"{params}}}"#);
        for (line, code, id) in [
            ("nonsense".to_owned(), -32700, json!(null)),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":".to_owned(), -32700, json!(null)),
            ("{} {}".to_owned(), -32700, json!(null)),
            ("\u{0}".to_owned(), -32700, json!(null)),
            ("[]".to_owned(), -32600, json!(null)),
            ("5".to_owned(), -32600, json!(null)),
            ("null".to_owned(), -32600, json!(null)),
            ("{}".to_owned(), -32600, json!(null)),
            (r#"{"jsonrpc":"2.0","id":5}"#.to_owned(), -32600, json!(5)),
            (r#"{"jsonrpc":"2.0","id":"x","method":5}"#.to_owned(), -32600, json!("x")),
            (r#"{"jsonrpc":"1.0","id":5,"method":"ping"}"#.to_owned(), -32600, json!(5)),
            (r#"{"id":5,"method":"ping"}"#.to_owned(), -32600, json!(5)),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#.to_owned(), -32600, json!(null)),
            (r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#.to_owned(), -32600, json!(null)),
            (r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#.to_owned(), -32600, json!(null)),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#.to_owned(), -32600, json!(1.5)),
            (r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#.to_owned(), -32600, json!(1)),
            (r#"{"jsonrpc":"2.0","result":{}}"#.to_owned(), -32600, json!(null)),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#.to_owned(), -32602, json!(1)),
            (call(""), -32602, json!(7)),
            (call(r#","params":null"#), -32602, json!(7)),
            (call(r#","params":{}"#), -32602, json!(7)),
            (call(r#","params":[1]"#), -32602, json!(7)),
            (call(r#","params":{"name":5}"#), -32602, json!(7)),
            (call(r#","params":{"name":"read","arguments":[]}"#), -32602, json!(7)),
            (call(r#","params":{"name":"read","arguments":"x"}"#), -32602, json!(7)),
            (call(r#","params":{"name":"read","_meta":5}"#), -32602, json!(7)),
            (list(r#","params":{"cursor":5}"#), -32602, json!("a")),
        ] {
            assert_eq!(answer(&line, true), Some((code, id)), "{line}");
        }
    }

    #[test]
    fn messages_that_the_server_takes_pass() {
        for line in [
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read","arguments":{"path":"a"}}}"#,
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read","arguments":null}}"#,
            "\u{feff} {\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"tools/list\",\"params\":{\"cursor\":null}}\r",
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"a"}}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"a"}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}"#,
            r#"{"jsonrpc":"2.0","id":-1,"method":"resources/list"}"#,
        ] {
            assert!(matches!(incoming(line.as_bytes(), true), Incoming::Message(_)), "{line}");
        }
        for line in ["", " ", "\r", "\u{feff}"] {
            assert_eq!(incoming(line.as_bytes(), true), Incoming::Empty);
        }
    }

    #[test]
    fn the_handshake_comes_first() {
        let request = |method: &str, params: &str| {
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#)
        };
        let hello =
            r#"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}"#;
        let meta = format!(r#"{{"_meta":{{"{VERSION}":"2026-07-28"}}}}"#);
        for (line, code) in [
            (request("tools/list", "{}"), Some(-32600)),
            (request("tools/list", &meta), None),
            (request("initialize", hello), None),
            (request("initialize", "{}"), Some(-32602)),
            (request("initialize", &hello.replace("\"version\"", "\"v\"")), Some(-32602)),
            (request("ping", "{}"), None),
            (r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned(), None),
        ] {
            assert_eq!(answer(&line, false).map(|(code, _)| code), code, "{line}");
        }
        assert_eq!(answer(&request("tools/list", "{}"), true), None);
    }
}
