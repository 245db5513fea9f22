//! Where translations are looked for: by the locale of a category, the domain, and the domain's directory.

use crate::catalog::Catalog;
use phlox_ext_mbstring::encoding;
use phlox_ext_standard_file::info;
use phlox_runtime::{Call, Extension, PhpResult, Val, Vm};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::rc::Rc;

const DIRECTORY: &[u8] = b"/usr/share/locale";
const DOMAIN: &[u8] = b"messages";

/// The names of the categories by number; the one for all of them is no place for translations.
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
const CTYPE: i64 = 0;

/// Is a number that of a category?
pub fn is_category(number: i64) -> bool {
    usize::try_from(number).is_ok_and(|number| CATEGORIES.get(number).is_some_and(|name| *name != "LC_ALL"))
}

/// What is known of a domain.
#[derive(Default)]
struct Domain {
    directory: Option<Vec<u8>>,
    codeset: Option<Vec<u8>>,
}

/// The domains, and the catalogs that were read.
#[derive(Default)]
pub struct Domains {
    chosen: RefCell<Option<Vec<u8>>>,
    known: RefCell<HashMap<Vec<u8>, Domain>>,
    /// Catalogs by path; `None`: there is none.
    catalogs: RefCell<HashMap<Vec<u8>, Option<Rc<Catalog>>>>,
}

impl Domains {
    /// The domains of a machine.
    pub fn of(vm: &Vm) -> Rc<Domains> {
        vm.data::<Domains>("gettext")
    }

    /// The domain of calls that name none.
    pub fn current(&self) -> Vec<u8> {
        self.chosen.borrow().clone().unwrap_or_else(|| DOMAIN.to_vec())
    }

    /// Makes a domain the one of calls that name none.
    pub fn choose(&self, domain: &[u8]) {
        *self.chosen.borrow_mut() = Some(domain.to_vec());
    }

    fn change(&self, domain: &[u8], change: impl FnOnce(&mut Domain)) {
        change(self.known.borrow_mut().entry(domain.to_vec()).or_default());
    }

    /// Sets a domain's directory.
    pub fn bind(&self, domain: &[u8], directory: &[u8]) {
        self.change(domain, |known| known.directory = Some(directory.to_vec()));
    }

    /// Sets the encoding that translations of a domain are given in.
    pub fn encode(&self, domain: &[u8], codeset: &[u8]) {
        self.change(domain, |known| known.codeset = Some(codeset.to_vec()));
    }

    /// A domain's directory.
    pub fn directory(&self, domain: &[u8]) -> Vec<u8> {
        let known = self.known.borrow();
        known.get(domain).and_then(|known| known.directory.clone()).unwrap_or_else(|| DIRECTORY.to_vec())
    }

    /// The encoding that was set for a domain.
    pub fn codeset(&self, domain: &[u8]) -> Option<Vec<u8>> {
        self.known.borrow().get(domain).and_then(|known| known.codeset.clone())
    }

    fn catalog(&self, path: Vec<u8>) -> Option<Rc<Catalog>> {
        if let Some(found) = self.catalogs.borrow().get(&path) {
            return found.clone();
        }
        let data = std::fs::read(OsStr::from_bytes(&path)).ok();
        let catalog = data.and_then(Catalog::parse).map(Rc::new);
        self.catalogs.borrow_mut().insert(path, catalog.clone());
        catalog
    }
}

/// What is asked for.
pub struct Wanted<'t> {
    /// `None`: the chosen domain.
    pub domain: Option<&'t [u8]>,
    pub message: &'t [u8],
    /// How many things the message is for; `None`: it has one form.
    pub count: Option<u64>,
    pub category: i64,
}

/// Calls the body of another extension's function; its result if that is a text.
fn text_of(call: &Call<'_>, of: &Extension, name: &str, args: &[Val]) -> PhpResult<Option<Vec<u8>>> {
    let Some(row) = of.functions.iter().flat_map(|rows| rows.iter()).find(|row| row.name() == name) else {
        return Ok(None);
    };
    let (vm, func, passed) = (call.vm, call.func, args.len());
    let result = (row.body)(&mut Call { vm, func, object: None, static_class: None, args, passed, unusual: None })?;
    Ok(result.as_str().map(|text| text.to_vec()))
}

/// The locale of a category.
fn locale(call: &Call<'_>, category: i64) -> PhpResult<Vec<u8>> {
    let args = [Val::int(category), Val::str(b"0")];
    Ok(text_of(call, &phlox_ext_standard::EXTENSION, "setlocale", &args)?.unwrap_or_else(|| b"C".to_vec()))
}

/// A text in another encoding. `None`: it is damaged, or an encoding is not known.
fn converted(call: &Call<'_>, text: &[u8], from: &[u8], to: &[u8]) -> PhpResult<Option<Vec<u8>>> {
    let to = to.split(|&byte| byte == b'/').next().unwrap_or_default();
    let Some((source, target)) = encoding::find(from).zip(encoding::find(to)) else { return Ok(None) };
    if std::ptr::eq(source, target) {
        return Ok(Some(text.to_vec()));
    }
    let codes = encoding::decode(source, text);
    if codes.contains(&encoding::BAD) {
        return Ok(None);
    }
    let (whole, missing) = encoding::encode(target, &codes, encoding::Substitute::QUESTION_MARK);
    if missing == 0 {
        return Ok(Some(whole));
    }
    // What the encoding lacks is written with other characters, as `iconv()` does.
    let args = [Val::str(from), [to, b"//TRANSLIT"].concat().into(), Val::str(text)];
    text_of(call, &phlox_ext_iconv::EXTENSION, "iconv", &args)
}

fn variable(vm: &Vm, name: &[u8]) -> Option<Vec<u8>> {
    info::environment(vm).get(vm, name).filter(|value| !value.is_empty())
}

/// A codeset as directories may have it: letters and digits, in lower case.
fn normalized(codeset: &[u8]) -> Vec<u8> {
    let letters: Vec<u8> =
        codeset.iter().filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect();
    if letters.iter().all(u8::is_ascii_digit) { [b"iso", &letters[..]].concat() } else { letters }
}

/// The names of directories for a locale, the one that says most first.
fn directories(locale: &[u8]) -> Vec<Vec<u8>> {
    const NORMALIZED: u8 = 1;
    const CODESET: u8 = 2;
    const TERRITORY: u8 = 4;
    const MODIFIER: u8 = 8;
    let until = |text: &[u8], ends: &[u8]| text.iter().position(|byte| ends.contains(byte)).unwrap_or(text.len());
    let (language, mut rest) = locale.split_at(until(locale, b"_.@"));
    let mut part = |mark: u8, ends: &[u8]| -> Option<Vec<u8>> {
        let inner = rest.strip_prefix(&[mark])?;
        let (part, behind) = inner.split_at(until(inner, ends));
        rest = behind;
        (!part.is_empty()).then(|| part.to_vec())
    };
    let (territory, codeset, modifier) = (part(b'_', b".@"), part(b'.', b"@"), part(b'@', b""));
    let other = codeset.as_ref().map(|codeset| normalized(codeset)).filter(|other| Some(other) != codeset.as_ref());
    let bit = |is_there: bool, bit: u8| if is_there { bit } else { 0 };
    let mask = bit(other.is_some(), NORMALIZED)
        | bit(codeset.is_some(), CODESET)
        | bit(territory.is_some(), TERRITORY)
        | bit(modifier.is_some(), MODIFIER);
    let chosen =
        (0..=mask).rev().filter(|&set| set & !mask == 0 && set & (CODESET | NORMALIZED) != CODESET | NORMALIZED);
    let name = |set: u8| {
        let mut name = language.to_vec();
        for (bit, mark, part) in [
            (TERRITORY, b'_', &territory),
            (CODESET, b'.', &codeset),
            (NORMALIZED, b'.', &other),
            (MODIFIER, b'@', &modifier),
        ] {
            if let Some(part) = part.as_ref().filter(|_| set & bit != 0) {
                name.push(mark);
                name.extend_from_slice(part);
            }
        }
        name
    };
    chosen.map(name).collect()
}

/// The form for a count out of all forms of a translation.
fn form(all: &[u8], catalog: &Catalog, count: u64) -> Vec<u8> {
    let number = catalog.plural.form(count);
    let mut forms = all.split(|&byte| byte == 0);
    let first = forms.clone().next().unwrap_or_default();
    usize::try_from(number).ok().and_then(|number| forms.nth(number)).unwrap_or(first).to_vec()
}

/// The encoding that translations of a domain are wanted in.
fn wanted_encoding(call: &Call<'_>, domains: &Domains, domain: &[u8]) -> PhpResult<Vec<u8>> {
    if let Some(codeset) = domains.codeset(domain) {
        return Ok(codeset);
    }
    if let Some(codeset) = variable(call.vm, b"OUTPUT_CHARSET") {
        return Ok(codeset);
    }
    let is_utf8 = locale(call, CTYPE)?.starts_with(b"C.");
    Ok(if is_utf8 { b"UTF-8".to_vec() } else { b"US-ASCII".to_vec() })
}

/// The translation of a message. `None`: there is none.
///
/// # Errors
/// None of its own; what asking for the locale throws.
pub fn lookup(call: &Call<'_>, wanted: &Wanted<'_>) -> PhpResult<Option<Vec<u8>>> {
    if !is_category(wanted.category) {
        return Ok(None);
    }
    let current = locale(call, wanted.category)?;
    if current == b"C" {
        return Ok(None);
    }
    let domains = Domains::of(call.vm);
    let chosen = domains.current();
    let domain = wanted.domain.unwrap_or(&chosen);
    let directory = domains.directory(domain);
    let file = [b"/", CATEGORIES[wanted.category as usize].as_bytes(), b"/", domain, b".mo"].concat();
    let languages = variable(call.vm, b"LANGUAGE").unwrap_or(current);
    for language in languages.split(|&byte| byte == b':').filter(|language| !language.is_empty()) {
        if matches!(language, b"C" | b"POSIX") {
            return Ok(None);
        }
        for name in directories(language) {
            let Some(catalog) = domains.catalog([&directory, &b"/"[..], &name, &file].concat()) else { continue };
            let Some(all) = catalog.find(wanted.message) else { continue };
            let encoding = wanted_encoding(call, &domains, domain)?;
            let all = match &catalog.charset {
                Some(charset) => converted(call, all, charset, &encoding)?,
                None => Some(all.to_vec()),
            };
            let Some(all) = all else { continue };
            return Ok(Some(form(&all, &catalog, wanted.count.unwrap_or(0))).map(|text| match wanted.count {
                Some(_) => text,
                None => all.split(|&byte| byte == 0).next().unwrap_or_default().to_vec(),
            }));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locales_have_directories() {
        let names = |locale: &[u8]| {
            let names = directories(locale).into_iter().map(|name| String::from_utf8_lossy(&name).into_owned());
            names.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(b"de"), "de");
        assert_eq!(names(b"de_DE"), "de_DE de");
        assert_eq!(names(b"de_DE.UTF-8"), "de_DE.UTF-8 de_DE.utf8 de_DE de.UTF-8 de.utf8 de");
        assert_eq!(names(b"de.utf8@euro"), "de.utf8@euro de@euro de.utf8 de");
        assert_eq!(normalized(b"8859-1"), b"iso88591");
    }
}
