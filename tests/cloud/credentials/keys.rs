//! Keys with special characters reach the server unchanged.

use super::server::User;
use crate::cloud::servers::{Object, all};

const NAMES: [&str; 14] = [
    "with blank.log",
    "plus+plus.log",
    "per%20cent.log",
    "per%cent%.log",
    "hash#mark.log",
    "question?mark=1&b.log",
    "漢字/é😀.log",
    "e\u{301}.log",
    "quote'\"`.log",
    "a=b;c,d:e@f!$&*().log",
    "back\\slash|<>^{}[]~.log",
    "...dots../.hidden/..x",
    "slash at%2Fend",
    " blank at both ends ",
];

#[test]
fn keys_reach_the_server_as_they_are() {
    for store in all() {
        for (index, name) in NAMES.iter().enumerate() {
            let content = format!("object {index}\n");
            store.put(&Object::new(name, content.as_bytes()));
            let target = store.target(name);
            let output = User::new().at(&target).run(&["lines", &target.url, "--raw", "--retries", "0"]);
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(
                String::from_utf8_lossy(&output.stdout),
                content,
                "{}: {name:?}: {said}",
                store.name()
            );
        }
    }
}
