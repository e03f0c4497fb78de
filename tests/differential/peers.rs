//! The oracles: shell tools, all requests of a text in one script, and Python, one process for all.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use data_encoding::BASE64;
use serde_json::{Value, json};

/// Runs every one of `lines` in a shell in `folder`, and returns their outputs.
pub fn shell(folder: &Path, lines: &[&str]) -> Vec<Vec<u8>> {
    let numbered = lines.iter().enumerate();
    let script: String = numbered.map(|(n, line)| format!("{{ {line}; }} > peer.{n}\n")).collect();
    let mut shell = Command::new("sh");
    shell.arg("-s").current_dir(folder).env("LC_ALL", "C").stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut shell = shell.spawn().unwrap();
    shell.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let output = shell.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stderr.is_empty(), "{stderr}\nin {script}");
    (0..lines.len()).map(|n| std::fs::read(folder.join(format!("peer.{n}"))).unwrap()).collect()
}

/// A Python that answers questions about files.
pub struct Python {
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

/// Python's answer to a request.
pub struct Said {
    /// `None` if the request asks for facts only.
    pub content: Option<Vec<u8>>,
    /// Expected members by path; those with `?` may be unknown.
    pub facts: serde_json::Map<String, Value>,
}

impl Python {
    pub fn start() -> Option<Self> {
        let mut command = Command::new("python3");
        command.args(["-c", include_str!("oracle.py")]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let Ok(mut child) = command.spawn() else {
            eprintln!("SKIPPED: python3 is missing, and with it every request that only it can judge");
            return None;
        };
        let questions = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Some(Python { child, questions, answers })
    }

    pub fn ask(&mut self, file: &Path, question: &Value) -> Said {
        let mut question = question.clone();
        question["file"] = json!(file);
        writeln!(self.questions.as_ref().unwrap(), "{question}").unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap_or_else(|e| panic!("{e}: {question}"));
        let content = answer["content"].as_str().map(|text| BASE64.decode(text.as_bytes()).unwrap());
        Said { content, facts: answer["facts"].as_object().unwrap().clone() }
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        self.questions.take();
        let _ = self.child.wait();
    }
}
