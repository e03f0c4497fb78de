//! Estimated tokens as the documents define them, counted character by character.

/// Every CJK character is a token; all other bytes together are one for each three.
pub fn tokens(content: &[u8]) -> u64 {
    let (mut cjk, mut others) = (0, 0);
    for chunk in content.utf8_chunks() {
        for c in chunk.valid().chars() {
            if is_cjk(c) { cjk += 1 } else { others += c.len_utf8() as u64 }
        }
        others += chunk.invalid().len() as u64;
    }
    cjk + others.div_ceil(3)
}

/// The ranges that docs/budgets.md names.
fn is_cjk(c: char) -> bool {
    matches!(
        u32::from(c),
        0x1100..=0x11FF
            | 0x2E80..=0xA4CF
            | 0xA960..=0xA97F
            | 0xAC00..=0xD7FF
            | 0xF900..=0xFAFF
            | 0xFE30..=0xFE4F
            | 0xFF00..=0xFFEF
            | 0x20000..=0x3FFFF
    )
}
