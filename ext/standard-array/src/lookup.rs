//! Counting, searching, keys and values.

pub use phlox_runtime::dims::copied;
use phlox_runtime::{
    ArrKey, ByBytes, Call, FnDef, Key, ObjExt, PhpArr, PhpResult, PhpStr, Throw, Val, View, Vm, compare, convert,
};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("count(#[unchecked] Countable|array $value, int $mode = COUNT_NORMAL): int", count)
        .fast_path(count_quick),
    FnDef::new("sizeof(#[unchecked] Countable|array $value, int $mode = COUNT_NORMAL): int", count)
        .fast_path(count_quick),
    FnDef::new("in_array(mixed $needle, array $haystack, bool $strict = false): bool", in_array)
        .fast_path(in_array_quick),
    FnDef::new("array_search(mixed $needle, array $haystack, bool $strict = false): int|string|false", array_search)
        .fast_path(array_search_quick),
    FnDef::new("array_key_exists($key, array $array): bool", array_key_exists).fast_path(|args| match args {
        [key, array] => Some(Val::bool(array.as_arr()?.contains(match key.view() {
            View::Int(i) => Key::Int(i),
            View::Str(s) => Key::from_str(s),
            _ => return None,
        }))),
        _ => None,
    }),
    FnDef::new("key_exists($key, array $array): bool", array_key_exists),
    FnDef::new("array_keys(array $array, mixed $filter_value = UNKNOWN, bool $strict = false): array", array_keys)
        .fast_path(|args| match args {
            [array] => Some(all_keys(array.as_arr()?)),
            _ => None,
        }),
    FnDef::new("array_values(array $array): array", array_values)
        .fast_path(|args| Some(all_values(args.first()?.as_arr()?))),
    FnDef::new("array_key_first(array $array): int|string|null", array_key_first)
        .fast_path(|args| Some(args.first()?.as_arr()?.keys().next().map_or(Val::NULL, Key::to_val))),
    FnDef::new("array_key_last(array $array): int|string|null", array_key_last)
        .fast_path(|args| Some(args.first()?.as_arr()?.keys().next_back().map_or(Val::NULL, Key::to_val))),
    FnDef::new("array_is_list(array $array): bool", array_is_list)
        .fast_path(|args| Some(Val::bool(args.first()?.as_arr()?.is_list()))),
];

fn count_quick(args: &[Val]) -> Option<Val> {
    let [value] = args else { return None };
    match value.view() {
        View::Arr(array) => Some(Val::int(array.len() as i64)),
        View::Obj(object) => {
            let class = object.class();
            let own = || class.methods.get(&ByBytes(b"count")).filter(|method| !method.is_native());
            let count = class.native.count.filter(|_| class.magic.count.is_none() && own().is_none())?;
            // The slow path raises the error.
            count(Vm::current()?, object).ok().map(Val::int)
        }
        _ => None,
    }
}

fn count(call: &mut Call<'_>) -> PhpResult<Val> {
    let mode = call.int(1);
    if mode != 0 && mode != 1 {
        return Err(call.value_error(1, "must be either COUNT_NORMAL or COUNT_RECURSIVE"));
    }
    let value = call.arg(0);
    match value.view() {
        View::Arr(array) if mode == 1 => Ok(Val::int(count_recursive(call, array)?)),
        View::Arr(array) => Ok(Val::int(array.len() as i64)),
        View::Obj(object) => {
            if let Some(count) = &object.class().magic.count {
                return call.vm.call_on(count, object, &mut []);
            }
            let own = object.class().methods.get(&ByBytes(b"count")).filter(|method| !method.is_native());
            if let Some(count) = object.class().native.count.filter(|_| own.is_none()) {
                return Ok(Val::int(count(call.vm, object)?));
            }
            let countable = call.vm.require_class(b"Countable")?;
            if !object.is_a(&countable) {
                return Err(uncountable(call, &value));
            }
            let result = match own {
                Some(own) => call.vm.call_on(own, object, &mut [])?,
                None => call.vm.call_method(object, b"count", Vec::new())?,
            };
            Ok(Val::int(convert::to_int(call.vm, &result)?))
        }
        _ => Err(uncountable(call, &value)),
    }
}

fn uncountable(call: &Call<'_>, value: &Val) -> Throw {
    call.type_error(0, &format!("must be of type Countable|array, {} given", convert::value_name(value)))
}

fn count_recursive(call: &Call<'_>, array: &PhpArr) -> PhpResult<i64> {
    if !array.protect() {
        call.warning("Recursion detected")?;
        return Ok(0);
    }
    let mut total = array.len() as i64;
    for value in array.values() {
        if let View::Arr(inner) = value.deref().view() {
            match count_recursive(call, inner) {
                Ok(count) => total += count,
                Err(throw) => {
                    array.unprotect();
                    return Err(throw);
                }
            }
        }
    }
    array.unprotect();
    Ok(total)
}

/// The first key whose value is (loosely or strictly) the needle.
fn find(vm: &Vm, needle: &Val, haystack: &PhpArr, strict: bool) -> PhpResult<Option<ArrKey>> {
    for (key, value) in haystack {
        let value = value.deref();
        let same = if strict { compare::identical(needle, &value) } else { compare::loose_eq(vm, needle, &value)? };
        if same {
            return Ok(Some(key.to_owned()));
        }
    }
    Ok(None)
}

fn in_array(call: &mut Call<'_>) -> PhpResult<Val> {
    let found = find(call.vm, &call.arg(0), &call.arr(1), call.bool(2))?;
    Ok(Val::bool(found.is_some()))
}

fn array_search(call: &mut Call<'_>) -> PhpResult<Val> {
    let found = find(call.vm, &call.arg(0), &call.arr(1), call.bool(2))?;
    Ok(found.map_or(Val::FALSE, |key| key.to_val()))
}

fn array_key_exists(call: &mut Call<'_>) -> PhpResult<Val> {
    let array = call.arr(1);
    let key = call.arg(0);
    let found = match key.view() {
        View::Str(s) => array.contains(Key::from_str(s)),
        View::Int(i) => array.contains(Key::Int(i)),
        View::Undef | View::Null => array.contains(Key::Str(&PhpStr::empty())),
        View::Bool(b) => array.contains(Key::Int(b as i64)),
        View::Double(d) => array.contains(Key::Int(convert::double_to_int_checked(call.vm, d)?)),
        View::Res(r) => {
            let id = r.id();
            let text = format!("Resource ID#{id} used as offset, casting to integer ({id})");
            call.vm.warning(text.as_bytes())?;
            array.contains(Key::Int(id))
        }
        // The instruction that PHP compiles plain calls to has another message than the function.
        _ if call.vm.runs_as_instruction() => {
            let kind = convert::type_or_class_name(&key);
            return Err(call.vm.throw_type_error(format!("Cannot access offset of type {kind} on array").as_bytes()));
        }
        _ => return Err(call.type_error(0, "must be a valid array offset type")),
    };
    Ok(Val::bool(found))
}

fn array_keys(call: &mut Call<'_>) -> PhpResult<Val> {
    let array = call.arr(0);
    if !call.was_passed(1) {
        return Ok(all_keys(&array));
    }
    let (needle, strict) = (call.arg(1), call.bool(2));
    let mut keys = PhpArr::new();
    for (key, value) in &array {
        let value = value.deref();
        let same =
            if strict { compare::identical(&needle, &value) } else { compare::loose_eq(call.vm, &needle, &value)? };
        if same {
            let _ = keys.push(key.to_val());
        }
    }
    Ok(keys.into())
}

fn all_keys(array: &PhpArr) -> Val {
    PhpArr::list(array.len(), array.keys().map(Key::to_val)).into()
}

fn all_values(array: &PhpArr) -> Val {
    // The next key of a list whose end was removed differs from that of a copy.
    if array.is_numbered() && (array.is_packed() || array.pointer() == 0) {
        return array.into();
    }
    PhpArr::list(array.len(), array.values().map(copied)).into()
}

fn array_values(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(all_values(&call.arr(0)))
}

fn array_key_first(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.arr(0).keys().next().map_or(Val::NULL, Key::to_val))
}

fn array_key_last(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.arr(0).keys().next_back().map_or(Val::NULL, Key::to_val))
}

fn array_is_list(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::bool(call.arr(0).is_list()))
}

/// A strict search for an int or a string runs no PHP code.
fn in_array_quick(args: &[Val]) -> Option<Val> {
    let (needle, haystack, strict) = match args {
        [needle, haystack] => (needle, haystack.as_arr()?, false),
        [needle, haystack, strict] => (needle, haystack.as_arr()?, strict.as_bool()?),
        _ => return None,
    };
    let found = match needle.view() {
        View::Int(int) if strict => haystack.values().any(|value| value.deref().as_int() == Some(int)),
        View::Str(text) if strict => match haystack.as_list() {
            Some(list) => list.iter().any(|value| is_text(value, text)),
            None => haystack.values().any(|value| is_text(value, text)),
        },
        _ => position_loosely(needle, haystack)?.is_some(),
    };
    Some(Val::bool(found))
}

/// Is the value this string?
#[inline(always)]
fn is_text(value: &Val, text: &PhpStr) -> bool {
    match value.view() {
        // Most strings differ in length or in the first byte.
        View::Str(other) => {
            other.len() == text.len() && other.first() == text.first() && (text.len() <= 1 || other == text)
        }
        View::Ref(other) => other.get().as_str() == Some(text),
        _ => false,
    }
}

fn array_search_quick(args: &[Val]) -> Option<Val> {
    let [needle, haystack] = args else { return None };
    let haystack = haystack.as_arr()?;
    let Some(place) = position_loosely(needle, haystack)? else { return Some(Val::FALSE) };
    haystack.keys().nth(place).map(Key::to_val)
}

/// The element that equals the needle, if any. `None` if an element of another type comes first.
fn position_loosely(needle: &Val, haystack: &PhpArr) -> Option<Option<usize>> {
    match needle.view() {
        View::Int(int) => place_of(haystack, |value| value.as_int().map(|other| other == int)),
        // A string that is no number equals only the same string.
        View::Str(text) if text.first().is_some_and(u8::is_ascii_alphabetic) => {
            place_of(haystack, |value| value.as_str().map(|other| other == text))
        }
        _ => None,
    }
}

fn place_of(haystack: &PhpArr, equals: impl Fn(&Val) -> Option<bool>) -> Option<Option<usize>> {
    for (place, value) in haystack.values().enumerate() {
        if equals(value)? {
            return Some(Some(place));
        }
    }
    Some(None)
}
