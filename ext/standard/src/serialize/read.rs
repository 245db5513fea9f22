//! The serialised format to values.
//!
//! Every value but an `R:` reference has a number. Values that some `R:` may name are made references as soon as they
//! are read, because a value moves into its container afterwards. A reference that nothing named in the end has one
//! holder and so is a plain value again.

use super::{INCOMPLETE_CLASS, INCOMPLETE_NAME};
use phlox_runtime::class::{ClassRef, ObjExt, PropInfo};
use phlox_runtime::vm::Callee;
use phlox_runtime::{
    ArrKey, ByBytes, ClassExt, DataKey, Func, Key, PhpArr, PhpObj, PhpRef, PhpResult, PhpStr, Thrown, Val, View, Vm,
    coerce, convert, link,
};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Nesting that no option can raise: the reader recurses.
const DEPTH_MAX: i64 = 10_000;

/// `unserialize`; `function` names the caller in messages.
pub fn unserialize_value(vm: &Vm, text: &[u8], options: &PhpArr, function: &str) -> PhpResult<Val> {
    if text.is_empty() {
        return Ok(Val::FALSE);
    }
    let (mut reader, nested) = Reader::new(vm, text, function);
    let outer = (nested && !options.is_empty()).then_some((reader.state.depth, reader.state.depth_max));
    let allowed_before = (nested && !options.is_empty()).then(|| reader.state.allowed.take());
    let outcome = reader.options(options).and_then(|()| {
        let result = reader.whole_value(nested);
        reader.finish(result)
    });
    if nested {
        if let (Some((depth, depth_max)), Some(allowed)) = (outer, allowed_before) {
            (reader.state.depth, reader.state.depth_max, reader.state.allowed) = (depth, depth_max, allowed);
        }
        // Objects wake up when all of the outer text is read.
        reader.hand_back();
        return outcome.map(Val::into_deref);
    }
    let delayed = reader.run_delayed(outcome.is_err());
    // Values that only the reader holds are released first, which decides the handles of later objects.
    drop(reader);
    let value = outcome?;
    delayed?;
    Ok(value.into_deref())
}

/// Reads values that share their numbers, from one text.
pub struct Sequence<'a> {
    reader: Reader<'a>,
    /// The text is part of a larger one that is being read.
    nested: bool,
}

impl<'a> Sequence<'a> {
    /// `function` names the caller in messages.
    pub fn new(vm: &'a Vm, text: &'a [u8], function: &'a str) -> Sequence<'a> {
        let (reader, nested) = Reader::new(vm, text, function);
        Sequence { reader, nested }
    }

    /// The value at a place and where it ends; `None`: it is malformed.
    pub fn next(&mut self, at: usize) -> PhpResult<Option<(Val, usize)>> {
        self.reader.at = at;
        Ok(self.reader.whole_value(self.nested)?.map(|value| (value, self.reader.at)))
    }

    /// How far the last value was read.
    pub fn position(&self) -> usize {
        self.reader.at
    }

    /// Wakes the objects, or leaves that to whoever reads the larger text.
    pub fn finish(mut self) -> PhpResult<()> {
        if self.nested { Ok(()) } else { self.reader.run_delayed(false) }
    }
}

impl Drop for Sequence<'_> {
    fn drop(&mut self) {
        if self.nested {
            self.reader.hand_back();
        }
    }
}

/// Numbers that occur in `R:n;`. Text inside strings may add a few needlessly.
fn named_by_reference(text: &[u8]) -> HashSet<usize> {
    memchr::memchr_iter(b'R', text)
        .filter(|at| text.get(at + 1) == Some(&b':'))
        .filter_map(|at| {
            let digits = text[at + 2..].iter().take_while(|b| b.is_ascii_digit()).count();
            std::str::from_utf8(&text[at + 2..at + 2 + digits]).ok()?.parse().ok()
        })
        .collect()
}

/// The state of a call that runs `Serializable::unserialize`, for calls of `unserialize` inside it.
#[derive(Default)]
struct Shared(RefCell<Option<State>>);

static SHARED: DataKey<Shared> = DataKey::new();

/// A method to call when everything is read.
enum Delayed {
    Wakeup(PhpObj, Rc<Func>),
    Unserialize(PhpObj, Rc<Func>, PhpArr),
}

/// The part of the state that calls inside `Serializable::unserialize` share.
#[derive(Default)]
struct State {
    /// The values by number minus one: the object, or the reference of a value that may be named; `Undef` for others.
    slots: Vec<Val>,
    named: HashSet<usize>,
    /// Lower-case names of the classes that may be made; `None`: all.
    allowed: Option<HashMap<Vec<u8>, ()>>,
    depth: i64,
    depth_max: i64,
    delayed: Vec<Delayed>,
    /// Parts of values that could not be read to their end. They live until all is read.
    kept: Vec<Val>,
}

struct Reader<'a> {
    vm: &'a Vm,
    function: &'a str,
    text: &'a [u8],
    at: usize,
    state: State,
    /// The part of a value that was read before the value turned out to be malformed. It lives until that was reported.
    partial: Val,
}

/// `None`: the text is malformed at `at`.
type Read<T> = PhpResult<Option<T>>;

/// Unwraps a [`Read`], passing malformed text on.
macro_rules! read {
    ($read:expr) => {
        match $read {
            Some(value) => value,
            None => return Ok(None),
        }
    };
}

mod objects;

impl<'a> Reader<'a> {
    /// A reader, and whether it continues with the shared state of an outer one.
    fn new(vm: &'a Vm, text: &'a [u8], function: &'a str) -> (Reader<'a>, bool) {
        let inherited = vm.keyed(&SHARED).0.borrow_mut().take();
        let nested = inherited.is_some();
        let mut state = inherited
            .unwrap_or_else(|| State { depth_max: vm.ini.get(&super::UNSERIALIZE_MAX_DEPTH), ..State::default() });
        state.named.extend(named_by_reference(text));
        (Reader { vm, function, text, at: 0, state, partial: Val::UNDEF }, nested)
    }

    /// Returns the shared state to the outer reader.
    fn hand_back(&mut self) {
        drop(self.vm.keyed(&SHARED).0.replace(Some(std::mem::take(&mut self.state))));
    }

    /// Reads a value. If it is malformed, no later `R:` can name a part of it.
    fn whole_value(&mut self, nested: bool) -> Read<Val> {
        let first = self.state.slots.len();
        let value = self.value();
        if !matches!(value, Ok(Some(_))) {
            let failed = self.state.slots.iter_mut().skip(first);
            let dropped: Vec<Val> = failed.map(|slot| std::mem::replace(slot, Val::UNDEF)).collect();
            if nested {
                self.state.kept.extend(dropped);
                self.state.kept.push(std::mem::take(&mut self.partial));
            }
        }
        value
    }

    fn options(&mut self, options: &PhpArr) -> PhpResult<()> {
        let error = |text: String| self.vm.throw_type_error(text.as_bytes());
        let function = self.function;
        if let Some(classes) = options.get_bytes(b"allowed_classes").map(Val::deref) {
            match classes.view() {
                View::Bool(true) => {}
                View::Bool(false) => self.state.allowed = Some(HashMap::new()),
                View::Arr(list) => {
                    let mut allowed = HashMap::new();
                    for entry in list.values().map(Val::deref) {
                        if entry.as_str().is_none() && entry.as_obj().is_none() {
                            let given = convert::value_name(&entry);
                            return Err(error(format!(
                                "{function}(): Option \"allowed_classes\" must be an array of class names, {given} given"
                            )));
                        }
                        let name = convert::to_str(self.vm, &entry)?;
                        if !name.is_empty() && !is_class_name(&name) {
                            let name = phlox_runtime::shown(convert::printable_name(&name)).into_owned();
                            let text = format!(
                                "{function}(): Option \"allowed_classes\" must be an array of class names, \"{name}\" given"
                            );
                            return Err(self.vm.throw_value_error(text.as_bytes()));
                        }
                        allowed.insert(name.to_ascii_lowercase(), ());
                    }
                    self.state.allowed = Some(allowed);
                }
                _ => {
                    let given = convert::value_name(&classes);
                    return Err(error(format!(
                        "{function}(): Option \"allowed_classes\" must be of type array|bool, {given} given"
                    )));
                }
            }
        }
        if let Some(depth) = options.get_bytes(b"max_depth").map(Val::deref) {
            let Some(depth) = depth.as_int() else {
                let given = convert::value_name(&depth);
                return Err(error(format!("{function}(): Option \"max_depth\" must be of type int, {given} given")));
            };
            if depth < 0 {
                let text = format!("{function}(): Option \"max_depth\" must be greater than or equal to 0");
                return Err(self.vm.throw_value_error(text.as_bytes()));
            }
            // A limit that this call sets counts from this depth.
            (self.state.depth, self.state.depth_max) = (0, depth);
        }
        Ok(())
    }

    fn warning(&self, message: &str) -> PhpResult<()> {
        self.vm.warning(format!("{}(): {message}", self.function).as_bytes())
    }

    fn finish(&mut self, result: Read<Val>) -> PhpResult<Val> {
        let (at, size) = (self.at, self.text.len());
        match result? {
            None => {
                let said = self.warning(&format!("Error at offset {at} of {size} bytes"));
                drop(std::mem::take(&mut self.partial));
                said.map(|()| Val::FALSE)
            }
            Some(value) => {
                if at < size {
                    self.warning(&format!("Extra data starting at offset {at} of {size} bytes"))?;
                }
                Ok(value)
            }
        }
    }

    /// `__wakeup` and `__unserialize` in the order of the objects; after a failure (`failed`: before the first) no more, and
    /// the objects left get no destructor.
    fn run_delayed(&mut self, mut failed: bool) -> PhpResult<()> {
        let mut result = Ok(());
        for call in std::mem::take(&mut self.state.delayed) {
            let (object, func, args) = match call {
                Delayed::Wakeup(object, func) => (object, func, Vec::new()),
                Delayed::Unserialize(object, func, data) => (object, func, vec![data.into()]),
            };
            if !failed {
                result = self.vm.call(&Callee::method(func, object.clone()), args).map(drop);
                failed = result.is_err();
            }
            if failed {
                object.mark_destructed();
            }
        }
        result
    }

    fn rest(&self) -> &[u8] {
        &self.text[self.at.min(self.text.len())..]
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    /// Unsigned digits at `at` that `end` follows: the number and the position behind `end`.
    fn length_at(&self, at: usize, end: &[u8]) -> Option<(usize, usize)> {
        let digits = self.text.get(at..)?.iter().take_while(|b| b.is_ascii_digit()).count();
        let number = std::str::from_utf8(&self.text[at..at + digits]).ok()?;
        let number = if digits == 0 { return None } else { number.parse().unwrap_or(usize::MAX) };
        self.text[at + digits..].starts_with(end).then_some((number, at + digits + end.len()))
    }

    /// The count at `at`, with a sign if there is one, and where its digits end; without digits it is 0.
    fn count_at(&self, at: usize) -> PhpResult<(i64, usize)> {
        let sign = usize::from(matches!(self.byte(at), b'+' | b'-'));
        let digits = self.text.iter().skip(at + sign).take_while(|b| b.is_ascii_digit()).count();
        let end = at + sign + digits;
        let count = self.text.get(at..end).and_then(parse_int).unwrap_or(Ok(0));
        if count.is_err() {
            self.warning("Numerical result out of range")?;
        }
        Ok((count.unwrap_or_else(|nearest| nearest), end))
    }

    /// Reads a value that gets the next number.
    fn value(&mut self) -> Read<Val> {
        if self.rest().starts_with(b"R:") {
            return self.reference();
        }
        let number = self.state.slots.len() + 1;
        self.state.slots.push(Val::UNDEF);
        if !self.state.named.contains(&number) {
            return self.plain(number);
        }
        let reference = PhpRef::new(Val::NULL);
        self.state.slots[number - 1].set(reference.clone().into());
        let value = read!(self.plain(number)?);
        reference.set(value.into_deref());
        Ok(Some(reference.into()))
    }

    fn reference(&mut self) -> Read<Val> {
        let (number, end) = read!(self.length_at(self.at + 2, b";"));
        self.at = end;
        let slot = number.checked_sub(1).and_then(|index| self.state.slots.get(index));
        Ok(slot.filter(|slot| slot.is_ref()).cloned())
    }

    /// Reads a value; its number is the caller's business.
    fn plain(&mut self, number: usize) -> Read<Val> {
        if self.byte(self.at + 1) != b':' {
            return self.scalar();
        }
        match self.byte(self.at) {
            b'a' => self.array(),
            b'O' | b'C' => self.object(number),
            b'E' => self.enum_case(number),
            b'r' => {
                let (number, end) = read!(self.length_at(self.at + 2, b";"));
                self.at = end;
                let slot = number.checked_sub(1).and_then(|index| self.state.slots.get(index));
                Ok(slot.map(Val::deref).filter(|value| value.as_obj().is_some()))
            }
            _ => self.scalar(),
        }
    }

    fn scalar(&mut self) -> Read<Val> {
        let start = self.at;
        let rest = self.rest();
        let end_of = |rest: &[u8]| rest.iter().position(|&b| b == b';');
        let (value, length) = match rest {
            [b'N', b';', ..] => (Val::NULL, 2),
            [b'b', b':', digit @ (b'0' | b'1'), b';', ..] => (Val::bool(*digit == b'1'), 4),
            [b'i', b':', tail @ ..] => {
                let end = read!(end_of(tail));
                (Val::int(read!(self.int(&tail[..end])?)), end + 3)
            }
            [b'd', b':', tail @ ..] => {
                let end = read!(end_of(tail));
                (Val::double(read!(parse_double(&tail[..end]))), end + 3)
            }
            [b'}', ..] => {
                self.warning("Unexpected end of serialized data")?;
                return Ok(None);
            }
            [b'a', b':', ..] => {
                // An array is no key, but PHP gets past its head before it says so.
                let (_, end) = read!(self.length_at(start + 2, b":{"));
                self.at = end;
                return Ok(None);
            }
            [b's', b':', ..] => return self.string(),
            [b'S', b':', ..] => return self.escaped_string(),
            _ => return Ok(None),
        };
        self.at = start + length;
        Ok(Some(value))
    }

    fn int(&self, text: &[u8]) -> Read<i64> {
        Ok(match read!(parse_int(text)) {
            Ok(int) => Some(int),
            Err(nearest) => {
                self.warning("Numerical result out of range")?;
                Some(nearest)
            }
        })
    }

    fn string(&mut self) -> Read<Val> {
        let (length, body) = read!(self.length_at(self.at + 2, b":\""));
        if self.text.len() - body < length {
            self.at += 2;
            return Ok(None);
        }
        read!(self.closing(body + length, b';'));
        Ok(Some(Val::str(&self.text[body..body + length])))
    }

    /// The quote and the byte after a string; leaves the position at what is wrong.
    fn closing(&mut self, at: usize, last: u8) -> Option<()> {
        self.at = at;
        if self.byte(at) != b'"' {
            return None;
        }
        self.at = at + 1;
        if self.byte(at + 1) != last {
            return None;
        }
        self.at = at + 2;
        Some(())
    }

    /// `S:` strings have `\xx` escapes.
    fn escaped_string(&mut self) -> Read<Val> {
        let (length, body) = read!(self.length_at(self.at + 2, b":\""));
        if self.text.len() - body < length {
            self.at += 2;
            return Ok(None);
        }
        let mut bytes = Vec::with_capacity(length);
        let mut at = body;
        while bytes.len() < length {
            match self.text.get(at) {
                None => return Ok(None),
                Some(b'\\') => {
                    let digit = |at: usize| (self.byte(at) as char).to_digit(16);
                    let (high, low) = (read!(digit(at + 1)), read!(digit(at + 2)));
                    bytes.push((high << 4 | low) as u8);
                    at += 3;
                }
                Some(byte) => {
                    bytes.push(*byte);
                    at += 1;
                }
            }
        }
        read!(self.closing(at, b';'));
        self.vm.deprecated(format!("{}(): Unserializing the 'S' format is deprecated", self.function).as_bytes())?;
        Ok(Some(bytes.into()))
    }

    fn enter(&mut self) -> Read<()> {
        if self.state.depth_max > 0 && self.state.depth >= self.state.depth_max || self.state.depth >= DEPTH_MAX {
            let limit = self.state.depth_max;
            self.warning(&format!(
                "Maximum depth of {limit} exceeded. The depth limit can be changed using the max_depth \
                 unserialize() option or the unserialize_max_depth ini setting"
            ))?;
            return Ok(None);
        }
        self.state.depth += 1;
        Ok(Some(()))
    }

    /// Elements between the braces, each handed to `store`; the closing brace is left to [`Reader::close`].
    fn elements(&mut self, count: usize, mut store: impl FnMut(&mut Self, ArrKey) -> Read<()>) -> Read<()> {
        read!(self.enter()?);
        for left in (0..count).rev() {
            let key = match self.scalar()?.map(|key| (key.as_int(), key.into_str())) {
                Some((Some(int), _)) => ArrKey::Int(int),
                Some((None, Some(text))) => ArrKey::Str(text),
                _ => {
                    self.state.depth -= 1;
                    return Ok(None);
                }
            };
            let stored = store(self, key)?;
            if stored.is_none() {
                self.state.depth -= 1;
                return Ok(None);
            }
            if left > 0 && !matches!(self.byte(self.at - 1), b';' | b'}') {
                self.at -= 1;
                self.state.depth -= 1;
                return Ok(None);
            }
        }
        self.state.depth -= 1;
        Ok(Some(()))
    }

    /// The brace behind the elements.
    fn close(&mut self) -> Option<()> {
        if self.byte(self.at) != b'}' {
            return None;
        }
        self.at += 1;
        Some(())
    }

    /// The count, if the rest of the text has room for so many elements of at least two bytes.
    fn plausible(&self, count: i64, from: usize) -> Option<usize> {
        usize::try_from(count).ok().filter(|&count| count <= self.text.len().saturating_sub(from) / 2)
    }

    /// A value that takes an element's place where the element may be named: its number then names the new value.
    fn replacing(&mut self, old: &Val, value: Val) -> Option<Val> {
        let same = |a: &Val, b: &Val| matches!((a.view(), b.view()), (View::Ref(a), View::Ref(b)) if a.ptr_eq(b));
        if same(old, &value) {
            return None;
        }
        let value = if value.is_ref() { value } else { PhpRef::new(value).into() };
        self.state.slots.iter_mut().filter(|slot| same(slot, old)).for_each(|slot| slot.set(value.clone()));
        Some(value)
    }

    fn array(&mut self) -> Read<Val> {
        let (_, end) = read!(self.length_at(self.at + 2, b":{"));
        let (count, _) = self.count_at(self.at + 2)?;
        self.at = end;
        let count = read!(self.plausible(count, end));
        let mut array = PhpArr::new();
        if count == 0 {
            read!(self.close());
            return Ok(Some(array.into()));
        }
        let completed = self.elements(count, |reader, key| {
            let value = reader.value();
            let (value, outcome) = match value {
                Ok(Some(value)) => (value, Ok(Some(()))),
                failed if reader.partial.is_undef() => return failed.map(|_| None),
                failed => (std::mem::take(&mut reader.partial), failed.map(|_| None)),
            };
            let key = match key {
                ArrKey::Str(text) => ArrKey::from_str(text),
                int => int,
            };
            let replaced = array.get(key.as_key()).filter(|old| old.is_ref()).cloned();
            let value = match replaced {
                Some(old) => read!(reader.replacing(&old, value)),
                None => value,
            };
            drop(array.insert(key.as_key(), value));
            outcome
        });
        if !matches!(completed, Ok(Some(()))) || self.close().is_none() {
            self.partial = array.into();
            return completed.map(|_| None);
        }
        Ok(Some(array.into()))
    }
}

fn is_class_name(name: &[u8]) -> bool {
    !name.is_empty() && name.iter().all(|&b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'\\' | 0x80..))
}

/// `None`: it is not of digits. `Err`: the integer nearest to a number that is too large.
fn parse_int(text: &[u8]) -> Option<Result<i64, i64>> {
    let digits = text.strip_prefix(b"-").or(text.strip_prefix(b"+")).unwrap_or(text);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let nearest = if text[0] == b'-' { i64::MIN } else { i64::MAX };
    Some(std::str::from_utf8(text).ok()?.parse().map_err(|_| nearest))
}

fn parse_double(text: &[u8]) -> Option<f64> {
    match text {
        b"NAN" => Some(f64::NAN),
        b"INF" => Some(f64::INFINITY),
        b"-INF" => Some(f64::NEG_INFINITY),
        _ => {
            let valid = text.iter().all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E'));
            if valid { std::str::from_utf8(text).ok()?.parse().ok() } else { None }
        }
    }
}
