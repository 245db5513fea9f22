//! The functions.

use crate::lookup::{Domains, Wanted, is_category, lookup};
use phlox_runtime::{Call, FnDef, PhpResult, PhpStr, Val, until_nul};
use std::os::unix::ffi::OsStrExt;

/// The functions, in the order of PHP's declarations.
pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("textdomain(?string $domain = null): string", textdomain),
    FnDef::new("gettext(string $message): string", gettext),
    FnDef::new("_(string $message): string", gettext),
    FnDef::new("dgettext(string $domain, string $message): string", dgettext),
    FnDef::new("dcgettext(string $domain, string $message, int $category): string", dcgettext),
    FnDef::new("bindtextdomain(string $domain, ?string $directory = null): string|false", bindtextdomain),
    FnDef::new("ngettext(string $singular, string $plural, int $count): string", ngettext),
    FnDef::new("dngettext(string $domain, string $singular, string $plural, int $count): string", dngettext),
    FnDef::new(
        "dcngettext(string $domain, string $singular, string $plural, int $count, int $category): string",
        dcngettext,
    ),
    FnDef::new("bind_textdomain_codeset(string $domain, ?string $codeset = null): string|false", bind_codeset),
];

const LONGEST_DOMAIN: usize = 1024;
const LONGEST_MESSAGE: usize = 4096;
const LC_MESSAGES: i64 = 5;
const LC_ALL: i64 = 6;

fn check_domain(call: &Call<'_>, index: usize, domain: &[u8]) -> PhpResult<()> {
    match domain.len() {
        0 => Err(call.value_error(index, "must not be empty")),
        1..=LONGEST_DOMAIN => Ok(()),
        _ => Err(call.value_error(index, "is too long")),
    }
}

fn domain(call: &Call<'_>) -> PhpResult<PhpStr> {
    let domain = call.str(0);
    check_domain(call, 0, &domain)?;
    Ok(domain)
}

fn message(call: &Call<'_>, index: usize) -> PhpResult<PhpStr> {
    let message = call.str(index);
    if message.len() > LONGEST_MESSAGE {
        return Err(call.value_error(index, "is too long"));
    }
    Ok(message)
}

fn category(call: &Call<'_>, index: usize) -> PhpResult<i64> {
    match call.int(index) {
        LC_ALL => Err(call.value_error(index, "cannot be LC_ALL")),
        category => Ok(category),
    }
}

fn textdomain(call: &mut Call<'_>) -> PhpResult<Val> {
    let domains = Domains::of(call.vm);
    if let Some(domain) = call.opt_str(0) {
        check_domain(call, 0, &domain)?;
        if domain.as_bytes() == b"0" {
            return Err(call.value_error(0, "cannot be zero"));
        }
        domains.choose(until_nul(&domain));
    }
    Ok(domains.current().into())
}

/// A message; what has no translation stays what it is.
fn one(call: &Call<'_>, domain: Option<PhpStr>, message: PhpStr, category: i64) -> PhpResult<Val> {
    let wanted =
        Wanted { domain: domain.as_deref().map(until_nul), message: until_nul(&message), count: None, category };
    Ok(lookup(call, &wanted)?.map_or_else(|| message.clone().into(), Val::from))
}

/// A message for a number of things.
fn many(call: &Call<'_>, domain: Option<PhpStr>, texts: (PhpStr, PhpStr), count: i64, category: i64) -> PhpResult<Val> {
    let (singular, plural) = (until_nul(&texts.0), until_nul(&texts.1));
    let wanted =
        Wanted { domain: domain.as_deref().map(until_nul), message: singular, count: Some(count as u64), category };
    let untranslated = if count == 1 { singular } else { plural };
    Ok(lookup(call, &wanted)?.map_or_else(|| Val::str(untranslated), Val::from))
}

fn gettext(call: &mut Call<'_>) -> PhpResult<Val> {
    let message = message(call, 0)?;
    one(call, None, message, LC_MESSAGES)
}

fn dgettext(call: &mut Call<'_>) -> PhpResult<Val> {
    let (domain, message) = (domain(call)?, message(call, 1)?);
    one(call, Some(domain), message, LC_MESSAGES)
}

fn dcgettext(call: &mut Call<'_>) -> PhpResult<Val> {
    let (domain, message, category) = (domain(call)?, message(call, 1)?, category(call, 2)?);
    one(call, Some(domain), message, category)
}

fn ngettext(call: &mut Call<'_>) -> PhpResult<Val> {
    let texts = (message(call, 0)?, message(call, 1)?);
    many(call, None, texts, call.int(2), LC_MESSAGES)
}

fn dngettext(call: &mut Call<'_>) -> PhpResult<Val> {
    let (domain, texts) = (domain(call)?, (message(call, 1)?, message(call, 2)?));
    many(call, Some(domain), texts, call.int(3), LC_MESSAGES)
}

fn dcngettext(call: &mut Call<'_>) -> PhpResult<Val> {
    let (domain, texts) = (domain(call)?, (message(call, 1)?, message(call, 2)?));
    let category = category(call, 4)?;
    many(call, Some(domain), texts, call.int(3), if is_category(category) { category } else { -1 })
}

fn bindtextdomain(call: &mut Call<'_>) -> PhpResult<Val> {
    let domain = call.path(0)?;
    if call.opt_str(1).is_some() {
        call.path(1)?;
    }
    check_domain(call, 0, &domain)?;
    let domains = Domains::of(call.vm);
    if let Some(directory) = call.opt_str(1) {
        let found = match directory.as_bytes() {
            b"" | b"0" => std::env::current_dir(),
            path => std::fs::canonicalize(std::ffi::OsStr::from_bytes(path)),
        };
        let Ok(found) = found else { return Ok(Val::FALSE) };
        domains.bind(&domain, found.as_os_str().as_bytes());
    }
    Ok(domains.directory(&domain).into())
}

fn bind_codeset(call: &mut Call<'_>) -> PhpResult<Val> {
    let domain = domain(call)?;
    let domains = Domains::of(call.vm);
    if let Some(codeset) = call.opt_str(1) {
        domains.encode(until_nul(&domain), until_nul(&codeset));
    }
    Ok(domains.codeset(until_nul(&domain)).map_or(Val::FALSE, Val::from))
}
