//! Settings of the language and the main program that several parts read or that belong to no other part. Other settings are
//! declared beside the code that uses them.

use crate::ini::{
    IniAccess, IniBool, IniChange, IniInt, IniQuantity, IniSetting, IniStage, IniState, IniString, IniType, not_empty,
};
use crate::vm::{DataKey, Vm};
use crate::{PhpResult, heap, quantity};
use std::cell::Cell;

/// Number of significant digits of a float as text; -1 for as many as are needed.
pub static PRECISION: IniInt = IniInt::new("precision", "14", IniAccess::All).at_least(-1);

/// Number of significant digits of a float in texts that are read back; -1 for as many as are needed.
pub static SERIALIZE_PRECISION: IniInt = IniInt::new("serialize_precision", "-1", IniAccess::All).at_least(-1);

/// Whether traces of throwables have no arguments.
pub static EXCEPTION_IGNORE_ARGS: IniBool = IniBool::new("zend.exception_ignore_args", "0", IniAccess::All);

pub static EXCEPTION_STRING_PARAM_MAX_LEN: IniInt =
    IniInt::new("zend.exception_string_param_max_len", "15", IniAccess::All).within(0, 1_000_000);

/// `-1`: assertions are not compiled; `0`: they are not evaluated; `1`: they are evaluated.
pub static ASSERTIONS: IniQuantity =
    IniQuantity::new("zend.assertions", "1", IniAccess::All).on_change(change_assertions);

/// Refuses changes at run time between -1 and other values, because code is compiled once, with or without assertions.
fn change_assertions(change: &IniChange<'_>) -> PhpResult<bool> {
    let (old, new) = (change.vm.ini.get(&ASSERTIONS), change.number());
    if change.stage != IniStage::Runtime || old == new || (old >= 0 && new >= 0) {
        return Ok(true);
    }
    change.vm.warning(b"zend.assertions may be completely enabled or disabled only in php.ini")?;
    Ok(false)
}

/// Whether `<?` starts PHP code.
pub static SHORT_OPEN_TAG: IniBool = IniBool::new("short_open_tag", "1", IniAccess::PerDir);
/// Names of builtin functions that do not exist for scripts.
pub static DISABLE_FUNCTIONS: IniString = IniString::new("disable_functions", "", IniAccess::System);
/// Names of builtin classes of which only names and constants remain; see the module `disabled`.
pub static DISABLE_CLASSES: IniString = IniString::new("disable_classes", "", IniAccess::System);
pub static EXTENSION_DIR: IniString =
    IniString::new("extension_dir", "/usr/lib/php/20240924", IniAccess::System).on_change(not_empty);
pub static AUTO_PREPEND_FILE: IniString = IniString::unset("auto_prepend_file", IniAccess::PerDir);
pub static AUTO_APPEND_FILE: IniString = IniString::unset("auto_append_file", IniAccess::PerDir);
pub static VARIABLES_ORDER: IniString =
    IniString::new("variables_order", "EGPCS", IniAccess::PerDir).on_change(not_empty);

pub static FIBER_STACK_SIZE: IniQuantity =
    IniQuantity::unset("fiber.stack_size", IniAccess::All).on_change(|change| match change.number() {
        0.. => Ok(true),
        _ => change.vm.warning(b"fiber.stack_size must be a positive number").map(|()| false),
    });

/// Bytes of the native stack that are reserved for code that does not check; 0 means [`LEAST_RESERVED`].
pub static RESERVED_STACK_SIZE: IniSetting<Size> = IniSetting::new("zend.reserved_stack_size", "0", IniAccess::System)
    .on_change(|change| {
        let size = Size::parse(change.value.map(|value| value.as_bytes()));
        if size == 0 || size >= LEAST_RESERVED {
            return Ok(true);
        }
        let name = change.setting.name;
        let text = format!("Invalid \"{name}\" setting. Value must be >= {LEAST_RESERVED}, but got {size}\n");
        change.vm.warning(text.as_bytes()).map(|()| false)
    });

/// The smallest reserve of the native stack, in bytes.
pub const LEAST_RESERVED: u64 = 48 << 10;

/// The type of settings that are sizes: unsigned quantities, where -1 is the largest.
pub struct Size;

impl IniType for Size {
    type Value = u64;

    fn parse(value: Option<&[u8]>) -> u64 {
        quantity::unsigned_quantity(value.unwrap_or_default()).0
    }

    fn value(state: &IniState) -> u64 {
        state.bits()
    }

    fn problem(text: &[u8]) -> Option<String> {
        quantity::unsigned_quantity(text).1
    }
}

/// The largest size of the native stack; 0 for its actual size, -1 for no limit.
pub static MAX_ALLOWED_STACK_SIZE: IniQuantity =
    IniQuantity::new("zend.max_allowed_stack_size", "0", IniAccess::System).on_change(|change| match change.number() {
        -1.. => Ok(true),
        size => {
            let text = format!("Invalid \"{}\" setting. Value must be >= -1, but got {size}", change.setting.name);
            change.vm.warning(text.as_bytes()).map(|()| false)
        }
    });

/// The script's limit of memory; -1 for none. The engine applies the configured value itself.
pub static MEMORY_LIMIT: IniSetting<Size> =
    IniSetting::new("memory_limit", "128M", IniAccess::All).on_change(change_memory_limit);

/// The memory that Zend's allocator holds from the start, which is the smallest limit at start-up.
const LEAST_LIMIT: u64 = 2 << 20;

/// Applies a memory limit.
pub fn limit_memory(limit: u64) {
    heap::set_memory_limit(usize::try_from(limit).unwrap_or(usize::MAX));
}

fn change_memory_limit(change: &IniChange<'_>) -> PhpResult<bool> {
    let limit = Size::parse(change.value.map(|value| value.as_bytes()));
    let used = match change.stage {
        IniStage::Startup => LEAST_LIMIT,
        IniStage::Runtime => heap::bytes_used() as u64,
        IniStage::End => 0,
    };
    if limit < used {
        let limit = limit as i64;
        let text = format!("Failed to set memory limit to {limit} bytes (Current memory usage is {used} bytes)");
        change.vm.warning(text.as_bytes())?;
        return Ok(false);
    }
    if change.stage != IniStage::Startup {
        limit_memory(limit);
    }
    Ok(true)
}

pub static ARG_SEPARATOR_INPUT: IniString =
    IniString::new("arg_separator.input", "&", IniAccess::PerDir).on_change(not_empty);
pub static ARG_SEPARATOR_OUTPUT: IniString =
    IniString::new("arg_separator.output", "&", IniAccess::All).on_change(not_empty);

/// A handler that refuses texts of more than one line, because the setting becomes part of a header.
fn is_one_line(change: &IniChange<'_>) -> PhpResult<bool> {
    Ok(!change.text().iter().any(|byte| b"\0\r\n".contains(byte)))
}

pub static DEFAULT_MIMETYPE: IniString =
    IniString::new("default_mimetype", "text/html", IniAccess::All).on_change(is_one_line);
pub static DEFAULT_CHARSET: IniSetting<EncodingName> = IniSetting::new("default_charset", "UTF-8", IniAccess::All)
    .on_change(|change| Ok(is_one_line(change)? && change_encoding(change)?));
pub static INTERNAL_ENCODING: IniSetting<EncodingName> =
    IniSetting::unset("internal_encoding", IniAccess::All).on_change(change_encoding);
pub static INPUT_ENCODING: IniSetting<EncodingName> =
    IniSetting::unset("input_encoding", IniAccess::All).on_change(change_encoding);
pub static OUTPUT_ENCODING: IniSetting<EncodingName> =
    IniSetting::unset("output_encoding", IniAccess::All).on_change(change_encoding);

/// A function of the part that knows encodings, which is told about changes of settings that name one.
#[derive(Default)]
struct Listener(Cell<Option<fn(&IniChange<'_>) -> PhpResult<()>>>);

static LISTENER: DataKey<Listener> = DataKey::new();

/// Installs the function that is told about changes of encodings after start-up.
pub fn hear_of_encodings(vm: &Vm, listener: fn(&IniChange<'_>) -> PhpResult<()>) {
    vm.keyed(&LISTENER).0.set(Some(listener));
}

fn change_encoding(change: &IniChange<'_>) -> PhpResult<bool> {
    if change.stage != IniStage::Startup
        && let Some(listener) = change.vm.keyed(&LISTENER).0.get()
    {
        listener(change)?;
    }
    Ok(true)
}

/// The type of settings that name an encoding. Nearly all name UTF-8, which is recognised without a lookup.
pub struct EncodingName;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    Nothing,
    Utf8,
    Another,
}

impl IniType for EncodingName {
    type Value = Named;

    fn parse(text: Option<&[u8]>) -> u64 {
        match text.unwrap_or_default() {
            [] => Named::Nothing as u64,
            name if name.eq_ignore_ascii_case(b"UTF-8") => Named::Utf8 as u64,
            _ => Named::Another as u64,
        }
    }

    #[inline]
    fn value(state: &IniState) -> Named {
        match state.bits() {
            0 => Named::Nothing,
            1 => Named::Utf8,
            _ => Named::Another,
        }
    }
}
