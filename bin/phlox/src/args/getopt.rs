//! Splits words into options the way php does: `-nl`, `-dfoo`, `-d foo`, `-d=foo`, `--define foo`, `--define=foo`.

use super::Word;

// Options that have only a long name; letters that nobody can type after a dash by accident.
pub const FUNCTION: char = '\x0a';
pub const CLASS: char = '\x0b';
pub const EXTENSION: char = '\x0c';
pub const ZEND_EXTENSION: char = '\x0d';
pub const EXTENSION_INFO: char = '\x0e';
pub const INI: char = '\x0f';
pub const STATS: char = '\x10';

/// Letter, does it take a value, long name.
const OPTIONS: &[(char, bool, &str)] = &[
    ('a', false, "interactive"),
    ('B', true, "process-begin"),
    ('C', false, "no-chdir"),
    ('c', true, "php-ini"),
    ('d', true, "define"),
    ('E', true, "process-end"),
    ('e', false, "profile-info"),
    ('F', true, "process-file"),
    ('f', true, "file"),
    ('h', false, "help"),
    ('i', false, "info"),
    ('l', false, "syntax-check"),
    ('m', false, "modules"),
    ('n', false, "no-php-ini"),
    ('q', false, "no-header"),
    ('R', true, "process-code"),
    ('H', false, "hide-args"),
    ('r', true, "run"),
    ('s', false, "syntax-highlight"),
    ('s', false, "syntax-highlighting"),
    ('S', true, "server"),
    ('t', true, "docroot"),
    ('w', false, "strip"),
    ('?', false, "usage"),
    ('v', false, "version"),
    ('z', true, "zend-extension"),
    (FUNCTION, true, "rf"),
    (FUNCTION, true, "rfunction"),
    (CLASS, true, "rc"),
    (CLASS, true, "rclass"),
    (EXTENSION, true, "re"),
    (EXTENSION, true, "rextension"),
    (ZEND_EXTENSION, true, "rz"),
    (ZEND_EXTENSION, true, "rzendextension"),
    (EXTENSION_INFO, true, "ri"),
    (EXTENSION_INFO, true, "rextinfo"),
    (INI, false, "ini"),
    (STATS, false, "stats"),
];

/// One option.
#[derive(Debug, PartialEq, Eq)]
pub struct Opt {
    pub letter: char,
    /// The option's value; empty if it takes none.
    pub value: Word,
}

/// The options at the start of a command line.
pub struct Getopt<'a> {
    words: &'a [Word],
    /// The word being read.
    index: usize,
    /// The letter being read in a word of several, else 0.
    column: usize,
    ended_by_dashes: bool,
}

impl<'a> Getopt<'a> {
    /// A parser that stands before the first word.
    pub fn new(words: &'a [Word]) -> Getopt<'a> {
        Getopt { words, index: 0, column: 0, ended_by_dashes: false }
    }

    /// The words after the options.
    pub fn rest(&self) -> &'a [Word] {
        &self.words[self.index.min(self.words.len())..]
    }

    /// Did `--` end the options?
    pub fn ended_by_dashes(&self) -> bool {
        self.ended_by_dashes
    }

    fn long(&mut self, word: &[u8]) -> Result<Opt, String> {
        let (name, inline) = match word.iter().position(|b| *b == b'=') {
            Some(at) => (&word[..at], Some(word[at + 1..].to_vec())),
            None => (word, None),
        };
        let option = OPTIONS.iter().find(|(_, _, long)| long.as_bytes() == name);
        self.index += 1;
        let Some((letter, takes_value, _)) = option else { return Err(self.error(1, "no argument for option -")) };
        let value = match inline {
            _ if !takes_value => Word::new(),
            Some(value) => value,
            None => self.next_word().ok_or_else(|| self.error(1, "no argument for option -"))?,
        };
        Ok(Opt { letter: *letter, value })
    }

    fn short(&mut self, word: &'a [u8]) -> Result<Opt, String> {
        let column = self.column.max(1);
        let letter = word[column] as char;
        let last = column + 1 == word.len();
        self.column = if last { 0 } else { column + 1 };
        self.index += usize::from(last);
        let option = OPTIONS.iter().find(|(short, ..)| *short == letter);
        let error_at = if last { self.index } else { self.index + 1 };
        let Some((_, takes_value, _)) = option else {
            return Err(format!("Error in argument {error_at}, char {}: option not found {letter}", column + 1));
        };
        if !takes_value {
            return Ok(Opt { letter, value: Word::new() });
        }
        self.column = 0;
        let value = if last {
            let message = format!("Error in argument {error_at}, char {}: no argument for option {letter}", column + 1);
            self.next_word().ok_or(message)?
        } else {
            self.index += 1;
            let value = &word[column + 1..];
            value.strip_prefix(b"=").unwrap_or(value).to_vec()
        };
        Ok(Opt { letter, value })
    }

    fn next_word(&mut self) -> Option<Word> {
        let word = self.words.get(self.index).cloned();
        self.index += 1;
        word
    }

    fn error(&self, column: usize, what: &str) -> String {
        format!("Error in argument {}, char {column}: {what}", self.index.min(self.words.len()))
    }
}

impl Iterator for Getopt<'_> {
    type Item = Result<Opt, String>;

    fn next(&mut self) -> Option<Result<Opt, String>> {
        let word = self.words.get(self.index)?;
        match word.as_slice() {
            b"--" => {
                self.index += 1;
                self.ended_by_dashes = true;
                None
            }
            [b'-', b'-', long @ ..] => Some(self.long(long)),
            [b'-', _, ..] => Some(self.short(word)),
            _ => None,
        }
    }
}
