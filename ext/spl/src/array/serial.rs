//! Serialisation, in the current form and in the old one.

use super::data::{IS_SELF, KEPT, data, sorting_error};
use super::methods::set_array;
use crate::members::{self, ill_typed};
use phlox_ext_standard::serialize::{Sequence, serialize_each};
use phlox_runtime::{Call, ClassExt, PhpArr, PhpResult, Val, View, iteration};

/// `__serialize()`
pub fn serialize_array(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this();
    let own = data(this);
    let flags = own.flags.get() & KEPT;
    let storage = if flags & IS_SELF != 0 { Val::NULL } else { own.storage.get() };
    let class = own.iterator_class.borrow().as_ref().map_or(Val::NULL, |class| match &class.class().name {
        name if &name[..] == b"ArrayIterator" => Val::NULL,
        name => name.into(),
    });
    Ok(PhpArr::from_vec(vec![Val::int(flags), storage, members::table(this).into(), class]).into())
}

/// `__unserialize()`
pub fn unserialize_array(call: &mut Call<'_>) -> PhpResult<Val> {
    let (this, vm, parts) = (call.this().clone(), call.vm, call.arr(0));
    // A part that is a reference, because the text refers to it elsewhere, has no valid type.
    let part = |index: i64| parts.get_int(index).cloned();
    let (Some(flags), Some(storage), Some(table)) = (part(0), part(1), part(2)) else { return Err(ill_typed(vm)) };
    let class = part(3).unwrap_or(Val::NULL);
    let (Some(flags), Some(table)) = (flags.as_int(), table.into_arr()) else { return Err(ill_typed(vm)) };
    if !class.is_null() && class.as_str().is_none() {
        return Err(ill_typed(vm));
    }
    let own = data(&this);
    own.flags.set(own.flags.get() & !KEPT | flags & KEPT);
    if flags & IS_SELF != 0 {
        own.storage.set(Val::NULL);
    } else {
        if storage.is_ref() || !matches!(storage.view(), View::Arr(_) | View::Obj(_)) {
            let text = b"Passed variable is not an array or object";
            return Err(vm.throw_class(b"InvalidArgumentException", text, 0));
        }
        let kept = own.flags.get();
        set_array(vm, &this, storage, 0, true)?;
        own.flags.set(own.flags.get() | kept & !IS_SELF);
    }
    members::load(&this, &table);
    if let Some(name) = class.as_str() {
        let found = vm.find_class(name)?;
        let problem = match &found {
            None => Some("no such class exists"),
            Some(class) if !iteration::class_implements(vm, class, b"iterator") => {
                Some("this class does not implement the Iterator interface")
            }
            Some(_) => None,
        };
        if let Some(problem) = problem {
            let text = format!("Cannot deserialize ArrayObject with iterator class '{name}'; {problem}");
            return Err(vm.throw_class(b"UnexpectedValueException", text.as_bytes(), 0));
        }
        own.iterator_class.replace(found);
    }
    Ok(Val::NULL)
}

/// The old form: `x:i:FLAGS;STORAGE;m:MEMBERS`.
pub fn serialize(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this().clone();
    let flags = data(&this).flags.get() & KEPT;
    let mut values = vec![Val::int(flags)];
    if flags & IS_SELF == 0 {
        values.push(data(&this).storage.get());
    }
    values.push(members::table(&this).into());
    let texts = serialize_each(call.vm, |index| values.get(index).cloned())?;
    let mut text = [b"x:", &texts[0][..]].concat();
    if let [_, storage, _] = &texts[..] {
        text.extend([&storage[..], b";"].concat());
    }
    text.extend([b"m:", &texts[texts.len() - 1][..]].concat());
    Ok(text.into())
}

/// Checks that a letter and a colon follow at `at`; the error is the position where they do not.
pub fn tagged(text: &[u8], at: usize, letter: u8) -> Result<(), usize> {
    match text.get(at..).unwrap_or_default() {
        [first, b':', ..] if *first == letter => Ok(()),
        [first, ..] if *first == letter => Err(at + 1),
        _ => Err(at),
    }
}

/// `unserialize()`, which reads the old form.
pub fn unserialize(call: &mut Call<'_>) -> PhpResult<Val> {
    let (this, vm, text) = (call.this().clone(), call.vm, call.str(0));
    if text.is_empty() {
        return Ok(Val::NULL);
    }
    if data(&this).sorting.get() > 0 {
        return Err(sorting_error(vm));
    }
    let fail = |at: usize| {
        let text = format!("Error at offset {at} of {} bytes", text.len());
        Err(vm.throw_class(b"UnexpectedValueException", text.as_bytes(), 0))
    };
    let mut reader = Sequence::new(vm, &text, "ArrayObject::unserialize");
    if let Err(at) = tagged(&text, 0, b'x') {
        return fail(at);
    }
    let Some((flags, mut at)) = reader.next(2)? else { return fail(reader.position()) };
    let Some(flags) = flags.deref().as_int() else { return fail(at) };
    let own = data(&this);
    own.flags.set(own.flags.get() & !KEPT | flags & KEPT);
    if flags & IS_SELF != 0 {
        own.storage.set(Val::NULL);
    } else {
        if !matches!(text.get(at), Some(b'a' | b'O' | b'C' | b'r')) {
            return fail(at);
        }
        let Some((storage, end)) = reader.next(at)? else { return fail(reader.position()) };
        let storage = storage.into_deref();
        if !matches!(storage.view(), View::Arr(_) | View::Obj(_)) {
            return fail(end);
        }
        own.storage.set(storage);
        if text.get(end) != Some(&b';') {
            return fail(end);
        }
        at = end + 1;
    }
    if let Err(at) = tagged(&text, at, b'm') {
        return fail(at);
    }
    let Some(table) = reader.next(at + 2)?.and_then(|(table, _)| table.into_deref().into_arr()) else {
        return fail(reader.position());
    };
    members::load(&this, &table);
    reader.finish()?;
    Ok(Val::NULL)
}
