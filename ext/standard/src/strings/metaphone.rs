//! The metaphone key: how an English word sounds.

/// The key of a word, at most about `limit` symbols long.
pub fn metaphone(word: &[u8], limit: usize) -> Vec<u8> {
    let letters: Vec<u8> = word.to_ascii_uppercase();
    let mut coder = Coder { word: &letters, at: 0, code: Vec::new(), limit };
    coder.first_letters();
    while coder.at < letters.len() && coder.code.len() < coder.limit {
        coder.step();
        coder.at += 1;
    }
    coder.code
}

struct Coder<'a> {
    word: &'a [u8],
    at: usize,
    code: Vec<u8>,
    limit: usize,
}

fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'A' | b'E' | b'I' | b'O' | b'U')
}

/// Letters that soften C and G.
fn is_front(letter: u8) -> bool {
    matches!(letter, b'E' | b'I' | b'Y')
}

/// Letters that a following H changes.
fn affects_h(letter: u8) -> bool {
    matches!(letter, b'C' | b'G' | b'P' | b'S' | b'T')
}

impl Coder<'_> {
    fn letter(&self, offset: usize) -> u8 {
        self.word.get(self.at + offset).copied().unwrap_or(0)
    }

    fn before(&self, offset: usize) -> u8 {
        self.at.checked_sub(offset).map_or(0, |at| self.word[at])
    }

    fn emit(&mut self, symbols: &[u8]) {
        self.code.extend_from_slice(symbols);
    }

    fn is_break(letter: u8) -> bool {
        !letter.is_ascii_alphabetic()
    }

    /// The beginning of a word has rules of its own.
    fn first_letters(&mut self) {
        while self.at < self.word.len() && Self::is_break(self.word[self.at]) {
            self.at += 1;
        }
        match (self.letter(0), self.letter(1)) {
            (b'A', b'E') => {
                self.emit(b"E");
                self.at += 2;
            }
            (b'G' | b'K' | b'P', b'N') => {
                self.emit(b"N");
                self.at += 2;
            }
            (b'X', _) => {
                self.emit(b"S");
                self.at += 1;
            }
            (b'W', b'R') => {
                self.emit(b"R");
                self.at += 2;
            }
            (b'W', next) if next == b'H' || is_vowel(next) => {
                self.emit(b"W");
                self.at += 2;
            }
            (b'W', _) => self.at += 1,
            (vowel, _) if is_vowel(vowel) => {
                self.emit(&[vowel]);
                self.at += 1;
            }
            _ => {}
        }
    }

    fn step(&mut self) {
        let letter = self.letter(0);
        if Self::is_break(letter) || letter == self.before(1) && letter != b'C' {
            return;
        }
        let (next, after) = (self.letter(1), self.letter(2));
        match letter {
            // Silent at the end, as in "dumb".
            b'B' if self.before(1) == b'M' && Self::is_break(next) => {}
            b'B' => self.emit(b"B"),
            b'C' => self.letter_c(next, after),
            b'D' if next == b'G' && is_front(after) => {
                self.emit(b"J");
                self.at += 1;
            }
            b'D' => self.emit(b"T"),
            b'G' => self.letter_g(next, after),
            b'H' if is_vowel(next) && !affects_h(self.before(1)) => self.emit(b"H"),
            b'K' if self.before(1) != b'C' => self.emit(b"K"),
            b'P' if next == b'H' => self.emit(b"F"),
            b'P' => self.emit(b"P"),
            b'Q' => self.emit(b"K"),
            b'S' => self.letter_s(next, after),
            b'T' => self.letter_t(next, after),
            b'V' => self.emit(b"F"),
            b'W' | b'Y' if is_vowel(next) => self.emit(&[letter]),
            b'X' => self.emit(b"KS"),
            b'Z' => self.emit(b"S"),
            b'F' | b'J' | b'L' | b'M' | b'N' | b'R' => self.emit(&[letter]),
            _ => {}
        }
    }

    fn letter_c(&mut self, next: u8, after: u8) {
        if is_front(next) {
            if next == b'I' && after == b'A' {
                self.emit(b"X");
            } else if self.before(1) != b'S' {
                self.emit(b"S");
            }
        } else if next == b'H' {
            self.emit(b"X");
            self.at += 1;
        } else {
            self.emit(b"K");
        }
    }

    fn letter_g(&mut self, next: u8, after: u8) {
        if next == b'H' {
            let silent = matches!(self.before(3), b'B' | b'D' | b'H') || self.before(4) == b'H';
            if !silent {
                self.emit(b"F");
                self.at += 1;
            }
        } else if next == b'N' {
            let ends = Self::is_break(after) || after == b'E' && self.letter(3) == b'D';
            if !ends {
                self.emit(b"K");
            }
        } else if is_front(next) && self.before(1) != b'G' {
            self.emit(b"J");
        } else {
            self.emit(b"K");
        }
    }

    fn letter_s(&mut self, next: u8, after: u8) {
        if next == b'I' && matches!(after, b'O' | b'A') {
            self.emit(b"X");
        } else if next == b'H' {
            self.emit(b"X");
            self.at += 1;
        } else {
            self.emit(b"S");
        }
    }

    fn letter_t(&mut self, next: u8, after: u8) {
        if next == b'I' && matches!(after, b'O' | b'A') {
            self.emit(b"X");
        } else if next == b'H' {
            // "th" is written 0.
            self.emit(b"0");
            self.at += 1;
        } else if !(next == b'C' && after == b'H') {
            self.emit(b"T");
        }
    }
}
