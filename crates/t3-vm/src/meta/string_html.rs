//! The control characters of T3's output as HTML or plain text.

use crate::call::Args;
use crate::error::Run;
use crate::value::Value;
use crate::vm::Vm;

/// specialsToHtml: without the state object of an output stream, each string stands alone.
pub(crate) fn specials_to_html(vm: &mut Vm, args: Args) -> Run<Value> {
    let text = vm.want_text(args.this)?;
    let mut out = String::new();
    let mut at_line_start = false;
    for c in text.chars() {
        match c {
            '\n' => {
                if !at_line_start {
                    out.push_str("<br>");
                }
                at_line_start = true;
                continue;
            }
            '\u{b}' => out.push_str("<div class=\"vspace\"></div>"),
            '\u{15}' => out.push_str("&nbsp;"),
            '\t' => out.push_str("<tab multiple=8>"),
            '\u{e}' | '\u{f}' => {}
            c => out.push(c),
        }
        at_line_start = false;
    }
    Ok(vm.heap.new_text(out))
}

/// specialsToText: tags go away, entities and control characters become what they stand for.
pub(crate) fn specials_to_text(vm: &mut Vm, args: Args) -> Run<Value> {
    let text = vm.want_text(args.this)?;
    let mut out = String::new();
    let mut rest = &*text;
    while let Some(c) = rest.chars().next() {
        let mut taken = c.len_utf8();
        match c {
            '<' if rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') => {
                let end = rest.find('>').map_or(rest.len(), |end| end + 1);
                let tag = rest[1..end.saturating_sub(1).max(1)].to_ascii_lowercase();
                match tag.split_whitespace().next().unwrap_or_default() {
                    "br" => out.push('\n'),
                    "p" => out.push_str("\n\n"),
                    "tab" => out.push('\t'),
                    _ => {}
                }
                taken = end;
            }
            '&' => {
                let end = rest.find(';').filter(|end| *end <= 12);
                match end.and_then(|end| Some((crate::console::entity(&rest[1..end])?, end))) {
                    Some((c, end)) => {
                        out.push(c);
                        taken = end + 1;
                    }
                    None => out.push('&'),
                }
            }
            '\u{b}' => out.push_str("\n\n"),
            '\u{15}' => out.push(' '),
            '\u{e}' | '\u{f}' => {}
            c => out.push(c),
        }
        rest = &rest[taken..];
    }
    Ok(vm.heap.new_text(out))
}
