//! dictionary2: words with the objects that they name and the part of speech they name them by. Objects are held
//! weakly.

use foldhash::HashMap;

use super::{Meta, Method, methods, seq};
use crate::call::Args;
use crate::error::{self, Run, fail};
use crate::load::{Load, Loader};
use crate::objects::Obj;
use crate::text::Text;
use crate::value::{NO_OBJECT, ObjId, PropId, Value};
use crate::vm::Vm;

pub(crate) static METHODS: &[Method] = methods! {
    setComparator 1 1 => set_comparator,
    findWord 1 2 => find_word,
    addWord 3 3 => add_word,
    removeWord 3 3 => remove_word,
    isWordDefined 1 2 => is_word_defined,
    forEachWord 1 1 => for_each_word,
    correctSpelling 2 2 => correct_spelling,
};

/// A word and what it names; a word that names nothing is gone.
#[derive(Debug, Clone)]
pub(crate) struct Word {
    pub text: Text,
    pub entries: Vec<(ObjId, PropId)>,
}

/// Chains of the hash table.
const CHAINS: u32 = 256;

/// A dictionary.
///
/// Programs see the order of its words: chain by chain of the reference's hash table, in each the newest first. The
/// chain comes from the comparator's hash, which may be the program's code, so new words wait to be hashed.
#[derive(Debug, Clone, Default)]
pub struct Dictionary {
    /// The object that compares words; none compares exactly.
    pub(crate) comparator: ObjId,
    pub(crate) words: Vec<Word>,
    by_text: HashMap<Text, usize>,
    /// Words by chain, the newest last.
    chains: Vec<Vec<usize>>,
    unhashed: Vec<usize>,
}

impl std::hash::Hash for Text {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        str::hash(self, state);
    }
}

/// The hash of a dictionary without a comparator.
fn plain_hash(text: &str) -> u32 {
    text.bytes().fold(0, |sum, byte| sum.wrapping_add(byte.into()))
}

impl Dictionary {
    fn new(comparator: ObjId) -> Dictionary {
        Dictionary { comparator, chains: vec![Vec::new(); CHAINS as usize], ..Dictionary::default() }
    }

    fn add(&mut self, text: &Text, object: ObjId, prop: PropId) {
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

    fn enter(&mut self, word: usize, hash: u32) {
        self.chains[(hash % CHAINS) as usize].push(word);
    }

    fn remove(&mut self, text: &str, object: ObjId, prop: PropId) {
        if let Some(at) = self.by_text.get(&Text::from(text)).copied() {
            self.words[at].entries.retain(|entry| *entry != (object, prop));
            self.drop_empty();
        }
    }

    /// Words that name nothing leave their chains.
    fn drop_empty(&mut self) {
        let words = &self.words;
        self.by_text.retain(|_, at| !words[*at].entries.is_empty());
        for chain in self.chains.iter_mut().chain([&mut self.unhashed]) {
            chain.retain(|at| !words[*at].entries.is_empty());
        }
    }

    /// Objects that are gone are no longer named.
    pub(crate) fn remove_dead(&mut self, is_dead: &dyn Fn(Value) -> bool) {
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
    pub(crate) fn in_order(&self) -> Vec<usize> {
        let hashed = self.chains.iter().flat_map(|chain| chain.iter().rev());
        hashed.chain(&self.unhashed).copied().collect()
    }

    /// The reference hashes words that it reads plainly first, and again with the comparator when that is there.
    fn order_as_read(&mut self) {
        for at in std::mem::take(&mut self.unhashed) {
            self.enter(at, plain_hash(&self.words[at].text));
        }
        if self.comparator != NO_OBJECT {
            self.forget_hashes();
        }
    }

    /// Every word must be hashed anew.
    fn forget_hashes(&mut self) {
        self.unhashed = self.in_order();
        self.chains.iter_mut().for_each(Vec::clear);
    }
}

/// `new Dictionary(comparator?)`.
pub(crate) fn create(vm: &mut Vm, args: Args) -> Run<Value> {
    let comparator = match args.given(vm, 0) {
        Some(value) => vm.want_object(value)?,
        None => NO_OBJECT,
    };
    Ok(Value::Obj(vm.heap.alloc(Obj::Dictionary(Box::new(Dictionary::new(comparator))))))
}

/// From a saved game: the words are plain, and there may be more of them.
pub(crate) fn read_saved(loader: &mut Loader<'_>) -> Load<Obj> {
    let mut dictionary = Dictionary::new(loader.object()?);
    for _ in 0..loader.data.u32()? {
        let text = Text::from(loader.data.long_name()?);
        for _ in 0..loader.data.u16()? {
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

/// From an image: the words are masked with BD.
pub(crate) fn load(loader: &mut Loader<'_>, _: Meta) -> Load<Obj> {
    let mut dictionary = Dictionary::new(loader.data.u32()?);
    for _ in 0..loader.data.u16()? {
        let length = usize::from(loader.data.u8()?);
        let bytes: Vec<u8> = loader.data.bytes(length)?.iter().map(|byte| byte ^ 0xbd).collect();
        let text = Text::from(String::from_utf8_lossy(&bytes).as_ref());
        for _ in 0..loader.data.u16()? {
            let object = loader.data.u32()?;
            dictionary.add(&text, object, loader.data.u16()?);
        }
    }
    dictionary.order_as_read();
    Ok(Obj::Dictionary(Box::new(dictionary)))
}

impl Vm {
    pub(crate) fn dictionary(&self, id: ObjId) -> Run<&Dictionary> {
        match self.heap.get(id) {
            Obj::Dictionary(dictionary) => Ok(dictionary),
            _ => fail(error::INVAL_OBJ_TYPE),
        }
    }

    fn dictionary_change(&mut self, id: ObjId, change: impl FnOnce(&mut Dictionary)) {
        self.keep_contents(id);
        if let Some(Obj::Dictionary(dictionary)) = self.heap.get_mut(id) {
            change(dictionary);
        }
    }

    fn word_hash(&mut self, comparator: ObjId, text: &str) -> Run<u32> {
        if comparator == NO_OBJECT { Ok(plain_hash(text)) } else { self.compare_hash(comparator, text) }
    }

    /// Puts words that are new into their chains.
    fn hash_words(&mut self, id: ObjId) -> Run<()> {
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
    pub(crate) fn matching_words(&mut self, id: ObjId, typed: &str) -> Run<Vec<(usize, Value)>> {
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
    pub(crate) fn word_props(&mut self, id: ObjId, typed: &str) -> Run<Vec<PropId>> {
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

fn set_comparator(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    let comparator = match args.given(vm, 0) {
        Some(value) => vm.want_object(value)?,
        None => NO_OBJECT,
    };
    vm.hash_words(id)?;
    vm.dictionary_change(id, |dictionary| {
        dictionary.comparator = comparator;
        dictionary.forget_hashes();
    });
    vm.hash_words(id)?;
    Ok(Value::Nil)
}

fn prop_filter(vm: &Vm, args: Args) -> Run<Option<PropId>> {
    args.given(vm, 1).map(|value| vm.want_prop(value)).transpose()
}

fn find_word(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    let typed = vm.want_text(args.get(vm, 0))?;
    let wanted = prop_filter(vm, args)?;
    let mut items = Vec::new();
    for (at, result) in vm.matching_words(id, &typed)? {
        for (object, prop) in &vm.dictionary(id)?.words[at].entries {
            if wanted.is_none_or(|wanted| wanted == *prop) {
                items.extend([Value::Obj(*object), result]);
            }
        }
    }
    Ok(vm.heap.new_list(items))
}

fn is_word_defined(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    let typed = vm.want_text(args.get(vm, 0))?;
    let filter = args.given(vm, 1);
    for (at, result) in vm.matching_words(id, &typed)? {
        if vm.dictionary(id)?.words[at].entries.is_empty() {
            continue;
        }
        match filter {
            Some(function) if vm.call_value(function, &[result])?.is_false() => {}
            _ => return Ok(Value::True),
        }
    }
    Ok(Value::Nil)
}

/// One word or a list of words.
fn words_arg(vm: &mut Vm, value: Value) -> Run<Vec<Text>> {
    match vm.list_like(value)? {
        Some(items) => items.into_iter().map(|item| vm.want_text(item)).collect(),
        None => Ok(vec![vm.want_text(value)?]),
    }
}

fn add_word(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    let object = vm.want_object(args.get(vm, 0))?;
    let words = words_arg(vm, args.get(vm, 1))?;
    let prop = vm.want_prop(args.get(vm, 2))?;
    let comparator = vm.dictionary(id)?.comparator;
    for word in &words {
        // A hash to look for the word, and another one to add it if it is new: a comparator of the program sees both.
        if comparator != NO_OBJECT {
            vm.word_hash(comparator, word)?;
        }
        vm.dictionary_change(id, |dictionary| dictionary.add(word, object, prop));
        vm.hash_words(id)?;
    }
    Ok(Value::Nil)
}

fn remove_word(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    let object = vm.want_object(args.get(vm, 0))?;
    let words = words_arg(vm, args.get(vm, 1))?;
    let prop = vm.want_prop(args.get(vm, 2))?;
    vm.dictionary_change(id, |dictionary| words.iter().for_each(|word| dictionary.remove(word, object, prop)));
    Ok(Value::Nil)
}

fn for_each_word(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    let function = args.get(vm, 0);
    vm.hash_words(id)?;
    let dictionary = vm.dictionary(id)?;
    let words: Vec<Word> = dictionary.in_order().into_iter().map(|at| dictionary.words[at].clone()).collect();
    for word in words {
        for (object, prop) in word.entries {
            let text = vm.heap.new_text(word.text.clone());
            vm.call_value(function, &[Value::Obj(object), text, Value::Prop(prop)])?;
        }
    }
    Ok(Value::Nil)
}

/// Words within an edit distance: [word, distance, replacements].
fn correct_spelling(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    let typed: Vec<char> = vm.want_text(args.get(vm, 0))?.chars().collect();
    let limit = vm.num_arg(args.get(vm, 1))?.max(0) as usize;
    let mut found = Vec::new();
    for word in &vm.dictionary(id)?.words {
        if word.entries.is_empty() {
            continue;
        }
        let letters: Vec<char> = word.text.chars().collect();
        if let Some((distance, replacements)) = edit_distance(&typed, &letters, limit) {
            found.push((word.text.clone(), distance, replacements));
        }
    }
    let items = seq::collect(vm, |vm| {
        for (text, distance, replacements) in found {
            let text = vm.heap.new_text(text);
            let row = vec![text, Value::Int(distance as i32), Value::Int(replacements as i32)];
            let row = vm.heap.new_list(row);
            vm.rooted.push(row);
        }
        Ok(())
    })?;
    Ok(vm.heap.new_list(items))
}

/// Insertions, deletions, replacements and swaps of neighbours between two words, and the replacements among them.
fn edit_distance(a: &[char], b: &[char], limit: usize) -> Option<(usize, usize)> {
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut rows: Vec<Vec<(usize, usize)>> = vec![(0..=b.len()).map(|n| (n, 0)).collect()];
    for i in 1..=a.len() {
        let mut row = vec![(i, 0)];
        for j in 1..=b.len() {
            let step = |(cost, replaced): (usize, usize)| (cost + 1, replaced);
            let above = &rows[i - 1];
            let mut best = step(above[j]).min(step(row[j - 1]));
            let same = a[i - 1] == b[j - 1];
            let diagonal = above[j - 1];
            best = best.min(if same { diagonal } else { (diagonal.0 + 1, diagonal.1 + 1) });
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(step(rows[i - 2][j - 2]));
            }
            row.push(best);
        }
        rows.push(row);
    }
    let result = rows[a.len()][b.len()];
    (result.0 <= limit).then_some(result)
}
