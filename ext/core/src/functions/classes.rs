//! Classes of objects, and relations between classes.

use phlox_runtime::class::ClassKind;
use phlox_runtime::strmap::lower;
use phlox_runtime::{Call, ClassExt, ClassRef, FnDef, Level, ObjExt, PhpResult, PhpStr, Val, View, Vm};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("get_class(object $object = UNKNOWN): string", get_class)
        .fast_path(|args| Some(args.first()?.as_obj()?.class_name().into())),
    FnDef::new("get_called_class(): string", get_called_class),
    FnDef::new(
        "get_parent_class(#[unchecked] object|string $object_or_class = UNKNOWN): string|false",
        get_parent_class,
    ),
    FnDef::new(
        "is_subclass_of(mixed $object_or_class, string $class, bool $allow_string = true): bool",
        is_subclass_of,
    )
    .fast_path(|args| relation_quick(args, true)),
    FnDef::new("is_a(mixed $object_or_class, string $class, bool $allow_string = false): bool", is_a)
        .fast_path(|args| relation_quick(args, false)),
    FnDef::new("class_exists(string $class, bool $autoload = true): bool", class_exists),
    FnDef::new("interface_exists(string $interface, bool $autoload = true): bool", interface_exists),
    FnDef::new("trait_exists(string $trait, bool $autoload = true): bool", trait_exists),
    FnDef::new("enum_exists(string $enum, bool $autoload = true): bool", enum_exists),
    FnDef::new("class_alias(string $class, string $alias, bool $autoload = true): bool", class_alias),
];

/// The argument that may be an object or a class name; names are autoloaded when `autoload`.
pub(crate) fn class_of(call: &Call<'_>, index: usize, autoload: bool) -> PhpResult<Option<ClassRef>> {
    let value = call.arg(index);
    match value.view() {
        View::Obj(object) => Ok(Some(object.class_header().clone())),
        View::Str(name) if autoload => call.vm.find_class(name),
        View::Str(name) => Ok(call.vm.find_class_no_autoload(name)),
        _ => Ok(None),
    }
}

fn get_class(call: &mut Call<'_>) -> PhpResult<Val> {
    if let Some(object) = call.opt_obj(0) {
        return Ok(object.class_name().into());
    }
    match call.vm.scope() {
        Some(scope) => {
            call.vm.deprecated(b"Calling get_class() without arguments is deprecated")?;
            Ok((&scope.class().name).into())
        }
        None => Err(call.vm.throw_error(b"get_class() without arguments must be called from within a class")),
    }
}

fn get_called_class(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = call.vm.user_frame().and_then(|frame| frame.static_class.clone().or_else(|| frame.scope().cloned()));
    match class {
        Some(class) => Ok((&class.class().name).into()),
        None => Err(call.vm.throw_error(b"get_called_class() must be called from within a class")),
    }
}

fn get_parent_class(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = if call.was_passed(0) {
        let class = class_of(call, 0, true)?;
        if class.is_none() {
            return Err(super::members::invalid_class(call));
        }
        class
    } else {
        call.vm.deprecated(b"Calling get_parent_class() without arguments is deprecated")?;
        call.vm.scope()
    };
    let parent = class.and_then(|class| class.class().parent.clone());
    Ok(parent.map_or(Val::FALSE, |parent| (&parent.class().name).into()))
}

fn relation(call: &Call<'_>, strict: bool) -> PhpResult<Val> {
    let value = call.arg(0);
    if value.as_str().is_some() && !call.bool(2) {
        return Ok(Val::FALSE);
    }
    let Some(class) = class_of(call, 0, true)? else { return Ok(Val::FALSE) };
    let Some(other) = call.vm.find_class_no_autoload(&call.str(1)) else { return Ok(Val::FALSE) };
    let same = class.id() == other.id();
    Ok((class.class().is_a(&other) && !(strict && same)).into())
}

/// Fast path of [`relation`] for an object; `None` where the arguments are of other types.
fn relation_quick(args: &[Val], strict: bool) -> Option<Val> {
    let (object, name) = (args.first()?.as_obj()?, args.get(1)?.as_str()?);
    let Some(other) = Vm::current()?.find_class_no_autoload(name) else { return Some(Val::FALSE) };
    let same = object.class_header().id() == other.id();
    Some(Val::bool(object.is_a(&other) && !(strict && same)))
}

fn is_subclass_of(call: &mut Call<'_>) -> PhpResult<Val> {
    relation(call, true)
}

fn is_a(call: &mut Call<'_>) -> PhpResult<Val> {
    relation(call, false)
}

fn exists(call: &Call<'_>, kinds: &[ClassKind]) -> PhpResult<Val> {
    let name = call.str(0);
    let class = if call.bool(1) { call.vm.find_class(&name)? } else { call.vm.find_class_no_autoload(&name) };
    Ok(class.is_some_and(|class| kinds.contains(&class.class().kind)).into())
}

fn class_exists(call: &mut Call<'_>) -> PhpResult<Val> {
    exists(call, &[ClassKind::Class, ClassKind::Enum])
}

fn interface_exists(call: &mut Call<'_>) -> PhpResult<Val> {
    exists(call, &[ClassKind::Interface])
}

fn trait_exists(call: &mut Call<'_>) -> PhpResult<Val> {
    exists(call, &[ClassKind::Trait])
}

fn enum_exists(call: &mut Call<'_>) -> PhpResult<Val> {
    exists(call, &[ClassKind::Enum])
}

/// Names that no class can have.
const RESERVED: [&[u8]; 17] = [
    b"bool",
    b"false",
    b"float",
    b"int",
    b"null",
    b"parent",
    b"self",
    b"static",
    b"string",
    b"true",
    b"void",
    b"never",
    b"iterable",
    b"object",
    b"mixed",
    b"array",
    b"callable",
];

fn class_alias(call: &mut Call<'_>) -> PhpResult<Val> {
    let (name, alias) = (call.str(0), call.str(1));
    let class = if call.bool(2) { call.vm.find_class(&name)? } else { call.vm.find_class_no_autoload(&name) };
    let Some(class) = class else {
        call.vm.warning(&[b"Class \"", phlox_runtime::until_nul(&name), b"\" not found"].concat())?;
        return Ok(Val::FALSE);
    };
    let plain = PhpStr::new(alias.strip_prefix(b"\\").unwrap_or(&alias));
    let last = plain.rsplit(|&byte| byte == b'\\').next().unwrap_or(&plain);
    if plain.as_bytes() == b"_" {
        call.vm.deprecated(b"Using \"_\" as a class alias is deprecated since 8.4")?;
    }
    if RESERVED.iter().any(|word| last.eq_ignore_ascii_case(word)) {
        let text = [b"Cannot use \"", &plain[..], b"\" as a class alias as it is reserved"].concat();
        let (file, line) = call.vm.position();
        call.vm.report(Level::CompileError, &text, &file, line);
        call.vm.exit_status.set(255);
        return Err(phlox_runtime::Throw::Fatal);
    }
    if call.vm.find_class_no_autoload(&plain).is_some() {
        call.vm.warning(&redeclaration(&class, &alias))?;
        return Ok(Val::FALSE);
    }
    call.vm.classes.borrow_mut().insert(lower(&plain), class);
    Ok(Val::TRUE)
}

fn redeclaration(class: &ClassRef, alias: &[u8]) -> Vec<u8> {
    let class = class.class();
    let mut text = [b"Cannot redeclare ", class.kind_word().as_bytes(), b" ", alias].concat();
    if !class.is_internal() {
        let line = class.unit.unit.classes[class.id.index()].line_start;
        text.extend([b" (previously declared in ", &class.unit.filename[..]].concat());
        text.extend(format!(":{line})").into_bytes());
    }
    text
}
