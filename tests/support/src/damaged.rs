//! Reads compressed bytes to the end or to the first damage, and checks what is reported of it.

use rread_source::compressed::damage::Damage;
use rread_source::compressed::{Compressed, CompressionFormat};
use rread_source::{Decoding, Source};

use crate::sources::plain;

/// The result of reading to the end or to the first damage.
pub struct Read {
    pub text: Vec<u8>,
    pub damage: Option<Damage>,
    pub garbage: bool,
}

/// Reads all of `packed` as `format`, in steps.
pub fn read(packed: &[u8], format: CompressionFormat, step: usize) -> Read {
    let source = Compressed::new(plain(packed), format).unwrap();
    let mut text: Vec<u8> = Vec::new();
    let mut buffer = vec![0; step];
    let damage = loop {
        match source.read_at(&mut buffer, text.len() as u64) {
            Ok(0) => break None,
            Ok(got) => text.extend(&buffer[..got]),
            Err(cause) => {
                let damage = cause.get_ref().and_then(|inner| inner.downcast_ref::<Damage>()).cloned();
                // A flipped bit may ask for a window or a dictionary that rread does not have.
                assert!(
                    damage.is_some() || cause.to_string().contains("to decompress"),
                    "{format:?}: {cause}"
                );
                let (input, text) = (0, text.len() as u64);
                let refused =
                    || Damage { format: format.name(), input, text, unsound: text, what: cause.to_string() };
                break Some(damage.unwrap_or_else(refused));
            }
        }
    };
    if let Some(damage) = &damage {
        assert_eq!(damage.text, text.len() as u64, "{damage}");
        assert!(damage.input <= packed.len() as u64, "{damage}");
        assert!(!damage.what.is_empty() && !damage.what.contains('\n'), "{damage}");
        // The damage stays, and the text before it stays readable.
        assert!(source.read_at(&mut buffer, damage.text).is_err());
        if !text.is_empty() {
            assert!(source.read_at(&mut buffer, 0).unwrap() > 0);
            assert!(text.starts_with(&buffer[..1]));
        }
    } else {
        assert_eq!(source.size(), Some(text.len() as u64));
    }
    Read { text, damage, garbage: source.trailing_garbage().is_some() }
}
