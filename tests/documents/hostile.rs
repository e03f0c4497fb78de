//! What a hostile document can do: end in one sentence, within the limits.

use std::process::Stdio;
use std::time::{Duration, Instant};

use miniz_oxide::deflate::core::{CompressorOxide, create_comp_flags_from_zip_params};
use miniz_oxide::deflate::stream::deflate;
use miniz_oxide::{MZFlush, deflate::compress_to_vec_zlib};
use rread_testkit::rng::Rng;

use super::pdf::{Pdf, lines};
use super::{Lab, Run};

/// Checks that the program refused `file` for a reason with `words`, in one sentence and one hint.
pub fn refused(run: &Run, file: &str, words: &str) {
    let Run { code, stdout, stderr } = run;
    assert_eq!((*code, stdout.as_str()), (Some(3), ""), "{stderr}");
    assert!(stderr.starts_with(&format!("rread: {file}: ")) && stderr.contains(words), "{stderr}");
    let printed: Vec<&str> = stderr.lines().collect();
    assert!(matches!(printed[..], [_, hint] if hint.starts_with("hint: ")), "{stderr}");
}

/// A zlib stream of about two megabytes that is `count` MiB of blanks.
fn bomb(count: usize) -> Vec<u8> {
    let mut compressor = CompressorOxide::new(create_comp_flags_from_zip_params(9, -15, 0));
    let mut block = vec![0; 64 << 10];
    let done = deflate(&mut compressor, &vec![b' '; 1 << 20], &mut block, MZFlush::Full);
    block.truncate(done.bytes_written);
    [b"\x78\x9C".to_vec(), block.repeat(count), b"\x03\0".to_vec()].concat()
}

#[test]
fn a_bomb_meets_the_limit_of_memory() {
    let mut pdf = Pdf::new();
    let content = pdf.stream("/Filter/FlateDecode", &bomb(2048));
    pdf.page_of("", content);
    let bytes = pdf.bytes();
    assert!(bytes.len() < 4 << 20, "{}", bytes.len());
    let lab = Lab::with("bomb.pdf", &bytes);
    refused(&lab.run("lines bomb.pdf"), "bomb.pdf", "needs more memory to decode than the limit of 512 MiB");
}

/// Pages that show `before`, and then a form that shows the next one twice, and so on.
fn endless() -> Vec<u8> {
    let mut pdf = Pdf::new();
    pdf.page(&lines("before"));
    let first = pdf.object("null") + 1;
    for next in first + 1..first + 46 {
        let resources = format!("/Resources<</XObject<</X {next} 0 R>>>>");
        let dict = format!("/Type/XObject/Subtype/Form/BBox[0 0 9 9]{resources}");
        assert_eq!(pdf.stream(&dict, b"/X Do /X Do"), next - 1);
    }
    pdf.page_with(&format!("/XObject<</X {first} 0 R>>"), "/X Do");
    pdf.bytes()
}

#[test]
fn endless_forms_meet_the_limit_of_time() {
    let lab = Lab::with("loop.pdf", &endless());
    let began = Instant::now();
    refused(
        &lab.run("lines loop.pdf --timeout 500ms"),
        "loop.pdf",
        "took longer to decode than the limit of 500ms",
    );
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    // The page before the loop is there.
    assert_eq!(lab.text("page loop.pdf 1"), "before\n");
    let missing = lab.run("search before loop.pdf --timeout 500ms -f text");
    assert_eq!(missing.code, Some(3), "{}", missing.stderr);
}

#[test]
fn a_file_that_is_no_document_is_refused() {
    let lab = Lab::with("f.pdf", b"%PDF-1.7\nand nothing else\n");
    let run = lab.run("lines f.pdf");
    refused(&run, "f.pdf", "is damaged, or is not a PDF");
    assert!(run.stderr.ends_with("hint: pdftotext f.pdf - | rread lines - 1:20\n"), "{}", run.stderr);
}

#[test]
fn a_password_is_asked_for_in_one_sentence() {
    let mut pdf = Pdf::new();
    pdf.page(&lines("secret"));
    let encryption =
        pdf.object(format!("<</Filter/Standard/V 2/R 3/Length 128/P -4/O<{0}>/U<{0}>>>", "00".repeat(32)));
    pdf.trailer = format!("/Encrypt {encryption} 0 R/ID[<00><00>]");
    let lab = Lab::with("f.pdf", &pdf.bytes());
    let run = lab.run("lines f.pdf");
    refused(&run, "f.pdf", "is an encrypted PDF that opens only with its password");
    assert!(run.stderr.contains("qpdf --decrypt"), "{}", run.stderr);
}

/// A document with forms, streams of objects, pictures and several pages.
fn sample() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let form = pdf.stream("/Type/XObject/Subtype/Form/BBox[0 0 99 99]", lines("form").as_bytes());
    let picture = pdf.stream(
        "/Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/FlateDecode",
        &compress_to_vec_zlib(&[7; 12], 6),
    );
    let resources = format!("/XObject<</X {form} 0 R/I {picture} 0 R>>");
    pdf.page_with(&resources, &format!("/X Do /I Do {}", lines("one\ntwo (three)")));
    let content = pdf.stream("", lines("plain content\nof a second page").as_bytes());
    pdf.page_of(&resources, content);
    pdf.bytes()
}

/// Damage ends in text or in one sentence, soon and without a word of the decoder.
fn check(lab: &Lab, bytes: &[u8], what: &str) {
    lab.write("f.pdf", bytes);
    let began = Instant::now();
    let run = lab.run("lines f.pdf --timeout 5s");
    let Run { code, stdout, stderr } = &run;
    assert!(began.elapsed() < Duration::from_secs(15), "{what}: {:?}", began.elapsed());
    match code {
        Some(0) => assert_eq!(stderr, "", "{what}"),
        Some(3) => {
            assert!(stderr.starts_with("rread: f.pdf: ") && stderr.lines().count() == 2, "{what}: {stderr}");
            let is_said = stderr.contains("damaged") || stdout.is_empty();
            assert!(is_said, "{what}: {stderr}");
        }
        _ => panic!("{what}: {code:?} {stdout} {stderr}"),
    }
    assert!(!stderr.contains("panic") && !stderr.contains("internal error"), "{what}: {stderr}");
}

#[test]
fn a_file_that_ends_early_is_read_or_refused() {
    let (lab, bytes) = (Lab::new(), sample());
    for step in 0..40 {
        let length = 9 + (bytes.len() - 9) * step / 40;
        check(&lab, &bytes[..length], &format!("{length} bytes"));
    }
}

#[test]
fn damage_at_random_places_is_read_or_refused() {
    let (lab, whole, mut rng) = (Lab::new(), sample(), Rng::new(20));
    let count = if std::env::var_os("RREAD_THOROUGH").is_some() { 600 } else { 150 };
    for round in 0..count {
        let mut bytes = whole.clone();
        for _ in 0..=rng.below(8) {
            let at = 8 + rng.below(bytes.len() - 8);
            match rng.below(4) {
                0 => bytes[at] = u8::try_from(rng.below(256)).unwrap(),
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, b"0123456789<>[]/ R"[rng.below(17)]),
                _ => {
                    let from = 8 + rng.below(bytes.len() - 8);
                    let length = rng.below(40).min(bytes.len() - from.max(at));
                    bytes.copy_within(from..from + length, at);
                }
            }
        }
        check(&lab, &bytes, &format!("round {round}"));
    }
}

/// Waits for the process of the decoder of `parent`, until it has its limits.
#[cfg(target_os = "linux")]
fn decoder_of(parent: u32) -> i32 {
    let children = || {
        let tasks = std::fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten();
        let lists = tasks.map(|task| std::fs::read_to_string(task.unwrap().path().join("children")));
        lists.map(Result::unwrap_or_default).collect::<String>()
    };
    let has_limits = |child: &i32| limits_of(*child).contains("Max open files            3 ");
    let find = || children().split(' ').find_map(|id| id.parse().ok()).filter(has_limits);
    let found = (0..500).find_map(|_| {
        std::thread::sleep(Duration::from_millis(10));
        find()
    });
    found.unwrap()
}

#[cfg(target_os = "linux")]
fn limits_of(process: i32) -> String {
    std::fs::read_to_string(format!("/proc/{process}/limits")).unwrap_or_default()
}

#[cfg(target_os = "linux")]
#[test]
fn a_decoder_has_given_up_its_rights() {
    let lab = Lab::with("loop.pdf", &endless());
    let mut parent = lab.command("lines loop.pdf").env("RREAD_SECRET", "word").spawn().unwrap();
    let child = decoder_of(parent.id());
    let limits = limits_of(child);
    for (name, limit) in
        [("file size", "0"), ("core file size", "0"), ("open files", "3"), ("cpu time", "31")]
    {
        let line = limits.lines().find(|line| line.starts_with(&format!("Max {name} "))).unwrap();
        assert_eq!(line[26..].split_whitespace().next(), Some(limit), "{limits}");
    }
    assert!(!limits.contains("Max address space         unlimited"), "{limits}");
    let read = |file: &str| std::fs::read_to_string(format!("/proc/{child}/{file}")).unwrap();
    // Landlock sets this first.
    assert!(read("status").contains("NoNewPrivs:\t1"), "{}", read("status"));
    assert!(!read("environ").contains("word") && !read("cmdline").contains("loop"), "{}", read("cmdline"));
    parent.kill().unwrap();
    parent.wait().unwrap();
}

/// The process of a decoder ends with its parent, however that ends.
#[cfg(target_os = "linux")]
#[test]
fn a_decoder_does_not_outlive_its_parent() {
    use rustix::process::{Pid, Signal, kill_process};
    let lab = Lab::with("loop.pdf", &endless());
    for signal in [Signal::KILL, Signal::TERM, Signal::INT] {
        let mut parent = lab.command("lines loop.pdf").spawn().unwrap();
        let child = decoder_of(parent.id());
        let id = i32::try_from(parent.id()).unwrap();
        kill_process(Pid::from_raw(id).unwrap(), signal).unwrap();
        parent.wait().unwrap();
        let is_gone = || {
            let state = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
            state.is_empty() || state.contains(") Z ")
        };
        let gone = (0..300).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            is_gone()
        });
        assert!(gone, "{signal:?}: the decoder {child} runs on");
    }
}

/// A process that is left over would be a zombie in a container, where often nobody reaps it.
#[cfg(target_os = "linux")]
#[test]
fn no_decoder_is_left_over() {
    use rustix::io::Errno;
    use rustix::process::{Pid, WaitOptions, getpid, set_child_subreaper, waitpgid};
    use std::os::unix::process::CommandExt;
    let lab = Lab::with("loop.pdf", &endless());
    lab.write("pages.pdf", &Pdf::of(&["one", "two"]));
    set_child_subreaper(Some(getpid())).unwrap();
    for words in
        ["page pages.pdf --all", "lines pages.pdf 1", "page loop.pdf 1", "lines loop.pdf --timeout 500ms"]
    {
        let mut command = lab.command(words);
        let mut parent =
            command.process_group(0).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let group = Pid::from_raw(i32::try_from(parent.id()).unwrap()).unwrap();
        parent.wait().unwrap();
        assert_eq!(waitpgid(group, WaitOptions::NOHANG).unwrap_err(), Errno::CHILD, "{words}");
    }
    set_child_subreaper(None).unwrap();
}

/// A secret and the end of a pipe, open in rread for all of its children.
#[cfg(target_os = "linux")]
#[test]
fn a_decoder_has_neither_descriptors_of_the_caller_nor_capabilities() {
    let lab = Lab::with("loop.pdf", &endless());
    lab.write("secret", b"a secret");
    let program = lab.command("lines loop.pdf");
    let line = format!("exec {} lines loop.pdf 7<secret 9>&1", program.get_program().to_str().unwrap());
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &line]).stdout(Stdio::piped()).stderr(Stdio::null());
    command.current_dir(program.get_current_dir().unwrap());
    let mut parent = command.spawn().unwrap();
    let child = decoder_of(parent.id());
    let status = || std::fs::read_to_string(format!("/proc/{child}/status")).unwrap_or_default();
    let is_confined = (0..500).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        status().contains("Seccomp:\t2")
    });
    let status = status();
    let open: Vec<String> = std::fs::read_dir(format!("/proc/{child}/fd"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    parent.kill().unwrap();
    parent.wait().unwrap();
    let names_others = open.iter().any(|number| number == "7" || number == "9");
    assert!(!names_others && open.len() <= 4, "{open:?}");
    if cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
        assert!(is_confined && status.contains("NoNewPrivs:\t1"), "{status}");
    }
    // Root has all of them.
    for set in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
        assert!(status.contains(&format!("{set}:\t0000000000000000\n")), "{status}");
    }
}
