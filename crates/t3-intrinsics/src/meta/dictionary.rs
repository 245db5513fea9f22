//! dictionary2: words with the objects that they name and the part of speech they name them by. Objects are held
//! weakly.

use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::meta::Meta;
use phlox_t3_vm::methods;
use phlox_t3_vm::objects::Obj;
use phlox_t3_vm::objects::dictionary::{Dictionary, Word};
use phlox_t3_vm::text::Text;
use phlox_t3_vm::value::{NO_OBJECT, ObjId, PropId, Value};
use phlox_t3_vm::vm::{Args, Load, Loader, Method, Vm};

pub(crate) static METHODS: &[Method] = methods! {
    setComparator 1 1 => set_comparator,
    findWord 1 2 => find_word,
    addWord 3 3 => add_word,
    removeWord 3 3 => remove_word,
    isWordDefined 1 2 => is_word_defined,
    forEachWord 1 1 => for_each_word,
    correctSpelling 2 2 => correct_spelling,
};

/// `new Dictionary(comparator?)`.
pub(crate) fn create(vm: &mut Vm, args: Args) -> Run<Value> {
    if args.count > 1 {
        return fail(error::WRONG_NUM_OF_ARGS);
    }
    let comparator = comparator_arg(args.get(vm, 0))?;
    Ok(Value::Obj(vm.heap.alloc(Obj::Dictionary(Box::new(Dictionary::new(comparator))))))
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

/// The object that compares words, or none.
fn comparator_arg(value: Value) -> Run<ObjId> {
    match value {
        Value::Nil => Ok(NO_OBJECT),
        Value::Obj(id) => Ok(id),
        _ => fail(error::BAD_TYPE_BIF),
    }
}

fn set_comparator(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    let comparator = comparator_arg(args.get(vm, 0))?;
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

/// Strings and lists own no words, even if they are objects.
fn word_owner(vm: &Vm, object: ObjId) -> Run<()> {
    match vm.heap.get(object) {
        Obj::Text(_) | Obj::List(_) => fail(error::OBJ_VAL_REQD),
        _ => Ok(()),
    }
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
    let prop = vm.want_prop(args.get(vm, 2))?;
    word_owner(vm, object)?;
    let words = words_arg(vm, args.get(vm, 1))?;
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
    let prop = vm.want_prop(args.get(vm, 2))?;
    let words = words_arg(vm, args.get(vm, 1))?;
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
    let limit = vm.want_int(args.get(vm, 1))?.max(0) as usize;
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
    let items = phlox_t3_vm::contents::sequence::collect(vm, |vm| {
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
