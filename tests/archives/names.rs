//! Names of members: missing and misspelled ones, links, duplicates, and names that would leave a directory.

use predicates::str::contains;
use rread_testkit::sandbox::Sandbox;

use super::packed::sh;

fn sandbox() -> Option<Sandbox> {
    let sandbox = Sandbox::new();
    let made = sh(
        &sandbox,
        "mkdir -p t/app && cd t && echo text > app/error.log && ln -s error.log app/latest && ln -s /etc/passwd app/out && \
         ln app/error.log app/hard && mkfifo app/pipe && tar cf ../a.tar app && tar czf ../a.tar.gz app && zip -qry ../a.zip app/error.log app/latest app/out",
    );
    made.then_some(sandbox)
}

#[test]
fn what_is_not_a_file_is_named() {
    let Some(sandbox) = sandbox() else { return };
    for (member, code, message, hint) in [
        (
            "tar:a.tar/app/errors.log",
            3,
            "there is no app/errors.log",
            "did you mean tar:a.tar/app/error.log? rread stat a.tar --list",
        ),
        (
            "zip:a.zip/app/errors.log",
            3,
            "there is no app/errors.log",
            "did you mean zip:a.zip/app/error.log? rread stat a.zip --list",
        ),
        ("tar:a.tar.gz/error.log", 3, "there is no error.log", "did you mean tar:a.tar.gz/app/error.log?"),
        ("tar:a.tar/nothing", 3, "there is no nothing", "hint: rread stat a.tar --list"),
        ("tar:a.tar/app", 3, "is a directory of the archive", "rread stat a.tar --list"),
        ("zip:a.zip/app", 3, "is a directory of the archive", "rread stat a.zip --list"),
        (
            "tar:a.tar/error*",
            3,
            "matches 'error*'",
            "hint: '**/error*' looks in all folders; rread stat a.tar --list",
        ),
        (
            "tar:a.tar/**/nothing",
            3,
            "no file in the archive matches '**/nothing'",
            "hint: rread stat a.tar --list",
        ),
        ("zip:a.zip/[a", 2, "'[a' is not a pattern of members", "\\[ is a plain ["),
        (
            "tar:a.tar/app/latest",
            3,
            "is a symbolic link to error.log, which is not followed",
            "rread stat tar:a.tar/app/error.log",
        ),
        (
            "zip:a.zip/app/latest",
            3,
            "is a symbolic link to error.log, which is not followed",
            "rread stat zip:a.zip/app/error.log",
        ),
        (
            "tar:a.tar/app/out",
            3,
            "is a symbolic link to /etc/passwd, which is not followed",
            "rread stat a.tar --list",
        ),
        ("tar:a.tar/app/pipe", 3, "is a fifo of the archive, not a file", "rread stat a.tar --list"),
        (
            "tar:a.zip/app/error.log",
            2,
            "is a ZIP archive, not a tar archive",
            "rread lines zip:a.zip/app/error.log",
        ),
        (
            "zip:a.tar.gz/app/error.log",
            2,
            "is a tar archive, not a ZIP archive",
            "rread lines tar:a.tar.gz/app/error.log",
        ),
        ("tar:t/app/error.log/x", 2, "is not a tar archive", ""),
        ("zip:t/app/error.log/x", 2, "is not a ZIP archive", ""),
        ("tar:b.tar/x", 3, "cannot open the archive b.tar", "did you mean tar:a.tar?"),
        ("tar:", 2, "does not name an archive", "rread lines tar:logs.tar.gz/path/in/it 1:20"),
        ("tar:t", 3, "t is not a regular file", "ls -l t"),
    ] {
        let run = sandbox.run(["lines", member]).refused(code);
        run.says(contains(message)).says(contains(hint));
    }
    sandbox.line("stat tar:a.tar/app/errors.log --json").refused_json(3);
    for archive in ["tar:a.tar", "zip:a.zip/"] {
        sandbox.run(["bytes", archive]).refused(2).says(contains("is an archive; name a file in it"));
    }
}

#[test]
fn a_list_has_the_targets_of_symbolic_links() {
    let Some(sandbox) = sandbox() else { return };
    for archive in ["a.tar", "a.zip"] {
        let list = sandbox.line(&format!("stat {archive} --list -f text")).ok();
        assert!(list.text().contains(" app/latest -> error.log\n"), "{list}");
        assert!(list.text().contains(" app/out -> /etc/passwd\n"), "{list}");
        let list = sandbox.line(&format!("stat {archive} --list --json")).ok().json();
        let members = list["members"].as_array().unwrap();
        let latest = members.iter().find(|member| member["name"] == "app/latest").unwrap();
        assert_eq!(latest["target"], "error.log", "{archive}");
    }
}

#[test]
fn a_hard_link_is_the_file_it_names() {
    let Some(sandbox) = sandbox() else { return };
    for archive in ["a.tar", "a.tar.gz"] {
        for name in ["app/error.log", "app/hard", "./app/hard"] {
            assert_eq!(
                sandbox.line(&format!("lines tar:{archive}/{name} --raw")).ok().text(),
                "text\n",
                "{name}"
            );
        }
    }
}

/// Writes the archives `a.tar` and `a.tar.gz` of hard links among several members of one name.
const LINKS: &str = "import io, tarfile
def add(t, name, content=None, link=None):
  i = tarfile.TarInfo(name)
  if link is not None: i.type, i.linkname = tarfile.LNKTYPE, link
  else: i.size = len(content)
  t.addfile(i, io.BytesIO(content) if link is None else None)
for mode, name in [('w', 'a.tar'), ('w:gz', 'a.tar.gz')]:
  with tarfile.open(name, mode) as t:
    add(t, 'a.txt', b'version 1\\n')
    add(t, 'b.txt', link='a.txt')
    add(t, 'c.txt', link='./b.txt')
    add(t, 'a.txt', b'version 2\\n')
    add(t, 'd.txt', link='a.txt')
    add(t, 'b.txt', b'version 3\\n')
    add(t, 'a.txt', link='d.txt')
    add(t, 'd.txt', link='d.txt')
    add(t, 'e.txt', b'version 4\\n')
    add(t, 'e.txt', link='c.txt')
";

#[test]
fn a_hard_link_reads_what_unpacking_makes_of_it() {
    let sandbox = Sandbox::with("make.py", LINKS);
    let made = "python3 make.py && mkdir unpacked && tar xf a.tar -C unpacked";
    if !sh(&sandbox, made) {
        return;
    }
    let names = ["a", "b", "c", "d", "e"].map(|name| format!("{name}.txt"));
    let unpacked = |name: &String| std::fs::read_to_string(sandbox.path("unpacked").join(name)).unwrap();
    assert_eq!(names.each_ref().map(unpacked).concat().replace("version ", ""), "2\n3\n1\n2\n1\n");
    for archive in ["a.tar", "a.tar.gz"] {
        let mut found = Vec::new();
        for name in &names {
            let raw = sandbox.run(["lines", &format!("tar:{archive}/{name}"), "--raw"]);
            assert_eq!((raw.code, raw.text()), (0, &*unpacked(name)), "{archive} {name}");
            found.push(format!("tar:{archive}/{name}:1:{}", unpacked(name)));
        }
        for address in [archive.to_owned(), format!("tar:{archive}/*.txt")] {
            let search = sandbox.run(["search", "version", &address, "-f", "text", "-n"]);
            let mut lines: Vec<String> = search.text().lines().map(|line| format!("{line}\n")).collect();
            lines.sort();
            assert_eq!(lines, found, "{address}");
        }
    }
}

#[test]
fn a_hard_link_to_a_later_member_or_to_none() {
    let sandbox = Sandbox::with("make.py", LINKS.split("for mode").next().unwrap());
    let program = "with tarfile.open('l.tar', 'w') as t:
  add(t, 'early', link='late'); add(t, 'late', b'text\\n'); add(t, 'own', link='own')
with tarfile.open('h.tar', 'w') as t:
  add(t, 'a.txt', b'a\\n'); add(t, 'hl.txt', link='nope')\n";
    if !sh(&sandbox, &format!("cat >> make.py <<'END'\n{program}END\npython3 make.py && gzip -k h.tar")) {
        return;
    }
    assert_eq!(sandbox.line("lines tar:l.tar/early --raw").ok().text(), "text\n");
    let run = sandbox.line("lines l.tar");
    assert_eq!(run.text().matches("\ntext\n").count(), 2, "{run}");
    run.says(contains("is a hard link that leads to no file"));
    sandbox.line("lines tar:l.tar/own").refused(3).says(contains("is a hard link that leads to no file"));
    for archive in ["h.tar", "h.tar.gz"] {
        let sentence = "is a hard link to nope, and there is no nope in the archive";
        for file in [archive.to_owned(), format!("tar:{archive}/hl.txt"), format!("tar:{archive}/hl*")] {
            let run = sandbox.run(["lines", &file]);
            assert_eq!(run.code, 3, "{run}");
            run.says(contains(sentence)).says(contains(format!("rread stat {archive} --list")));
        }
        assert!(sandbox.line(&format!("stat {archive} --list -f text")).ok().text().contains("hl.txt"));
    }
}

#[test]
fn the_last_of_several_members_counts() {
    let sandbox = Sandbox::with("f", "old\n");
    let program = "import warnings, zipfile\nwarnings.simplefilter('ignore')\n\
        with zipfile.ZipFile('a.zip', 'w') as z:\n  z.writestr('f', 'old\\n'); z.writestr('g', 'x'); z.writestr('f', 'new\\n')";
    sandbox.file("make.py", program);
    if !sh(&sandbox, "python3 make.py && tar cf a.tar f && echo new > f && tar rf a.tar f") {
        return;
    }
    for member in ["zip:a.zip/f", "tar:a.tar/f"] {
        let json = sandbox.run(["lines", member, "--json"]).ok().json();
        assert_eq!(
            (&json["content"], &json["metadata"]["notices"]),
            (&"new\n".into(), &serde_json::json!(["duplicate_name"]))
        );
        let raw = sandbox.run(["lines", member, "--raw"]);
        assert!(raw.to_string().contains("several members of this name"), "{raw}");
    }
    assert!(!sandbox.line("lines zip:a.zip/g --json").ok().text().contains("duplicate_name"));
}

#[test]
fn an_archive_at_a_url_is_refused_with_the_command_that_copies_it() {
    let sandbox = Sandbox::new();
    let sentence = "is in an archive at a URL, and rread reads members only of archives in files\n";
    for (address, copy) in [
        (
            "tar:s3://bucket/logs/x.tar.gz/app/a.zip",
            "rread bytes s3://bucket/logs/x.tar.gz --raw --text --no-decompress > x.tar.gz",
        ),
        ("zip:https://host/b.zip", "rread bytes https://host/b.zip --raw --text --no-decompress > b.zip"),
    ] {
        let run = sandbox.run(["lines", address]).refused(2);
        run.says(contains(format!("{sentence}hint: {copy}\n")));
    }
    sandbox.line("lines zip:https://host/b").refused(2).says(contains(sentence));
}

#[test]
fn names_that_would_leave_a_directory_are_only_names() {
    let sandbox = Sandbox::new();
    let program = "import io, tarfile, zipfile\nnames = ['../up', '/etc/abs', 'a/../b', 'c\\\\d', '..']\n\
        with zipfile.ZipFile('a.zip', 'w') as z:\n  for n in names: z.writestr(n, n)\n\
        with tarfile.open('a.tar', 'w') as t:\n  for n in names:\n    i = tarfile.TarInfo(n); i.size = len(n); t.addfile(i, io.BytesIO(n.encode()))";
    sandbox.file("make.py", program);
    if !sh(&sandbox, "python3 make.py") {
        return;
    }
    for archive in ["zip:a.zip", "tar:a.tar"] {
        for name in ["../up", "/etc/abs", "a/../b", "c\\d"] {
            let run = sandbox.run(["lines", &format!("{archive}/{name}"), "--raw"]).ok();
            assert_eq!(run.text(), name, "{archive}");
        }
    }
    assert!(!sandbox.path("../up").exists() && !sandbox.path("b").exists());
}

#[test]
fn a_file_of_the_literal_name_wins() {
    let sandbox = Sandbox::with("zip", "1\n2\n3\n4\nfifth\n");
    assert_eq!(sandbox.line("lines zip:5 --raw").ok().text(), "fifth\n", "the file zip and a line");
    if cfg!(unix) {
        sandbox.file("tar:a.tar", "a literal name\n");
        assert_eq!(sandbox.line("lines tar:a.tar --raw").ok().text(), "a literal name\n");
    }
}

/// Archives of names in old encodings, and with the backslashes that programs of Windows write.
const OLD_NAMES: &str = "import zipfile
def make(file, name, encoding, system=0):
  raw = name.encode(encoding)
  with zipfile.ZipFile(file, 'w') as z:
    i = zipfile.ZipInfo('X' * len(raw)); i.create_system = system
    z.writestr(i, 'needle\\n')
  b = open(file, 'rb').read().replace(b'X' * len(raw), raw)
  open(file, 'wb').write(b)
make('sjis.zip', 'ログ/エラー.txt', 'cp932')
make('gbk.zip', '日志/错误.txt', 'gbk')
make('1251.zip', 'журнал/ошибка.txt', 'cp1251')
make('slashes.zip', 'logs\\\\app.log', 'ascii')
make('unix.zip', 'logs\\\\app.log', 'ascii', 3)
make('both.zip', 'ログ\\\\エラー.txt', 'cp932')
with zipfile.ZipFile('many.zip', 'w') as z:
  for n in range(9): z.writestr('X' * 44 + str(n), 'needle\\n')
b = open('many.zip', 'rb').read()
names = ['отчёт о работе серверов', 'журнал ошибок за неделю', 'список всех наших клиентов']
for n in range(9): b = b.replace(b'X' * 44 + str(n).encode(), (names[n % 3] + ' ' * 99)[:43].encode('cp1251') + b'.' + str(n).encode())
open('many.zip', 'wb').write(b)
";

#[test]
fn names_have_the_encoding_that_the_user_names_or_that_is_evident() {
    let sandbox = Sandbox::with("make.py", OLD_NAMES);
    if !sh(&sandbox, "python3 make.py") {
        return;
    }
    for (archive, label, name) in [
        ("sjis.zip", "shift_jis", "ログ/エラー.txt"),
        ("both.zip", "shift_jis", "ログ/エラー.txt"),
        ("gbk.zip", "gbk", "日志/错误.txt"),
        ("1251.zip", "windows-1251", "журнал/ошибка.txt"),
        ("slashes.zip", "utf-8", "logs/app.log"),
        ("unix.zip", "utf-8", "logs\\app.log"),
    ] {
        let address = format!("zip:{archive}/{name}");
        let list = sandbox.run(["stat", archive, "--list", "-f", "text", "-E", label]).ok();
        assert!(list.text().ends_with(&format!(" {name}\n")), "{list}");
        for call in [&["lines", &address][..], &["lines", archive], &["lines", &format!("zip:{archive}/**")]]
        {
            let run = sandbox.run(call.iter().chain(&["-E", label, "-f", "text"])).ok();
            assert!(run.text().ends_with("needle\n"), "{run}");
            let raw = sandbox.run(call.iter().chain(&["-E", label, "--raw"])).ok();
            assert_eq!(raw.text(), "needle\n", "{raw}");
        }
        let run = sandbox.run(["search", "needle", archive, "-f", "text", "-E", label]).ok();
        assert_eq!(run.text(), format!("{address}:1:needle\n"));
    }
    // The spelling of code page 437 stays right beside an option that is about the content.
    let listed = sandbox.line("stat 1251.zip --list -f text").ok();
    let name = listed.text().trim_end().rsplit(' ').next().unwrap();
    sandbox.run(["lines", &format!("zip:1251.zip/{name}"), "-E", "windows-1251", "-f", "text"]).ok();
    let many = sandbox.line("stat many.zip --list -f text").ok();
    assert!(many.text().contains("отчёт о работе серверов"), "{many}");
    sandbox.run(["lines", "zip:slashes.zip/logs\\app.log"]).ok();
    assert_eq!(
        sandbox.line("search -c needle zip:slashes.zip/logs -f text").ok().text(),
        "zip:slashes.zip/logs/app.log:1\n"
    );
}
