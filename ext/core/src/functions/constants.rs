//! Constants by name.

use phlox_runtime::{Call, DataKey, FnDef, Key, PhpArr, PhpResult, PhpStr, Val, View, Vm, link};
use std::cell::OnceCell;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("define(string $constant_name, mixed $value, bool $case_insensitive = false): bool", define),
    FnDef::new("defined(string $constant_name): bool", defined),
    FnDef::new("get_defined_constants(bool $categorize = false): array", get_defined_constants),
];

/// Names that are part of the language.
const RESERVED: [&[u8]; 4] = [b"true", b"false", b"null", b"__COMPILER_HALT_OFFSET__"];

fn define(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(0);
    if name.windows(2).any(|pair| pair == b"::") {
        return Err(call.value_error(0, "cannot be a class constant"));
    }
    if call.bool(2) {
        let ignored = "Argument #3 ($case_insensitive) is ignored since declaration of case-insensitive constants is \
                       no longer supported";
        call.warning(ignored)?;
    }
    let value = call.arg(1);
    if !is_constant_value(&value, &mut Vec::new()) {
        return Err(call.value_error(1, "cannot be a recursive array"));
    }
    let reserved = RESERVED.iter().any(|word| name.eq_ignore_ascii_case(word));
    if reserved || !call.vm.define_constant(&name, without_references(&value)) {
        call.vm.warning(&[b"Constant ", phlox_runtime::until_nul(&name), b" already defined"].concat())?;
        return Ok(Val::FALSE);
    }
    Ok(Val::TRUE)
}

/// References inside arrays become the values that they have now. No array contains itself.
fn without_references(value: &Val) -> Val {
    match value.view() {
        View::Ref(reference) => without_references(&reference.get()),
        View::Arr(array) if has_references(array) => {
            let mut plain = PhpArr::new();
            for (key, value) in array.iter() {
                plain.insert(key, without_references(value));
            }
            plain.into()
        }
        _ => value.clone(),
    }
}

fn has_references(array: &PhpArr) -> bool {
    array.values().any(|value| match value.view() {
        View::Ref(_) => true,
        View::Arr(inner) => has_references(inner),
        _ => false,
    })
}

/// Anything but an array that contains itself.
fn is_constant_value(value: &Val, inside: &mut Vec<usize>) -> bool {
    match value.view() {
        View::Ref(reference) => is_constant_value(&reference.get(), inside),
        View::Arr(array) => {
            if inside.contains(&array.address()) || inside.len() > 1000 {
                return false;
            }
            inside.push(array.address());
            let all = array.values().all(|value| is_constant_value(value, inside));
            inside.pop();
            all
        }
        _ => true,
    }
}

fn defined(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(0);
    let Some(at) = name.windows(2).rposition(|pair| pair == b"::") else {
        return Ok(call.vm.find_constant(&name).is_some().into());
    };
    let scope = call.vm.scope();
    let class = match name[..at].to_ascii_lowercase().as_slice() {
        b"self" => scope.clone(),
        b"static" => call.vm.user_frame().and_then(|frame| frame.static_class.clone()),
        b"parent" => scope.as_ref().and_then(|scope| phlox_runtime::ClassExt::class(&**scope).parent.clone()),
        _ => call.vm.find_class(&name[..at])?,
    };
    let Some(class) = class else { return Ok(Val::FALSE) };
    Ok(link::is_constant_visible(&class, &PhpStr::new(&name[at + 2..]), scope.as_ref()).into())
}

/// Constants that extensions define when a request starts, because their values are no literals.
const DEFINED_AT_START: [(&str, &str); 4] =
    [("PHP_BINARY", "Core"), ("STDIN", "Core"), ("STDOUT", "Core"), ("STDERR", "Core")];

/// Builtin constants and their values by extension, made once for a request.
#[derive(Default)]
struct Constants(OnceCell<Vec<(&'static str, Vec<(PhpStr, Val)>)>>);

static CONSTANTS: DataKey<Constants> = DataKey::new();

fn builtin_constants(vm: &Vm) -> Vec<(&'static str, Vec<(PhpStr, Val)>)> {
    let of_extension = |extension: &&'static phlox_runtime::Extension| {
        let names = extension.constants.iter().copied().flatten().map(|(name, _)| name.as_bytes());
        let group = names.filter_map(|name| Some((PhpStr::intern(name), vm.native_constant(name)?.0)));
        (extension.name, group.collect())
    };
    vm.extensions.iter().map(of_extension).collect()
}

/// Constants that are no literals: those of an extension, or of the script where the extension is `None`.
fn others(vm: &Vm, of: Option<&str>) -> PhpArr {
    let mut found = PhpArr::new();
    let written = vm.written_constants.borrow();
    for (name, value) in vm.constants.borrow().iter() {
        let owner = DEFINED_AT_START.iter().find(|(constant, _)| constant.as_bytes() == name.as_bytes());
        if owner.map(|(_, extension)| *extension) == of {
            found.insert(Key::Str(written.get(name).unwrap_or(name)), value.clone());
        }
    }
    found
}

fn get_defined_constants(call: &mut Call<'_>) -> PhpResult<Val> {
    let vm = call.vm;
    let categorize = call.bool(0);
    let kept = vm.keyed(&CONSTANTS);
    let builtin = kept.0.get_or_init(|| builtin_constants(vm));
    let mut result = match categorize {
        true => PhpArr::new(),
        false => PhpArr::with_hash_capacity(builtin.iter().map(|(_, group)| group.len()).sum::<usize>() + 8),
    };
    for (extension, group) in builtin {
        let is_owner = DEFINED_AT_START.iter().any(|(_, owner)| owner == extension);
        let others = if is_owner { others(vm, Some(extension)) } else { PhpArr::new() };
        let mut own = PhpArr::new();
        let to = if categorize { &mut own } else { &mut result };
        if categorize && !group.is_empty() {
            *to = PhpArr::with_hash_capacity(group.len() + others.len());
        }
        for (name, value) in group {
            to.insert(Key::Str(name), value.clone());
        }
        append(to, &others);
        if !own.is_empty() {
            result.set_bytes(extension.as_bytes(), own.into());
        }
    }
    let user = others(vm, None);
    match categorize {
        true if user.is_empty() => {}
        true => result.set_bytes(b"user", user.into()),
        false => append(&mut result, &user),
    }
    Ok(result.into())
}

fn append(to: &mut PhpArr, from: &PhpArr) {
    for (name, value) in from.iter() {
        to.insert(name, value.clone());
    }
}
