//! `compact` and `extract`, which read and write the caller's variables.

use phlox_runtime::{
    Call, FnDef, Frame, Key, PhpArr, PhpObj, PhpResult, PhpStr, Slot, SymbolTable, Val, VarSlot, View, convert,
};
use std::rc::Rc;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("compact($var_name, ...$var_names): array", compact),
    FnDef::new(
        "extract(#[prefer_ref] array &$array, int $flags = EXTR_OVERWRITE, string $prefix = \"\"): int",
        extract,
    ),
];

const DEPTH_MAX: usize = 2000;

/// The caller's variables by name.
struct Variables {
    frame: Rc<Frame>,
}

/// A variable: a local's slot in the frame, or one of the symbol table.
enum Place<'a> {
    Local(&'a Slot),
    Shared(Rc<VarSlot>),
}

impl Place<'_> {
    fn slot(&self) -> &Slot {
        match self {
            Place::Local(slot) => slot,
            Place::Shared(slot) => slot,
        }
    }
}

impl Variables {
    fn of_caller(call: &Call<'_>) -> Option<Variables> {
        Some(Variables { frame: call.vm.user_frame()? })
    }

    fn local(&self, name: &PhpStr) -> Option<&Slot> {
        let func = &self.frame.func;
        let index =
            func.code().locals.iter().position(|local| local.is_some_and(|local| func.unit.str(local) == name))?;
        (index < self.frame.local_count()).then(|| self.frame.local(index))
    }

    fn symbols(&self) -> &Rc<SymbolTable> {
        self.frame.symbols.get_or_init(Rc::default)
    }

    fn this(&self) -> Option<PhpObj> {
        self.frame.this.clone()
    }

    /// The variable's value, if it is defined.
    fn get(&self, name: &PhpStr) -> Option<Val> {
        let value = match self.local(name) {
            Some(slot) => slot.get_deref(),
            None => self.symbols().find(name)?.get_deref(),
        };
        (!value.is_undef()).then_some(value)
    }

    /// The variable's place, which is created if it does not exist.
    fn place(&self, name: &PhpStr) -> Place<'_> {
        match self.local(name) {
            Some(slot) => Place::Local(slot),
            None => Place::Shared(self.symbols().slot(name)),
        }
    }
}

fn compact(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(variables) = Variables::of_caller(call) else { return Ok(PhpArr::new().into()) };
    let mut result = PhpArr::with_capacity(0);
    for (index, name) in call.args.iter().enumerate() {
        compact_into(call, &variables, &mut result, &name.deref(), index + 1, 0)?;
    }
    Ok(result.into())
}

fn compact_into(
    call: &Call<'_>,
    variables: &Variables,
    result: &mut PhpArr,
    name: &Val,
    position: usize,
    depth: usize,
) -> PhpResult<()> {
    match name.view() {
        View::Str(name) => match variables.get(name) {
            Some(value) => drop(result.insert(Key::from_str(name), value)),
            None if name.as_bytes() == b"this" => {
                if let Some(this) = variables.this() {
                    result.insert(Key::Str(name), this.into());
                }
            }
            None => call.raise(phlox_runtime::Level::Warning, &[b"Undefined variable $", &name[..]].concat())?,
        },
        View::Arr(names) => {
            if depth > DEPTH_MAX || !names.protect() {
                return Err(call.vm.throw_error(b"Recursion detected"));
            }
            let each = names
                .values()
                .try_for_each(|inner| compact_into(call, variables, result, &inner.deref(), position, depth + 1));
            names.unprotect();
            each?;
        }
        _ => {
            let given = convert::value_name(name);
            call.warning(&format!("Argument #{position} must be string or array of strings, {given} given"))?;
        }
    }
    Ok(())
}

/// `EXTR_*`
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Overwrite,
    Skip,
    PrefixSame,
    PrefixAll,
    PrefixInvalid,
    PrefixIfExists,
    IfExists,
}

const MODES: [Mode; 7] = [
    Mode::Overwrite,
    Mode::Skip,
    Mode::PrefixSame,
    Mode::PrefixAll,
    Mode::PrefixInvalid,
    Mode::PrefixIfExists,
    Mode::IfExists,
];
const EXTR_REFS: i64 = 256;

fn is_variable_name(name: &[u8]) -> bool {
    let start = |b: &u8| b.is_ascii_alphabetic() || *b == b'_' || *b >= 0x80;
    name.first().is_some_and(start) && name.iter().all(|b| start(b) || b.is_ascii_digit())
}

fn extract(call: &mut Call<'_>) -> PhpResult<Val> {
    let flags = call.int(1);
    let Some(&mode) = usize::try_from(flags & 0xff).ok().and_then(|mode| MODES.get(mode)) else {
        return Err(call.value_error(1, "must be a valid extract type"));
    };
    let needs_prefix = matches!(mode, Mode::PrefixSame | Mode::PrefixAll | Mode::PrefixInvalid | Mode::PrefixIfExists);
    if needs_prefix && !call.was_passed(2) {
        return Err(call.value_error(2, "is required when using this extract type"));
    }
    let prefix = call.str(2);
    if !prefix.is_empty() && !is_variable_name(&prefix) {
        return Err(call.value_error(2, "must be a valid identifier"));
    }
    let Some(variables) = Variables::of_caller(call) else { return Ok(Val::int(0)) };
    let by_ref = flags & EXTR_REFS != 0;
    let mut array = if by_ref { call.take_ref(0).into_arr().unwrap_or_default() } else { call.arr(0) };
    let elements: Vec<(Val, Val)> = if by_ref {
        let mut elements = Vec::new();
        array.for_each_mut(|key, place| elements.push((key.to_val(), place.make_ref().into())));
        call.give_back(0, array.into());
        elements
    } else {
        array.iter().map(|(key, value)| (key.to_val(), value.deref())).collect()
    };
    let mut count = 0;
    for (key, value) in elements {
        let Some(name) = target_name(call, &variables, mode, &prefix, &key)? else { continue };
        if by_ref {
            drop(variables.place(&name).slot().replace(value));
        } else {
            assign(&variables.place(&name), value);
        }
        count += 1;
    }
    Ok(Val::int(count))
}

fn assign(place: &Place<'_>, value: Val) {
    match place.slot().as_ref() {
        Some(reference) => reference.set(value),
        None => place.slot().set(value),
    }
}

/// The name of the variable that an element is assigned to, if any.
fn target_name(
    call: &Call<'_>,
    variables: &Variables,
    mode: Mode,
    prefix: &PhpStr,
    key: &Val,
) -> PhpResult<Option<PhpStr>> {
    let View::Str(name) = key.view() else {
        let numbered = matches!(mode, Mode::PrefixAll | Mode::PrefixInvalid);
        let text = key.as_int().unwrap_or(0).to_string();
        return if numbered { prefixed(call, prefix, text.as_bytes()) } else { Ok(None) };
    };
    let exists = || variables.get(name).is_some();
    let valid = is_variable_name(name);
    let is_this = name.as_bytes() == b"this";
    let plain = |name: &PhpStr| Ok(Some(name.clone()));
    match mode {
        Mode::Overwrite if is_this => Err(call.vm.throw_error(b"Cannot re-assign $this")),
        Mode::Overwrite if valid => plain(name),
        Mode::IfExists if valid && !is_this && exists() => plain(name),
        Mode::Skip if valid && !is_this && !exists() => plain(name),
        Mode::PrefixSame | Mode::PrefixAll if name.is_empty() => Ok(None),
        Mode::PrefixSame if exists() || is_this => prefixed(call, prefix, name),
        Mode::PrefixSame if valid => plain(name),
        Mode::PrefixAll => prefixed(call, prefix, name),
        Mode::PrefixInvalid if !valid || is_this => prefixed(call, prefix, name),
        Mode::PrefixInvalid => plain(name),
        Mode::PrefixIfExists if exists() => prefixed(call, prefix, name),
        _ => Ok(None),
    }
}

fn prefixed(call: &Call<'_>, prefix: &PhpStr, name: &[u8]) -> PhpResult<Option<PhpStr>> {
    let name = PhpStr::concat(&[prefix, b"_", name]);
    if !is_variable_name(&name) {
        return Ok(None);
    }
    if name.as_bytes() == b"this" {
        return Err(call.vm.throw_error(b"Cannot re-assign $this"));
    }
    Ok(Some(name))
}
