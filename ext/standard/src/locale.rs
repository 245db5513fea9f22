//! Locale functions. The locales are `C` and `C.UTF-8`, which differ only in the encoding that some functions take texts
//! to be in.

use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, Val, View, Vm, convert};
use std::cell::RefCell;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("setlocale(int $category, $locales, ...$rest): string|false", setlocale),
    FnDef::new("localeconv(): array", localeconv),
];

/// The categories by number; the one between the two halves is all of them.
const CATEGORIES: [&str; 13] = [
    "LC_CTYPE",
    "LC_NUMERIC",
    "LC_TIME",
    "LC_COLLATE",
    "LC_MONETARY",
    "LC_MESSAGES",
    "LC_ALL",
    "LC_PAPER",
    "LC_NAME",
    "LC_ADDRESS",
    "LC_TELEPHONE",
    "LC_MEASUREMENT",
    "LC_IDENTIFICATION",
];
const CTYPE: usize = 0;
const ALL: usize = 6;

/// The locale of each category.
struct Locales(RefCell<[String; 13]>);

impl Default for Locales {
    fn default() -> Locales {
        let mut names = [const { String::new() }; 13].map(|_| "C".to_owned());
        // PHP starts with `C` for all categories but the one of character types.
        names[CTYPE] = "C.UTF-8".to_owned();
        Locales(RefCell::new(names))
    }
}

/// Are texts in UTF-8 to the functions that ask the locale?
pub fn is_utf8(vm: &Vm) -> bool {
    vm.data::<Locales>("locales").0.borrow()[CTYPE].starts_with("C.")
}

/// A locale that there is, as the system names it.
fn known(name: &str) -> Option<&str> {
    match name {
        "C" | "POSIX" => Some("C"),
        "C.UTF-8" | "C.utf8" => Some(name),
        _ => None,
    }
}

/// The locale that the environment names for a category.
fn from_environment(category: &str) -> String {
    let value = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    value("LC_ALL").or_else(|| value(category)).or_else(|| value("LANG")).unwrap_or_else(|| "C".to_owned())
}

impl Locales {
    fn name(&self, category: usize) -> String {
        let names = self.0.borrow();
        if category != ALL {
            return names[category].clone();
        }
        let mut parts = CATEGORIES.iter().zip(&*names).filter(|(category, _)| **category != CATEGORIES[ALL]);
        match parts.clone().all(|(_, name)| *name == names[CTYPE]) {
            true => names[CTYPE].clone(),
            false => parts.by_ref().map(|(category, name)| format!("{category}={name}")).collect::<Vec<_>>().join(";"),
        }
    }

    /// `false`: there is no such locale.
    fn set(&self, category: usize, wanted: &str) -> bool {
        let one = |index: usize| -> Option<String> {
            let part = wanted.split(';').find_map(|part| part.strip_prefix(CATEGORIES[index])?.strip_prefix('='));
            let name = match (wanted, part) {
                ("", _) => from_environment(CATEGORIES[index]),
                (_, Some(part)) if category == ALL => part.to_owned(),
                _ => wanted.to_owned(),
            };
            known(&name).map(str::to_owned)
        };
        let found: Option<Vec<(usize, String)>> = (0..CATEGORIES.len())
            .filter(|&index| index != ALL && (category == ALL || index == category))
            .map(|index| one(index).map(|name| (index, name)))
            .collect();
        let Some(found) = found else { return false };
        for (index, name) in found {
            self.0.borrow_mut()[index] = name;
        }
        true
    }
}

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
    let Some(category) = usize::try_from(call.int(0)).ok().filter(|&category| category < CATEGORIES.len()) else {
        return Ok(Val::FALSE);
    };
    let locales = call.vm.data::<Locales>("locales");
    for name in wanted {
        // "0" asks, an empty name means the environment's.
        if name.as_bytes() == b"0" || locales.set(category, &name.to_string()) {
            return Ok(locales.name(category).into());
        }
    }
    Ok(Val::FALSE)
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
    /// Elements that the locale does not define, which have the value `CHAR_MAX`.
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
