//! Calls as ten families of models and their clients send them: each works at the first attempt, or the error says how the
//! second one works.

use rread_testkit::sandbox::Sandbox;
use serde_json::{Value, json};

use super::client::{Client, text_of};

/// A tool, its arguments, and a part of the answer. After `=>`, the error has these words, and the second call works.
const CALLS: &str = r#"
read {"path":"a.txt","lines":null,"bytes":null,"page":null} > three
read {"path":"a.txt","lines":"","bytes":"","page":0,"since":"","until":"","encoding":"","paths":[]} > three
read {"path":"a.txt","lines":"None","bytes":"null","page":"undefined","encode":"none","tz":"None","max_lines":"null"} > three
read {"path":"a.txt","paths":[""],"lines":[null]} > three
read {"paths":["a.txt",null,""]} > three
read {"file_path":"a.txt","offset":1,"limit":2} > lines 1-2 => 'path'? File; 'lines'? From 1 => {"path":"a.txt","lines":"1:+2"}
read {"filePath":"a.txt","startLine":1,"endLine":2} > lines 1-2 => 'path'?; 'lines'? => {"path":"a.txt","lines":"1:2"}
read {"target_file":"a.txt","start_line":2,"should_read_entire_file":false,"number":"yes"} > 2→two => 'target_file'; 'start_line'; 'should_read_entire_file'; number is "yes"; true or false; 'lines'? => {"path":"a.txt","lines":"2","number":true}
read {"path":"a.txt","view_range":[1,2]} > lines 1-2 => 'lines'? From 1, end included => {"path":"a.txt","lines":"1:2"}
read {"path":"a.txt","lines":["1:2","3"]} > three
read {"path":"a.txt","lines":[1,2]} > two
read {"path":"a.txt","lines":{"start":1,"end":2}} > lines 1-2 => lines is {"start":1,"end":2}; "1:20,40" => {"path":"a.txt","lines":"1:2"}
read {"path":"a.txt","lines":"1-2"} > lines 1-2
read {"path":"a.txt","lines":2.0} > lines 2-2
read {"path":"a.txt","lines":"1..2"} > lines 1-2 => '1..2'; 100:120 => {"path":"a.txt","lines":"1:2"}
read {"path":"a.txt","lines":"1 to 2"} > lines 1-2 => '1 to 2'; 100:120 => {"path":"a.txt","lines":"1:2"}
read {"path":"a.txt","lines":"1:end"} > three => 'end'; 100:120 => {"path":"a.txt","lines":"1:"}
read {"path":"a.txt","lines":"all"} > three => 'all'; 100:120 => {"path":"a.txt"}
read {"path":"a.txt","lines":"0:2"} > lines 1-2 => numbered from 1 => {"path":"a.txt","lines":"1:2"}
read {"path":"a.txt","bytes":4} > bytes 4-5 => 4:+1 => {"path":"a.txt","bytes":"4:+1"}
read {"path":" a.txt\n"} > three => did you mean a.txt? => {"path":"a.txt"}
read {"path":"`a.txt`"} > three => did you mean a.txt? => {"path":"a.txt"}
read {"path":"@a.txt"} > three => did you mean a.txt? => {"path":"a.txt"}
read {"path":"./a.txt"} > three
read {"path":"/a.txt"} > three => only files in => {"path":"a.txt"}
read {"path":["a.txt"]} > three
read {"paths":"a.txt"} > three
read {"paths":"[\"a.txt\",\"t.csv\"]"} > 1,x
read {"paths":[{"path":"a.txt"}]} > three => paths is; a list of texts => {"paths":["a.txt"]}
read {"files":["a.txt"]} > three => 'paths'? => {"paths":["a.txt"]}
read {"path":"a.txt","number":"True","hash":"False","max_bytes":"10KB"} > 2→two
read {"path":"a.txt","max_lines":-1} > three => max_lines is -1; from 1 on => {"path":"a.txt"}
read {"arguments":{"path":"a.txt"}} > three
read {"arguments":"{\"path\":\"a.txt\",\"lines\":\"3\"}"} > lines 3-3
read {"input":{"path":"a.txt"}} > three
read "{\"path\":\"a.txt\"}" > three
read {"path":"app.log","since":"now-15m"} > end of file
search {"query":"two","path":"a.txt","max_results":5} > 2:two => 'pattern'?; 'max_count'? => {"pattern":"two","path":"a.txt","max_count":5}
search {"pattern":"two","directory":".","include":"*.txt"} > 2:two => 'path'?; 'glob'? => {"pattern":"two","path":".","glob":"*.txt"}
search {"pattern":"TWO","-i":true,"head_limit":5} > 2:two => 'ignore_case'?; 'max_count'? => {"pattern":"TWO","ignore_case":true,"max_count":5}
search {"pattern":"two","output_mode":"content","-n":true,"-A":1} > 2:two => 'context'?; 'files_only'? => {"pattern":"two","context":1}
search {"pattern":"two","glob":"[\"*.txt\",\"*.csv\"]"} > 2:two
search {"pattern":"two","glob":"*.txt, *.csv"} > 2:two
search {"pattern":["two","three"],"context":"1"} > 3:three
search {"pattern":"TWO","ignore_case":1} > 2:two
search {"pattern":"two\\|three"} > "complete":true,"left_out":{"binary":1},"hint":"search {\"pattern\":\"two|three\"}"
search {"pattern":"two","context":{"before":1}} > 2:two => context is; such as 20 => {"pattern":"two","context":1}
search {"pattern":"two","unit":"none","last":"0","glob":[],"type":""} > 2:two
search {"pattern":"two","unit":"line"} > 2:two => record or block => {"pattern":"two"}
search {"regex":"two","file_pattern":"*.txt","recursive":true} > 2:two => 'pattern'?; 'glob'?; 'recursive' => {"pattern":"two","glob":"*.txt"}
search {"pattern":"two(","path":"a.txt"} > "matched_lines":0 => unclosed group; fixed => {"pattern":"two(","fixed":true}
stat {} > "total":14 => no file was given; {"path": "app.log"} => {"path":"a.txt"}
stat {"file":"a.txt","count":"yes"} > "lines":3 => 'path'?; count is "yes" => {"path":"a.txt","count":true}
stat {"path":"a.txt","count":"True"} > "lines":3
stat {"paths":{"0":"a.txt"}} > "total":14 => a list of texts => {"paths":["a.txt"]}
verify {"path":"a.txt","anchors":"2#000000"} > "changed"
verify {"path":"a.txt","anchors":["2#000000|two"]} > "changed"
image {"path":["tiny.png"]} > "width":1
image {"image_path":"tiny.png"} > "width":1 => 'path'? => {"path":"tiny.png"}
image {"path":"tiny.png","max_side":"512px"} > "width":1 => max_side is "512px"; a whole number => {"path":"tiny.png","max_side":512}
follow {"path":"a.txt","pattern":"zzz","timeout":"10ms"} > "matched":false
follow {"path":"a.txt","pattern":"zzz","timeout_ms":10} > "matched":false => 'timeout'? Seconds => {"path":"a.txt","pattern":"zzz","timeout":0.01}
select {"path":"t.csv","query":"SELECT b FROM t"} > y => 'sql'? => {"path":"t.csv","sql":"SELECT b FROM t"}
select {"path":"t.csv","sql":"```sql\nSELECT b FROM t;\n```"} > y
select {"path":"t.csv","sql":["SELECT b FROM 't.csv'"]} > y
select {"path":"t.csv","sql":"SELECT b FROM data"} > y => FROM t => {"path":"t.csv","sql":"SELECT b FROM t"}
select {"sql":"SELECT b FROM 't.csv'"} > y => no file was given => {"path":"t.csv","sql":"SELECT b FROM t"}
capture {"command":"echo hi"} > hi
capture {"command":["echo hi"]} > hi
capture {"command":"[\"echo\",\"hi\"]"} > hi
capture {"command":["echo",7,""]} > 7
capture {"command":{"command":"echo hi"}} > hi => a list of texts => {"command":["echo","hi"]}
capture {"cmd":"echo hi"} > hi => 'command'? => {"command":"echo hi"}
capture {"command":"echo hi","cwd":".","description":"say hi"} > hi => 'cwd'; 'description'; command, name => {"command":"echo hi"}
"#;

#[test]
fn a_call_works_at_the_first_or_second_attempt() {
    let sandbox = Sandbox::new();
    sandbox.file("a.txt", "one\ntwo\nthree\n");
    sandbox.file("t.csv", "a,b\n1,x\n2,y\n");
    sandbox.file("app.log", "2026-11-23T06:00:00Z one\n2026-11-23T06:01:00Z two\n");
    sandbox.file("tiny.png", std::fs::read("fixtures/tiny.png").unwrap());
    let mut client = Client::start(&sandbox.path("."), &["--allow-capture"]);
    let offered: Vec<Value> = client.tools().into_iter().map(|tool| tool["name"].clone()).collect();
    let calls: Vec<&str> = CALLS.trim().lines().collect();
    assert!(calls.len() >= 60);
    for call in calls {
        let (tool, rest) = call.split_once(' ').unwrap();
        if !offered.contains(&json!(tool)) {
            continue;
        }
        let parts: Vec<&str> = rest.split(" => ").collect();
        let (sent, expected) = parts[0].rsplit_once(" > ").unwrap();
        let mut result = client.call(tool, &serde_json::from_str(sent).unwrap());
        if let [_, words, then] = parts[..] {
            assert_eq!(result["isError"], true, "{call}: {result}");
            let error = text_of(&result);
            words.split("; ").for_each(|word| assert!(error.contains(word), "{call}: no {word} in {error}"));
            result = client.call(tool, &serde_json::from_str(then).unwrap());
        }
        let text = text_of(&result);
        assert!(result["isError"] != true && text.contains(expected), "{call}: {result}");
    }
    let answer = client.request("tools/call", json!({"name": "read_file", "arguments": {"path": "a.txt"}}));
    let error = answer["error"]["message"].as_str().unwrap();
    assert!(error.contains("there is no tool 'read_file'; the tools are read, search, "), "{error}");
}
