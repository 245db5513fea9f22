//! The `filter` extension: checking and cleaning values from outside.
#![forbid(unsafe_code)]

mod flags;
mod network;
mod options;
mod sanitize;
mod validate;

use flags::*;
use options::Options;
use phlox_ext_standard::request;
use phlox_runtime::ini::{self, IniAccess, IniSetting, IniState, IniType};
use phlox_runtime::{Call, Extension, FnDef, Key, ObjExt, PhpArr, PhpResult, PhpStr, Val, View, Vm, convert};

const FUNCTIONS: &[FnDef] = &[
    FnDef::new("filter_has_var(int $input_type, string $var_name): bool", filter_has_var),
    FnDef::new(
        "filter_input(int $type, string $var_name, int $filter = FILTER_DEFAULT, array|int $options = 0): mixed",
        filter_input,
    ),
    FnDef::new("filter_var(mixed $value, int $filter = FILTER_DEFAULT, array|int $options = 0): mixed", filter_var),
    FnDef::new(
        "filter_input_array(int $type, array|int $options = FILTER_DEFAULT, bool $add_empty = true): array|false|null",
        filter_input_array,
    ),
    FnDef::new(
        "filter_var_array(array $array, array|int $options = FILTER_DEFAULT, bool $add_empty = true): array|false|null",
        filter_var_array,
    ),
    FnDef::new("filter_list(): array", filter_list),
    FnDef::new("filter_id(string $name): int|false", filter_id),
];

/// The filter that everything that arrives goes through.
pub static DEFAULT: IniSetting<FilterName> = IniSetting::new("filter.default", "unsafe_raw", IniAccess::PerDir)
    .on_change(|change| {
        if FilterName::named(change.text()) != UNSAFE_RAW {
            change.vm.deprecated(b"The filter.default ini setting is deprecated")?;
        }
        Ok(true)
    });

pub static DEFAULT_FLAGS: IniSetting<DefaultFlags> = IniSetting::unset("filter.default_flags", IniAccess::PerDir);

/// The type of [`DEFAULT`]: the number of a filter; other names mean none.
pub struct FilterName;

impl FilterName {
    fn named(name: &[u8]) -> i64 {
        FILTERS.iter().find(|row| row.0.as_bytes().eq_ignore_ascii_case(name)).map_or(UNSAFE_RAW, |row| row.1)
    }
}

impl IniType for FilterName {
    type Value = i64;

    fn parse(text: Option<&[u8]>) -> u64 {
        FilterName::named(text.unwrap_or_default()) as u64
    }

    fn value(state: &IniState) -> i64 {
        state.bits() as i64
    }
}

/// The type of [`DEFAULT_FLAGS`], which mean something else where they are not set.
pub struct DefaultFlags;

impl IniType for DefaultFlags {
    type Value = i64;

    fn parse(text: Option<&[u8]>) -> u64 {
        text.map_or(NO_ENCODE_QUOTES, ini::text::short_int) as u64
    }

    fn value(state: &IniState) -> i64 {
        state.bits() as i64
    }
}

pub static EXTENSION: Extension = Extension {
    name: "filter",
    functions: &[FUNCTIONS],
    classes: &[],
    constants: &[flags::CONSTANTS],
    ini: &[&DEFAULT.def, &DEFAULT_FLAGS.def],
    startup: Some(startup),
    shutdown: None,
};

fn startup(vm: &phlox_runtime::Vm) {
    if vm.ini.get(&DEFAULT) != UNSAFE_RAW {
        request::filter_input_with(vm, by_default);
    }
}

/// What scripts see of a text that arrived, by the setting `filter.default`.
fn by_default(vm: &Vm, text: &PhpStr) -> Val {
    let (filter, flags) = (vm.ini.get(&DEFAULT), vm.ini.get(&DEFAULT_FLAGS));
    let args = vec![text.into(), Val::int(filter), Val::int(flags)];
    // Nothing of the script runs yet that could throw.
    vm.call_value(&"filter_var".into(), args).unwrap_or_else(|_| text.into())
}

fn refused(flags: i64) -> Val {
    if flags & NULL_ON_FAILURE != 0 { Val::NULL } else { Val::FALSE }
}

/// Calls the user's filter.
fn callback(call: &Call<'_>, text: &PhpStr, options: &Options<'_>) -> PhpResult<Option<Val>> {
    match call.vm.resolve_callable(&options.value)? {
        Ok(callee) => Ok(Some(call.vm.call(&callee, vec![text.into()])?)),
        Err(_) => {
            let name = phlox_runtime::shown(&call.func.display_name()).into_owned();
            let text = format!("{name}(): Option must be a valid callback");
            Err(call.vm.throw_type_error(text.as_bytes()))
        }
    }
}

/// The filter's result for a text; `None`: the text is refused.
fn run(call: &Call<'_>, text: &PhpStr, filter: i64, flags: i64, options: &Options<'_>) -> PhpResult<Option<Val>> {
    let accepted = |valid: bool| valid.then(|| Val::from(text));
    Ok(match filter {
        INT => validate::int(text, flags, options)?,
        BOOL => validate::boolean(text),
        FLOAT => validate::float(call, text, flags, options)?,
        REGEXP => accepted(validate::regexp(call, text, options)?),
        DOMAIN => accepted(network::is_domain(text, flags & IPV4 != 0)),
        URL => accepted(validate::url(call, text, flags)?),
        EMAIL => accepted(network::is_email(text, flags & IPV4 != 0)),
        IP => accepted(network::is_ip(text, flags)),
        MAC => accepted(validate::mac(call, text, options)?),
        STRING => Some(sanitize::string(text, flags)),
        ENCODED => Some(sanitize::encoded(text, flags).into()),
        SPECIAL_CHARS => Some(sanitize::special_chars(text, flags).into()),
        FULL_SPECIAL_CHARS => Some(sanitize::full_special_chars(call, text, flags)?),
        SANITIZE_EMAIL => Some(sanitize::email(text).into()),
        SANITIZE_URL => Some(sanitize::url(text).into()),
        NUMBER_INT => Some(sanitize::number_int(text).into()),
        NUMBER_FLOAT => Some(sanitize::number_float(text, flags).into()),
        ADD_SLASHES => Some(call.vm.call_value(&"addslashes".into(), vec![text.into()])?),
        CALLBACK => callback(call, text, options)?,
        _ => Some(sanitize::unsafe_raw(text, flags)),
    })
}

fn filter_scalar(call: &Call<'_>, value: &Val, filter: i64, flags: i64, options: &Options<'_>) -> PhpResult<Val> {
    let lacks_text = value.as_obj().is_some_and(|object| object.class().magic.to_string.is_none());
    let result = if lacks_text {
        None
    } else {
        let text = convert::to_str(call.vm, value)?;
        run(call, &text, filter, flags, options)?
    };
    let result = result.unwrap_or_else(|| refused(flags));
    let failed = if flags & NULL_ON_FAILURE != 0 { result.is_null() } else { result.as_bool() == Some(false) };
    Ok(match options.default_value() {
        Some(default) if failed => default,
        _ => result,
    })
}

fn filter_all(call: &Call<'_>, value: &Val, filter: i64, flags: i64, options: &Options<'_>) -> PhpResult<Val> {
    let View::Arr(array) = value.view() else { return filter_scalar(call, value, filter, flags, options) };
    if !array.protect() {
        return Ok(value.clone());
    }
    let mut out = PhpArr::with_capacity(array.len());
    let mut result = Ok(());
    for (key, value) in array {
        match filter_all(call, &value.deref(), filter, flags, options) {
            Ok(filtered) => drop(out.insert(key, filtered)),
            Err(throw) => {
                result = Err(throw);
                break;
            }
        }
    }
    array.unprotect();
    result.map(|()| out.into())
}

/// How a value is to be filtered: a filter alone, or with what an array says.
#[derive(Clone)]
struct Definition {
    filter: i64,
    flags: i64,
    options: Val,
}

fn with_scalar_default(flags: i64) -> i64 {
    if flags & (REQUIRE_ARRAY | FORCE_ARRAY) != 0 { flags } else { flags | REQUIRE_SCALAR }
}

impl Definition {
    fn from_array(call: &Call<'_>, array: &PhpArr, filter: i64, flags: i64) -> PhpResult<Definition> {
        let element = |name: &str| array.get_bytes(name.as_bytes()).map(Val::deref);
        let mut definition = Definition { filter, flags, options: Val::NULL };
        if let Some(filter) = element("filter") {
            definition.filter = convert::to_int(call.vm, &filter)?;
        }
        if let Some(options) = element("options") {
            if definition.filter == CALLBACK {
                definition.flags = 0;
            }
            definition.options = options;
        }
        if let Some(flags) = element("flags") {
            definition.flags = with_scalar_default(convert::to_int(call.vm, &flags)?);
        }
        Ok(definition)
    }

    fn apply(&self, call: &Call<'_>, value: &Val) -> PhpResult<Val> {
        let table = if self.filter == CALLBACK { None } else { self.options.as_arr().cloned() };
        let options = Options { vm: call.vm, table, value: self.options.clone() };
        let is_array = value.as_arr().is_some();
        if (is_array && self.flags & REQUIRE_SCALAR != 0) || (!is_array && self.flags & REQUIRE_ARRAY != 0) {
            return Ok(refused(self.flags));
        }
        let filtered = filter_all(call, value, self.filter, self.flags, &options)?;
        if !is_array && self.flags & FORCE_ARRAY != 0 {
            return Ok(PhpArr::from_vec(vec![filtered]).into());
        }
        Ok(filtered)
    }
}

/// `false`: there is no such filter, and a warning says so.
fn check_filter(call: &Call<'_>, filter: i64) -> PhpResult<bool> {
    let known = is_filter(filter);
    if !known {
        call.warning(&format!("Unknown filter with ID {filter}"))?;
    }
    Ok(known)
}

/// Numbers between those of filters are taken, too; they change nothing.
fn is_filter(filter: i64) -> bool {
    let last_of = |kind: i64| FILTERS.iter().map(|row| row.1).filter(|id| id & !0xff == kind).max().unwrap_or(kind);
    let is_between = |kind: i64| (kind..=last_of(kind)).contains(&filter);
    is_between(VALIDATE_ALL) || is_between(SANITIZE_ALL) || FILTERS.iter().any(|row| row.1 == filter)
}

/// The arguments `$filter` and `$options`.
fn definition(call: &Call<'_>, filter: i64, index: usize) -> PhpResult<Definition> {
    match call.arg(index).view() {
        View::Arr(array) => Definition::from_array(call, array, filter, REQUIRE_SCALAR),
        _ => Ok(Definition { filter, flags: with_scalar_default(call.int(index)), options: Val::NULL }),
    }
}

fn filter_var(call: &mut Call<'_>) -> PhpResult<Val> {
    let filter = call.int(1);
    if !check_filter(call, filter)? {
        return Ok(Val::FALSE);
    }
    definition(call, filter, 2)?.apply(call, &call.arg(0))
}

/// Filters the elements of an array, by one filter or by one for each key.
fn filter_array(call: &Call<'_>, input: &PhpArr, index: usize) -> PhpResult<Val> {
    let given = call.arg(index);
    let View::Arr(definitions) = given.view() else {
        let definition = Definition { filter: call.int(index), flags: REQUIRE_ARRAY, options: Val::NULL };
        return definition.apply(call, &input.into());
    };
    let adds_empty = call.opt_bool(index + 1).unwrap_or(true);
    let mut out = PhpArr::new();
    for (key, definition) in definitions {
        let Key::Str(name) = key else { return Err(call.type_error(index, "must contain only string keys")) };
        if name.is_empty() {
            return Err(call.value_error(index, "cannot contain empty keys"));
        }
        let Some(value) = input.get(key) else {
            if adds_empty {
                out.insert(key, Val::NULL);
            }
            continue;
        };
        let definition = definition.deref();
        let definition = match definition.view() {
            View::Arr(array) => Definition::from_array(call, array, -1, REQUIRE_SCALAR)?,
            _ => {
                let filter = convert::to_int(call.vm, &definition)?;
                Definition { filter, flags: REQUIRE_SCALAR, options: Val::NULL }
            }
        };
        out.insert(key, definition.apply(call, &value.deref())?);
    }
    Ok(out.into())
}

fn filter_var_array(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.arg(1).as_arr().is_none() && !check_filter(call, call.int(1))? {
        return Ok(Val::FALSE);
    }
    filter_array(call, &call.arr(0), 1)
}

/// The variables of a source; `None`: there are none.
fn input(call: &Call<'_>) -> PhpResult<Option<PhpArr>> {
    let name = match call.int(0) {
        0 => "_POST",
        1 => "_GET",
        2 => "_COOKIE",
        4 => "_ENV",
        5 => "_SERVER",
        _ => return Err(call.value_error(0, "must be an INPUT_* constant")),
    };
    let array = match name {
        // These do not change when the script changes the arrays.
        "_POST" | "_GET" | "_COOKIE" => request::arrived(call.vm, name),
        _ => {
            let variable = call.vm.globals.find(&PhpStr::new(name.as_bytes())).map(|variable| variable.get().deref());
            variable.and_then(Val::into_arr)
        }
    };
    Ok(array.filter(|array| !array.is_empty()))
}

fn filter_has_var(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(1);
    Ok(input(call)?.is_some_and(|array| array.contains(Key::Str(&name))).into())
}

fn filter_input(call: &mut Call<'_>) -> PhpResult<Val> {
    let filter = call.int(2);
    if !check_filter(call, filter)? {
        return Ok(Val::FALSE);
    }
    let definition = definition(call, filter, 3)?;
    let value = input(call)?.and_then(|array| array.get(Key::Str(&call.str(1))).map(Val::deref));
    if let Some(value) = value {
        return definition.apply(call, &value);
    }
    let default = definition.options.as_arr().and_then(|options| options.get_bytes(b"default").map(Val::deref));
    // What is missing is told apart from what is refused.
    let missing = if definition.flags & NULL_ON_FAILURE != 0 { Val::FALSE } else { Val::NULL };
    Ok(default.unwrap_or(missing))
}

fn filter_input_array(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.arg(1).as_arr().is_none() && !check_filter(call, call.int(1))? {
        return Ok(Val::FALSE);
    }
    match input(call)? {
        Some(array) => filter_array(call, &array, 1),
        None => Ok(Val::NULL),
    }
}

fn filter_list(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(FILTERS.iter().map(|row| Val::from(row.0)).collect::<PhpArr>().into())
}

fn filter_id(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(0);
    // The short name is an alias that the list does not show.
    let name = if &name[..] == b"bool" { "boolean".into() } else { name };
    let found = FILTERS.iter().find(|row| row.0.as_bytes() == name.as_bytes());
    Ok(found.map_or(Val::FALSE, |row| Val::int(row.1)))
}
