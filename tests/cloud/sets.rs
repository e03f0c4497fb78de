//! Many objects as one table: prefixes and patterns, which of them are listed, and which are requested.

use rread_testkit::sandbox::{Run, Sandbox};
use serde_json::Value;

use super::bucket::Bucket;
use super::servers::{self, Object, Target};

fn select(sandbox: &Sandbox, target: &Target, words: &[&str]) -> Run {
    let mut command = sandbox.command();
    command.arg("select").arg(&target.url).args(words);
    command.envs(target.env.iter().map(|(name, value)| (name, value)));
    Run::of(&mut command)
}

fn receipt(sandbox: &Sandbox, target: &Target, words: &[&str]) -> (String, Value) {
    let answer = select(sandbox, target, &[words, &["--json"]].concat()).ok().json();
    (answer["content"].as_str().unwrap_or_default().to_owned(), answer["metadata"].clone())
}

/// The same words mean the same objects on every store, and the same files on the disk.
#[test]
fn prefixes_and_patterns_mean_the_same_in_every_store() {
    let sandbox = Sandbox::new();
    let names = [
        ("day=2026-11-01/x1.csv", "v,w\n1,a\n"),
        ("day=2026-11-01/x10.csv", "w,v\nb,10\n"),
        ("day=2026-11-02/x2.csv", "v,w\n2,c & d\n"),
        ("day=2026-11-02/_SUCCESS", ""),
        ("day=2026-11-02/.x.csv", "no"),
        ("_tmp/day=2026-11-03/x.csv", "no"),
        ("day=2026-11-03/notes é.txt", "no"),
        ("day=2026-11-03/[x].csv", "v,w\n3,brackets\n"),
    ];
    let cases = [
        ("", "SELECT v, w, day FROM t"),
        ("day=*/x*.csv", "SELECT v, w, day FROM t"),
        ("**/x1*.csv", "SELECT * FROM t"),
        ("day=2026-11-03/[x].csv", "SELECT * FROM t"),
        ("day=*/*.{csv,none}", "SELECT count(*) AS n FROM t"),
        ("", "SELECT v FROM t WHERE day > '2026-11-01'"),
        ("day=2026-11-0[12]/", "SELECT v FROM t"),
    ];
    for store in servers::all().into_iter().filter(|store| store.target("x").url.find("://") == Some(2)) {
        let root = format!("sets{}", store.name().len());
        for (name, text) in names {
            store.put(&Object::new(&format!("{root}/{name}"), text.as_bytes()));
            let path = sandbox.path(&format!("{root}/{name}"));
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        for (word, sql) in cases {
            let local = sandbox.run(["select", &format!("{root}/{word}"), sql, "--raw"]);
            let remote = select(&sandbox, &store.target(&format!("{root}/{word}")), &[sql, "--raw"]);
            assert_eq!(
                (remote.code, remote.text()),
                (local.code, local.text()),
                "{}: {word}: {remote}{local}",
                store.name()
            );
        }
        let target = store.target(&format!("{root}/"));
        let listed = select(&sandbox, &target, &["--files", "--raw"]).ok();
        let names: Vec<String> = listed.text().lines().map(|name| name.replace(&target.url, "")).collect();
        let expected = [
            "day=2026-11-01/x1.csv",
            "day=2026-11-01/x10.csv",
            "day=2026-11-02/x2.csv",
            "day=2026-11-03/[x].csv",
        ];
        assert_eq!(names, expected, "{}", store.name());
        let (_, facts) = receipt(&sandbox, &target, &["SELECT count(*) FROM t"]);
        assert_eq!((&facts["files"], &facts["list_requests"]), (&4.into(), &1.into()), "{facts}");
        let version = facts["version"].as_str().unwrap().to_owned();
        let again = ["SELECT count(*) FROM t", "--raw", "--expect", &version];
        select(&sandbox, &target, &again).ok();
        store.put(&Object::new(&format!("{root}/day=2026-11-02/x2.csv"), b"v,w\n2,other\n"));
        let changed = select(&sandbox, &target, &again);
        assert!(
            changed.code == 7 && changed.stderr.contains("of 4 files, some changed"),
            "{}: {changed}",
            store.name()
        );
    }
}

fn days(bucket: &Bucket, days: u32, files: u32) {
    for day in 1..=days {
        (0..files).for_each(|n| bucket.put(&format!("p/day=2026-11-{day:02}/x{n:02}.csv"), "v\n1\n"));
    }
}

#[test]
fn excluded_partitions_are_not_listed_and_excluded_objects_not_requested() {
    let (bucket, sandbox) = (Bucket::start(Some(10)), Sandbox::new());
    days(&bucket, 3, 4);
    let target = bucket.target("p/");
    let sql = "SELECT sum(v) AS s, count(DISTINCT day) AS d FROM t WHERE day = '2026-11-02' AND _file NOT LIKE '%x03.csv'";
    let (rows, facts) = receipt(&sandbox, &target, &[sql]);
    assert_eq!(rows, "s,d\n3,1\n");
    let counts = [&facts["files"], &facts["files_skipped"], &facts["directories_skipped"]];
    assert_eq!(counts, [4, 1, 2], "{facts}");
    let requests = bucket.take();
    let day = "p/day=2026-11-02/";
    let gets: Vec<String> = (0..3).map(|n| format!("get {day}x{n:02}.csv")).collect();
    let lists = ["level p/", "list p/"].map(str::to_owned);
    let expected = [&gets[..], &lists[..1], &[lists[1].clone(), format!("list {day}")]].concat();
    assert_eq!(requests, expected);
    assert_eq!(facts["requests"], requests.len());
    assert_eq!(facts["list_requests"], 3);
    // All on one page: the listing has said it all.
    let few = Bucket::start(Some(1000));
    days(&few, 3, 4);
    let (_, facts) = receipt(&sandbox, &few.target("p/"), &[sql]);
    assert_eq!((&facts["list_requests"], &facts["files_skipped"]), (&1.into(), &9.into()), "{facts}");
    // A pattern, and conditions that exclude everything or nothing.
    for (word, sql, lists, rows) in [
        ("p/day=*/x*.csv", "SELECT count(*) FROM t WHERE day IN ('2026-11-01', '2026-11-03')", 4, "8"),
        ("p/day=2026-11-0*/*", "SELECT count(*) FROM t WHERE day LIKE '2026-11-0%'", 5, "12"),
        ("p/**/x01.csv", "SELECT count(*) FROM t WHERE day >= DATE '2026-11-02'", 4, "2"),
        ("p/", "SELECT count(*) FROM t WHERE v = 1", 2, "12"),
        ("p/", "SELECT count(*) FROM t WHERE day = '2026-11-01' OR v = 2", 2, "4"),
    ] {
        let (found, facts) = receipt(&sandbox, &bucket.target(word), &[sql]);
        assert_eq!(found.lines().nth(1), Some(rows), "{word} {sql}: {facts}");
        assert_eq!(facts["list_requests"], lists, "{word} {sql}: {facts}");
    }
    bucket.take();
    let none = "SELECT count(*) FROM t WHERE day = '2026-12-01'";
    let run = select(&sandbox, &target, &[none, "--files", "--json"]).ok().json();
    assert_eq!((&run["metadata"]["listed"], &run["metadata"]["directories_skipped"]), (&0.into(), &3.into()));
    assert!(bucket.take().iter().all(|request| !request.starts_with("get")));
}

#[test]
fn a_key_wins_over_the_pattern_that_it_is() {
    let sandbox = Sandbox::new();
    for page in [Some(1000), Some(2), None] {
        let bucket = Bucket::start(page);
        for (key, text) in [("k/[ab].csv", "v\nkey\n"), ("k/a.csv", "v\na\n"), ("k/b.csv", "v\nb\n")] {
            bucket.put(key, text);
        }
        let of = |word: &str| select(&sandbox, &bucket.target(word), &["SELECT v FROM t", "--raw"]);
        assert_eq!(of("k/[ab].csv").ok().text(), "v\nkey\n", "{page:?}");
        bucket.remove("k/[ab].csv");
        match page {
            Some(_) => assert_eq!(of("k/[ab].csv").ok().text(), "v\na\nb\n"),
            None => {
                let refused = of("k/[ab].csv").refused(3);
                assert!(refused.stderr.contains("cannot be listed: the server denies access"), "{refused}");
            }
        }
    }
}

#[test]
fn names_of_columns_are_compared_before_or_when_an_object_is_read() {
    let (bucket, sandbox) = (Bucket::start(Some(1000)), Sandbox::new());
    (0..70).for_each(|n| bucket.put(&format!("c/f{n:02}.csv"), &format!("v,w\n{n},a\n")));
    let target = bucket.target("c/");
    let all = "SELECT count(*) AS n, sum(v) AS s FROM t";
    let (rows, facts) = receipt(&sandbox, &target, &[all]);
    assert_eq!(rows, "n,s\n70,2415\n");
    // One listing, and one request for each object.
    assert_eq!((facts["requests"].as_u64(), bucket.take().len()), (Some(71), 71));
    receipt(&sandbox, &target, &["SELECT * FROM t LIMIT 2"]);
    assert!(bucket.take().len() < 40);
    // Every object is looked at up front for --union, and f00 always.
    for (name, is_first) in [("c/f00.csv", true), ("c/f01.csv", false), ("c/f69.csv", true)] {
        bucket.put(name, "v\n5\n");
        let said = if name == "c/f00.csv" { "has the column w, which" } else { "has no column w, which" };
        let refused = select(&sandbox, &target, &[all, "--raw"]).refused(2);
        assert!(refused.stderr.contains(said) && refused.stderr.contains("--union"), "{name}: {refused}");
        let limited = select(&sandbox, &target, &["SELECT v FROM t LIMIT 1", "--raw"]);
        assert_eq!(limited.code == 2, is_first, "{name}: {limited}");
        let (rows, _) = receipt(&sandbox, &target, &["SELECT count(w) AS n FROM t", "--union"]);
        assert_eq!(rows, "n\n69\n", "{name}");
        bucket.put(name, "w,v\na,1\n");
    }
    // Empty objects and those of another kind, which nothing looked at before.
    bucket.put("c/f01.csv", "");
    let (rows, facts) = receipt(&sandbox, &target, &["SELECT count(*) AS n FROM t"]);
    assert_eq!((&*rows, &facts["files_empty"]), ("n\n69\n", &1.into()), "{facts}");
    bucket.put("c/f01.csv", "{\"v\":1,\"w\":\"a\"}\n");
    let refused = select(&sandbox, &bucket.target("c/f*"), &[all, "--raw"]);
    assert_eq!(refused.code, 2, "{refused}");
    // Members of objects that come late are counted.
    (0..70).for_each(|n| bucket.put(&format!("j/f{n:02}.jsonl"), &format!("{{\"v\":{n}}}\n")));
    bucket.put("j/f01.jsonl", "{\"v\":1,\"more\":2}\n");
    let (rows, facts) = receipt(&sandbox, &bucket.target("j/*.jsonl"), &[all]);
    assert_eq!((&*rows, &facts["unknown_members"]), ("n,s\n70,2415\n", &1.into()), "{facts}");
}

#[test]
fn an_object_that_is_gone_or_changed_since_it_was_listed_ends_the_query() {
    let (bucket, sandbox) = (Bucket::start(Some(1000)), Sandbox::new());
    (0..40).for_each(|n| bucket.put(&format!("g/f{n:02}.csv"), "v\n1\n"));
    let sql = "SELECT count(*) AS n FROM t";
    let (_, facts) = receipt(&sandbox, &bucket.target("g/"), &[sql]);
    let version = facts["version"].as_str().unwrap();
    let names = sandbox.path("names");
    std::fs::write(&names, format!("{}\n{}\n", bucket.target("g/f0*").url, bucket.target("gone.csv").url))
        .unwrap();
    let listed = Target { url: format!("@{}", names.display()), ..bucket.target("x") };
    let refused = select(&sandbox, &listed, &[sql, "--raw"]).refused(3);
    assert!(refused.stderr.contains("gone.csv") && refused.stderr.contains("--skip-unreadable"), "{refused}");
    let (rows, facts) = receipt(&sandbox, &listed, &[sql, "--skip-unreadable"]);
    assert_eq!((&*rows, &facts["files_unreadable"]), ("n\n10\n", &1.into()), "{facts}");
    for (change, said) in [
        (Some(("g/f07.csv", "v\n2\n")), "of 40 files, some changed"),
        (Some(("g/new.csv", "v\n2\n")), "now 41 files, then 40"),
        (None, "of 40 files, some changed"),
    ] {
        match change {
            Some((key, text)) => bucket.put(key, text),
            None => {
                bucket.remove("g/new.csv");
                bucket.put("g/f08.csv", "v\n3\n");
            }
        }
        let run = select(&sandbox, &bucket.target("g/"), &[sql, "--raw", "--expect", version]);
        assert!(run.code == 7 && run.stderr.contains(said), "{said}: {run}");
    }
}

/// A listing has 1000 keys a page.
#[test]
fn a_listing_may_have_many_pages() {
    let (bucket, sandbox) = (Bucket::start(Some(1000)), Sandbox::new());
    (0..100_001).for_each(|n| bucket.put(&format!("m/{:02}/f{n:06}.csv", n % 100), ""));
    let target = bucket.target("m/**/f*00001.csv");
    let (names, facts) = receipt(&sandbox, &target, &["--files"]);
    assert_eq!(names, bucket.target("m/01/f000001.csv\n").url);
    assert_eq!((&facts["list_requests"], &facts["requests"]), (&101.into(), &101.into()));
    let (_, facts) = receipt(&sandbox, &bucket.target("m/"), &["--files", "--max-rows", "1"]);
    assert_eq!((&facts["files"], &facts["next_offset"]), (&100_001.into(), &1.into()));
}

#[test]
fn what_no_object_matches_is_one_sentence() {
    let (bucket, sandbox) = (Bucket::start(Some(1000)), Sandbox::new());
    bucket.put("l/a.csv.gz", "");
    bucket.put("l/b.log", "x");
    for (word, said, hint) in [
        ("l/*.cvs", "no object matches this pattern", "begins 2 keys, such as"),
        ("none/*.csv", "no object matches this pattern: no key begins with", "aws s3 ls"),
        ("l/b", "the object does not exist", "aws s3 ls"),
        ("none/", "has no object below it", "aws s3 ls"),
        ("[", "is no pattern", ""),
    ] {
        let run = select(&sandbox, &bucket.target(word), &["SELECT 1", "--raw"]);
        let code = if word == "[" { 2 } else { 3 };
        assert!(run.code == code && run.stderr.contains(said) && run.stderr.contains(hint), "{word}: {run}");
    }
}
