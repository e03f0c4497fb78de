//! Directories `key=value` as columns, as Hive names them.

use std::path::{Component, Path, PathBuf};

use datafusion::arrow::datatypes::DataType;

use crate::text::ScalarType;

/// The value that Hive writes for NULL.
const NULL: &str = "__HIVE_DEFAULT_PARTITION__";

/// The keys that all files have, and the value of each in each file.
#[derive(Debug, Default)]
pub(crate) struct Partitions {
    pub keys: Vec<(String, DataType)>,
    /// By file, in the order of `keys`.
    values: Vec<Vec<Option<String>>>,
}

impl Partitions {
    /// None, if the files do not all have the same keys. The values in `others`, directories without files, count for the
    /// types.
    pub fn of(paths: &[PathBuf], others: &[PathBuf]) -> Self {
        let all: Vec<Vec<(String, Option<String>)>> = paths.iter().map(|path| pairs(path)).collect();
        let names = |pairs: &[(String, Option<String>)]| -> Vec<String> {
            pairs.iter().map(|(key, _)| key.clone()).collect()
        };
        let keys = all.first().map(|first| names(first)).unwrap_or_default();
        if keys.is_empty() || all.iter().any(|pairs| names(pairs) != keys) {
            return Partitions::default();
        }
        let values: Vec<Vec<Option<String>>> =
            all.into_iter().map(|pairs| pairs.into_iter().map(|(_, value)| value).collect()).collect();
        let others: Vec<(String, Option<String>)> =
            others.iter().flat_map(|directory| pairs(&directory.join("*"))).collect();
        let keys = keys.into_iter().enumerate().map(|(nth, key)| {
            let of_others = others.iter().filter(|(other, _)| *other == key);
            let of_others = of_others.filter_map(|(_, value)| value.as_deref());
            let of_files = values.iter().filter_map(|values| values[nth].as_deref());
            let types = of_files.chain(of_others).map(ScalarType::of);
            let of = match types.fold(ScalarType::Null, ScalarType::and).data_type() {
                of @ (DataType::Int64 | DataType::Date32) => of,
                _ => DataType::Utf8View,
            };
            (key, of)
        });
        Partitions { keys: keys.collect(), values }
    }

    /// Those with these values, by file, in the order of `keys`.
    #[cfg(feature = "cluster")]
    pub fn with(keys: Vec<(String, DataType)>, values: Vec<Vec<Option<String>>>) -> Self {
        Partitions { keys, values }
    }

    /// The value of the key at `nth` in the file at `place`.
    pub fn at(&self, place: usize, nth: usize) -> Option<&str> {
        self.values.get(place)?.get(nth)?.as_deref()
    }
}

pub(super) fn pairs(path: &Path) -> Vec<(String, Option<String>)> {
    let mut parents: Vec<Component<'_>> = path.components().collect();
    parents.pop();
    let parents = parents.into_iter().filter_map(|part| part.as_os_str().to_str());
    let pair = |part: &str| {
        let (key, value) = part.split_once('=').filter(|(key, _)| !key.is_empty())?;
        let value = decoded(value);
        Some((decoded(key), Some(value).filter(|value| value != NULL)))
    };
    parents.filter_map(pair).collect()
}

/// `text` without percent signs (RFC 3986, section 2.1).
pub(super) fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = match (first, after) {
            (b'%', [high, low, ..]) => {
                let digits = [*high, *low];
                std::str::from_utf8(&digits).ok().and_then(|digits| u8::from_str_radix(digits, 16).ok())
            }
            _ => None,
        };
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_with_a_value_are_columns_if_all_files_have_them() {
        let of = |paths: &[&str]| Partitions::of(&paths.iter().map(PathBuf::from).collect::<Vec<_>>(), &[]);
        let both = of(&["a/day=2026-11-01/n=1/x.csv", "a/day=2026-11-02/n=__HIVE_DEFAULT_PARTITION__/y.csv"]);
        assert_eq!(both.keys, [("day".to_owned(), DataType::Date32), ("n".to_owned(), DataType::Int64)]);
        assert_eq!((both.at(0, 1), both.at(1, 1)), (Some("1"), None));
        let other = Partitions::of(&["a/n=1/x".into()], &["a/n=one/".into(), "a/m=2/".into()]);
        assert_eq!(other.keys, [("n".to_owned(), DataType::Utf8View)]);
        assert_eq!(of(&["c=a%20b/x", "c=1/y"]).at(0, 0), Some("a b"));
        for none in [&["a/x", "b=1/x"][..], &["a=1/x", "b=1/x"], &["x=1.csv"], &["=1/x"], &[]] {
            assert!(of(none).keys.is_empty(), "{none:?}");
        }
    }
}
