//! The settings of PHP's compiler of machine code, and `opcache_jit_blacklist`.
//!
//! Phlox's compiler has a setting of its own, `phlox.jit`. PHP's settings are checked as PHP checks them, and scripts see the state
//! of a PHP whose compiler is disabled: none of them has an effect.

use phlox_runtime::ini::{
    IniAccess::{All, System},
    IniChange, IniFloat, IniQuantity, IniStage, IniString, parse_quantity,
};
use phlox_runtime::{Call, Level, PhpArr, PhpResult, Val};

pub static JIT: IniString = IniString::new("opcache.jit", "disable", All).on_change(mode);
pub static BUFFER_SIZE: IniQuantity = IniQuantity::new("opcache.jit_buffer_size", "64M", System);
pub static DEBUG: IniQuantity = IniQuantity::new("opcache.jit_debug", "0", All).on_change(debug);
pub static BISECT_LIMIT: IniQuantity = IniQuantity::new("opcache.jit_bisect_limit", "0", All);
pub static PROF_THRESHOLD: IniFloat = IniFloat::new("opcache.jit_prof_threshold", "0.005", All);
pub static MAX_ROOT_TRACES: IniQuantity = IniQuantity::new("opcache.jit_max_root_traces", "1024", System);
pub static MAX_SIDE_TRACES: IniQuantity = IniQuantity::new("opcache.jit_max_side_traces", "128", System);
pub static MAX_EXIT_COUNTERS: IniQuantity = IniQuantity::new("opcache.jit_max_exit_counters", "8192", System);
pub static HOT_LOOP: IniQuantity = IniQuantity::new("opcache.jit_hot_loop", "64", System).on_change(counter);
pub static HOT_FUNC: IniQuantity = IniQuantity::new("opcache.jit_hot_func", "127", System).on_change(counter);
pub static HOT_RETURN: IniQuantity = IniQuantity::new("opcache.jit_hot_return", "8", System).on_change(counter);
pub static HOT_SIDE_EXIT: IniQuantity = IniQuantity::new("opcache.jit_hot_side_exit", "8", All).on_change(counter);
pub static BLACKLIST_ROOT_TRACE: IniQuantity =
    IniQuantity::new("opcache.jit_blacklist_root_trace", "16", All).on_change(counter);
pub static BLACKLIST_SIDE_TRACE: IniQuantity =
    IniQuantity::new("opcache.jit_blacklist_side_trace", "8", All).on_change(counter);
pub static MAX_LOOP_UNROLLS: IniQuantity =
    IniQuantity::new("opcache.jit_max_loop_unrolls", "8", All).on_change(|change| within(change, 1, 10, 9));
pub static MAX_RECURSIVE_CALLS: IniQuantity =
    IniQuantity::new("opcache.jit_max_recursive_calls", "2", All).on_change(|change| within(change, 1, 10, 9));
pub static MAX_RECURSIVE_RETURNS: IniQuantity =
    IniQuantity::new("opcache.jit_max_recursive_returns", "2", All).on_change(|change| within(change, 0, 4, 3));
pub static MAX_POLYMORPHIC_CALLS: IniQuantity = IniQuantity::new("opcache.jit_max_polymorphic_calls", "2", All);
pub static MAX_TRACE_LENGTH: IniQuantity =
    IniQuantity::new("opcache.jit_max_trace_length", "1024", All).on_change(|change| within(change, 4, 1024, 1024));

/// Words for a compiler that is off or on; the empty text is one.
const WORDS: [&[u8]; 12] =
    [b"disable", b"", b"0", b"off", b"no", b"false", b"1", b"on", b"yes", b"true", b"tracing", b"function"];

fn mode(change: &IniChange<'_>) -> PhpResult<bool> {
    if change.stage == IniStage::Runtime {
        change.vm.raise(Level::Warning, b"Cannot change opcache.jit setting at run-time (JIT is disabled)")?;
    }
    if change.stage != IniStage::Startup {
        return Ok(false);
    }
    let valid = WORDS.iter().any(|word| word.eq_ignore_ascii_case(change.text())) || is_mode_number(change.text());
    if !valid {
        let text = b"Invalid \"opcache.jit\" setting. Should be \"disable\", \"on\", \"off\", \"tracing\", \"function\" or 4-digit number";
        change.vm.raise(Level::Warning, text)?;
    }
    Ok(valid)
}

/// Whether a number's decimal digits are a mode: registers, kinds of code, trigger and level, the last one in the last digit.
fn is_mode_number(text: &[u8]) -> bool {
    let Some(number) = std::str::from_utf8(text).ok().and_then(|text| text.parse::<u32>().ok()) else { return false };
    let digit = |place: u32| number / 10u32.pow(place) % 10;
    number == 0
        || (1..=5).contains(&digit(0))
            && matches!(digit(1), 0..=3 | 5)
            && digit(2) <= 2
            && digit(3) <= 1
            && number < 10_000
}

fn debug(change: &IniChange<'_>) -> PhpResult<bool> {
    /// Flags of profilers and debuggers.
    const PERSISTENT: i64 = 0x1f0;
    let changed = change.vm.ini.get(&DEBUG) ^ change.number();
    if change.stage == IniStage::Startup || changed & PERSISTENT == 0 {
        return Ok(true);
    }
    if change.stage == IniStage::Runtime {
        change.vm.raise(Level::Warning, b"Some opcache.jit_debug bits cannot be changed after startup")?;
    }
    Ok(false)
}

fn counter(change: &IniChange<'_>) -> PhpResult<bool> {
    let valid = (0..256).contains(&parse_quantity(change.text()));
    if !valid {
        let name = change.setting.name;
        let text = format!("Invalid \"{name}\" setting; using default value instead. Should be between 0 and 255");
        change.vm.raise(Level::Warning, text.as_bytes())?;
    }
    Ok(valid)
}

/// Refuses numbers outside of a range. PHP's message says `told` where it takes numbers up to `most`.
fn within(change: &IniChange<'_>, least: i64, told: i64, most: i64) -> PhpResult<bool> {
    let valid = (least..=most).contains(&parse_quantity(change.text()));
    if !valid {
        let text = format!("Invalid \"{}\" setting. Should be between {least} and {told}", change.setting.name);
        change.vm.raise(Level::Warning, text.as_bytes())?;
    }
    Ok(valid)
}

/// What `opcache_get_status` says of a compiler that is disabled.
pub fn status() -> PhpArr {
    let mut status = PhpArr::new();
    status.set_bytes(b"enabled", Val::FALSE);
    status.set_bytes(b"on", Val::FALSE);
    for name in ["kind", "opt_level", "opt_flags", "buffer_size", "buffer_free"] {
        status.set_bytes(name.as_bytes(), Val::int(0));
    }
    status
}

/// The compiler that the function keeps from compiling is disabled.
pub fn opcache_jit_blacklist(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::NULL)
}
