//! A walk over times that remembers the minute reads what a look at each time reads.

use jiff::civil::date;
use jiff::{SignedDuration, Timestamp};
use rread_text::timestamp::{Minute, TimeContext, detect, zone};

/// A small generator (xorshift64).
struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[usize::try_from(self.below(items.len() as u64)).unwrap()]
    }
}

const ZONES: [&str; 5] = ["UTC", "Europe/Berlin", "America/St_Johns", "Africa/Monrovia", "+05:30"];
const FORMATS: [&str; 6] = [
    "%Y-%m-%d %H:%M:%S.%3f x",
    "%Y-%m-%dT%H:%M:%S%:z x",
    "%b %e %H:%M:%S host x",
    "%m/%d/%Y %I:%M:%S %p x",
    "%Y-%m-%d %H:%M:%S UTC x",
    "%s.%3f x",
];

#[test]
fn the_minute_of_the_last_record_changes_nothing() {
    let mut rng = Rng(0x9E37_79B9_7F4A_7C15);
    // Clocks are set, years end, and leap days come near these dates.
    let dates = [(2025, 3, 30), (2025, 10, 26), (2025, 11, 2), (2024, 12, 31), (2024, 2, 29), (1972, 1, 7)];
    for case in 0..if cfg!(miri) { 5 } else { 600 } {
        let name = rng.pick(&ZONES);
        let time_zone = zone(Some(name)).unwrap();
        let (year, month, day) = rng.pick(&dates);
        let start = date(year, month, day).at(0, 0, 0, 0).to_zoned(time_zone.clone()).unwrap().timestamp();
        let mut at = start + SignedDuration::from_secs(i64::try_from(rng.below(90_000)).unwrap());
        let format = rng.pick(&FORMATS);
        let reference = at + SignedDuration::from_hours(i64::try_from(rng.below(48)).unwrap() - 24);
        let context = TimeContext::new(time_zone.clone(), reference);
        let mut lines = Vec::new();
        for _ in 0..60 {
            let step = rng.pick(&[0, 1, 17, 60, 3601]);
            at += SignedDuration::from_millis(step * 1000 + i64::try_from(rng.below(900)).unwrap());
            lines.push(at.to_zoned(time_zone.clone()).strftime(format).to_string());
        }
        let Some(found) = detect(lines.iter().map(String::as_bytes)) else { continue };
        let minute = Minute::default();
        for line in &lines {
            let near: Option<Timestamp> = found.time_near(line.as_bytes(), &context, &minute);
            assert_eq!(near, found.time_of(line.as_bytes(), &context), "{case} {name}: {line}");
        }
    }
}
