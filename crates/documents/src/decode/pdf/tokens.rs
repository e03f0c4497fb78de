//! Words, names and strings of PostScript in a map of characters, whatever stands between them.

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token<'a> {
    String(Vec<u8>),
    Name(&'a [u8]),
    Word(&'a [u8]),
    /// The start and the end of a list.
    Open,
    Close,
}

pub(super) struct Tokens<'a> {
    rest: &'a [u8],
}

impl<'a> Tokens<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Tokens { rest: bytes }
    }

    /// The strings and names up to the end of a list.
    pub(super) fn list(&mut self) -> Vec<Token<'a>> {
        let mut list = Vec::new();
        let mut ahead = Tokens { rest: self.rest };
        while let Some(token) = ahead.next() {
            match token {
                Token::String(_) | Token::Name(_) => list.push(token),
                Token::Close => {
                    self.rest = ahead.rest;
                    break;
                }
                // The list has no end: the word belongs to what comes after it.
                Token::Word(_) | Token::Open => break,
            }
            self.rest = ahead.rest;
        }
        list
    }

    /// The bytes before one for which `is_end` is true.
    fn until(&mut self, is_end: impl Fn(&u8) -> bool) -> &'a [u8] {
        let end = self.rest.iter().position(is_end).unwrap_or(self.rest.len());
        let (part, rest) = self.rest.split_at(end);
        self.rest = rest;
        part
    }

    /// The bytes of a string in hexadecimal digits, after its start. Without an end, it ends before what is not a digit.
    fn hexadecimal(&mut self) -> Vec<u8> {
        let before = self.rest;
        let mut digits = self.until(|byte| !byte.is_ascii_hexdigit() && !is_blank(byte));
        match self.rest.strip_prefix(b">") {
            Some(rest) => self.rest = rest,
            // The last letters may be those of a word.
            None => {
                let end = digits.iter().rposition(is_blank).filter(|_| !self.rest.is_empty());
                digits = &digits[..end.unwrap_or(digits.len())];
                self.rest = &before[digits.len()..];
            }
        }
        let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let digits: Vec<u8> = digits.iter().filter_map(|byte| digit(*byte)).collect();
        // A missing digit is 0 (ISO 32000-2, 7.3.4.3).
        digits.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or(0)).collect()
    }

    /// The bytes of a string in parentheses, after its start; `None` if it has no end.
    fn literal(&mut self) -> Option<Vec<u8>> {
        let (mut bytes, mut depth, mut rest) = (Vec::new(), 1, self.rest);
        while let Some((byte, after)) = rest.split_first() {
            rest = after;
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b'\\' => {
                    let (byte, length) = escape(after);
                    bytes.extend(byte);
                    rest = &after[length..];
                    continue;
                }
                _ => {}
            }
            if depth == 0 {
                self.rest = rest;
                return Some(bytes);
            }
            bytes.push(*byte);
        }
        None
    }
}

/// The byte that an escape sequence means, and how long the sequence is.
fn escape(rest: &[u8]) -> (Option<u8>, usize) {
    let digits = rest.iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
    if digits > 0 {
        let code = rest[..digits].iter().fold(0u32, |code, digit| code * 8 + u32::from(digit - b'0'));
        return (u8::try_from(code & 0xFF).ok(), digits);
    }
    match rest.first() {
        Some(b'n') => (Some(b'\n'), 1),
        Some(b'r') => (Some(b'\r'), 1),
        Some(b't') => (Some(b'\t'), 1),
        Some(b'b') => (Some(8), 1),
        Some(b'f') => (Some(12), 1),
        Some(b'\n') => (None, 1),
        Some(byte) => (Some(*byte), 1),
        None => (None, 0),
    }
}

fn is_blank(byte: &u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 12 | b'\r' | b' ')
}

fn is_delimiter(byte: &u8) -> bool {
    is_blank(byte) || matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let (first, after) = self.rest.split_first()?;
            match first {
                b'%' => drop(self.until(|byte| matches!(byte, b'\n' | b'\r'))),
                b'<' if after.first() == Some(&b'<') => self.rest = &after[1..],
                b'<' => {
                    self.rest = after;
                    return Some(Token::String(self.hexadecimal()));
                }
                b'(' => {
                    self.rest = after;
                    if let Some(string) = self.literal() {
                        return Some(Token::String(string));
                    }
                }
                b'/' => {
                    self.rest = after;
                    return Some(Token::Name(self.until(is_delimiter)));
                }
                b'[' | b']' => {
                    self.rest = after;
                    return Some(if *first == b'[' { Token::Open } else { Token::Close });
                }
                // White space, and what has no start.
                byte if is_delimiter(byte) => self.rest = after,
                _ => return Some(Token::Word(self.until(is_delimiter))),
            }
        }
    }
}
