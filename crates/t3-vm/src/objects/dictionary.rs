//! Dictionaries: words, and what they name.

use foldhash::HashMap;

use crate::text::Text;
use crate::value::{NO_OBJECT, ObjId, PropId, Value};

/// A word and what it names; a word that names nothing is gone.
#[derive(Debug, Clone)]
pub struct Word {
    /// The word.
    pub text: Text,
    /// Objects that the word names, with the part of speech.
    pub entries: Vec<(ObjId, PropId)>,
}

/// Chains of the hash table.
pub const CHAINS: u32 = 256;

/// A dictionary.
///
/// Programs see the order of its words: chain by chain of the reference's hash table, in each the newest first. The
/// chain comes from the comparator's hash, which may be the program's code, so new words wait to be hashed.
#[derive(Debug, Clone, Default)]
pub struct Dictionary {
    /// The object that compares words; none compares exactly.
    pub comparator: ObjId,
    /// All words, also those that name nothing any more.
    pub words: Vec<Word>,
    pub(crate) by_text: HashMap<Text, usize>,
    /// Words by chain, the newest last.
    pub(crate) chains: Vec<Vec<usize>>,
    pub(crate) unhashed: Vec<usize>,
}

/// The hash of a dictionary without a comparator.
pub fn plain_hash(text: &str) -> u32 {
    text.bytes().fold(0, |sum, byte| sum.wrapping_add(byte.into()))
}

impl Dictionary {
    /// An empty dictionary.
    pub fn new(comparator: ObjId) -> Dictionary {
        Dictionary { comparator, chains: vec![Vec::new(); CHAINS as usize], ..Dictionary::default() }
    }

    /// Adds a word for an object and a part of speech.
    pub fn add(&mut self, text: &Text, object: ObjId, prop: PropId) {
        let at = *self.by_text.entry(text.clone()).or_insert_with(|| {
            self.words.push(Word { text: text.clone(), entries: Vec::new() });
            self.unhashed.push(self.words.len() - 1);
            self.words.len() - 1
        });
        let entries = &mut self.words[at].entries;
        if entries.contains(&(object, prop)) {
            return;
        }
        // Behind the last of its part of speech; a new part of speech comes first.
        let place = entries.iter().rposition(|entry| entry.1 == prop).map_or(0, |at| at + 1);
        entries.insert(place, (object, prop));
    }

    /// Puts a word into the chain of its hash.
    pub fn enter(&mut self, word: usize, hash: u32) {
        self.chains[(hash % CHAINS) as usize].push(word);
    }

    /// Removes a word for an object and a part of speech.
    pub fn remove(&mut self, text: &str, object: ObjId, prop: PropId) {
        if let Some(at) = self.by_text.get(&Text::from(text)).copied() {
            self.words[at].entries.retain(|entry| *entry != (object, prop));
            self.drop_empty();
        }
    }

    /// Words that name nothing leave their chains.
    pub fn drop_empty(&mut self) {
        let words = &self.words;
        self.by_text.retain(|_, at| !words[*at].entries.is_empty());
        for chain in self.chains.iter_mut().chain([&mut self.unhashed]) {
            chain.retain(|at| !words[*at].entries.is_empty());
        }
    }

    /// Objects that are gone are no longer named.
    pub fn remove_dead(&mut self, is_dead: &dyn Fn(Value) -> bool) {
        let mut lost = false;
        for word in &mut self.words {
            let before = word.entries.len();
            word.entries.retain(|entry| !is_dead(Value::Obj(entry.0)));
            lost |= word.entries.is_empty() && before > 0;
        }
        if lost {
            self.drop_empty();
        }
    }

    /// The words in the order that programs see.
    pub fn in_order(&self) -> Vec<usize> {
        let hashed = self.chains.iter().flat_map(|chain| chain.iter().rev());
        hashed.chain(&self.unhashed).copied().collect()
    }

    /// The reference hashes words that it reads plainly first, and again with the comparator when that is there.
    pub fn order_as_read(&mut self) {
        for at in std::mem::take(&mut self.unhashed) {
            self.enter(at, plain_hash(&self.words[at].text));
        }
        if self.comparator != NO_OBJECT {
            self.forget_hashes();
        }
    }

    /// Every word must be hashed anew.
    pub fn forget_hashes(&mut self) {
        self.unhashed = self.in_order();
        self.chains.iter_mut().for_each(Vec::clear);
    }
}
