//! Bursts, byte for byte, and many files.

use std::fs::File;
use std::io::{Read, Write};

use super::support::{Folder, lines, until};

fn is_thorough() -> bool {
    std::env::var_os("RREAD_THOROUGH").is_some()
}

#[test]
fn a_burst_is_passed_on_without_loss_or_doubling() {
    let size = if is_thorough() { 256 } else { 64 } << 20;
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

#[test]
fn a_thousand_files_are_followed() {
    let folder = Folder::new();
    let count = if is_thorough() { 1000 } else { 300 };
    let names: Vec<String> = (0..count).map(|n| format!("d{n}/f.log")).collect();
    for name in &names {
        std::fs::create_dir(folder.path(name).parent().unwrap()).unwrap();
        folder.append(name, "start\n");
    }
    let rread = folder.rread(&format!("--raw {}", names.join(" ")));
    until("all starts", || rread.bytes().len() == 6 * count);
    for name in names.iter().rev() {
        folder.append(name, format!("{name}\n"));
    }
    let expected = 6 * count + names.iter().map(|name| name.len() + 1).sum::<usize>();
    until("all lines", || rread.bytes().len() >= expected);
    let text = rread.text();
    assert!(
        names
            .iter()
            .all(|name| text.matches(&format!("{name}\n")).count() == 1
                || text.contains(&format!("\n{name}\n")))
    );
    assert_eq!(text.len(), expected);
}
