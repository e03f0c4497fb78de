//! The Gregorian calendar, for any year: days since 1970-01-01.
//!
//! Years begin in March here, so that the leap day is the last of a year (Howard Hinnant, chrono-Compatible Low-Level Date
//! Algorithms).

/// Days from 0000-03-01 to 1970-01-01.
const EPOCH: i64 = 719_468;

/// Days since 1970-01-01; `None` if there is no such date.
#[inline]
pub(crate) fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=length).contains(&day) {
        return None;
    }
    let (year, from_march) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let of_year = (153 * from_march + 2) / 5 + day - 1;
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    Some(year * 365 + leap_days + of_year - EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_a_thousand_years_follows_the_day_before() {
        let (mut year, mut month, mut day) = (1600, 1, 1);
        for n in days(year, month, day).unwrap()..days(2600, 1, 1).unwrap() {
            assert_eq!(days(year, month, day), Some(n));
            (year, month, day) = match (month, days(year, month, day + 1)) {
                (_, Some(_)) => (year, month, day + 1),
                (12, None) => (year + 1, 1, 1),
                (_, None) => (year, month + 1, 1),
            };
        }
        assert_eq!((year, month, day), (2600, 1, 1));
    }

    #[test]
    fn dates_far_away_and_dates_that_do_not_exist() {
        for (date_of, number) in [((1970, 1, 1), 0), ((0, 3, 1), -EPOCH), ((-9999, 12, 31), -4_371_223)] {
            assert_eq!(days(date_of.0, date_of.1, date_of.2), Some(number), "{date_of:?}");
        }
        for (year, month, day) in [
            (2023, 2, 29),
            (1900, 2, 29),
            (2000, 2, 30),
            (2000, 0, 1),
            (2000, 13, 1),
            (2000, 4, 31),
            (2000, 1, 0),
        ] {
            assert_eq!(days(year, month, day), None, "{year}-{month}-{day}");
        }
    }
}
