//! `docs/times.md` against the table of formats, and against the logs of `RREAD_CORPUS`.

use std::path::Path;
use std::{env, fs};

use rread_text::timestamp::{ABBREVIATIONS, FORMATS, detect};

use super::utc;

const PAGE: &str = "\
# Times in logs

```console
$ rread lines fixtures/service.log --since 06:01 --until 06:01:03.2 --tz UTC
---
path: fixtures/service.log
lines: 99-101
range: 10763-11087
total: 53860
content_bytes: 324
time:
  first: \"2024-03-11T06:00:00.055+00:00\"
  last: \"2024-03-11T06:04:42.039+00:00\"
  since: \"2024-03-11T06:01:00+00:00\"
  until: \"2024-03-11T06:01:03.2+00:00\"
  format: rfc3339
  source: guess
  zone: UTC
version: …
---
2024-03-11T06:01:00.745Z INFO  http    request id=cd93cba6 method=GET path=/api/v1/orders/72781 status=200 bytes=27500 ms=88
2024-03-11T06:01:03.160Z DEBUG cache   hit key=customer:94004 ttl=278s
2024-03-11T06:01:03.182Z INFO  http    request id=2321b473 method=GET path=/api/v1/customers/31272 status=200 bytes=20057 ms=64
$ rread search ERROR fixtures/service.log.gz --since 06:02 --until +1m --tz UTC -c --raw
5
```

`rread lines FILE --since T --until T` returns the records of a window of time: since <= time < until. `rread search PATTERN FILE --since T`
searches them. `rread where FILE --time T` reports the line and the byte of the first record at or after T. All find the window by bisection, so they read little of a file of any size. FILE is everything that `rread` reads.
`rread stat FILE` shows the [first and the last time](#stat), `rread follow FILE --since T --until T` prints a window [while it is written](follow.md#a-window-of-time), and [`rread view`](view.md#a-window-of-time) shows it full-screen.

| T | |
|---|---|
| `2026-11-23T06:01`, `2026-11-23`, `'Nov 23 06:01'` | a time in any of the [formats](#formats) or in that of the file, also without seconds; a date is its midnight; if it has no year, its year is that of the log |
| `06:01`, `06:01:30.5`, `'6:01 PM'`, `14:36:31Z` | a time of day, on the date of the last record in the zone of the log |
| `now`, `today`, `yesterday`, `'yesterday 06:01'` | |
| `15m`, `-15m`, `'2d 4h'`, `'15 minutes ago'`, `now-15m` | before now, as in docker, kubectl, journalctl and Grafana |
| `@1795415164` | seconds since 1970 |
| `+10m` | after `--since`, for `--until` |

| option | meaning |
|---|---|
| `--tz ZONE` | the zone of times without one and of T: `Europe/Berlin`, `UTC`, `+02:00`; without it that of the system |
| `--tz FILE=ZONE` | the zone of the times in one of several files; may be given for each of them |
| `--time-format FORMAT` | the format of the times, as in strptime: `'%d.%m.%y %H:%M:%S'`; rread looks for it in the whole file |
| `--year Y` | the year of the last record, if records do not have theirs |
| `--slack DURATION` | how much earlier a record may be than one before it (10 s) |
| `--scan` | look at every record, and for other formats in every line |

- The receipt has `time`: the first and the last record, and the window as rread understood T. If the window begins after the last record, `hint` is the command that reads the end of the log; text has it in a note on standard error.
- An empty window is a success without content. `range` says where it would be.
- The slice is one range of bytes, so `next` is in bytes, and after the window it goes on with as many. `lines` has the line numbers if they are cheap to count, or with `-n`.
- If the log has only seconds since boot (`boot`), T is such a number, or counts back from the last record: `--since -20s`.
- Two times of day are one window: `--since 22:30 --until 02:00` is one night, the last that began before the last record. A
  window after the last record is of the day before if only that can be in the log. Several files have one window: the day is that
  of the last record of all of them, and a note says so if the files end on other days.
- If no sample of the file has a time that rread recognises, the exit code is 6, and the error shows the first line. Files of up to
  64 MiB are then read to their first time, and all files with `--scan` or `--time-format`. Files that `rread search` finds in
  a directory are skipped after the samples.
- `source` in `time` is `guess`, or `given` with `--time-format`. What is read is held against the guess: a line that looks like a
  record and has another format, or a record years before the one that it follows, is the notice `guess_contradicted`, with
  the place of the first.

## stat

```console
$ rread stat fixtures/service.log --tz UTC | grep -A 5 ^time
time:
  first: \"2024-03-11T06:00:00.055+00:00\"
  last: \"2024-03-11T06:04:42.039+00:00\"
  format: rfc3339
  source: guess
  zone: UTC
$ rread stat fixtures/service.log --since 06:01 --until 06:02 --tz UTC | grep ^range
range: 10763-22346
```

`rread stat` has `time` without a scan: it reads the first 8 KiB and the last 16 KiB. `--tz` and `--time-format` work as above.

- `last` is left out if the last 16 KiB have no time, and if reading them costs more: a compressed file without a line index
  or `--count`, a stream, a large object. A year that the records leave out then comes from the modification time, or from a
  29 February in the first 8 KiB.
- If records leave out their years and `last` is read, rread also looks between the first 8 KiB and the last 16 KiB for a new
  year and for a 29 February, by bisection: the years of a log of up to one year are those of `rread lines`.
- `time` is left out, without an error, unless more than half of the lines in the first 8 KiB (64 at most) have a time in one format at
  one position, and there are two records. Lines that begin with a blank do not count. So source code with a date has no
  `time`; a changelog whose entries have times of day has one. With `--time-format`, one line is enough. The last 16 KiB may have
  another format.
- With `--since` or `--until`, `stat` finds the window as `lines` does, at the same cost and with the same errors. `time` then has
  `since` and `until` too, and `range` has its bytes. With `--scan`, `range` is from the first record in the window to the last. The same
  options with `rread lines` return the content and the line numbers.

## Several files in the order of time

```console
$ rread lines fixtures/service.log fixtures/service.log.gz --merge --since 06:01 --until +1s --tz UTC -f text
fixtures/service.log:99:2024-03-11T06:01:00.745Z INFO  http    request id=cd93cba6 method=GET path=/api/v1/orders/72781 status=200 bytes=27500 ms=88
fixtures/service.log.gz:99:2024-03-11T06:01:00.745Z INFO  http    request id=cd93cba6 method=GET path=/api/v1/orders/72781 status=200 bytes=27500 ms=88
```

`rread lines FILE... --merge` returns the records of all files in the order of their times; of equal times, in the order of the
FILEs. Each file may have its own formats and its own zone (`--tz db.log=Europe/Berlin`), and may be compressed, an object, a member
of an archive or a pipe. `rread search PATTERN FILE... --merge` returns the lines that match in this order. Their context (`-A`, `-B`,
`-C`) is that of the merged text: `rread search ERROR *.log --merge -m 1 -B 5` shows the first error of all services after the five
lines that came before it, whatever file they are in; `--last 1` shows the last one.

- The order of a file stays. A record that is earlier than one before it in its file follows that one directly, as with `sort -m`;
  `out_of_order` in the receipt counts them. Lines before the first time of a file come with its first record.
- Text, frontmatter and XML have `path:line:` before each line if there are several files, which `rread ranges --from -` reads;
  `--no-path` leaves it out. Raw has the bytes alone, and a last line without a newline gets one. JSON has a segment for each run
  of records of one file.
- There is one [receipt](receipts.md#files-merged-by-time). `next` has one place for each file, such as `ranges a.log:b812: b.log:b90:
  --merge`, and `rread ranges` goes on exactly there, also between records of the same time and inside a record. Where a budget cuts
  a search, lines of context beside the cut are left out.
- In a search, `path:12:` stands before lines that match and `path-11-` before context, and `--` between groups that do not touch in
  the merged text. A segment of JSON has lines of one file; one without `matches` has only context. Context may be before or after the
  window of `--since` and `--until`.
- `--since` and `--until` find their window in each file by bisection. Times of day are of one day in all files, and T is in the
  zone of `--tz ZONE`, whatever that of a file is.
- A file without times has exit code 6 and is reported, and the others are merged. An empty file has no records.
- Memory does not grow with the files. rread reads the first time of each file and closes it; a file is opened again when the merge
  reaches its first record. 16 files or fewer stay open. A stream is read to its end first.
- Where a clock shows an hour twice, the records of its second pass are out of order.
- RANGES are taken in the order of the file, and each line once. A format that no sample of a file shows is found with `--scan`, which
  reads each file twice. A log that has seconds since boot alone comes before all others.
- `rread follow FILE... --merge` prints records [as they come](follow.md#several-files-in-the-order-of-time), and
  `rread view FILE... --merge` [shows them full-screen](view.md#several-logs-in-the-order-of-time).

## Order

- Records may be out of order by `--slack`. rread finds all records of the window, and returns everything from the first of them to the last. A
  record between them may be outside the window.
- In a file of up to 1 MiB, rread looks at every record. If they are out of order by more than `--slack`, it returns exactly the
  records of the window, as with `--scan`. A compressed file counts with the size of its text.
- In a larger file, if the records that rread looks at are out of order by more, it looks at every record of a file of up to
  64 MiB; above, the receipt has `notices: [unordered]`, and records may be missing. A log of any size has it if it has more than a year of times without years.
- `--scan` reads the whole file and returns exactly the records of the window, as several segments if they are apart.
- Where clocks were set, records without a zone are out of order by that much. rread returns exactly the records of the window there,
  both passes of an hour that the clock shows twice. The receipt has `notices: [ambiguous_time]` if T is a time that no clock
  showed, or that it showed twice and either T or the records have a zone. T with an offset (`2026-10-25T02:30:00+01:00`) is one moment:
  each record without a zone is in the window that can be of it.

## Cost

- A file of up to 1 MiB is read two or three times. If its records are few, leave out their years and have formats that no sample has,
  that is up to six times.
- A window in a larger file takes at most about 40 reads of 32 KiB for each end, and as much of the log as `--slack` covers: 2.3 MB in a log of 1 TiB and one year.
- Long records cost more: a read goes on to the next line that has a time. All reads of a larger file together are at most four times the file.
- A compressed file or a stream is read to its end the first time. `rread search` counts the lines before the window, for their numbers.

## Records

```text
2026-11-23 06:26:04,123 ERROR request failed
java.io.IOException: broken pipe
\tat org.example.Main.run(Main.java:12)
2026-11-23 06:26:05,017 INFO  request repeated
```

These are two records. A record is a line with a time, and the lines without one after it. rread finds the formats and
the positions of the times in samples of 64 lines: at the head, at the end and at seven places in between (one in objects and
compressed files); a file of up to 64 KiB is a sample as a whole. `format` in the receipt names all of them. So a log may begin
with any preamble, change its format, and have stretches without times. rread also looks for other
formats in the lines that it passes at both ends of a window, and with `--scan` and in files of up to 1 MiB in every line. There, lines
that have records between them must have the time before their first word, because dates elsewhere are often part of a record.

A line whose time is of another format or at another position begins a record only if it lies between the records around it, with two
days for their zones: a row of data with a date of its own belongs to its record. The first line of a file that begins with a
time is a record, whatever the others are. A byte order mark at the beginning of a line is not a part of it.

## Formats

";

const RULES: &str = "
- A time is read as a whole or not at all. What stands beside the clock and looks like a part of the time belongs to it: the
  fraction, AM or PM, the zone, the year. If one of them cannot be read, such as the zone `UTC+25`, the line has no time.
- A fraction has 1 to 9 digits after `.` or `,`, or 3, 6 or 9 after `:`. More digits after `.` are dropped. After `,` they are another column.
- AM and PM have any spelling (`AM`, `pm`, `p.m.`, `a. m.`, `(PM)`), after a blank, `_`, `-` or none, and stand before the zone; `上午`, `午後` and
  `오후` before the clock.
- A tab counts as a blank.
- Between date and clock are `T`, `_`, blanks, a tab, `,`, `;`, `|`, `:`, `-` or `at`, or each is in brackets: `[2026-11-23] [06:26:04]`.
- A year may stand before the date or after the clock, as in `2026 Nov 23 06:26:04` and `Nov 23 06:26:04 2026`.
- A leap second (`23:59:60`) is the second before it.
- The order of a date of three numbers, such as `11/12/2026 06:26:04`, is what other lines of the samples show: a number above 12
  is not a month. Of dates with two digits for the year, the number that stays while the day moves is the year. An order that
  makes a date later than the modification of the file, or than now, loses. An order whose last date is the day of that modification, give or
  take one, wins. Then the year is first in lines that name a program of Spark or Hadoop (`spark`); between dots the day is, unless the
  other order alone gives a date of the file's year or the one before; with AM or PM the month is (`us`). Without evidence, and in a log
  where more than a quarter of the lines has such dates, rread refuses to guess: the error names the days that a date may be, and the
  `--time-format` that reads it with the day first. A time of day alone is not recognised.
- All records of 11 November fit both orders: a log of that day alone is read, and that day in a longer log shows no order.
- Names of months are those of English, German, French, Spanish, Portuguese, Italian and Dutch, whole or short
  (`29-Okt-2025`, `29 févr. 2024`).
- Numbers count as seconds since 1970 only from 2001-09-09 to 2099, only if no line has a date, only if three quarters of those that
  differ from the one before are more by up to a year, only if the last is not less than the first, and after a word only if
  the lines do not begin with a clock. In JSON members and with a fraction at the beginning of a line they count as dates do.

## Places

- A time begins within the first 128 bytes of a line: at an offset, or after the n-th blank, bracket or other byte if the
  text before it varies in length. In each sample, rread takes the format and position that most lines have, and the earliest of
  these; then those of the other lines, if two of them have it before their first word, or most of them elsewhere.
- Before a line's first word, the format must be in a quarter of the lines. Elsewhere, and for formats that are only
  numbers (`hdfs`, `boot`, `epoch`), it must be in more than half. Lines that begin with a blank continue a record and do
  not count.
- If no sample has such a format, records may have many lines: two lines with a date and a clock at one position are enough,
  before the first word among any number of lines, and elsewhere if one of 256 lines has it. Of several positions, rread
  takes one whose times rise and that most lines have; a line counts four times if the time is before its first word. If the first
  line of the file begins with its time, this line is enough. rread looks in all lines of files of up to 1 MiB and with
  `--scan`; else first in the samples, and then, up to 64 MiB, in all lines.
- A line whose only time is at another position belongs to the record before it. If most lines begin with a time of day, a date in
  some of them is of their text, and the log has no window.
- Of two readings of one place, the one that reads more is taken.
- In JSON lines, the time is a member `time`, `timestamp`, `ts`, `@timestamp` or `date` at the top level: a text in any
  of the formats, or a number of the format `epoch`; else a member of any name of which nine of ten values are times as a
  whole, those that rise first; a number only if its name says that it is a time and most lines have no text that begins with a date,
  at any depth. A number that does not rise yields to a date that does. Without such a member, it is a date in an inner object, which must
  rise if there are three. The member may stand anywhere in a line of any length. A date
  inside a longer text is not the time of the record.
- Lines may have a prefix: the name of a service, a pod, a job or a file before a bar, a bracket, a blank, a tab or a colon (`web-1  | `,
  `[pod/web/app] `). rread takes a prefix away if nine of ten lines have it and more lines have a time after it than without; one word
  and a bar, also after the clock of foreman and honcho (`16:04:01 web.1  | `), and a pod in brackets, in any case. The lines of each prefix then count for themselves, so any number of programs may
  write one log, each with its own format; JSON is read after a prefix too. A line of another program behind a prefix that is not taken
  away is said (`guess_contradicted`).
- A log of the W3C format whose lines have the field `time` alone has its days from `#Date`, and a new one after midnight.

## Zones and years

- A record is in its own zone if it has one, else in the given zone, else in that of the system. Zones are `Z`, `UTC`, `GMT`,
  offsets (`+01`, `+0100`, `+01:00`), both together (`UTC+2`, `GMT-0800 (PST)`), names (`Europe/Berlin`) and abbreviations;
  after a blank also in brackets (`[UTC]`, `(+0100)`).
- An abbreviation that the given zone uses is that of this zone. Others have one meaning: FREQUENT. They are read in any case, but words such as
  `cat` and `met` only in capitals. These are read only in capitals, and not in brackets: RARE. `CST`, `CDT` and `IST`
  have several, in Chicago, Shanghai and Havana, or in India, Israel and Ireland: without `--tz America/Chicago` the line has no
  time, and if no line has one the error says so. If all records have another word of three to five capitals after their times, `time` has
  it as `zone_unread`.
- When clocks are set forward, a time that no clock showed is read as if they were not set yet. When they are set back,
  a time that exists twice is the first one (RFC 5545, section 3.3.5).
- `syslog`, `klog`, `android`, `proxifier` and `chrome` have no year. The last record has the latest year in which it is at most a
  day after the best date known: `--year`, that of the member in its archive, that in the header of a `.gz`, the modification of the
  file. A record that follows with a year is better still. Every other record has the latest year in which it is at most a day after
  the next one: a step back by more than a day is a new year. rread counts such steps in files of up to 1 MiB and with `--scan`, and
  between the samples of larger files. A 29 February is in a leap year, and the others are counted from it. If the day of the
  week stands before the date, the year is the last in which the date has it.

## Real logs

The lines of `HPC_2k.log` are not in the order of their numbers; `--time-format %s` reads it. Samples of 2,000 lines from the collection [loghub](https://github.com/logpai/loghub):

| log | format | position | lines with a time |
|---|---|---|--:|
";

/// Made from the collection by the test below.
const LOGS: &str = "\
| Apache_2k.log | ctime | byte 1 | 100.0 % |
| HPC_2k.log | none | | |
| Hadoop_2k.log | rfc3339 | byte 0 | 100.0 % |
| Linux_2k.log | syslog | byte 0 | 100.0 % |
| OpenSSH_2k.log | syslog | byte 0 | 100.0 % |
| Proxifier_2k.log | proxifier | byte 1 | 100.0 % |
| Spark_2k.log | spark | byte 0 | 100.0 % |
| Zookeeper_2k.log | rfc3339 | byte 0 | 100.0 % |
";

/// Tried by hand, with files of four lines.
const PEERS: &str = "
## Against other programs

The first time of a log of such lines, in UTC, as rread, lnav 0.11.1 (`log_time`) and the function `parse` of Python's dateutil 2.9.0 read
it. dateutil takes the sign of `GMT+0200` as POSIX does.

| line | rread | lnav | dateutil |
|---|---|---|---|
| `2024-03-11 01:05:00 PM` | 2024-03-11 13:05:00 | 2024-03-11 01:05:00 | 2024-03-11 13:05:00 |
| `11 Mar 2024 01:05:00 PM` | 2024-03-11 13:05:00 | 2024-03-11 01:05:00 | 2024-03-11 13:05:00 |
| `2024-03-11T01:05:00.000 PM` | 2024-03-11 13:05:00 | 2024-03-11 01:05:00 | 2024-03-11 13:05:00 |
| `2024-03-11 13:05:00:481-0800` | 2024-03-11 21:05:00.481 | 2024-03-11 13:05:00 | not recognised |
| `Mon Mar 11 2024 13:05:00 GMT+0200 (CEST)` | 2024-03-11 11:05:00 | not recognised | 2024-03-11 13:05:00-02:00 |
| `2024-03-11 13:05:00 UTC+02:00` | 2024-03-11 11:05:00 | 2024-03-11 13:05:00 | 2024-03-11 13:05:00-02:00 |
| `2024 Mar 11 13:05:00` | 2024-03-11 13:05:00 | 2024-03-11 13:05:00 | 2024-03-11 13:05:00 |
| `Mar 11 13:05:00 2024` | 2024-03-11 13:05:00 | 2026-03-11 13:05:00 | 2024-03-11 13:05:00 |
| `2024-03-11\\t13:05:00` | 2024-03-11 13:05:00 | 2024-03-11 23:33:20 | 2024-03-11 13:05:00 |
| `2024-03-11,13:05:00` | 2024-03-11 13:05:00 | 2024-03-11 23:33:20 | not recognised |
| `2024-03-11\\|13:05:00` | 2024-03-11 13:05:00 | 2024-03-11 23:33:20 | not recognised |
| `2024-03-11  13:05:00` | 2024-03-11 13:05:00 | 2024-03-11 23:33:20 | 2024-03-11 13:05:00 |
| `[2024-03-11] [13:05:00]` | 2024-03-11 13:05:00 | 2024-03-11 23:33:20 | not recognised |
| `[03/25/2024, 01:05:00 PM]` | 2024-03-25 13:05:00 | not recognised | not recognised |
| `2024-03-11 01:05:00PM` | 2024-03-11 13:05:00 | 2024-03-11 01:05:00 | 2024-03-11 13:05:00 |
| `[3/25/24 13:05:00:000 UTC]` | 2024-03-25 13:05:00 | 2024-03-25 13:05:00 | not recognised |
| `03/25/24,13:05:00` | 2024-03-25 13:05:00 | not recognised | not recognised |
| `2024.03.11 13:05:00` | 2024-03-11 13:05:00 | not recognised | 2024-03-11 13:05:00 |
| `24-03-11 13:05:00` | 2024-03-11 13:05:00 | not recognised | 2011-03-24 13:05:00 |
| `20240311_130500` | 2024-03-11 13:05:00 | not recognised | not recognised |
| `2024-03-11-13.05.00.123456-300` | 2024-03-11 18:05:00.123456 | 2024-03-11 23:33:20 | not recognised |
| `=INFO REPORT==== 11-Mar-2024::13:05:00` | 2024-03-11 13:05:00 | not recognised | not recognised |
| `# Time: 2024-03-11T13:05:00Z` | 2024-03-11 13:05:00 | not recognised | not recognised |
| `[0311/130500.123:ERROR:x]` | 2026-03-11 13:05:00.123 | not recognised | not recognised |
| `20/Feb/2023 13:05:00` | 2023-02-20 13:05:00 | not recognised | 2023-02-20 13:05:00 |
| `2023-02-20T13:05-08:00` | 2023-02-20 21:05:00 | 2023-02-20 13:05:20 | 2023-02-20 13:05:00-08:00 |
| `[05.123s][info][gc]` | 5.123000 | not recognised | not recognised |
| `2024-W11-1T13:05:00Z` | 2024-03-11 13:05:00 | not recognised | not recognised |
| `2024-071T13:05:00Z` | 2024-03-11 13:05:00 | 2024-07-31 23:33:20 | not recognised |
| `@4000000065eef0560ab21e6c` | 2024-03-11 11:51:40.179445356 | 2024-03-11 11:51:40.179 | not recognised |
| `#1479559805` | 2016-11-19 12:50:05 | not recognised | not recognised |
| `02/01/03 13:05:00` | not recognised | 2003-02-01 13:05:00 | 2003-02-01 13:05:00 |
";

fn page() -> String {
    let mut page = format!("{PAGE}| name | example | specification, programs |\n|---|---|---|\n");
    for format in FORMATS {
        page += &format!("| {} | `{}` | {} |\n", format.name, format.example, format.specification);
    }
    let rules = RULES.replace("FREQUENT", &abbreviations(|(minutes, any, _)| (*minutes, any)));
    page + &rules.replace("RARE", &abbreviations(|(minutes, _, rare)| (*minutes, rare))) + LOGS + PEERS
}

/// A column of the table of abbreviations in words.
fn abbreviations(column: fn(&(i32, &'static str, &'static str)) -> (i32, &'static str)) -> String {
    let names = ABBREVIATIONS.iter().map(column);
    let names = names.flat_map(|(minutes, names)| names.split_whitespace().map(move |name| (name, minutes)));
    let words = names.map(|(name, minutes)| {
        let (sign, minutes) = (if minutes < 0 { '-' } else { '+' }, minutes.abs());
        format!("`{name}` {sign}{:02}:{:02}", minutes / 60, minutes % 60)
    });
    words.collect::<Vec<_>>().join(", ")
}

#[test]
fn the_page_has_the_formats_of_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/times.md");
    if env::var_os("RREAD_REGENERATE").is_some() {
        fs::write(path, page()).unwrap();
    }
    assert!(
        fs::read_to_string(path).unwrap().replace("\r\n", "\n") == page(),
        "docs/times.md is not current: .ci/regenerate"
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
