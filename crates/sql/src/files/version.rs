//! The version of a set of files: three sums, of which two versions together say which one of the files differs.
//!
//! Of each file, `n` is a hash of its name and `v` one of its name and version. The version has the number of files and the
//! sums of `n`, `v` and `n * v` modulo a prime. If one file changed, the differences of the last two sums are `d` and `n * d`,
//! and their quotient is the hash of its name. If one was added, the difference of the first is.

use std::path::PathBuf;

use xxhash_rust::xxh3::Xxh3;

use rread_text::error::counted;

/// The largest prime of 32 bits.
const PRIME: u64 = 4_294_967_291;

/// No version of a file begins with this letter, nor that of a merge.
const MARK: char = 'y';

/// Files with their versions; `None` once a file has none.
#[derive(Clone, Debug, Default)]
pub(super) struct SetVersion {
    files: Vec<(PathBuf, u64, u64)>,
    lacks_one: bool,
}

/// What a version of a set says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sums {
    count: u64,
    names: u64,
    states: u64,
    products: u64,
}

impl SetVersion {
    pub fn add(&mut self, path: PathBuf, version: Option<&str>) {
        let Some(version) = version else {
            self.lacks_one = true;
            return;
        };
        let mut hash = Xxh3::new();
        hash.update(path.as_os_str().as_encoded_bytes());
        let name = hash.digest() % PRIME;
        hash.update(&[0]);
        hash.update(version.as_bytes());
        self.files.push((path, name, hash.digest() % PRIME));
    }

    fn sums(&self) -> Sums {
        let mut sums = Sums::default();
        for (_, name, state) in &self.files {
            sums.count += 1;
            sums.names = (sums.names + name) % PRIME;
            sums.states = (sums.states + state) % PRIME;
            sums.products = (sums.products + name * state) % PRIME;
        }
        sums
    }

    /// The word for receipts.
    pub fn word(&self) -> Option<String> {
        let Sums { count, names, states, products } = self.sums();
        (!self.lacks_one).then(|| format!("{MARK}{count:x}x{names:08x}{states:08x}{products:08x}"))
    }

    /// How the files differ from those of the version `word`; `None` if they are the same. The error is for another word.
    pub fn difference(&self, word: &str) -> Result<Option<String>, ()> {
        let (then, now) = (Sums::read(word).ok_or(())?, self.sums());
        if then == now {
            return Ok(None);
        }
        let (added, gone) = (now.count.saturating_sub(then.count), then.count.saturating_sub(now.count));
        let [names, states, products] =
            [(now.names, then.names), (now.states, then.states), (now.products, then.products)]
                .map(|(now, then)| (now + PRIME - then) % PRIME);
        let named = |wanted: u64| self.files.iter().find(|(_, name, _)| *name == wanted);
        let all = counted(now.count, "file");
        Ok(Some(match (added, gone) {
            (0, 0) if names == 0 => match named(quotient(products, states)) {
                Some((path, ..)) if states != 0 => format!("{} changed", path.display()),
                _ => format!("of {all}, more than one changed"),
            },
            (1, 0) => match named(names) {
                Some((path, name, state)) if *state == states && name * state % PRIME == products => {
                    format!("{} was added", path.display())
                }
                _ => format!("now {all}, then {}", then.count),
            },
            // The name of a file that is gone is not known.
            (0, 1) if products == product_of_gone(names, states) => {
                format!("one file is not among them: now {all}, then {}", then.count)
            }
            (0, 0) => format!("other files, and again {all}"),
            _ => format!("now {all}, then {}", then.count),
        }))
    }
}

impl Sums {
    fn read(word: &str) -> Option<Self> {
        let (count, sums) = word.strip_prefix(MARK)?.split_once('x')?;
        if sums.len() != 24 || !sums.is_ascii() {
            return None;
        }
        let number = |digits: &str| u64::from_str_radix(digits, 16).ok();
        Some(Sums {
            count: number(count)?,
            names: number(&sums[..8])?,
            states: number(&sums[8..16])?,
            products: number(&sums[16..])?,
        })
    }
}

/// `one / other` modulo the prime, by Fermat's little theorem; 0 if `other` is 0.
fn quotient(one: u64, other: u64) -> u64 {
    let (mut power, mut exponent, mut inverse) = (other % PRIME, PRIME - 2, 1);
    while exponent > 0 {
        if exponent & 1 == 1 {
            inverse = inverse * power % PRIME;
        }
        power = power * power % PRIME;
        exponent >>= 1;
    }
    one * inverse % PRIME
}

/// The difference of the products when one file goes, from the differences of the other sums: `-n * v`.
fn product_of_gone(names: u64, states: u64) -> u64 {
    let (name, state) = ((PRIME - names) % PRIME, (PRIME - states) % PRIME);
    (PRIME - name * state % PRIME) % PRIME
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(files: &[(&str, &str)]) -> SetVersion {
        let mut set = SetVersion::default();
        files.iter().for_each(|(path, version)| set.add(path.into(), Some(version)));
        set
    }

    #[test]
    fn two_versions_name_the_file_that_differs() {
        let then = [("a", "1"), ("b", "2"), ("c", "3")];
        let word = set(&then).word().unwrap();
        for (now, expected) in [
            (&then[..], None),
            (&[("c", "3"), ("a", "1"), ("b", "2")], None),
            (&[("a", "1"), ("b", "9"), ("c", "3")], Some("b changed")),
            (&[("a", "1"), ("b", "9"), ("c", "4")], Some("of 3 files, more than one changed")),
            (&[("a", "1"), ("b", "2"), ("c", "3"), ("d", "4")], Some("d was added")),
            (&[("a", "1"), ("b", "9"), ("c", "3"), ("d", "4")], Some("now 4 files, then 3")),
            (&[("a", "1"), ("c", "3")], Some("one file is not among them: now 2 files, then 3")),
            (&[("a", "1"), ("c", "4")], Some("now 2 files, then 3")),
            (&[("a", "1"), ("b", "2"), ("e", "3")], Some("other files, and again 3 files")),
            (&[], Some("now 0 files, then 3")),
        ] {
            assert_eq!(set(now).difference(&word), Ok(expected.map(str::to_owned)), "{now:?}");
        }
        for other in ["", "y3", "y3x00", "z123456789abcdef", "cAAAAAAAAAAAAAAA", "y3xé0000000000000000000000"]
        {
            assert_eq!(set(&then).difference(other), Err(()), "{other}");
        }
        let mut without = set(&then);
        without.add("d".into(), None);
        assert_eq!(without.word(), None);
    }
}
