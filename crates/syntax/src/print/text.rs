//! Strings, numbers, names and types.

use super::Printer;
use crate::ast::{Name, NameKind, Type, TypeKind};

/// Significant digits of a float: PHP's default `precision`.
const PRECISION: i32 = 14;

impl Printer<'_> {
    /// A string literal: double-quoted if it has control characters.
    pub(super) fn string(&mut self, text: &[u8]) {
        if text.iter().any(|&byte| byte < b' ') {
            self.put("\"");
            self.escaped(text, b'"');
            self.put("\"");
            return;
        }
        self.put("'");
        for &byte in text {
            if matches!(byte, b'\'' | b'\\') {
                self.out.push(b'\\');
            }
            self.out.push(byte);
        }
        self.put("'");
    }

    /// The content of a string in double quotes or backticks.
    pub(super) fn escaped(&mut self, text: &[u8], quote: u8) {
        for &byte in text {
            match byte {
                b'\n' => self.put("\\n"),
                b'\r' => self.put("\\r"),
                b'\t' => self.put("\\t"),
                0x0c => self.put("\\f"),
                0x0b => self.put("\\v"),
                0x1b => self.put("\\e"),
                0..b' ' => self.put([b'\\', b'0', b'0' + byte / 8, b'0' + byte % 8]),
                _ => {
                    if byte == quote || matches!(byte, b'$' | b'\\') {
                        self.out.push(b'\\');
                    }
                    self.out.push(byte);
                }
            }
        }
    }

    /// A name with the mark of how it was written.
    pub(super) fn name(&mut self, name: &Name<'_>) {
        match name.kind {
            NameKind::FullyQualified => self.put("\\"),
            NameKind::Relative => self.put("namespace\\"),
            NameKind::Unqualified | NameKind::Qualified => {}
        }
        self.put(name.text);
    }

    /// Names in `implements`, `use` and `insteadof`, which PHP prints without a leading backslash.
    pub(super) fn bare_names(&mut self, names: &[Name<'_>]) {
        self.list(names, |printer, name| printer.put(name.text));
    }

    pub(super) fn type_expr(&mut self, ty: &Type<'_>) {
        let (members, separator) = match ty.kind {
            TypeKind::Named(name) => return self.type_name(&name),
            TypeKind::Nullable(inner) => {
                self.put("?");
                return match inner.kind {
                    // PHP has both marks in one field, so this one hides how the name was written.
                    TypeKind::Named(name) if name.kind != NameKind::Unqualified => self.put(name.text),
                    _ => self.type_expr(inner),
                };
            }
            TypeKind::Union(members) => (members, "|"),
            TypeKind::Intersection(members) => (members, "&"),
        };
        for (index, member) in members.iter().enumerate() {
            if index > 0 {
                self.put(separator);
            }
            self.type_expr(member);
        }
    }

    /// PHP knows the types that are keywords by number, so their case is lost.
    fn type_name(&mut self, name: &Name<'_>) {
        let keywords: [&[u8]; 3] = [b"array", b"callable", b"static"];
        match keywords
            .iter()
            .find(|keyword| name.kind == NameKind::Unqualified && name.text.eq_ignore_ascii_case(keyword))
        {
            Some(keyword) => self.put(keyword),
            None => self.name(name),
        }
    }
}

/// A float as PHP shows it, or, with `fraction`, so that it reads back as one.
pub(super) fn float(value: f64, fraction: bool) -> String {
    if !value.is_finite() {
        let text = if value.is_nan() { "NAN" } else { "INF" };
        return if value < 0.0 { format!("-{text}") } else { text.to_string() };
    }
    let scientific = format!("{value:.*e}", PRECISION as usize - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if mantissa.starts_with('-') { "-" } else { "" };
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_end_matches('0');
    let digits = if digits.is_empty() { "0" } else { digits };
    if (-4..PRECISION).contains(&exponent) {
        let whole = exponent.max(0) as usize + 1;
        let zeros = "0".repeat((-exponent).max(0) as usize);
        let all = format!("{zeros}{digits:0<width$}", width = whole.saturating_sub(zeros.len()));
        let (integer, rest) = all.split_at(whole);
        let rest = if rest.is_empty() && fraction { "0" } else { rest };
        return if rest.is_empty() { format!("{sign}{integer}") } else { format!("{sign}{integer}.{rest}") };
    }
    let (first, rest) = digits.split_at(1);
    let rest = if rest.is_empty() { "0" } else { rest };
    format!("{sign}{first}.{rest}E{}{}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

/// Can the name follow a dollar sign without braces?
pub(super) fn is_variable_name(text: &[u8]) -> bool {
    text.first().is_some_and(|first| !first.is_ascii_digit()) && text.iter().all(|&byte| is_variable_byte(byte))
}

pub(super) fn is_variable_byte(byte: u8) -> bool {
    byte == b'_' || byte >= 127 || byte.is_ascii_alphanumeric()
}
