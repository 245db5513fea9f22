//! Checks of values against declared types, with weak-mode coercion.
//!
//! `check` decides and converts. Each kind of target (builtin parameter, parameter, return value, property, reference, class
//! constant) has a function around it, which knows PHP's message for a failure.

use crate::class::{ClassConst, ClassExt, ClassRef, ObjExt, PropInfo};
use crate::closure::ClosureData;
use crate::convert::{self, printable_name, value_name};
use crate::error::{PhpResult, Throw};
use crate::func::Func;
use crate::number::{self, Number};
use crate::types::TypeSpec;
use crate::vm::Vm;
use phlox_hhbc::TypeMask;
use phlox_value::{ClassHeader, Kind, PhpObj, PhpRef, PhpStr, Val, View};
use std::cell::RefCell;
use std::rc::Rc;

/// The classes that `self`, `parent` and `static` stand for.
#[derive(Clone, Copy, Default)]
struct Scope<'a> {
    class: Option<&'a ClassRef>,
    static_class: Option<&'a ClassRef>,
}

/// How far a value is coerced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// The only conversion is int to float.
    Strict,
    Weak,
}

impl Mode {
    fn of(strict: bool) -> Mode {
        if strict { Mode::Strict } else { Mode::Weak }
    }
}

/// Whether the value is of the type, without any conversion.
pub fn matches(
    vm: &Vm,
    ty: &TypeSpec,
    value: &Val,
    scope: Option<&ClassRef>,
    static_class: Option<&ClassRef>,
) -> PhpResult<bool> {
    is_of_type(vm, ty, value, Scope { class: scope, static_class })
}

/// The mask of type alternatives that a value of this kind fulfils, whatever it contains.
#[inline]
pub fn kind_mask(value: &Val) -> u32 {
    match value.kind() {
        Kind::Undef | Kind::Null => TypeMask::NULL | TypeMask::VOID,
        Kind::False => TypeMask::FALSE,
        Kind::True => TypeMask::TRUE,
        Kind::Int => TypeMask::INT,
        Kind::Double => TypeMask::FLOAT,
        Kind::Str => TypeMask::STRING,
        Kind::Arr => TypeMask::ARRAY | TypeMask::ITERABLE,
        Kind::Obj => TypeMask::OBJECT,
        Kind::Res | Kind::Ref | Kind::Class => 0,
    }
}

fn is_of_type(vm: &Vm, ty: &TypeSpec, value: &Val, scope: Scope<'_>) -> PhpResult<bool> {
    if let View::Ref(reference) = value.view() {
        return is_of_type(vm, ty, &reference.get(), scope);
    }
    if ty.has(kind_mask(value) | TypeMask::MIXED) {
        return Ok(true);
    }
    if let View::Obj(object) = value.view() {
        if is_of_class(vm, ty, object, scope) {
            return Ok(true);
        }
    }
    if ty.has(TypeMask::CALLABLE) {
        let is_closure = value.as_obj().is_some_and(|object| object.native::<ClosureData>().is_some());
        return Ok(is_closure || vm.resolve_callable(value)?.is_ok());
    }
    Ok(false)
}

/// Whether the object is of a class that the type names.
pub fn names_class_of(vm: &Vm, ty: &TypeSpec, object: &PhpObj) -> bool {
    ty.classes.iter().any(|all| all.iter().all(|name| is_instance(vm, object, name)))
}

fn is_of_class(vm: &Vm, ty: &TypeSpec, object: &PhpObj, scope: Scope<'_>) -> bool {
    let within = |class: Option<&ClassRef>| class.is_some_and(|class| object.is_a(class));
    names_class_of(vm, ty, object)
        || ty.has(TypeMask::ITERABLE) && is_instance(vm, object, &PhpStr::intern(b"Traversable"))
        || ty.has(TypeMask::SELF) && within(scope.class)
        || ty.has(TypeMask::STATIC) && within(scope.static_class)
        || ty.has(TypeMask::PARENT) && within(scope.class.and_then(|class| class.class().parent.as_ref()))
}

/// A cache of class types that objects of a class were found to have, keyed by the class and by the string object that names the
/// type. Classes live as long as the request, and an entry keeps its string alive.
pub(crate) struct Instances {
    entries: RefCell<Vec<Option<(*const ClassHeader, PhpStr)>>>,
}

impl Default for Instances {
    fn default() -> Instances {
        Instances { entries: RefCell::new(vec![None; Instances::ENTRIES]) }
    }
}

impl Instances {
    const ENTRIES: usize = 256;

    /// Forgets all entries: names can mean other classes in the next request.
    pub(crate) fn forget(&self) {
        self.entries.borrow_mut().fill(None);
    }

    fn index(class: *const ClassHeader, name: &PhpStr) -> usize {
        let mixed = (class as usize >> 4) ^ (name.as_ptr() as usize >> 3).wrapping_mul(0x9E37_79B9);
        (mixed ^ mixed >> 13) % Instances::ENTRIES
    }

    fn has(&self, class: *const ClassHeader, name: &PhpStr) -> bool {
        let entry = &self.entries.borrow()[Instances::index(class, name)];
        entry.as_ref().is_some_and(|(known, own)| *known == class && own.ptr_eq(name))
    }

    fn remember(&self, class: *const ClassHeader, name: &PhpStr) {
        self.entries.borrow_mut()[Instances::index(class, name)] = Some((class, name.clone()));
    }
}

/// Whether the object is of the class with this name. A class that is not loaded has no objects.
fn is_instance(vm: &Vm, object: &PhpObj, name: &PhpStr) -> bool {
    let class = Rc::as_ptr(object.class_header());
    if vm.instances.has(class, name) {
        return true;
    }
    let holds = object.class_name().eq_ignore_ascii_case(name)
        || vm.find_class_no_autoload(name).is_some_and(|class| object.is_a(&class));
    if holds {
        vm.instances.remember(class, name);
    }
    holds
}

/// Coerces the value to the type; false if that is impossible. The value of a reference is converted in place.
fn check(vm: &Vm, ty: &TypeSpec, value: &mut Val, scope: Scope<'_>, mode: Mode) -> PhpResult<bool> {
    if let View::Ref(reference) = value.view() {
        let reference = reference.clone();
        let mut inner = reference.get();
        let accepted = check(vm, ty, &mut inner, scope, mode)?;
        if accepted {
            reference.set(inner);
        }
        return Ok(accepted);
    }
    if is_of_type(vm, ty, value, scope)? {
        return Ok(true);
    }
    match coerced(vm, ty.mask, value, mode)? {
        Some(converted) => {
            value.set(converted);
            Ok(true)
        }
        None => Ok(false),
    }
}

/// The conversion to a scalar type among the alternatives, which are tried in the order int, float, string, bool.
fn coerced(vm: &Vm, mask: u32, value: &Val, mode: Mode) -> PhpResult<Option<Val>> {
    let wants = |bit: u32| mask & bit != 0;
    if let (Some(int), true) = (value.as_int(), wants(TypeMask::FLOAT)) {
        return Ok(Some(Val::double(int as f64)));
    }
    if mode == Mode::Strict || value.is_null() {
        return Ok(None);
    }
    if wants(TypeMask::INT) {
        if let (View::Str(text), true) = (value.view(), wants(TypeMask::FLOAT)) {
            if let Some(number) = number::numeric(text) {
                return Ok(Some(number.into()));
            }
        }
        if let Some(int) = weak_int(vm, value)? {
            return Ok(Some(Val::int(int)));
        }
    }
    if wants(TypeMask::FLOAT) {
        if let Some(double) = weak_double(value) {
            return Ok(Some(Val::double(double)));
        }
    }
    if wants(TypeMask::STRING) {
        if let Some(string) = weak_string(vm, value)? {
            return Ok(Some(string.into()));
        }
    }
    let scalar = matches!(value.view(), View::Bool(_) | View::Int(_) | View::Double(_) | View::Str(_));
    if mask & TypeMask::BOOL == TypeMask::BOOL && scalar {
        return Ok(Some(Val::bool(convert::to_bool(value))));
    }
    Ok(None)
}

/// The integer that a parameter of type `int` gets for a scalar without strict types; `None` if it refuses the value.
pub fn weak_int(vm: &Vm, value: &Val) -> PhpResult<Option<i64>> {
    Ok(match value.view() {
        View::Bool(b) => Some(b.into()),
        View::Double(d) if number::fits_int(d) => Some(convert::double_to_int_checked(vm, d)?),
        View::Str(text) => match number::numeric(text) {
            Some(Number::Int(i)) => Some(i),
            Some(Number::Double(d)) if number::fits_int(d) => Some(convert::double_string_to_int_checked(vm, d, text)?),
            _ => None,
        },
        _ => None,
    })
}

fn weak_double(value: &Val) -> Option<f64> {
    match value.view() {
        View::Bool(b) => Some(if b { 1.0 } else { 0.0 }),
        View::Str(text) => number::numeric(text).map(Number::as_f64),
        _ => None,
    }
}

/// The string that a parameter of type `string` gets for a value without strict types; `None` if it refuses the value.
pub fn weak_string(vm: &Vm, value: &Val) -> PhpResult<Option<PhpStr>> {
    match value.view() {
        View::Bool(_) | View::Int(_) | View::Double(_) => convert::to_str(vm, value).map(Some),
        View::Obj(object) => convert::object_to_str(vm, object),
        _ => Ok(None),
    }
}

/// The type as messages show it, with `self`, `parent` and `static` replaced by the classes they stand for.
fn resolved_display(ty: &TypeSpec, scope: Scope<'_>) -> Vec<u8> {
    if !ty.has(TypeMask::SELF | TypeMask::PARENT | TypeMask::STATIC) {
        return ty.display.to_vec();
    }
    let mut shown = Vec::new();
    let is_separator = |b: &u8| matches!(b, b'|' | b'&' | b'?' | b'(' | b')');
    for token in ty.display.split_inclusive(is_separator) {
        let (word, separator) = match token.split_last() {
            Some((last, word)) if is_separator(last) => (word, std::slice::from_ref(last)),
            _ => (token, &[][..]),
        };
        let class = match word.to_ascii_lowercase().as_slice() {
            b"self" => scope.class,
            b"parent" => scope.class.and_then(|class| class.class().parent.as_ref()),
            b"static" => scope.static_class,
            _ => None,
        };
        shown.extend_from_slice(class.map_or(word, |class| printable_name(&class.class().name)));
        shown.extend_from_slice(separator);
    }
    shown
}

/// The start of messages, `f(): Argument #1 ($x)`.
fn argument_label(func: &Func, index: usize) -> Vec<u8> {
    // For a method of an anonymous class Zend shows the class only, because its name ends with a NUL byte.
    let mut text = match func.scope.get().map(|class| &class.class().name) {
        Some(class) if class.contains(&0) => printable_name(class).to_vec(),
        _ => func.display_name(),
    };
    text.extend_from_slice(format!("(): Argument #{}", index + 1).as_bytes());
    if let Some(param) = func.params.get(index).filter(|p| !p.variadic) {
        text.extend_from_slice(&[b" ($", param.name.as_bytes(), b")"].concat());
    }
    text
}

/// Checks and coerces an argument of a builtin function.
pub fn native_argument(
    vm: &Vm,
    func: &Func,
    index: usize,
    ty: &TypeSpec,
    value: &mut Val,
    strict: bool,
) -> PhpResult<()> {
    let scope = Scope { class: func.scope.get(), static_class: None };
    // A builtin property is checked like a property without hooks.
    if let Some(name) = func.name.strip_prefix(b"$").and_then(|name| name.strip_suffix(b"::set")) {
        if check(vm, ty, value, scope, Mode::of(strict))? {
            return Ok(());
        }
        let class = func.scope.get().map_or(&b""[..], |class| &class.class().name);
        let given = value_name(value);
        let text =
            [b"Cannot assign ", given.as_bytes(), b" to property ", class, b"::$", name, b" of type ", &ty.display];
        return Err(vm.throw_type_error(&text.concat()));
    }
    let scalar = ty.has(TypeMask::INT | TypeMask::FLOAT | TypeMask::STRING | TypeMask::BOOL);
    if !strict && scalar && value.is_null() && !ty.allows_null() {
        let param = func.params.get(index).map_or(&b""[..], |p| &p.name);
        let text = format!(
            "(): Passing null to parameter #{} (${}) of type {} is deprecated",
            index + 1,
            phlox_text::shown(param),
            ty.display
        );
        vm.deprecated(&[&func.display_name()[..], text.as_bytes()].concat())?;
        value.set(null_as_scalar(ty));
        return Ok(());
    }
    if check(vm, ty, value, scope, Mode::of(strict))? {
        return Ok(());
    }
    let mut text = argument_label(func, index);
    if ty.has(TypeMask::CALLABLE) {
        let reason = vm.resolve_callable(value)?.err().unwrap_or_default();
        text.extend_from_slice(b" must be a valid callback");
        text.extend_from_slice(if ty.allows_null() { b" or null, " } else { b", " });
        text.extend_from_slice(reason.as_bytes());
        return Err(vm.throw_type_error(&text));
    }
    text.extend_from_slice(b" must be of type ");
    text.extend_from_slice(named_type(ty));
    // `ini_set` is the one function whose message does not name the given type.
    if func.scope.get().is_some() || func.name.as_bytes() != b"ini_set" {
        text.extend_from_slice(format!(", {} given", value_name(value)).as_bytes());
    }
    Err(vm.throw_type_error(&text))
}

/// The type as messages of builtin functions about an argument of a wrong type name it.
fn named_type(ty: &TypeSpec) -> &[u8] {
    // Functions that also accept an object's properties as an array do not say so.
    if ty.mask == TypeMask::ARRAY | TypeMask::OBJECT {
        return b"array";
    }
    if ty.mask == TypeMask::INT | TypeMask::FLOAT {
        return b"int|float";
    }
    if let (false, Some(display)) = (ty.allows_null(), ty.display.strip_prefix(b"?")) {
        return display;
    }
    match &ty.display[..] {
        b"BcMath\\Number|string|int" => b"int, string, or BcMath\\Number",
        display => display,
    }
}

/// The value that null becomes for a scalar parameter of a builtin function.
fn null_as_scalar(ty: &TypeSpec) -> Val {
    if ty.has(TypeMask::INT) {
        Val::int(0)
    } else if ty.has(TypeMask::FLOAT) {
        Val::double(0.0)
    } else if ty.has(TypeMask::STRING) {
        PhpStr::empty().into()
    } else {
        Val::FALSE
    }
}

/// Checks and coerces an argument of a PHP function when it is entered. `strict` is the caller's mode.
pub fn user_argument(
    vm: &Vm,
    func: &Func,
    index: usize,
    ty: &TypeSpec,
    value: &mut Val,
    strict: bool,
) -> PhpResult<()> {
    let plain = Scope { class: func.scope.get(), static_class: None };
    if !ty.has(TypeMask::STATIC) && check(vm, ty, value, plain, Mode::of(strict))? {
        return Ok(());
    }
    let static_class = vm.user_frame().and_then(|frame| frame.static_class.clone());
    let scope = Scope { static_class: static_class.as_ref(), ..plain };
    if ty.has(TypeMask::STATIC) && check(vm, ty, value, scope, Mode::of(strict))? {
        return Ok(());
    }
    let mut text = argument_label(func, index);
    text.extend_from_slice(b" must be of type ");
    text.extend_from_slice(&resolved_display(ty, scope));
    text.extend_from_slice(format!(", {} given", value_name(value)).as_bytes());
    if let Some((file, line)) = caller_position(vm, func) {
        text.extend_from_slice(&[b", called in ", &file[..], format!(" on line {line}").as_bytes()].concat());
    }
    Err(vm.throw_type_error(&text))
}

/// The file and line where PHP code called `func`, which is being entered; `None` if builtin code called it.
fn caller_position(vm: &Vm, func: &Func) -> Option<(PhpStr, u32)> {
    let mut frames = vm.frames.from_top();
    let mut caller = frames.next()?;
    if std::ptr::eq(&*caller.func, func) {
        caller = frames.next()?;
    }
    (!caller.is_native()).then(|| (caller.func.unit.filename.clone(), caller.line()))
}

/// Checks and coerces the return value of a PHP function. Undef means that it ended without `return`.
pub fn return_value(vm: &Vm, func: &Func, ty: &TypeSpec, mut value: Val) -> PhpResult<Val> {
    if ty.has(TypeMask::NEVER) {
        let kind = if func.scope.get().is_some() { "method" } else { "function" };
        let text = format!("(): never-returning {kind} must not implicitly return");
        let text = [&func.display_name()[..], text.as_bytes()].concat();
        return Err(vm.throw_type_error(&text));
    }
    if ty.has(TypeMask::VOID) {
        return Ok(value.or_null());
    }
    let missing = value.is_undef();
    let frame = if ty.has(TypeMask::STATIC) { vm.user_frame() } else { None };
    let static_class = frame.as_ref().and_then(|frame| frame.static_class.as_ref());
    let scope = Scope { class: func.scope.get(), static_class };
    if !missing && check(vm, ty, &mut value, scope, Mode::of(func.strict_types()))? {
        return Ok(value);
    }
    let mut text = func.display_name();
    text.extend_from_slice(b"(): Return value must be of type ");
    text.extend_from_slice(&resolved_display(ty, scope));
    let returned = if missing { "none".into() } else { value_name(&value) };
    text.extend_from_slice(format!(", {returned} returned").as_bytes());
    Err(vm.throw_type_error(&text))
}

/// `C::$p`
fn property_label(prop: &PropInfo) -> Vec<u8> {
    [printable_name(&prop.declarer().class().name), b"::$", &prop.name].concat()
}

fn property_scope(prop: &PropInfo) -> Scope<'_> {
    Scope { class: Some(prop.declarer()), static_class: None }
}

/// Checks and coerces a value for a typed property.
pub fn property_value(vm: &Vm, prop: &PropInfo, mut value: Val, strict: bool) -> PhpResult<Val> {
    let Some(ty) = &prop.ty else { return Ok(value) };
    if check(vm, ty, &mut value, property_scope(prop), Mode::of(strict))? {
        return Ok(value);
    }
    let text = format!("Cannot assign {} to property ", value_name(&value));
    Err(vm.throw_type_error(&[text.as_bytes(), &property_label(prop), b" of type ", &ty.display].concat()))
}

/// Checks and coerces a value for a reference against the typed properties that it is bound to.
pub fn reference_value(vm: &Vm, reference: &PhpRef, value: Val, strict: bool) -> PhpResult<Val> {
    if !reference.has_sources() {
        return Ok(value);
    }
    let sources = reference.sources();
    let mut result: Option<(Val, &PropInfo)> = None;
    for prop in sources.iter().filter_map(|source| source.downcast_ref::<PropInfo>()) {
        let Some(ty) = &prop.ty else { continue };
        let mut converted = value.clone();
        if !check(vm, ty, &mut converted, property_scope(prop), Mode::of(strict))? {
            let text = format!("Cannot assign {} to reference held by property ", value_name(&value));
            let text = [text.as_bytes(), &property_label(prop), b" of type ", &ty.display].concat();
            return Err(vm.throw_type_error(&text));
        }
        match &result {
            Some((earlier, other)) if !crate::compare::identical(earlier, &converted) => {
                return Err(conflicting_coercion(vm, &value, other, prop));
            }
            _ => result = Some((converted, prop)),
        }
    }
    Ok(result.map_or(value, |(converted, _)| converted))
}

/// Checks a reference that becomes the value of a typed property; the value of the reference is converted if allowed.
pub fn bind_reference(vm: &Vm, prop: &PropInfo, reference: &PhpRef, strict: bool) -> PhpResult<()> {
    let current = reference.get();
    let converted = property_value(vm, prop, current.clone(), strict)?;
    if !crate::compare::identical(&current, &converted) {
        if reference.has_sources() {
            return Err(incompatible_reference(vm, prop, reference));
        }
        reference.set(converted);
    }
    Ok(())
}

/// Checks the result of `__get` for an unset typed property; a reference that was returned is converted in place.
pub fn magic_get_value(vm: &Vm, prop: &PropInfo, mut value: Val, strict: bool) -> PhpResult<Val> {
    let Some(ty) = &prop.ty else { return Ok(value) };
    let current = value.deref();
    let mut converted = current.clone();
    let accepted = check(vm, ty, &mut converted, property_scope(prop), Mode::of(strict))?;
    let same = accepted && crate::compare::identical(&current, &converted);
    if same {
        return Ok(value);
    }
    match value.as_ref() {
        Some(reference) if accepted && !reference.has_sources() => reference.set(converted),
        None if accepted => value = converted,
        _ => {
            let head = format!("Value of type {} returned from ", value_name(&current));
            let class = printable_name(&prop.declarer().class().name);
            let text = [
                head.as_bytes(),
                class,
                b"::__get() must be compatible with unset property ",
                &property_label(prop),
                b" of type ",
                &ty.display,
            ];
            return Err(vm.throw_type_error(&text.concat()));
        }
    }
    Ok(value)
}

/// Checks whether a null inside the reference may become an array, by the properties that are bound to it.
pub fn check_reference_vivification(vm: &Vm, reference: &PhpRef) -> PhpResult<()> {
    for prop in reference.sources().iter().filter_map(|source| source.downcast_ref::<PropInfo>()) {
        check_vivification(vm, prop, "a reference held by property")?;
    }
    Ok(())
}

/// Checks whether the property may become an array by a write to an element. `holder` is the message's word for the property.
pub fn check_vivification(vm: &Vm, prop: &PropInfo, holder: &str) -> PhpResult<()> {
    let Some(ty) = &prop.ty else { return Ok(()) };
    if ty.has(TypeMask::ARRAY | TypeMask::MIXED | TypeMask::ITERABLE) {
        return Ok(());
    }
    let head = format!("Cannot auto-initialize an array inside {holder} ");
    Err(vm.throw_type_error(&[head.as_bytes(), &property_label(prop), b" of type ", &ty.display].concat()))
}

/// The error about a reference that is bound to a property already, and whose value cannot be converted for another property.
fn incompatible_reference(vm: &Vm, prop: &PropInfo, reference: &PhpRef) -> Throw {
    let sources = reference.sources();
    let held = sources.iter().find_map(|source| source.downcast_ref::<PropInfo>()).map(described_property);
    let head = format!("Reference with value of type {} held by ", value_name(&reference.get()));
    let text =
        [head.as_bytes(), &held.unwrap_or_default(), b" is not compatible with ", &described_property(prop)].concat();
    vm.throw_type_error(&text)
}

/// `property C::$p of type int`
fn described_property(prop: &PropInfo) -> Vec<u8> {
    let ty = prop.ty.as_ref().map_or(&b""[..], |ty| &ty.display);
    [b"property ", &property_label(prop)[..], b" of type ", ty].concat()
}

fn conflicting_coercion(vm: &Vm, value: &Val, a: &PropInfo, b: &PropInfo) -> Throw {
    let head = format!("Cannot assign {} to reference held by ", value_name(value));
    let text = [
        head.as_bytes(),
        &described_property(a),
        b" and ",
        &described_property(b),
        b", as this would result in an inconsistent type conversion",
    ];
    vm.throw_type_error(&text.concat())
}

/// The error of `++`/`--` at the end of the integer range, on a property or on a reference that a property holds.
fn step_out_of_range(vm: &Vm, prop: &PropInfo, increment: bool, holder: &str) -> Throw {
    let (verb, bound) = if increment { ("increment", "maximal") } else { ("decrement", "minimal") };
    let ty = prop.ty.as_ref().map_or(&b""[..], |ty| &ty.display);
    let head = format!("Cannot {verb} {holder} ");
    let tail = format!(" past its {bound} value");
    vm.throw_type_error(&[head.as_bytes(), &property_label(prop), b" of type ", ty, tail.as_bytes()].concat())
}

/// Checks the value of a typed class constant, which is never coerced except from int to float.
pub fn constant_value(vm: &Vm, constant: &ClassConst, mut value: Val) -> PhpResult<Val> {
    let Some(ty) = &constant.ty else { return Ok(value) };
    let scope = Scope { class: constant.class.get(), static_class: constant.class.get() };
    if check(vm, ty, &mut value, scope, Mode::Strict)? {
        return Ok(value);
    }
    let class = constant.class.get().map_or(&b""[..], |class| printable_name(&class.class().name));
    let text = format!("Cannot assign {} to class constant ", value_name(&value));
    Err(vm.throw_type_error(&[text.as_bytes(), class, b"::", &constant.name, b" of type ", &ty.display].concat()))
}

/// Whether the value matches without a class lookup or a conversion, as most values do. False does not mean a mismatch.
pub fn quick_match(ty: &TypeSpec, value: &Val) -> bool {
    !value.is_undef() && (ty.has(TypeMask::MIXED) || ty.has(kind_mask(value) & !(TypeMask::VOID | TypeMask::ITERABLE)))
}

/// Throws if `++` or `--` made a float of an int and the property cannot hold floats.
pub fn check_inc_dec_overflow(vm: &Vm, prop: &PropInfo, from: &Val, to: &Val, increment: bool) -> PhpResult<()> {
    match overflows(prop, from, to) {
        true => Err(step_out_of_range(vm, prop, increment, "property")),
        false => Ok(()),
    }
}

/// Throws if `++` or `--` made a float of an int and a property that the reference is bound to cannot hold floats.
pub fn check_reference_inc_dec(vm: &Vm, reference: &PhpRef, from: &Val, to: &Val) -> PhpResult<()> {
    let increment = from.as_int().is_some_and(|int| int > 0);
    for prop in reference.sources().iter().filter_map(|source| source.downcast_ref::<PropInfo>()) {
        if overflows(prop, from, to) {
            return Err(step_out_of_range(vm, prop, increment, "a reference held by property"));
        }
    }
    Ok(())
}

fn overflows(prop: &PropInfo, from: &Val, to: &Val) -> bool {
    let holds_float = prop.ty.as_ref().is_none_or(|ty| ty.has(TypeMask::FLOAT | TypeMask::MIXED));
    !holds_float && from.kind() == Kind::Int && to.kind() == Kind::Double
}
