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

/// A word and what it names.
#[derive(Debug, Clone)]
pub(crate) struct Word {
    pub text: Text,
    pub entries: Vec<(ObjId, PropId)>,
}

/// A dictionary.
#[derive(Debug, Clone, Default)]
pub struct Dictionary {
    /// The object that compares words; none compares exactly.
    pub(crate) comparator: ObjId,
    pub(crate) words: Vec<Word>,
    by_text: HashMap<Text, usize>,
    by_hash: HashMap<u32, Vec<usize>>,
    /// Whether `by_hash` agrees with the comparator.
    hashed: bool,
}

impl std::hash::Hash for Text {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        str::hash(self, state);
    }
}

impl Dictionary {
    fn add(&mut self, text: &Text, object: ObjId, prop: PropId) {
        let at = *self.by_text.entry(text.clone()).or_insert_with(|| {
            self.hashed = false;
            self.words.push(Word { text: text.clone(), entries: Vec::new() });
            self.words.len() - 1
        });
        if !self.words[at].entries.contains(&(object, prop)) {
            self.words[at].entries.push((object, prop));
        }
    }

    fn remove(&mut self, text: &str, object: ObjId, prop: PropId) {
        if let Some(at) = self.by_text.get(&Text::from(text)) {
            self.words[*at].entries.retain(|entry| *entry != (object, prop));
        }
    }

    /// Objects that are gone are no longer named.
    pub(crate) fn remove_dead(&mut self, is_dead: &dyn Fn(Value) -> bool) {
        for word in &mut self.words {
            word.entries.retain(|entry| !is_dead(Value::Obj(entry.0)));
        }
    }
}

/// `new Dictionary(comparator?)`.
pub(crate) fn create(vm: &mut Vm, args: Args) -> Run<Value> {
    let comparator = match args.given(vm, 0) {
        Some(value) => vm.want_object(value)?,
        None => NO_OBJECT,
    };
    let dictionary = Dictionary { comparator, ..Dictionary::default() };
    Ok(Value::Obj(vm.heap.alloc(Obj::Dictionary(Box::new(dictionary)))))
}

/// From a saved game: the words are plain, and there may be more of them.
pub(crate) fn read_saved(loader: &mut Loader<'_>) -> Load<Obj> {
    let mut dictionary = Dictionary { comparator: loader.object()?, ..Dictionary::default() };
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
    Ok(Obj::Dictionary(Box::new(dictionary)))
}

/// From an image: the words are masked with BD.
pub(crate) fn load(loader: &mut Loader<'_>, _: Meta) -> Load<Obj> {
    let mut dictionary = Dictionary { comparator: loader.data.u32()?, ..Dictionary::default() };
    for _ in 0..loader.data.u16()? {
        let length = usize::from(loader.data.u8()?);
        let bytes: Vec<u8> = loader.data.bytes(length)?.iter().map(|byte| byte ^ 0xbd).collect();
        let text = Text::from(String::from_utf8_lossy(&bytes).as_ref());
        for _ in 0..loader.data.u16()? {
            let object = loader.data.u32()?;
            dictionary.add(&text, object, loader.data.u16()?);
        }
    }
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

    /// Words in the order of their addition that match a text, with what the comparator says.
    pub(crate) fn matching_words(&mut self, id: ObjId, typed: &str) -> Run<Vec<(usize, Value)>> {
        let comparator = self.dictionary(id)?.comparator;
        if comparator == NO_OBJECT {
            let found = self.dictionary(id)?.by_text.get(&Text::from(typed)).copied();
            return Ok(found.map(|at| (at, Value::Int(1))).into_iter().collect());
        }
        if !self.dictionary(id)?.hashed {
            let texts: Vec<Text> = self.dictionary(id)?.words.iter().map(|word| word.text.clone()).collect();
            let mut by_hash: HashMap<u32, Vec<usize>> = HashMap::default();
            for (at, text) in texts.iter().enumerate() {
                by_hash.entry(self.compare_hash(comparator, text)?).or_default().push(at);
            }
            if let Some(Obj::Dictionary(dictionary)) = self.heap.get_mut(id) {
                dictionary.by_hash = by_hash;
                dictionary.hashed = true;
            }
        }
        let hash = self.compare_hash(comparator, typed)?;
        let candidates = self.dictionary(id)?.by_hash.get(&hash).cloned().unwrap_or_default();
        let mut found = Vec::new();
        for at in candidates {
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
    vm.dictionary_change(id, |dictionary| {
        dictionary.comparator = comparator;
        dictionary.hashed = false;
    });
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
    vm.dictionary_change(id, |dictionary| words.iter().for_each(|word| dictionary.add(word, object, prop)));
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
    let words = vm.dictionary(id)?.words.clone();
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
