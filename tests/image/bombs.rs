//! Files whose headers claim sizes that would take all time or memory.

use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use rread_testkit::sandbox::AtHome;
use rread_testkit::sandbox::Sandbox;

use super::pictures::{facts, png, tiff};

#[test]
fn a_declared_size_is_refused_before_anything_is_decoded() {
    let sandbox = Sandbox::new();
    sandbox.file("bomb.png", png(100_000, 100_000, 8, 2));
    sandbox.file("bomb.tif", tiff(&[(256, 4, 1, u32::MAX), (257, 4, 1, u32::MAX)]));
    sandbox.file("bomb.gif", b"GIF89a\xFF\xFF\xFF\xFF\0\0\0,\0\0\0\0\xFF\xFF\xFF\xFF\0\x02\x02D\x01\0;");
    for (name, size) in
        [("bomb.png", "100000x100000"), ("bomb.tif", "4294967295x4294967295"), ("bomb.gif", "65535x65535")]
    {
        let run = sandbox.line(&format!("image {name} --thumbnail 10")).refused(2);
        assert!(run.stderr.contains(size) && run.stderr.contains("100000000"), "{run}");
        assert!(run.stderr.contains(&format!("hint: rread image {name} --no-data")), "{run}");
        sandbox.line(&format!("image {name} --no-data")).ok();
    }
}

#[test]
fn endless_headers_are_refused() {
    let started = Instant::now();
    let endless: [(&str, Vec<u8>); 4] = [
        ("segments", [b"\xFF\xD8".to_vec(), b"\xFF\xE0\0\x02".repeat(8 << 20)].concat()),
        ("fill bytes", [b"\xFF\xD8".to_vec(), vec![0xFF; 32 << 20]].concat()),
        (
            "large segments",
            [b"\xFF\xD8".to_vec(), [b"\xFF\xE0\xFF\xFF".to_vec(), vec![0; 0xFFFD]].concat().repeat(500)]
                .concat(),
        ),
        ("directory", tiff(&[(256, 4, 1, 5)].repeat(5000))),
    ];
    for (what, bytes) in endless {
        let error = facts(&bytes).unwrap_err();
        let words = match what {
            "directory" => "5000 entries",
            "large segments" => "ends inside its header",
            _ => "more than 16 MiB",
        };
        assert!(
            error.message.plain().starts_with("is a ") && error.message.plain().contains(words),
            "{what}: {error}"
        );
    }
    // Tables of strips that lie everywhere, and directories that point at themselves.
    let absurd =
        [(256, 4, 1, 5), (257, 4, 1, 5), (273, 4, u32::MAX, 8), (279, 4, u32::MAX, 8), (258, 3, u32::MAX, 8)];
    assert_eq!(facts(&tiff(&absurd)).unwrap().unwrap().width, Some(5));
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

#[test]
#[cfg_attr(any(feature = "cloud", feature = "sql"), ignore = "the program alone takes more, unoptimised")]
fn a_picture_of_a_hundred_megabytes_takes_no_memory() {
    let sandbox = Sandbox::new();
    let sound = png(10, 10, 8, 2);
    let large = [&sound[..33], &[6, 0, 0, 0], b"juNk", &vec![7; 6 << 24], &[0; 4], &sound[33..]].concat();
    sandbox.file("large.png", &large);
    let facts = sandbox.line("image large.png --no-data").ok();
    assert!(String::from_utf8_lossy(&facts.stdout).contains("width: 10\n"), "{facts}");
    assert!(sandbox.line("image large.png --raw").ok().stdout == large);
    #[cfg(target_os = "linux")]
    {
        let script = "ulimit -v 60000; exec \"$0\" image large.png --json | wc -c";
        let output = std::process::Command::new("sh")
            .args(["-c", script])
            .arg(rread_testkit::sandbox::binary())
            .at_home(&sandbox.home())
            .current_dir(sandbox.path("."))
            .output()
            .unwrap();
        let length: usize = String::from_utf8_lossy(&output.stdout).trim().parse().unwrap();
        assert!(length > large.len() / 3 * 4, "{output:?}");
    }
}
