//! The table of formats that rread recognises, with their specifications.

/// A format of times in logs.
#[derive(Debug)]
pub struct Format {
    /// The name in receipts and documents.
    pub name: &'static str,
    /// The specification, or the programs that write it.
    pub specification: &'static str,
    /// A time as it stands in a line.
    pub example: &'static str,
    /// See `pattern.rs`.
    pub(super) pattern: &'static str,
    pub(super) evidence: Evidence,
    /// A date of three numbers whose order other lines must show.
    pub(super) order: Option<(Dates, Order)>,
}

/// How much a line that has the format says about a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Evidence {
    /// Only times of one program look like it.
    Marked,
    /// Hardly anything but a time looks like it.
    Distinct,
    /// A number with a fraction: hardly anything but a time is one at the beginning of a line.
    Fraction,
    /// A number, which may be many things.
    Number,
}

/// Dates that have the same form and another order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dates {
    Slashes,
    SlashesOf12Hours,
    Dashes,
    ShortSlashes,
    ShortDashes,
    ShortDots,
}

/// Which of three numbers comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Year,
    Month,
    Day,
}

impl Format {
    const fn with_evidence(self, evidence: Evidence) -> Format {
        Format { evidence, ..self }
    }

    const fn with_order(self, dates: Dates, order: Order) -> Format {
        Format { order: Some((dates, order)), ..self }
    }
}

const fn row(
    name: &'static str,
    pattern: &'static str,
    example: &'static str,
    specification: &'static str,
) -> Format {
    Format { name, specification, example, pattern, evidence: Evidence::Distinct, order: None }
}

/// A time of day alone, where directives of the log name the day.
pub(super) static W3C_TIME: Format =
    row("w3c-time", "%c", "06:26:04", "W3C Extended Log File Format, the field `time`");

/// If two formats explain the same lines at the same position, the first one wins.
#[rustfmt::skip]
pub static FORMATS: &[Format] = &[
    row("rfc3339", "%F%t%c", "2026-11-23T06:26:04.123456+01:00", "RFC 3339; ISO 8601, extended. Also with a blank, a tab, `_`, `,` or `|` for `T`, `,` or `:` for `.`, ` UTC`, and without zone: log4j, Python, Ruby, PostgreSQL, `journalctl -o short-iso`"),
    row("minutes", "%F%t%h", "2026-11-23T06:26-08:00", "ISO 8601, extended, without seconds"),
    row("minutes", "%Y%/%m%/%d%t%h", "2026/11/23 06:26", "the same with slashes or dots"),
    row("minutes", "%e %b %Y%t%h", "23 Nov 2026 06:26", "day, month and year, without seconds"),
    row("minutes", "%a %b %e %h%!", "Mon Nov 23 06:26", "the first words of `date`, without seconds"),
    row("week-date", "%w%t%c", "2026-W48-1T06:26:04Z", "ISO 8601, week date"),
    row("ordinal-date", "%j%t%c", "2026-327T06:26:04Z", "ISO 8601, ordinal date"),
    row("year-month", "%Y%/%b%/%e%t%c", "2026 Nov 23 06:26:04", "`%Y %b %e` of strftime: OSSEC, archives of syslog"),
    row("syslog-year", "%b%~%e %c %G%z", "Nov 23 06:26:04 2026", "RFC 3164 with the year last; Cisco IOS"),
    row("syslog", "%b%~%e %c%!", "Nov 23 06:26:04", "RFC 3164, section 4.1.2; `journalctl -o short` and `short-precise`; with `-` after the month, Nextflow and libdnf"),
    row("clf", "%d/%b/%Y:%c", "[23/Nov/2026:06:26:04 +0000]", "Common log format: `%t` of Apache's mod_log_config, `$time_local` of nginx, HAProxy"),
    row("clf-blank", "%d/%b/%Y%t%c", "23/Nov/2026 06:26:04", "the same with a blank before the clock"),
    row("ctime", "%a %b %e %T%f %Y%z", "Mon Nov 23 06:26:04.123456 2026", "`ctime` of ISO C; error log of Apache, `dmesg -T`, git"),
    row("date", "%a %b%~%e %c %Y", "Mon Nov 23 06:26:04 UTC 2026", "`date` of POSIX in the POSIX locale; in that of the USA with AM or PM"),
    row("javascript", "%a %b %e %Y%t%c", "Mon Nov 23 2026 06:26:04 GMT+0100 (CET)", "`Date.prototype.toString` of ECMAScript"),
    row("rfc2822", "%a, %e %b %Y%t%c", "Mon, 23 Nov 2026 06:26:04 +0100", "RFC 2822, section 3.3; RFC 9110, section 5.6.7"),
    row("short-full", "%a %F%t%c", "Mon 2026-11-23 06:26:04 UTC", "`journalctl -o short-full`"),
    row("klog", "%L%m%d %T%f", "I1123 06:26:04.123456", "klog of Kubernetes, glog before 0.6"),
    row("glog", "%L%Y%m%d %T%f", "I20261123 06:26:04.123456", "glog since 0.6"),
    row("slashes", "%Y/%m/%d%t%c", "2026/11/23 06:26:04", "error log of nginx, package `log` of Go"),
    row("year-dots", "%Y.%m.%d%t%c", "2026.11.23 06:26:04", "MetaTrader, Hungarian and Korean locales"),
    row("dash-clock", "%Y%/%m%/%d%i%K%f%x", "2026-11-23 06-26-04", "names of files as times: reports of Synology"),
    row("iso-mixed", "%F%t%C%f%x", "2026-11-23T062604Z", "ISO 8601, a date in extended and a time in basic form"),
    row("loose", "%Y%1%t%l", "2026\\11\\23 6:26:4", "numbers without leading zeros, also after `\\`: logs of Windows"),
    row("unreal", "%Y.%m.%d-%D%g", "[2026.11.23-06.26.04:123]", "Unreal Engine"),
    row("military", "%d%b%Y%t%C%f%x", "23NOV2026T062604Z", "a date without separators; access logs of lynx"),
    row("setupact", "[%m/%d/%Y %q", "[11/23/2026 06:26.04.123]", "`setupact.log` and UMDF of Windows").with_evidence(Evidence::Marked),
    row("log4j-xml", "timestamp=\"%s\"", "timestamp=\"1795415164123\"", "the XML layout of log4j").with_evidence(Evidence::Marked),
    row("auditd", "audit(%E", "audit(1795415164.123:99)", "auditd of Linux").with_evidence(Evidence::Marked),
    row("iso-basic", "%Y%m%d%k%C%x", "20261123T062604.123Z", "ISO 8601, basic; also with `_`, `-` or `:` for `T`"),
    row("fix", "%Y%m%d-%c", "20261123-06:26:04.123", "UTCTimestamp of FIX"),
    row("compact-date", "%Y%m%d%t%c", "20261123 06:26:04.123", "date of ISO 8601, basic, and a time"),
    row("db2", "%F-%D%f%o", "2026-11-23-06.26.04.123456-300", "Db2; the zone is in minutes"),
    row("cisco", "%b %e %Y%t%c", "Nov 23 2026 06:26:04.123", "`service timestamps log datetime year` of Cisco IOS, ASA"),
    row("redis", "%e %b %Y%t%c", "23 Nov 2026 06:26:04.123", "Redis, Valkey"),
    row("day-month", "%e %b %c %G", "23 Nov 06:26:04 GMT 2026", "`date` in British locales"),
    row("rfc850", "%e%/%b%/%y%t%c", "06-Nov-94 08:49:37 GMT", "RFC 850, as in RFC 9110, section 5.6.7; RFC 822, section 5.1"),
    row("dashes", "%e-%b-%Y%t%c", "23-Nov-2026 06:26:04.123", "BIND, PHP, Tomcat"),
    row("erlang", "=%W==== %e-%b-%Y::%c", "=INFO REPORT==== 23-Nov-2026::06:26:04", "`error_logger` of Erlang, RabbitMQ").with_evidence(Evidence::Marked),
    row("slow-log", "# Time: %F%t%c", "# Time: 2026-11-23T06:26:04.123456Z", "slow query log of MySQL since 5.7").with_evidence(Evidence::Marked),
    row("slow-log-old", "# Time: %y%m%d%t%c", "# Time: 261123  6:26:04", "slow query log of MySQL before 5.7, MariaDB").with_evidence(Evidence::Marked),
    row("history", "#%s", "#1795415164", "histories of Bash with `HISTTIMEFORMAT`").with_evidence(Evidence::Marked),
    row("tai64n", "@%N", "@400000006b03d8861d6f3454", "TAI64N: multilog of daemontools, svlogd, s6-log").with_evidence(Evidence::Marked),
    row("us", "%-m/%-d/%Y%t%p", "11/23/2026 06:26:04 AM", "Windows in the USA").with_order(Dates::SlashesOf12Hours, Order::Month),
    row("day-first-12", "%-d/%-m/%Y%t%p", "23/11/2026 06:26:04 AM", "Windows in Australia and India").with_order(Dates::SlashesOf12Hours, Order::Day),
    row("us-24", "%-m/%-d/%Y%t%l", "11/23/2026 06:26:04", "the order of the USA with 24 hours").with_order(Dates::Slashes, Order::Month),
    row("day-first", "%-d/%-m/%Y%t%l", "23/11/2026 06:26:04", "the order of most countries").with_order(Dates::Slashes, Order::Day),
    row("day-first-dashes", "%-d-%-m-%Y%t%c", "23-11-2026 06:26:04", "the same with dashes").with_order(Dates::Dashes, Order::Day),
    row("us-dashes", "%-m-%-d-%Y%t%c", "11-23-2026 06:26:04", "the order of the USA with dashes").with_order(Dates::Dashes, Order::Month),
    row("spark", "%y/%m/%d%t%c", "17/06/09 20:10:40", "log4j in Spark and Hadoop").with_order(Dates::ShortSlashes, Order::Year),
    row("us-short", "%-m/%-d/%y%t%c", "[11/23/26 6:26:04:123 UTC]", "WebSphere").with_order(Dates::ShortSlashes, Order::Month),
    row("day-first-short", "%-d/%-m/%y%t%c", "31/12/99 06:26:04", "the order of most countries, short").with_order(Dates::ShortSlashes, Order::Day),
    row("short-year", "%y-%m-%d%t%c", "99-11-23 06:26:04", "ISO 8601 of 1988").with_order(Dates::ShortDashes, Order::Year),
    row("us-short-dashes", "%-m-%-d-%y%t%c", "11-23-26 06:26:04", "the order of the USA, short, with dashes").with_order(Dates::ShortDashes, Order::Month),
    row("day-first-short-dashes", "%-d-%-m-%y%t%c", "31-12-99 06:26:04", "the same, day first").with_order(Dates::ShortDashes, Order::Day),
    row("java-logging", "%b %-d, %Y%t%c", "Nov 23, 2026 6:26:04 AM", "`java.util.logging.SimpleFormatter`"),
    row("dots", "%-d.%-m.%Y%t%c", "23.11.2026 06:26:04", "DIN 1355-1"),
    row("dots-short", "%-d.%-m.%y%t%c", "23.11.26 06:26:04", "the same with two digits of the year: FRITZ!Box").with_order(Dates::ShortDots, Order::Day),
    row("year-dots-short", "%y.%m.%d%t%c", "99.11.23 06:26:04", "the same, year first").with_order(Dates::ShortDots, Order::Year),
    row("android", "%m-%d%t%c", "11-23 06:26:04.123", "`logcat -v threadtime` of Android"),
    row("proxifier", "%m.%d%t%c", "[11.23 06:26:04]", "Proxifier"),
    row("chrome", "%m%d/%C%f%:", "[1123/062604.123456:ERROR:a.cc(1)]", "Chromium"),
    row("mysql", "%y%m%d%t%c", "261123 06:26:04", "MySQL before 5.7"),
    row("hdfs", "%y%m%d %C", "081109 203615", "log4j in HDFS").with_evidence(Evidence::Number),
    row("compact", "%Y%m%d %C", "20261123 062604", "ISO 8601, basic, with a blank").with_evidence(Evidence::Number),
    row("compact", "%Y%m%d.%C", "20261123.062604", "the same with a dot").with_evidence(Evidence::Number),
    row("chrome-short", "%m%d/%C", "1123/062604", "Chromium, as a member of JSON").with_evidence(Evidence::Number),
    row("boot", "[%u]", "[12345.678901]", "seconds since boot: `dmesg`, `journalctl -o short-monotonic`").with_evidence(Evidence::Number),
    row("uptime", "[%U]", "[12.345s]", "seconds since the start of a JVM: `-Xlog`").with_evidence(Evidence::Number),
    row("uptime", "[+%U]", "[+12.34s]", "seconds since the start of lightdm").with_evidence(Evidence::Number),
    row("epoch", "%E", "1795415164.123456", "seconds since 1970 (POSIX, 4.19) with a fraction: `journalctl -o short-unix`, Squid").with_evidence(Evidence::Fraction),
    row("epoch", "%s", "1795415164", "the same without one; 13, 16 or 19 digits are milli-, micro- or nanoseconds").with_evidence(Evidence::Number),
];

/// The formats of the table with dates of the same form.
pub(super) fn rows(format: &'static Format) -> Vec<&'static Format> {
    let Some((dates, _)) = format.order else { return vec![format] };
    FORMATS.iter().filter(|other| other.order.is_some_and(|(others, _)| others == dates)).collect()
}
