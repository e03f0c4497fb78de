//! `docs/times.md` against the table of formats, and against the logs of `RREAD_CORPUS`.

use std::path::Path;
use std::{env, fs};

use rread::internals::timestamp::{FORMATS, detect};

use crate::utc;

const PAGE: &str = "\
# Times in logs

```text
2026-11-23 06:26:04,123 ERROR request failed
java.io.IOException: broken pipe
\tat org.example.Main.run(Main.java:12)
2026-11-23 06:26:05,017 INFO  request repeated
```

These are two records. A record is a line with a time, and the lines without one after it. rread finds the format and
the position of the times in the first 64 lines that are not empty.

## Formats

";

const RULES: &str = "
- A fraction has 1 to 9 digits after `.` or `,`. More digits after `.` are dropped. After `,` they are another column.
- A leap second (`23:59:60`) is the second before it.
- A date whose order is ambiguous, such as `11/12/2026 06:26:04`, is not recognised. A time of day alone is not either.
- Numbers count as seconds since 1970 only from 2001-09-09 to 2099.

## Places

- A time begins within the first 128 bytes of a line: at an offset, or after the n-th blank, bracket or other byte if the
  text before it varies in length. rread takes the format and position that most lines have, and the earliest of these.
- Before a line's first word, the format must be in a quarter of the lines. Elsewhere, and for formats that are only
  numbers (`hdfs`, `boot`, `epoch`), it must be in more than half. Lines that begin with a blank continue a record and do
  not count.
- A line whose only time is at another position belongs to the record before it.
- In JSON lines, the time is a member `time`, `timestamp`, `ts`, `@timestamp` or `date` at the top level: a text in any
  of the formats, or a number of the format `epoch`.

## Zones and years

- A record is in its own zone if it has an offset, `Z`, `UTC` or `GMT`, else in the given zone, else in that of the
  system. Other abbreviations are ignored, because `CST` means three zones.
- When clocks are set forward, a time that no clock showed is read as if they were not set yet. When they are set back,
  a time that exists twice is the first one (RFC 5545, section 3.3.5).
- `syslog`, `klog`, `android` and `proxifier` have no year. The last record has the latest year in which it is at most a
  day after the modification of the file. Every other record has the latest year in which it is at most a day after the
  last one. 29 February is in a leap year. In a log of more than a year, dates are ambiguous.

## Real logs

Samples of 2,000 lines from the collection [loghub](https://github.com/logpai/loghub):

| log | format | position | lines with a time |
|---|---|---|--:|
";

/// Made from the collection by the test below.
const LOGS: &str = "\
| Apache_2k.log | ctime | byte 1 | 100.0 % |
| HPC_2k.log | epoch | after blank 4 | 100.0 % |
| Hadoop_2k.log | rfc3339 | byte 0 | 100.0 % |
| Linux_2k.log | syslog | byte 0 | 100.0 % |
| OpenSSH_2k.log | syslog | byte 0 | 100.0 % |
| Proxifier_2k.log | proxifier | byte 1 | 100.0 % |
| Spark_2k.log | spark | byte 0 | 100.0 % |
| Zookeeper_2k.log | rfc3339 | byte 0 | 100.0 % |
";

fn page() -> String {
    let mut page = format!("{PAGE}| name | example | specification, programs |\n|---|---|---|\n");
    for format in FORMATS {
        page += &format!("| {} | `{}` | {} |\n", format.name, format.example, format.specification);
    }
    page + RULES + LOGS
}

#[test]
fn the_page_has_the_formats_of_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/times.md");
    if env::var_os("RREAD_REGENERATE").is_some() {
        fs::write(path, page()).unwrap();
    }
    assert!(
        fs::read_to_string(path).unwrap().replace("\r\n", "\n") == page(),
        "docs/times.md: RREAD_REGENERATE=1 cargo test --test timestamp page"
    );
}

/// A row of the table for a log.
fn row(path: &Path) -> String {
    let bytes = fs::read(path).unwrap();
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
    let name = path.file_name().unwrap().to_str().unwrap();
    let Some(found) = detect(lines.iter().copied()) else { return format!("| {name} | none | | |\n") };
    let dated = lines.iter().filter(|line| found.time_of(line, &utc()).is_some()).count();
    let percent = 100.0 * dated as f64 / lines.len() as f64;
    format!("| {name} | {} | {} | {percent:.1} % |\n", found.format(), found.position())
}

#[test]
fn the_logs_of_the_corpus_are_recognised() {
    let Some(corpus) = env::var_os("RREAD_CORPUS") else {
        eprintln!("skipped: RREAD_CORPUS is not set");
        return;
    };
    let logs = fs::read_dir(Path::new(&corpus).join("logs")).unwrap();
    let mut logs: Vec<_> = logs.map(|log| log.unwrap().path()).collect();
    logs.sort();
    let table: String = logs.iter().map(|log| row(log)).collect();
    println!("{table}");
    assert_eq!(table, LOGS, "put the table into LOGS");
}
