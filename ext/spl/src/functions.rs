//! Functions about classes, objects and iterators.

use phlox_runtime::{Call, ClassExt, ClassRef, FnDef, PhpArr, PhpResult, PhpStr, Val, View, convert, iteration};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("class_implements($object_or_class, bool $autoload = true): array|false", class_implements),
    FnDef::new("class_parents($object_or_class, bool $autoload = true): array|false", class_parents),
    FnDef::new("class_uses($object_or_class, bool $autoload = true): array|false", class_uses),
    FnDef::new("spl_classes(): array", spl_classes),
    FnDef::new("spl_object_hash(object $object): string", spl_object_hash)
        .fast_path(|args| Some(object_hash(args.first()?.as_obj()?.handle()).into())),
    FnDef::new("spl_object_id(object $object): int", spl_object_id)
        .fast_path(|args| Some(Val::int(args.first()?.as_obj()?.handle().into()))),
    FnDef::new("iterator_apply(Traversable $iterator, callable $callback, ?array $args = null): int", iterator_apply),
    FnDef::new("iterator_count(\\Traversable|array $iterator): int", iterator_count),
    FnDef::new(
        "iterator_to_array(\\Traversable|array $iterator, bool $preserve_keys = true): array",
        iterator_to_array,
    ),
];

/// The class that the first argument names, or whose object it is; `None`, with a warning, if there is none.
fn class_argument(call: &Call<'_>) -> PhpResult<Option<ClassRef>> {
    let argument = call.arg(0);
    let name = match argument.view() {
        View::Obj(object) => return Ok(Some(object.class_header().clone())),
        View::Str(name) => name.clone(),
        _ => {
            let given = convert::value_name(&argument);
            return Err(call.type_error(0, &format!("must be of type object|string, {given} given")));
        }
    };
    let autoload = call.bool(1);
    let found = if autoload { call.vm.find_class(&name)? } else { call.vm.find_class_no_autoload(&name) };
    if found.is_none() {
        let tail = if autoload { " and could not be loaded" } else { "" };
        let name = phlox_runtime::shown(phlox_runtime::until_nul(&name));
        call.warning(&format!("Class {name} does not exist{tail}"))?;
    }
    Ok(found)
}

/// Class names as keys and values.
fn names<'a>(classes: impl Iterator<Item = &'a ClassRef>) -> Val {
    let mut list = PhpArr::new();
    for class in classes {
        let name = &class.class().name;
        list.set_bytes(name, name.into());
    }
    list.into()
}

fn class_implements(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(class) = class_argument(call)? else { return Ok(Val::FALSE) };
    Ok(names(class.class().interfaces.iter()))
}

fn class_parents(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(class) = class_argument(call)? else { return Ok(Val::FALSE) };
    Ok(names(std::iter::successors(class.class().parent.as_ref(), |class| class.class().parent.as_ref())))
}

fn class_uses(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(class) = class_argument(call)? else { return Ok(Val::FALSE) };
    Ok(names(class.class().traits.iter()))
}

fn spl_classes(_: &mut Call<'_>) -> PhpResult<Val> {
    let mut names: Vec<&str> =
        crate::EXTENSION.classes.iter().flat_map(|rows| rows.iter().map(|class| class.name)).collect();
    names.sort_by_key(|name| name.to_ascii_lowercase());
    let mut list = PhpArr::new();
    for name in names {
        list.set_bytes(name.as_bytes(), name.into());
    }
    Ok(list.into())
}

/// An object's handle in 32 digits.
pub fn object_hash(handle: u32) -> PhpStr {
    const DIGITS: usize = 16;
    let mut text = [b'0'; 2 * DIGITS];
    let mut rest = handle;
    for digit in text[..DIGITS].iter_mut().rev().take(2 * size_of::<u32>()) {
        *digit = b"0123456789abcdef"[(rest % 16) as usize];
        rest /= 16;
    }
    PhpStr::new(&text)
}

fn spl_object_hash(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.opt_obj(0).map_or(Val::NULL, |object| object_hash(object.handle()).into()))
}

fn spl_object_id(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.opt_obj(0).map_or(Val::NULL, |object| Val::int(object.handle().into())))
}

fn iterator_apply(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(object) = call.opt_obj(0) else { return Ok(Val::int(0)) };
    let callback = call.arg(1);
    let arguments: Vec<Val> = call.opt_arr(2).map(|list| list.values().cloned().collect()).unwrap_or_default();
    let traversal = iteration::Traversal::start(call.vm, &object, false)?;
    let mut count = 0;
    while traversal.valid(call.vm)? {
        count += 1;
        let result = call.vm.call_value(&callback, arguments.clone())?;
        if result.deref().as_bool() != Some(true) {
            break;
        }
        traversal.advance(call.vm)?;
    }
    Ok(Val::int(count))
}

fn iterator_count(call: &mut Call<'_>) -> PhpResult<Val> {
    let source = call.arg(0);
    if let Some(array) = source.as_arr() {
        return Ok(Val::int(array.len() as i64));
    }
    let Some(object) = source.as_obj() else { return Ok(Val::int(0)) };
    let traversal = iteration::Traversal::start(call.vm, object, false)?;
    let mut count = 0;
    while traversal.valid(call.vm)? {
        count += 1;
        traversal.advance(call.vm)?;
    }
    Ok(Val::int(count))
}

fn iterator_to_array(call: &mut Call<'_>) -> PhpResult<Val> {
    let (source, preserve_keys) = (call.arg(0), call.bool(1));
    if let Some(array) = source.as_arr() {
        let list = || array.values().cloned().collect::<PhpArr>();
        return Ok(if preserve_keys { array.clone().into() } else { list().into() });
    }
    let Some(object) = source.as_obj() else { return Ok(PhpArr::new().into()) };
    let traversal = iteration::Traversal::start(call.vm, object, false)?;
    let mut result = PhpArr::new();
    while traversal.valid(call.vm)? {
        let value = traversal.current(call.vm)?.into_deref();
        if preserve_keys {
            let key = traversal.key(call.vm)?;
            let key = convert::to_key(call.vm, &key, convert::OffsetUse::Write)?;
            drop(result.insert(key.as_key(), value));
        } else if result.push(value).is_err() {
            let text = b"Cannot add element to the array as the next element is already occupied";
            return Err(call.vm.throw_error(text));
        }
        traversal.advance(call.vm)?;
    }
    Ok(result.into())
}
