//! Bursts, byte for byte, and many files.

use std::fs::{self, File};
use std::io::{Read, Write};

use rread_testkit::sample::cases;

use super::support::{Folder, lines, until};

#[test]
fn a_burst_is_passed_on_without_loss_or_doubling() {
    let size = cases(1 << 30, 64 << 20);
    for (options, share) in [("--raw", 1), ("-f text", 1), ("--raw --until-match ^the.end$", 4)] {
        let folder = Folder::with("app.log", "");
        let mut rread = folder.rread(&format!("app.log -n 999999999 {options}"));
        let mut file = File::options().append(true).open(folder.path("app.log")).unwrap();
        let (mut written, mut number, mut block) = (0, 0u64, Vec::new());
        while written < size / share {
            block.clear();
            // Writes end inside lines.
            while block.len() < 50_000 + usize::try_from(number % 4099).unwrap() {
                number += 1;
                writeln!(block, "{number} {}", "x".repeat(usize::try_from(number * 7 % 180).unwrap()))
                    .unwrap();
            }
            let middle = block.len() / 3;
            file.write_all(&block[..middle]).unwrap();
            file.write_all(&block[middle..]).unwrap();
            written += block.len();
        }
        file.write_all(b"the end\n").unwrap();
        let length = file.metadata().unwrap().len();
        until("the burst", || rread.output().metadata().unwrap().len() >= length);
        if options.contains("match") {
            assert_eq!(rread.code(), 0);
        }
        let (mut a, mut b) =
            (File::open(folder.path("app.log")).unwrap(), File::open(rread.output()).unwrap());
        let (mut left, mut right) = (vec![0; 1 << 20], vec![0; 1 << 20]);
        let mut compared = 0;
        while compared < length {
            let wanted = usize::try_from((length - compared).min(1 << 20)).unwrap();
            a.read_exact(&mut left[..wanted]).unwrap();
            b.read_exact(&mut right[..wanted]).unwrap();
            assert!(left[..wanted] == right[..wanted], "{options}: different after byte {compared}");
            compared += wanted as u64;
        }
        assert_eq!(rread.output().metadata().unwrap().len(), length, "{options}");
    }
}

#[test]
fn rotations_during_a_burst_lose_nothing() {
    let folder = Folder::with("app.log", "");
    let rread = folder.rread("app.log -n 999999999 --raw");
    let mut expected = String::new();
    for round in 0..20 {
        let text = lines(round * 1000 + 1, round * 1000 + 1000);
        folder.append("app.log", &text);
        expected += &text;
        // A second rotation before the first is noticed would hide a file, from tail too.
        rread.shows(&lines(round * 1000 + 1, round * 1000 + 1));
        folder.rename("app.log", &format!("app.log.{round}"));
    }
    until("all", || rread.bytes().len() >= expected.len());
    assert!(rread.text() == expected);
}

/// The lines of each file in `text`, which begin with the name of the file.
fn of_file<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!("{name} ");
    text.lines().filter(|line| line.starts_with(&start)).collect()
}

#[test]
fn a_thousand_files_with_rotations_are_followed() {
    let count = cases(1000, 100);
    let folder = Folder::new();
    // Half of the files have the same name, in directories of their own.
    let names: Vec<String> =
        (0..count).map(|n| if n % 2 == 0 { format!("d{n}/f.log") } else { format!("{n}.log") }).collect();
    for (n, name) in names.iter().enumerate() {
        if n % 2 == 0 {
            fs::create_dir(folder.path(name).parent().unwrap()).unwrap();
        }
        folder.append(name, format!("{name} 0\n"));
    }
    let rread = folder.rread(&format!("--raw {}", names.join(" ")));
    let all = |round: usize| {
        let expected = round * names.iter().map(|name| name.len() + 3).sum::<usize>();
        until(&format!("round {round}"), || rread.bytes().len() >= expected);
    };
    all(1);
    for round in 1..4 {
        for (n, name) in names.iter().enumerate().rev() {
            // Each file is rotated in one of the rounds.
            if n % 3 + 1 == round {
                folder.rename(name, &format!("{name}.{round}"));
            }
            folder.append(name, format!("{name} {round}\n"));
        }
        all(round + 1);
    }
    let text = rread.text();
    let mut lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4 * count);
    for name in names.iter().step_by(count / 50) {
        let expected: Vec<String> = (0..4).map(|round| format!("{name} {round}")).collect();
        assert_eq!(of_file(&text, name), expected);
    }
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), 4 * count);
}

/// The most memory that was resident at once, in KiB.
#[cfg(target_os = "linux")]
fn high_water(id: u32) -> usize {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_a_line_that_does_not_end() {
    let size = cases(1 << 30, 48 << 20);
    let letters = "0123456789abcdef".repeat(1 << 16);
    for options in ["--raw", "-f text", "--json", "-f text --until-match end$", "-f text --max-bytes 2G"] {
        let folder = Folder::with("app.log", "");
        let rread = folder.rread(&format!("app.log -n 1 {options}"));
        let mut file = File::options().append(true).open(folder.path("app.log")).unwrap();
        for _ in 0..size / letters.len() {
            file.write_all(letters.as_bytes()).unwrap();
        }
        // A gigabyte of JSON takes most of a minute in a build for tests, and more beside other tests.
        for part in 1..=16 {
            until("the line", || rread.output().metadata().unwrap().len() >= (size / 16 * part) as u64);
        }
        let peak = high_water(rread.child.id());
        assert!(peak < 32 << 10, "{options}: {peak} KiB");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn memory_of_many_files_does_not_grow_with_bursts_of_each() {
    let count = cases(1000, 100);
    let folder = Folder::new();
    let names: Vec<String> = (0..count).map(|n| format!("{n}.log")).collect();
    names.iter().for_each(|name| folder.append(name, "\n"));
    let rread = folder.rread(&format!("-f text --until-match nothing {}", names.join(" ")));
    rread.shows(&format!("==> {} <==", names[count - 1]));
    // Lines that are held when the next file is read.
    let line = format!("{}\nhalf", "x".repeat(300 << 10));
    for name in &names {
        folder.append(name, &line);
    }
    until("all", || rread.output().metadata().unwrap().len() >= (count * line.len()) as u64);
    let peak = high_water(rread.child.id());
    assert!(peak < 24 << 10, "{peak} KiB");
}
