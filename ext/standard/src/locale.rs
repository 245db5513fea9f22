//! Locale functions. Only the "C" locale exists; its names and format are fixed.

use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, Val, View, convert};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("setlocale(int $category, $locales, ...$rest): string|false", setlocale),
    FnDef::new("localeconv(): array", localeconv),
];

fn setlocale(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut wanted = Vec::new();
    for value in call.rest(1) {
        match value.deref().view() {
            View::Arr(list) => {
                for name in list.values() {
                    wanted.push(convert::to_str(call.vm, name)?);
                }
            }
            _ => wanted.push(convert::to_str(call.vm, value)?),
        }
    }
    // "0" asks, an empty name means the environment's.
    let known = |name: &[u8]| matches!(name, b"" | b"0" | b"C" | b"POSIX");
    Ok(match wanted.iter().find(|name| known(name)) {
        Some(_) => "C".into(),
        None => Val::FALSE,
    })
}

fn localeconv(_: &mut Call<'_>) -> PhpResult<Val> {
    const TEXTS_BEFORE: [(&str, &str); 10] = [
        ("decimal_point", "."),
        ("thousands_sep", ""),
        ("int_curr_symbol", ""),
        ("currency_symbol", ""),
        ("mon_decimal_point", ""),
        ("mon_thousands_sep", ""),
        ("positive_sign", ""),
        ("negative_sign", ""),
        ("grouping", ""),
        ("mon_grouping", ""),
    ];
    /// Not available in the locale (`CHAR_MAX`).
    const UNKNOWN: [&str; 8] = [
        "int_frac_digits",
        "frac_digits",
        "p_cs_precedes",
        "p_sep_by_space",
        "n_cs_precedes",
        "n_sep_by_space",
        "p_sign_posn",
        "n_sign_posn",
    ];
    let mut table = PhpArr::new();
    for (name, text) in &TEXTS_BEFORE[..8] {
        table.set_bytes(name.as_bytes(), (*text).into());
    }
    for name in UNKNOWN {
        table.set_bytes(name.as_bytes(), Val::int(127));
    }
    for (name, _) in &TEXTS_BEFORE[8..] {
        table.set_bytes(name.as_bytes(), PhpArr::new().into());
    }
    Ok(table.into())
}
