//! Words of dictionaries as the program and its grammar look them up.

use crate::error::{self, Run, fail};
use crate::objects::Obj;
use crate::objects::dictionary::{CHAINS, Dictionary, plain_hash};
use crate::text::Text;
use crate::value::{NO_OBJECT, ObjId, PropId, Value};
use crate::vm::{Load, Loader, Vm};

/// From a saved game: the words are plain, and there may be more of them.
pub fn read_saved(loader: &mut Loader<'_>) -> Load<Obj> {
    let mut dictionary = Dictionary::new(loader.object()?);
    for _ in 0..loader.data.u32()? {
        let text = Text::from(loader.data.long_name()?);
        for _ in 0..loader.data.wide_count()? {
            let object = loader.object()?;
            let prop = loader.data.u16()?;
            if object != NO_OBJECT {
                dictionary.add(&text, object, prop);
            }
        }
    }
    dictionary.order_as_read();
    Ok(Obj::Dictionary(Box::new(dictionary)))
}

impl Vm {
    /// The dictionary with an object number, or an error if the object is something else.
    pub fn dictionary(&self, id: ObjId) -> Run<&Dictionary> {
        match self.heap.get(id) {
            Obj::Dictionary(dictionary) => Ok(dictionary),
            _ => fail(error::INVAL_OBJ_TYPE),
        }
    }

    /// Changes a dictionary, after its contents were kept for undo.
    pub fn dictionary_change(&mut self, id: ObjId, change: impl FnOnce(&mut Dictionary)) {
        self.keep_contents(id);
        if let Some(Obj::Dictionary(dictionary)) = self.heap.get_mut(id) {
            change(dictionary);
        }
    }

    /// The hash of a word by a dictionary's comparator.
    pub fn word_hash(&mut self, comparator: ObjId, text: &str) -> Run<u32> {
        if comparator == NO_OBJECT { Ok(plain_hash(text)) } else { self.compare_hash(comparator, text) }
    }

    /// Puts words that are new into their chains.
    pub fn hash_words(&mut self, id: ObjId) -> Run<()> {
        let comparator = self.dictionary(id)?.comparator;
        let waiting = self.dictionary(id)?.unhashed.clone();
        for at in waiting {
            let text = self.dictionary(id)?.words[at].text.clone();
            let hash = self.word_hash(comparator, &text)?;
            if let Some(Obj::Dictionary(dictionary)) = self.heap.get_mut(id) {
                dictionary.enter(at, hash);
            }
        }
        if let Some(Obj::Dictionary(dictionary)) = self.heap.get_mut(id) {
            dictionary.unhashed.clear();
        }
        Ok(())
    }

    /// Words that match a text, in order, with what the comparator says.
    pub fn matching_words(&mut self, id: ObjId, typed: &str) -> Run<Vec<(usize, Value)>> {
        self.hash_words(id)?;
        let comparator = self.dictionary(id)?.comparator;
        if comparator == NO_OBJECT {
            let found = self.dictionary(id)?.by_text.get(&Text::from(typed)).copied();
            return Ok(found.map(|at| (at, Value::Int(1))).into_iter().collect());
        }
        let hash = self.word_hash(comparator, typed)?;
        let native = match self.heap.get(comparator) {
            Obj::Comparator(comparator) => Some(comparator),
            _ => None,
        };
        let dictionary = self.dictionary(id)?;
        let chain = &dictionary.chains[(hash % CHAINS) as usize];
        if let Some(comparator) = native {
            let words = chain.iter().rev().map(|at| (*at, comparator.matches(typed, &dictionary.words[*at].text)));
            return Ok(words.filter(|row| row.1 != 0).map(|(at, result)| (at, Value::Int(result as i32))).collect());
        }
        let chain = chain.clone();
        let mut found = Vec::new();
        for at in chain.into_iter().rev() {
            let Some(word) = self.dictionary(id)?.words.get(at).map(|word| word.text.clone()) else { continue };
            let result = self.compare_words(comparator, typed, &word)?;
            if !result.is_false() {
                found.push((at, result));
            }
        }
        Ok(found)
    }

    /// The parts of speech that a text can be, each once.
    pub fn word_props(&mut self, id: ObjId, typed: &str) -> Run<Vec<PropId>> {
        let mut props = Vec::new();
        for (at, _) in self.matching_words(id, typed)? {
            for (_, prop) in &self.dictionary(id)?.words[at].entries {
                if !props.contains(prop) {
                    props.push(*prop);
                }
            }
        }
        Ok(props)
    }
}
