//! Files made by the usual tools, with every option that changes the bytes, read by the program.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use rread_testkit::bulk::{Style, text_of};
use rread_testkit::lab::Lab;
use rread_testkit::rng::Rng;
use rread_testkit::sample::cases;
use rread_testkit::text;

/// Commands that make `packed` from the file `text`.
const RECIPES: &[&str] = &[
    "gzip -1",
    "gzip -6",
    "gzip -9",
    "gzip -9 --rsyncable",
    "gzip -c -N",
    "pigz -1",
    "pigz -6 -b 128 -p 4",
    "pigz -6 -i -b 128 -p 4",
    "pigz -11 -I 1",
    "pigz -0",
    "bgzip -l 1",
    "bgzip -l 9 -@ 2",
    "zstd --fast=5",
    "zstd -1",
    "zstd -6 --no-check",
    "zstd -19",
    "zstd -3 --long=27",
    "zstd -3 -T0 --rsyncable",
    "zstd -1 -T2 -B65536",
    "zstd --ultra -22",
    "pzstd -1 -p 2",
    "xz -0",
    "xz -6",
    "xz -1 -T2 --block-size=65536",
    "xz -2 --check=crc32",
    "xz -2 --check=sha256",
    "xz -2 --check=none",
    "xz -9e",
    "xz --x86 --lzma2=preset=1",
    "xz --delta=dist=4 --lzma2=preset=1",
    "xz --format=lzma -1",
    "xz --format=lzma -6",
    "bzip2 -1",
    "bzip2 -9",
    "pbzip2 -1 -p2",
    "lz4 -1",
    "lz4 -9 -BD",
    "lz4 -1 -BI -B4",
    "lz4 -3 -BD -B5 -BX",
    "lz4 -1 -B6 --content-size",
    "lz4 -1 --no-frame-crc",
    "lz4 --fast=9",
];

fn shell(lab: &Lab, line: &str) {
    let output = Command::new("sh")
        .arg("-c")
        .arg(line)
        .current_dir(lab.path(""))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{line}: {said}");
}

fn is_there(tool: &str) -> bool {
    let found = std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path).any(|folder: std::path::PathBuf| folder.join(tool).is_file())
    });
    if !found {
        eprintln!("skipped: {tool} is not installed");
    }
    found
}

fn recipes() -> impl Iterator<Item = &'static str> {
    RECIPES.iter().copied().filter(|recipe| is_there(recipe.split(' ').next().unwrap()))
}

fn texts() -> Vec<Vec<u8>> {
    let mut rng = Rng::new(6);
    let noise: Vec<u8> = (0..300_000).map(|_| b" !\"#$%&'()*+,-./0123456789\n"[rng.below(27)]).collect();
    vec![
        Vec::new(),
        b"\n".to_vec(),
        b"no newline".to_vec(),
        "é漢😀\r\n".as_bytes().repeat(30_000),
        noise,
        text_of(&mut rng, Style::Words, 1_100_000),
        text::of_length(&mut rng, 200_000),
    ]
}

#[track_caller]
fn holds(lab: &Lab, text: &[u8], case: &str) {
    let run = lab.line("bytes packed : --raw --text").ok();
    assert!(run.stdout == text, "{case}: {} bytes instead of {}", run.stdout.len(), text.len());
}

#[test]
fn files_of_the_tools_are_read() {
    for (n, text) in texts().into_iter().enumerate() {
        let lab = Lab::with("text", &text);
        for (number, recipe) in recipes().enumerate() {
            // In a sample, every command has one of the three short texts and one of the four long ones.
            if cases(false, if n < 3 { number % 3 != n } else { number % 4 != n % 4 }) {
                continue;
            }
            // The strongest take long, and say nothing new for long texts.
            if text.len() > 1 << 20 && ["-22", "-19", "-11", "-9e"].iter().any(|slow| recipe.contains(slow)) {
                continue;
            }
            shell(&lab, &format!("{recipe} < text > packed"));
            holds(&lab, &text, &format!("text {n}, {recipe}"));
        }
    }
}

#[test]
fn several_members_of_all_levels_are_one_text() {
    let text = text_of(&mut Rng::new(7), Style::Crlf, 150_000);
    let lab = Lab::with("text", &text);
    let commands: [(&str, &[&str]); 6] = [
        ("gzip", &["gzip -1", "gzip -9", "gzip -n -6"]),
        ("zstd", &["zstd -1", "zstd -19", "zstd -5 --no-check"]),
        ("xz", &["xz -0", "xz -6 --check=crc32", "head -c 8 /dev/zero"]),
        ("bzip2", &["bzip2 -1", "bzip2 -9", "bzip2 -5"]),
        ("lz4", &["lz4 -1 -B4", "lz4 -9 -BD -B7", "lz4 -1 -BI -B5"]),
        ("pigz", &["pigz -1", "pigz -i", "gzip -3"]),
    ];
    for (tool, commands) in commands.into_iter().filter(|(tool, _)| is_there(tool)) {
        let all: Vec<String> = commands.iter().map(|command| format!("({command}) < text")).collect();
        shell(&lab, &format!("({}) > packed", all.join("; ")));
        let times = commands.iter().filter(|command| !command.contains("/dev/zero")).count();
        holds(&lab, &text.repeat(times), tool);
    }
}

#[test]
fn a_zstd_window_over_the_limit_is_an_error_with_a_command_that_works() {
    if !is_there("zstd") {
        return;
    }
    let lab = Lab::with("text", b"text\n".repeat(1000));
    shell(&lab, "zstd -q --long=31 --ultra -1 < text > packed");
    let run = lab.line("lines packed 1");
    assert_eq!((run.code, run.stdout.len()), (Some(3), 0), "{run}");
    let message = "needs a window of 2147483648 bytes to decompress; the limit is 134217728";
    assert!(run.stderr.contains(message) && !run.stderr.contains("damaged"), "{run}");
    let command = "zstd -dc --long=31 < packed";
    assert!(run.stderr.contains(&format!("\nhint: {command} | rread lines -\n")), "{run}");
    shell(&lab, &format!("{command} > unpacked"));
    assert_eq!(fs::read(lab.path("unpacked")).unwrap(), fs::read(lab.path("text")).unwrap());
}

/// The commands in the hints of files that rread does not decode.
#[test]
fn other_programs_decode_what_rread_does_not() {
    let lab = Lab::with("text", b"text\n".repeat(1000));
    fs::write(lab.path("DICTIONARY"), b"text\n".repeat(100)).unwrap();
    for (tool, pack, unpack) in [
        ("xz", "xz --lzma2=dict=1GiB,mode=fast,mf=hc3,nice=2", "xz -dc"),
        ("zstd", "zstd -q --long=31 --ultra -1", "zstd -dc --long=31"),
        ("zstd", "zstd -q -D DICTIONARY", "zstd -dc -D DICTIONARY"),
        ("lz4", "lz4 -D DICTIONARY", "lz4 -dc -D DICTIONARY"),
    ] {
        if is_there(tool) {
            shell(&lab, &format!("{pack} < text > packed; {unpack} < packed > unpacked"));
            assert_eq!(
                fs::read(lab.path("unpacked")).unwrap(),
                fs::read(lab.path("text")).unwrap(),
                "{pack}"
            );
        }
    }
}

#[test]
fn rread_returns_as_much_before_damage_as_the_tool() {
    let text = text_of(&mut Rng::new(9), Style::Words, 400_000);
    let lab = Lab::with("text", &text);
    for recipe in ["gzip -6", "zstd -3", "xz -1", "bzip2 -1", "lz4 -1 -B4", "lz4 -9 -BD"] {
        let tool = recipe.split(' ').next().unwrap();
        if !is_there(tool) {
            continue;
        }
        shell(&lab, &format!("{recipe} < text > whole"));
        let whole = fs::read(lab.path("whole")).unwrap();
        for part in [1, 3, 6, 9] {
            fs::write(lab.path("packed"), &whole[..whole.len() * part / 10]).unwrap();
            let printed = tool_prints(&lab.path("packed"), tool);
            assert!(text.starts_with(&printed), "{recipe}");
            let run = lab.line("bytes packed : --raw");
            assert_eq!(run.code, Some(3), "{recipe}, {part}: {run}");
            assert!(text.starts_with(&run.stdout), "{recipe}, {part}: wrong bytes");
            // The message has the number of bytes before the damage.
            let reported = run.stderr.split("; ").nth(1).and_then(|rest| rest.split(' ').next());
            let reported: usize = reported.unwrap().replace('_', "").parse().unwrap();
            // rread returns whole blocks of LZ4, also uncompressed ones.
            let block = if tool == "lz4" { 65_536 } else { 0 };
            assert!(reported + block >= printed.len(), "{recipe}, {part}: {} printed: {run}", printed.len());
            if reported > 0 {
                let before = lab.line(&format!("bytes packed 0:{reported} --raw --text")).ok();
                assert!(before.stdout == text[..reported], "{recipe}, {part}");
            }
        }
    }
}

fn tool_prints(path: &Path, tool: &str) -> Vec<u8> {
    let mut command = Command::new(tool);
    command.arg("-dc").stdin(fs::File::open(path).unwrap()).stderr(Stdio::null());
    command.output().unwrap().stdout
}
