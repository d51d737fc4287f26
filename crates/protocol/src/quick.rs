//! A fast look at JSON text that says yes only where the careful check would say yes as well.
//! It never says no: what it doubts is left to the parser, which also has the words for it.

use crate::MAX_DEPTH;

pub(crate) mod shape;

/// Whether `text` surely is one JSON value without lone surrogates, and not too deep if it stands
/// inside `depth` containers.
///
/// Cost: one pass, eight bytes at a time inside strings, no allocation.
pub(crate) fn is_surely_valid(text: &str, depth: usize) -> bool {
    let mut look = Look::new(text.as_bytes());
    look.value(depth).is_some() && look.is_at_end()
}

/// What a value is, by its first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Number,
    Bool,
    Null,
    Object,
    Array,
}

/// A walk over JSON text; every step gives `None` where it is in doubt.
#[derive(Debug)]
pub(crate) struct Look<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Look<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(crate) fn is_at_end(&mut self) -> bool {
        self.space();
        self.at == self.bytes.len()
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Steps over `byte` if it comes next, white space aside.
    fn take(&mut self, byte: u8) -> bool {
        self.space();
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// Steps over one value inside `depth` containers.
    pub(crate) fn value(&mut self, depth: usize) -> Option<Kind> {
        self.space();
        match self.peek()? {
            b'"' => self.string().map(|_| Kind::Text),
            b'{' => {
                self.object(depth, |look, _key, depth| look.value(depth).map(drop))?;
                Some(Kind::Object)
            }
            b'[' => {
                self.array(depth, |look, depth| look.value(depth).map(drop))?;
                Some(Kind::Array)
            }
            b't' => self.literal(b"true", Kind::Bool),
            b'f' => self.literal(b"false", Kind::Bool),
            b'n' => self.literal(b"null", Kind::Null),
            _ => self.number(),
        }
    }

    /// Steps over an object, calling `each` before every member's value.
    pub(crate) fn object<F>(&mut self, depth: usize, mut each: F) -> Option<()>
    where
        F: FnMut(&mut Self, &'a [u8], usize) -> Option<()>,
    {
        let depth = self.enter(b'{', depth)?;
        if self.take(b'}') {
            return Some(());
        }
        loop {
            self.space();
            let key = self.string()?;
            if !self.take(b':') {
                return None;
            }
            each(self, key, depth)?;
            if !self.take(b',') {
                return self.take(b'}').then_some(());
            }
        }
    }

    /// Steps over an array, calling `each` before every element.
    pub(crate) fn array<F>(&mut self, depth: usize, mut each: F) -> Option<()>
    where
        F: FnMut(&mut Self, usize) -> Option<()>,
    {
        let depth = self.enter(b'[', depth)?;
        if self.take(b']') {
            return Some(());
        }
        loop {
            each(self, depth)?;
            if !self.take(b',') {
                return self.take(b']').then_some(());
            }
        }
    }

    fn enter(&mut self, open: u8, depth: usize) -> Option<usize> {
        (self.take(open) && depth < MAX_DEPTH).then_some(depth + 1)
    }

    fn literal(&mut self, word: &[u8], kind: Kind) -> Option<Kind> {
        let is_it = self.bytes.get(self.at..)?.starts_with(word);
        self.at += word.len();
        is_it.then_some(kind)
    }

    fn number(&mut self) -> Option<Kind> {
        self.at += usize::from(self.peek() == Some(b'-'));
        let leads_with_zero = self.peek() == Some(b'0');
        let n_digits = self.digits()?;
        if leads_with_zero && n_digits > 1 {
            return None;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.digits()?;
        }
        Some(Kind::Number)
    }

    fn digits(&mut self) -> Option<usize> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        (self.at > start).then_some(self.at - start)
    }

    /// Steps over a string; gives what stands between its quotes, escapes as they are.
    pub(crate) fn string(&mut self) -> Option<&'a [u8]> {
        if self.peek() != Some(b'"') {
            return None;
        }
        let start = self.at + 1;
        self.at = start;
        loop {
            self.at += unescaped_len(self.bytes.get(self.at..)?);
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return self.bytes.get(start..self.at - 1);
                }
                b'\\' => self.escape()?,
                _ => return None,
            }
        }
    }

    fn escape(&mut self) -> Option<()> {
        match self.bytes.get(self.at + 1)? {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => self.at += 2,
            b'u' => {
                let digits = self.bytes.get(self.at + 2..self.at + 6)?;
                // Surrogates are rare, and whether each has its other half is asked elsewhere.
                let is_surrogate = matches!(
                    digits,
                    [b'd' | b'D', b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F', ..]
                );
                if is_surrogate || !digits.iter().all(u8::is_ascii_hexdigit) {
                    return None;
                }
                self.at += 6;
            }
            _ => return None,
        }
        Some(())
    }
}

/// How many bytes from the start are neither a quote, a backslash nor a control character.
pub(crate) fn unescaped_len(bytes: &[u8]) -> usize {
    // Keys, ids and tags are short: most calls end in the first words.
    const SHORT: usize = 16;
    let len = plain_words_len(bytes.get(..SHORT).unwrap_or(bytes));
    if len < SHORT {
        return len;
    }
    let rest = bytes.get(SHORT..).unwrap_or_default();
    let (blocks, _) = rest.as_chunks::<BLOCK>();
    let len = BLOCK * blocks.iter().take_while(|block| is_plain(block)).count();
    SHORT + len + plain_words_len(rest.get(len..).unwrap_or_default())
}

/// How much of a text is looked at at once: as much as pays for one branch behind it.
const BLOCK: usize = 64;

/// Without a branch inside, so that it compiles to a few vector instructions.
fn is_plain(block: &[u8; BLOCK]) -> bool {
    let odd = |byte: u8| u8::from(byte < 0x20) | u8::from(byte == b'"') | u8::from(byte == b'\\');
    block.iter().fold(0, |found, &byte| found | odd(byte)) == 0
}

fn plain_words_len(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([0x01; 8]);
    const HIGHS: u64 = ONES << 7;
    // A byte below `n` borrows from its own high bit. Borrows of neighbors can only set bits behind
    // the first byte that is found, and only the first one counts.
    let below = |word: u64, n: u64| word.wrapping_sub(ONES * n) & !word;
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let quote = below(word ^ (ONES * 0x22), 1);
        let backslash = below(word ^ (ONES * 0x5C), 1);
        let found = (below(word, 0x20) | quote | backslash) & HIGHS;
        if found != 0 {
            return 8 * index + (found.trailing_zeros() / 8) as usize;
        }
    }
    let is_plain = |&&byte: &&u8| byte >= 0x20 && byte != b'"' && byte != b'\\';
    8 * words.len() + rest.iter().take_while(is_plain).count()
}

#[cfg(test)]
#[path = "quick_tests.rs"]
mod tests;
