//! PHP source as coloured HTML, and without comments and white space.

use phlox_ext_standard_file::stream::open::os;
use phlox_ext_standard_file::stream::plain::error_text;
use phlox_runtime::ini::{IniAccess, IniString, Shown};
use phlox_runtime::settings::SHORT_OPEN_TAG;
use phlox_runtime::{Call, FnDef, Level, PhpResult, Val, basedir, ob};
use phlox_syntax::token::{Token, TokenKind, tokenize};

/// A setting that has a colour, as HTML writes it.
const fn color(name: &'static str, default: &'static str) -> IniString {
    IniString::new(name, default, IniAccess::All).shown(Shown::Color).not_restored()
}

pub static COMMENT: IniString = color("highlight.comment", "#FF8000");
pub static DEFAULT: IniString = color("highlight.default", "#0000BB");
pub static HTML: IniString = color("highlight.html", "#000000");
pub static KEYWORD: IniString = color("highlight.keyword", "#007700");
pub static STRING: IniString = color("highlight.string", "#DD0000");

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("highlight_string(string $string, bool $return = false): string|true", highlight_string),
    FnDef::new("highlight_file(string $filename, bool $return = false): string|bool", highlight_file),
    FnDef::new("show_source(string $filename, bool $return = false): string|bool", highlight_file),
    FnDef::new("php_strip_whitespace(string $filename): string", php_strip_whitespace),
];

/// The setting with a token's colour; `None`: white space has none.
fn color_of(kind: TokenKind) -> Option<&'static IniString> {
    use TokenKind as T;
    Some(match kind {
        T::Whitespace => return None,
        T::InlineHtml => &HTML,
        T::Comment | T::DocComment => &COMMENT,
        T::StringContent | T::QuotedString | T::DoubleQuote => &STRING,
        T::OpenTag | T::OpenTagEcho | T::CloseTag => &DEFAULT,
        _ => match kind.info().php_name {
            "T_LINE"
            | "T_FILE"
            | "T_DIR"
            | "T_TRAIT_C"
            | "T_METHOD_C"
            | "T_FUNC_C"
            | "T_PROPERTY_C"
            | "T_NS_C"
            | "T_CLASS_C"
            | "T_STRING"
            | "T_NAME_FULLY_QUALIFIED"
            | "T_NAME_RELATIVE"
            | "T_NAME_QUALIFIED"
            | "T_VARIABLE"
            | "T_LNUMBER"
            | "T_DNUMBER"
            | "T_NUM_STRING"
            | "T_STRING_VARNAME" => &DEFAULT,
            _ => &KEYWORD,
        },
    })
}

fn escape_into(html: &mut Vec<u8>, text: &[u8]) {
    for &byte in text {
        match byte {
            b'<' => html.extend_from_slice(b"&lt;"),
            b'>' => html.extend_from_slice(b"&gt;"),
            b'&' => html.extend_from_slice(b"&amp;"),
            b'\t' => html.extend_from_slice(b"    "),
            _ => html.push(byte),
        }
    }
}

fn tokens(call: &Call<'_>, source: &[u8]) -> impl Iterator<Item = Token> {
    let all = tokenize(source, call.vm.ini.get(&SHORT_OPEN_TAG));
    all.into_iter().filter(|token| token.kind != TokenKind::End)
}

fn text<'s>(source: &'s [u8], token: &Token) -> &'s [u8] {
    source.get(token.start as usize..token.end as usize).unwrap_or(b"")
}

fn highlight(call: &Call<'_>, source: &[u8]) -> Vec<u8> {
    let outside: &'static IniString = &HTML;
    let tag =
        |open: &[u8], color: &'static IniString| [open, b" style=\"color: ", &call.vm.ini.get(color), b"\">"].concat();
    let mut html = tag(b"<pre><code", outside);
    let mut last = outside;
    for token in tokens(call, source) {
        if let Some(color) = color_of(token.kind).filter(|color| !std::ptr::eq(*color, last)) {
            if !std::ptr::eq(last, outside) {
                html.extend_from_slice(b"</span>");
            }
            if !std::ptr::eq(color, outside) {
                html.extend_from_slice(&tag(b"<span", color));
            }
            last = color;
        }
        escape_into(&mut html, text(source, &token));
    }
    if !std::ptr::eq(last, outside) {
        html.extend_from_slice(b"</span>");
    }
    html.extend_from_slice(b"</code></pre>");
    html
}

fn answer(call: &Call<'_>, html: Vec<u8>) -> PhpResult<Val> {
    if call.bool(1) {
        return Ok(Val::str(&html));
    }
    call.vm.echo(&html);
    Ok(Val::TRUE)
}

fn highlight_string(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.bool(1) {
        ob::check_not_in_callback(call.vm)?;
    }
    let html = highlight(call, &call.str(0));
    answer(call, html)
}

/// The file's text; what cannot be read is reported.
fn source(call: &Call<'_>) -> PhpResult<Option<Vec<u8>>> {
    let path = call.path(0)?;
    let failed = |reason: &str| {
        let function = call.func.display_name();
        let text = [&function[..], b"(", &path, b"): Failed to open stream: ", reason.as_bytes()].concat();
        call.vm.raise(Level::Warning, &text).map(|()| None)
    };
    if !basedir::allows(call.vm, &path)? {
        return failed("Operation not permitted");
    }
    match phlox_runtime::files::resolve_include(call.vm, &path) {
        Some(resolved) => phlox_runtime::files::read_included(call.vm, &resolved, "highlight_file"),
        None => match std::fs::File::open(os(&path)) {
            Err(error) => failed(&error_text(&error)),
            Ok(_) => Ok(None),
        },
    }
}

fn highlight_file(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.bool(1) {
        ob::check_not_in_callback(call.vm)?;
    }
    if !basedir::allows(call.vm, &call.path(0)?)? {
        return Ok(Val::FALSE);
    }
    match source(call)? {
        Some(source) => {
            let html = highlight(call, &source);
            answer(call, html)
        }
        None => {
            let path = call.path(0)?;
            call.raise(Level::Warning, &[b"Failed opening '", &path[..], b"' for highlighting"].concat())?;
            Ok(Val::FALSE)
        }
    }
}

fn php_strip_whitespace(call: &mut Call<'_>) -> PhpResult<Val> {
    ob::check_not_in_callback(call.vm)?;
    let Some(source) = source(call)? else { return Ok("".into()) };
    let mut stripped = Vec::new();
    let mut after_space = false;
    let mut after_heredoc = false;
    for token in tokens(call, &source) {
        let text = text(&source, &token);
        if std::mem::take(&mut after_heredoc) {
            // The token behind a heredoc's end stays on its line.
            if token.kind != TokenKind::Whitespace {
                stripped.extend_from_slice(text);
            }
            stripped.push(b'\n');
            after_space = true;
            continue;
        }
        match token.kind {
            TokenKind::Comment | TokenKind::DocComment => continue,
            TokenKind::Whitespace => {
                if !std::mem::replace(&mut after_space, true) {
                    stripped.push(b' ');
                }
                continue;
            }
            TokenKind::EndHeredoc => {
                stripped.extend_from_slice(text);
                after_heredoc = true;
            }
            _ => stripped.extend_from_slice(text),
        }
        after_space = false;
    }
    Ok(Val::str(&stripped))
}
