//! `sprintf` with a literal format of `%s` and `%d`, which PHP compiles as it does a text with variables in it.

use phlox_hhbc::*;
use phlox_syntax::ast::*;

use crate::emitter::{Emit, Emitter};
use crate::names::Resolved;

/// A piece of the resulting text.
pub enum Piece {
    Text(Vec<u8>),
    /// The next argument, as a string.
    Value,
    /// The next argument, as an integer.
    Number,
}

/// The pieces of a format, and how many of them are arguments. `None` if the format has other conversions.
fn pieces_of(format: &[u8]) -> Option<(Vec<Piece>, usize)> {
    let (mut pieces, mut text, mut count) = (Vec::new(), Vec::new(), 0);
    let mut bytes = format.iter();
    while let Some(&byte) = bytes.next() {
        if byte != b'%' {
            text.push(byte);
            continue;
        }
        let piece = match bytes.next()? {
            b'%' => {
                text.push(b'%');
                continue;
            }
            b's' => Piece::Value,
            b'd' => Piece::Number,
            _ => return None,
        };
        if !text.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut text)));
        }
        pieces.push(piece);
        count += 1;
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Some((pieces, count))
}

impl<'a> Emitter<'a> {
    /// The pieces of a call of `sprintf` that needs no function.
    pub fn format_pieces(&self, resolved: &Resolved, args: &Args<'_>) -> Option<Vec<Piece>> {
        let is_named = resolved.fallback.is_none() && resolved.name.eq_ignore_ascii_case(b"sprintf");
        if !self.knows_builtins || !is_named || args.first_class_callable {
            return None;
        }
        let (format, values) = args.items.split_first()?;
        if args.items.iter().any(|arg| arg.spread || arg.name.is_some()) {
            return None;
        }
        let ExprKind::Str(format) = format.value.kind else { return None };
        let (pieces, count) = pieces_of(format)?;
        (count == values.len()).then_some(pieces)
    }

    /// Pushes the text that the pieces make. Values become strings once all of them are there.
    pub fn format_text(&mut self, pieces: &[Piece], args: &'a Args<'a>) -> Emit {
        let mut values = args.items.iter().skip(1);
        for piece in pieces {
            match piece {
                Piece::Text(text) => self.push_string(text),
                Piece::Value | Piece::Number => {
                    let Some(arg) = values.next() else { continue };
                    self.expr(&arg.value)?;
                    if matches!(piece, Piece::Number) {
                        self.emit(Instr::CastInt {});
                    }
                }
            }
        }
        match pieces {
            [] => self.push_string(b""),
            [Piece::Text(_)] => {}
            [_] => self.emit(Instr::CastString {}),
            _ => self.emit(Instr::ConcatN { count: pieces.len() as u32 }),
        }
        Ok(())
    }
}
