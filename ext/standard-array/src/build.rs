//! Arrays made from parameters or from another array's elements.

use crate::lookup::copied;
use phlox_runtime::props::{self, Access};
use phlox_runtime::{ArrKey, Call, FnDef, Key, Level, PhpArr, PhpObj, PhpResult, PhpStr, Val, View, convert};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("array_fill(int $start_index, int $count, mixed $value): array", array_fill).fast_path(|args| {
        let [start, count, value] = args else { return None };
        let count = usize::try_from(count.as_int()?).ok().filter(|&count| count as i64 <= MAX_SIZE)?;
        (start.as_int()? == 0).then(|| PhpArr::filled(&value.deref(), count).into())
    }),
    FnDef::new("array_fill_keys(array $keys, mixed $value): array", array_fill_keys).fast_path(|args| {
        let [keys, value] = args else { return None };
        let keys = keys.as_arr()?;
        let mut array = PhpArr::with_hash_capacity(keys.len());
        for key in keys.values() {
            array.insert(plain_key(key)?, value.deref());
        }
        Some(array.into())
    }),
    FnDef::new("array_combine(array $keys, array $values): array", array_combine).fast_path(|args| {
        let (keys, values) = (args.first()?.as_arr()?, args.get(1)?.as_arr()?);
        if keys.len() != values.len() {
            return None;
        }
        let mut array = PhpArr::with_hash_capacity(keys.len());
        for (key, value) in keys.values().zip(values.values()) {
            array.insert(plain_key(key)?, copied(value));
        }
        Some(array.into())
    }),
    FnDef::new("array_pad(array $array, int $length, mixed $value): array", array_pad),
    FnDef::new("array_chunk(array $array, int $length, bool $preserve_keys = false): array", array_chunk).fast_path(
        |args| match args {
            [array, length] => {
                let length = usize::try_from(length.as_int()?).ok().filter(|&length| length > 0)?;
                Some(chunks(array.as_arr()?, length, false))
            }
            _ => None,
        },
    ),
    FnDef::new("array_flip(array $array): array", array_flip).fast_path(|args| {
        let array = args.first()?.as_arr()?;
        let mut flipped = PhpArr::with_hash_capacity(array.len());
        for (key, value) in array {
            flipped.insert(plain_key(value)?, key.to_val());
        }
        Some(flipped.into())
    }),
    FnDef::new("array_reverse(array $array, bool $preserve_keys = false): array", array_reverse).fast_path(|args| {
        match args {
            [array] => Some(reversed(array.as_arr()?, false)),
            [array, preserve_keys] => Some(reversed(array.as_arr()?, preserve_keys.as_bool()?)),
            _ => None,
        }
    }),
    FnDef::new("array_change_key_case(array $array, int $case = CASE_LOWER): array", array_change_key_case),
    FnDef::new("array_count_values(array $array): array", array_count_values).fast_path(|args| {
        let array = args.first()?.as_arr()?;
        let mut counts = PhpArr::with_hash_capacity(0);
        for value in array.values() {
            count_one(&mut counts, plain_key(value)?);
        }
        Some(counts.into())
    }),
    FnDef::new(
        "array_column(array $array, int|string|null $column_key, int|string|null $index_key = null): array",
        array_column,
    )
    .fast_path(|args| match args {
        [array, name] => column_of_arrays(array.as_arr()?, plain_key(name)?),
        _ => None,
    }),
];

/// The longest array that Zend makes.
const MAX_SIZE: i64 = 0x4000_0000;

fn array_fill(call: &mut Call<'_>) -> PhpResult<Val> {
    let (start, count, value) = (call.int(0), call.int(1), call.arg(2));
    if count < 0 {
        return Err(call.value_error(1, "must be greater than or equal to 0"));
    }
    if count > i32::MAX as i64 || (start == 0 && count > MAX_SIZE) {
        return Err(call.value_error(1, "is too large"));
    }
    if count > 0 && start > i64::MAX - count + 1 {
        return Err(no_next_element(call));
    }
    if start == 0 {
        return Ok(PhpArr::filled(&value, count as usize).into());
    }
    let mut array = PhpArr::new();
    for key in start..start + count {
        array.insert(Key::Int(key), value.clone());
    }
    Ok(array.into())
}

/// The error of appending when the largest key is taken.
pub fn no_next_element(call: &Call<'_>) -> phlox_runtime::Throw {
    call.vm.throw_error(b"Cannot add element to the array as the next element is already occupied")
}

/// A value as a key, as `array_combine` and others read it: integers stay, all else becomes a string.
fn string_key(call: &Call<'_>, value: &Val) -> PhpResult<ArrKey> {
    match value.deref().view() {
        View::Int(i) => Ok(ArrKey::Int(i)),
        _ => Ok(ArrKey::from_str(convert::to_str(call.vm, &value.deref())?)),
    }
}

/// The value as a key, if it needs no conversion.
fn plain_key(value: &Val) -> Option<Key<'_>> {
    match value.view() {
        View::Int(int) => Some(Key::Int(int)),
        View::Str(text) => Some(Key::from_str(text)),
        _ => None,
    }
}

fn array_fill_keys(call: &mut Call<'_>) -> PhpResult<Val> {
    let (keys, value) = (call.arr(0), call.arg(1));
    let mut array = PhpArr::with_capacity(0);
    for key in keys.values() {
        array.insert(string_key(call, key)?.as_key(), value.clone());
    }
    Ok(array.into())
}

fn array_combine(call: &mut Call<'_>) -> PhpResult<Val> {
    let (keys, values) = (call.arr(0), call.arr(1));
    if keys.len() != values.len() {
        let text =
            b"array_combine(): Argument #1 ($keys) and argument #2 ($values) must have the same number of elements";
        return Err(call.vm.throw_value_error(text));
    }
    let mut array = PhpArr::with_capacity(0);
    for (key, value) in keys.values().zip(values.values()) {
        array.insert(string_key(call, key)?.as_key(), copied(value));
    }
    Ok(array.into())
}

fn array_pad(call: &mut Call<'_>) -> PhpResult<Val> {
    let (array, length, value) = (call.arr(0), call.int(1), call.arg(2));
    if !(-MAX_SIZE..=MAX_SIZE).contains(&length) {
        return Err(call.value_error(1, "must not exceed the maximum allowed array size"));
    }
    let wanted = length.unsigned_abs() as usize;
    if array.len() >= wanted {
        return Ok(array.into());
    }
    let missing = wanted - array.len();
    let mut padded = if length < 0 { PhpArr::filled(&value, missing) } else { PhpArr::with_capacity(wanted) };
    for (key, value) in &array {
        match key {
            Key::Str(_) => drop(padded.insert(key, copied(value))),
            Key::Int(_) => drop(padded.push(copied(value))),
        }
    }
    if length > 0 {
        for _ in 0..missing {
            let _ = padded.push(value.clone());
        }
    }
    Ok(padded.into())
}

fn array_chunk(call: &mut Call<'_>) -> PhpResult<Val> {
    let (array, length, preserve_keys) = (call.arr(0), call.int(1), call.bool(2));
    if length < 1 {
        return Err(call.value_error(1, "must be greater than 0"));
    }
    Ok(chunks(&array, length as usize, preserve_keys))
}

fn chunks(array: &PhpArr, length: usize, preserve_keys: bool) -> Val {
    if let Some(list) = array.as_list().filter(|_| !preserve_keys) {
        let chunk = |values: &[Val]| PhpArr::list(values.len(), values.iter().map(copied)).into();
        return PhpArr::list(list.len().div_ceil(length), list.chunks(length).map(chunk)).into();
    }
    let mut chunks = PhpArr::new();
    let mut chunk = PhpArr::new();
    for (key, value) in array {
        if preserve_keys {
            chunk.insert(key, copied(value));
        } else {
            let _ = chunk.push(copied(value));
        }
        if chunk.len() == length {
            let _ = chunks.push(std::mem::take(&mut chunk).into());
        }
    }
    if !chunk.is_empty() {
        let _ = chunks.push(chunk.into());
    }
    chunks.into()
}

fn array_flip(call: &mut Call<'_>) -> PhpResult<Val> {
    let array = call.arr(0);
    let mut flipped = PhpArr::with_capacity(0);
    for (key, value) in &array {
        match value.deref().view() {
            View::Int(i) => drop(flipped.insert(Key::Int(i), key.to_val())),
            View::Str(s) => drop(flipped.insert(Key::from_str(s), key.to_val())),
            _ => call.warning("Can only flip string and integer values, entry skipped")?,
        }
    }
    Ok(flipped.into())
}

fn array_reverse(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(reversed(&call.arr(0), call.bool(1)))
}

fn reversed(array: &PhpArr, preserve_keys: bool) -> Val {
    if array.is_packed() && !preserve_keys {
        return PhpArr::list(array.len(), array.values().rev().map(copied)).into();
    }
    let mut reversed = PhpArr::with_hash_capacity(array.len());
    for (key, value) in array.iter().rev() {
        match key {
            Key::Int(_) if !preserve_keys => drop(reversed.push(copied(value))),
            _ => reversed.add_new(key, copied(value)),
        }
    }
    reversed.into()
}

fn array_change_key_case(call: &mut Call<'_>) -> PhpResult<Val> {
    let (array, case) = (call.arr(0), call.int(1));
    let mut changed = PhpArr::with_capacity(0);
    for (key, value) in &array {
        match key {
            Key::Int(_) => drop(changed.insert(key, copied(value))),
            Key::Str(name) => {
                let name = if case != 0 { name.to_ascii_uppercase() } else { name.to_ascii_lowercase() };
                changed.insert(Key::Str(&PhpStr::new(&name)), copied(value));
            }
        }
    }
    Ok(changed.into())
}

fn array_count_values(call: &mut Call<'_>) -> PhpResult<Val> {
    let array = call.arr(0);
    let mut counts = PhpArr::with_capacity(0);
    for value in array.values() {
        let value = value.deref();
        let key = match value.view() {
            View::Int(i) => Key::Int(i),
            View::Str(s) => Key::from_str(s),
            _ => {
                call.warning("Can only count string and integer values, entry skipped")?;
                continue;
            }
        };
        count_one(&mut counts, key);
    }
    Ok(counts.into())
}

fn count_one(counts: &mut PhpArr, key: Key<'_>) {
    let (place, _) = counts.entry(key);
    let count = place.as_int().unwrap_or(0);
    place.set(Val::int(count + 1));
}

/// The column of rows that are arrays; `None` if some are not.
fn column_of_arrays(rows: &PhpArr, name: Key<'_>) -> Option<Val> {
    let mut result = PhpArr::with_capacity(rows.len());
    for row in rows.values() {
        if let Some(value) = row.as_arr()?.get(name) {
            let _ = result.push(value.deref());
        }
    }
    Some(result.into())
}

/// A row's column: an array's element or an object's readable property.
fn column(call: &Call<'_>, row: &Val, name: &Val) -> PhpResult<Option<Val>> {
    match row.view() {
        View::Arr(array) => {
            let key = match name.view() {
                View::Str(s) => Key::from_str(s),
                View::Int(i) => Key::Int(i),
                _ => return Ok(None),
            };
            Ok(array.get(key).map(Val::deref))
        }
        View::Obj(object) => object_column(call, object, &convert::to_str(call.vm, name)?),
        _ => Ok(None),
    }
}

/// A property that is there, whatever its value, or that `isset` finds.
fn object_column(call: &Call<'_>, object: &PhpObj, name: &PhpStr) -> PhpResult<Option<Val>> {
    let (vm, scope) = (call.vm, call.vm.scope());
    let access = Access { scope: scope.as_ref(), strict: false };
    if !props::exists(vm, object, name, access)? && !props::isset(vm, object, name, access, false)? {
        return Ok(None);
    }
    props::read(vm, object, name, access, props::ReadMode::Warn).map(Some)
}

fn array_column(call: &mut Call<'_>) -> PhpResult<Val> {
    let (array, column_key, index_key) = (call.arr(0), call.arg(1), call.arg(2));
    let mut result = PhpArr::new();
    for row in array.values() {
        let row = row.deref();
        let value = if column_key.is_null() { Some(row.clone()) } else { column(call, &row, &column_key)? };
        let Some(value) = value else { continue };
        let key = if index_key.is_null() { None } else { column(call, &row, &index_key)? };
        match key {
            Some(key) => insert_with_key(call, &mut result, &key, value)?,
            None => drop(result.push(value)),
        }
    }
    Ok(result.into())
}

/// `$array[$key] = $value` with the key conversions of an offset.
fn insert_with_key(call: &Call<'_>, array: &mut PhpArr, key: &Val, value: Val) -> PhpResult<()> {
    let key = match key.view() {
        View::Int(i) => ArrKey::Int(i),
        View::Str(s) => ArrKey::from_str(s.clone()),
        View::Undef | View::Null => ArrKey::Str(PhpStr::empty()),
        View::Bool(b) => ArrKey::Int(b as i64),
        View::Double(d) => ArrKey::Int(convert::double_to_int_checked(call.vm, d)?),
        View::Res(r) => {
            let id = r.id();
            let text = format!("Resource ID#{id} used as offset, casting to integer ({id})");
            call.vm.raise(Level::Warning, text.as_bytes())?;
            ArrKey::Int(id)
        }
        _ => {
            let text = format!("Cannot access offset of type {} on array", convert::value_name(key));
            return Err(call.vm.throw_type_error(text.as_bytes()));
        }
    };
    array.insert(key.as_key(), value);
    Ok(())
}
