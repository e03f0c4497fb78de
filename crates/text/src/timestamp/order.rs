//! The order of dates of three numbers, such as `02/01/03`: only other lines of the log can show it.

use super::cursor::digits;
use super::formats::{Dates, Format, Order};
use super::pattern;

/// The lowest and the highest of the numbers at one place of the dates.
#[derive(Clone, Copy, Debug)]
struct Extent(i32, i32);

impl Extent {
    fn varies(self) -> bool {
        self.0 < self.1
    }
}

/// The one of the formats whose order is the only one that makes every text a date, or `None` if there are several.
///
/// A number above 12 is not a month. Of dates with short years, the first or the third number is a year, and the one that
/// stays the same while the other does not is it. If they show no more than that the month is in the middle, the year is
/// first, as in Spark. A clock of 12 hours without more evidence is that of the USA.
pub(super) fn resolve<'a>(
    formats: &[&'static Format],
    texts: impl Iterator<Item = &'a [u8]>,
) -> Option<&'static Format> {
    let mut fitting: Vec<&'static Format> = formats.to_vec();
    let (mut first, mut third): (Option<Extent>, Option<Extent>) = (None, None);
    for text in texts {
        let fits = |format: &&'static Format| pattern::parse(format.pattern, text).is_some();
        if !formats.iter().any(fits) {
            continue;
        }
        fitting.retain(fits);
        let Some([a, _, c]) = numbers(text) else { continue };
        let widened = |extent: Option<Extent>, number: i32| {
            let Extent(low, high) = extent.unwrap_or(Extent(number, number));
            Some(Extent(low.min(number), high.max(number)))
        };
        (first, third) = (widened(first, a), widened(third, c));
    }
    let has =
        |fitting: &[&Format], order: Order| fitting.iter().any(|format| order_of(format) == Some(order));
    let (first_varies, third_varies) = (first?.varies(), third?.varies());
    if has(&fitting, Order::Year) && first_varies != third_varies {
        fitting.retain(|format| (order_of(format) == Some(Order::Year)) == third_varies);
    }
    let default = match dates_of(formats.first()?)? {
        Dates::SlashesOf12Hours => Some(Order::Month),
        Dates::ShortSlashes | Dates::ShortDashes if !has(&fitting, Order::Month) => Some(Order::Year),
        _ => None,
    };
    if fitting.len() > 1
        && let Some(default) = default
    {
        fitting.retain(|format| order_of(format) == Some(default));
    }
    match fitting[..] {
        [only] => Some(only),
        _ => None,
    }
}

fn order_of(format: &Format) -> Option<Order> {
    format.order.map(|(_, order)| order)
}

fn dates_of(format: &Format) -> Option<Dates> {
    format.order.map(|(dates, _)| dates)
}

/// The three numbers at the beginning of a text.
fn numbers(text: &[u8]) -> Option<[i32; 3]> {
    let mut rest = text;
    let mut numbers = [0; 3];
    for number in &mut numbers {
        let length = digits(rest);
        *number = std::str::from_utf8(&rest[..length]).ok()?.parse().ok()?;
        rest = rest.get(length + 1..)?;
    }
    Some(numbers)
}
