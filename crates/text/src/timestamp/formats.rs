//! The table of formats that rread recognises, with their specifications.

/// A format of times in logs.
#[derive(Debug)]
pub struct Format {
    /// The name in receipts and documents.
    pub name: &'static str,
    /// Where it is specified, or which programs write it.
    pub specification: &'static str,
    /// A time as it stands in a line.
    pub example: &'static str,
    /// See `pattern.rs`.
    pub(super) pattern: &'static str,
    /// Whether hardly anything but a time looks like it. Numbers need more lines to count as times.
    pub(super) is_distinct: bool,
}

const fn distinct(
    name: &'static str,
    pattern: &'static str,
    example: &'static str,
    specification: &'static str,
) -> Format {
    Format { name, specification, example, pattern, is_distinct: true }
}

const fn numbers(
    name: &'static str,
    pattern: &'static str,
    example: &'static str,
    specification: &'static str,
) -> Format {
    Format { is_distinct: false, ..distinct(name, pattern, example, specification) }
}

/// If two formats explain the same lines at the same position, the first one wins.
///
/// A date whose order is ambiguous (`11/12/2026 06:26:04`) is not in the table: a wrong guess would be a wrong answer.
pub static FORMATS: &[Format] = &[
    distinct(
        "rfc3339",
        "%F%t%T%f%z",
        "2026-11-23T06:26:04.123456+01:00",
        "RFC 3339; ISO 8601, extended. Also with a blank or `_` for `T`, `,` for `.`, ` UTC`, and without zone: log4j, Python, Ruby, PostgreSQL, `journalctl -o short-iso`",
    ),
    distinct(
        "syslog",
        "%b %e %T%f",
        "Nov 23 06:26:04",
        "RFC 3164, section 4.1.2; `journalctl -o short` and `short-precise`",
    ),
    distinct(
        "clf",
        "%d/%b/%Y:%T%f%z",
        "[23/Nov/2026:06:26:04 +0000]",
        "Common log format: `%t` of Apache's mod_log_config, `$time_local` of nginx, HAProxy",
    ),
    distinct(
        "ctime",
        "%a %b %e %T%f %Y%z",
        "Mon Nov 23 06:26:04.123456 2026",
        "`ctime` of ISO C; error log of Apache, `dmesg -T`, git",
    ),
    distinct(
        "date",
        "%a %b %e %T %Z %Y",
        "Mon Nov 23 06:26:04 UTC 2026",
        "`date` of POSIX in the POSIX locale",
    ),
    distinct(
        "rfc2822",
        "%a, %e %b %Y %T%z",
        "Mon, 23 Nov 2026 06:26:04 +0100",
        "RFC 2822, section 3.3; RFC 9110, section 5.6.7",
    ),
    distinct("short-full", "%a %F %T%f %Z", "Mon 2026-11-23 06:26:04 UTC", "`journalctl -o short-full`"),
    distinct("klog", "%L%m%d %T%f", "I1123 06:26:04.123456", "klog of Kubernetes, glog before 0.6"),
    distinct("glog", "%L%Y%m%d %T%f", "I20261123 06:26:04.123456", "glog since 0.6"),
    distinct("slashes", "%Y/%m/%d%t%T%f%z", "2026/11/23 06:26:04", "error log of nginx, package `log` of Go"),
    distinct("spark", "%y/%m/%d %T%f", "17/06/09 20:10:40", "log4j in Spark and Hadoop"),
    distinct("iso-basic", "%Y%m%dT%H%M%S%f%z", "20261123T062604.123Z", "ISO 8601, basic"),
    distinct("compact-date", "%Y%m%d %T%f%z", "20261123 06:26:04.123", "date of ISO 8601, basic, and a time"),
    distinct("fix", "%Y%m%d-%T%f", "20261123-06:26:04.123", "UTCTimestamp of FIX"),
    distinct(
        "cisco",
        "%b %e %Y %T%f%z",
        "Nov 23 2026 06:26:04.123",
        "`service timestamps log datetime year` of Cisco IOS, ASA",
    ),
    distinct("redis", "%d %b %Y %T%f%z", "23 Nov 2026 06:26:04.123", "Redis, Valkey"),
    distinct("dashes", "%d-%b-%Y %T%f%z", "23-Nov-2026 06:26:04.123", "BIND, PHP, Tomcat"),
    distinct("us", "%-m/%-d/%Y %-I:%M:%S%f %p", "11/23/2026 06:26:04 AM", "Windows in the USA"),
    distinct(
        "java-logging",
        "%b %-d, %Y %-I:%M:%S %p",
        "Nov 23, 2026 6:26:04 AM",
        "`java.util.logging.SimpleFormatter`",
    ),
    distinct("dots", "%d.%m.%Y %T%f", "23.11.2026 06:26:04", "DIN 1355-1"),
    distinct("android", "%m-%d %T%f", "11-23 06:26:04.123", "`logcat -v threadtime` of Android"),
    distinct("proxifier", "%m.%d %T%f", "[11.23 06:26:04]", "Proxifier"),
    distinct("mysql", "%y%m%d %T%f", "261123 06:26:04", "MySQL before 5.7"),
    numbers("hdfs", "%y%m%d %H%M%S", "081109 203615", "log4j in HDFS"),
    numbers("boot", "[%u]", "[12345.678901]", "seconds since boot: `dmesg`, `journalctl -o short-monotonic`"),
    numbers(
        "epoch",
        "%s",
        "1795415164.123456",
        "seconds since 1970 (POSIX, 4.19): `journalctl -o short-unix`, Squid, auditd; 13, 16 or 19 digits are milli-, micro- or nanoseconds",
    ),
];
