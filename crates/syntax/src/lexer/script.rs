//! Tokens of PHP code proper: names, numbers, operators and brackets.

use super::comments::{skip_trivia, whitespace_length};
use super::keywords::keyword;
use super::{Lexer, Mode, is_label_byte, is_label_start, label_length, newline_length};
use crate::text::Number;
use crate::token::TokenKind::{self, *};

/// The words that make `(word)` a cast.
#[rustfmt::skip]
static CASTS: &[(&[u8], TokenKind)] = &[
    (b"int", IntCast), (b"integer", IntCast), (b"bool", BoolCast), (b"boolean", BoolCast),
    (b"float", FloatCast), (b"double", FloatCast), (b"real", FloatCast),
    (b"string", StringCast), (b"binary", StringCast), (b"array", ArrayCast), (b"object", ObjectCast),
    (b"unset", UnsetCast),
];

impl Lexer<'_> {
    pub(super) fn script(&mut self) {
        let (second, third) = (self.peek(1), self.peek(2));
        let first = self.src[self.pos];
        let (kind, len) = match first {
            b' ' | b'\t' | b'\r' | b'\n' => return self.whitespace(),
            b'$' if is_label_start(second) => return self.variable(),
            b'$' => (Dollar, 1),
            b'\'' => return self.single_quoted(0),
            b'"' => return self.double_quoted(0),
            b'b' | b'B' if second == b'\'' => return self.single_quoted(1),
            b'b' | b'B' if second == b'"' => return self.double_quoted(1),
            b'b' | b'B' if self.heredoc_start(1) => return,
            b'<' if self.heredoc_start(0) => return,
            b'\\' if is_label_start(second) => return self.fully_qualified_name(),
            b'\\' => (Backslash, 1),
            b'0'..=b'9' => return self.number(),
            b'.' if second.is_ascii_digit() => return self.number(),
            first if is_label_start(first) => return self.name(),
            b'#' if second == b'[' => {
                self.open(b'[');
                (Attribute, 2)
            }
            b'#' => return self.line_comment(),
            b'/' => match second {
                b'/' => return self.line_comment(),
                b'*' => return self.block_comment(),
                b'=' => (DivAssign, 2),
                _ => (Slash, 1),
            },
            b'(' => return self.left_paren(),
            b'[' => {
                self.open(b'[');
                (LeftBracket, 1)
            }
            b'{' => {
                self.push_mode(Mode::Script);
                self.open(b'{');
                (LeftBrace, 1)
            }
            b')' => return self.close(b')', RightParen),
            b']' => return self.close(b']', RightBracket),
            b'}' => {
                self.pop_mode();
                return self.close(b'}', RightBrace);
            }
            b'`' => {
                self.mode = Mode::Backquote;
                (Backquote, 1)
            }
            b'-' if second == b'>' => {
                self.push_mode(Mode::Property);
                (Arrow, 2)
            }
            b'?' if second == b'>' => return self.close_tag(),
            b'?' if second == b'-' && third == b'>' => {
                self.push_mode(Mode::Property);
                (NullsafeArrow, 3)
            }
            b'&' => self.ampersand(),
            first => operator(first, second, third),
        };
        self.token(kind, len);
    }

    /// After `->`: white space, comments and more arrows stay, anything else ends the mode.
    pub(super) fn property(&mut self) {
        match (self.src[self.pos], self.peek(1)) {
            (b' ' | b'\t' | b'\r' | b'\n', _) => self.whitespace(),
            (b'-', b'>') => self.token(Arrow, 2),
            (b'?', b'-') if self.peek(2) == b'>' => self.token(NullsafeArrow, 3),
            (b'#', _) | (b'/', b'/') => self.line_comment(),
            (b'/', b'*') => self.block_comment(),
            (first, _) => {
                self.pop_mode();
                if is_label_start(first) {
                    self.token(Identifier, label_length(self.rest()));
                }
            }
        }
    }

    /// `$name`
    pub(super) fn variable(&mut self) {
        let len = 1 + label_length(&self.src[self.pos + 1..]);
        self.token(Variable, len);
    }

    fn fully_qualified_name(&mut self) {
        let len = qualified_length(self.rest(), 0);
        self.token(FullyQualifiedName, len);
    }

    /// A keyword or a name.
    fn name(&mut self) {
        let text = self.rest();
        let first = label_length(text);
        let len = qualified_length(text, first);
        let word = &text[..first];
        if len > first {
            let relative = word.eq_ignore_ascii_case(b"namespace");
            return self.token(if relative { RelativeName } else { QualifiedName }, len);
        }
        match keyword(word) {
            None => self.token(Identifier, len),
            Some(Enum) if !self.starts_enum() => self.token(Identifier, len),
            Some(Yield) => match self.yield_from_length() {
                Some(len) => self.multiline_token(YieldFrom, len),
                None => self.token(Yield, len),
            },
            Some(modifier @ (Public | Protected | Private)) => {
                if text.len() >= len + 5 && text[len..len + 5].eq_ignore_ascii_case(b"(set)") {
                    let set = match modifier {
                        Public => PublicSet,
                        Protected => ProtectedSet,
                        _ => PrivateSet,
                    };
                    return self.token(set, len + 5);
                }
                self.token(modifier, len)
            }
            Some(kind) => self.token(kind, len),
        }
    }

    /// `enum` is a keyword only before a name other than `extends` and `implements`.
    fn starts_enum(&self) -> bool {
        let after = &self.rest()[4..];
        let name = &after[skip_trivia(after)..];
        let starts_with = |word: &[u8]| name.len() >= word.len() && name[..word.len()].eq_ignore_ascii_case(word);
        name.len() < after.len()
            && name.first().is_some_and(|&byte| is_label_start(byte))
            && !starts_with(b"extends")
            && !starts_with(b"implements")
    }

    /// The length of `yield from`, with whatever white space and comments lie between.
    fn yield_from_length(&self) -> Option<usize> {
        let after = &self.rest()[5..];
        let gap = skip_trivia(after);
        let is_from = gap > 0 && label_length(&after[gap..]) == 4 && after[gap..gap + 4].eq_ignore_ascii_case(b"from");
        is_from.then_some(5 + gap + 4)
    }

    fn left_paren(&mut self) {
        if let Some((kind, len)) = self.cast() {
            let is_real = self.rest()[1..len].trim_ascii_start()[0].eq_ignore_ascii_case(&b'r');
            if is_real {
                let before = self.pos;
                self.pos += len;
                self.fail("The (real) cast has been removed, use (float) instead".to_string());
                if self.error.is_some() {
                    return;
                }
                self.pos = before;
            }
            return self.token(kind, len);
        }
        self.open(b'(');
        self.token(LeftParen, 1);
    }

    /// The cast that starts here, with its length.
    fn cast(&self) -> Option<(TokenKind, usize)> {
        let text = self.rest();
        let blanks = |at: usize| text[at..].iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count();
        let start = 1 + blanks(1);
        let word = text[start..].iter().take_while(|byte| byte.is_ascii_alphabetic()).take(8).count();
        let end = start + word + blanks(start + word);
        if text.get(end) != Some(&b')') {
            return None;
        }
        let word = &text[start..start + word];
        let (_, kind) = CASTS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word))?;
        Some((*kind, end + 1))
    }

    fn close_tag(&mut self) {
        let newline = newline_length(&self.src[self.pos + 2..]);
        self.mode = Mode::Html;
        self.pending_newline = newline > 0;
        let kind = if self.trivia == super::Trivia::Keep { CloseTag } else { Semicolon };
        self.token(kind, 2 + newline);
    }

    /// `&` before a variable or `...` is a token of its own, which keeps PHP's grammar free of conflicts.
    fn ampersand(&self) -> (TokenKind, usize) {
        match self.peek(1) {
            b'&' => return (BooleanAnd, 2),
            b'=' => return (AndAssign, 2),
            _ => {}
        }
        let after = &self.src[self.pos + 1..];
        let next = &after[skip_trivia(after)..];
        let is_variable = next.starts_with(b"$") || next.starts_with(b"...");
        (if is_variable { AmpersandVar } else { Ampersand }, 1)
    }

    fn number(&mut self) {
        let text = self.rest();
        let (kind, len) = match text {
            [b'0', b'x' | b'X', digit, ..] if digit.is_ascii_hexdigit() => {
                (IntLiteral, 2 + digits_length(&text[2..], |byte| byte.is_ascii_hexdigit()))
            }
            [b'0', b'b' | b'B', b'0' | b'1', ..] => {
                (IntLiteral, 2 + digits_length(&text[2..], |byte| matches!(byte, b'0' | b'1')))
            }
            [b'0', b'o' | b'O', b'0'..=b'7', ..] => {
                (IntLiteral, 2 + digits_length(&text[2..], |byte| matches!(byte, b'0'..=b'7')))
            }
            _ => decimal(text),
        };
        let is_octal =
            kind == IntLiteral && text[0] == b'0' && text[1..len].iter().all(|byte| !byte.is_ascii_alphabetic());
        if is_octal && text[..len].iter().any(|byte| matches!(byte, b'8' | b'9')) {
            let before = self.pos;
            self.pos += len;
            self.fail("Invalid numeric literal".to_string());
            if self.error.is_some() {
                return;
            }
            self.pos = before;
        }
        // No integer of up to 16 characters overflows in any base.
        let overflows = kind == IntLiteral && len > 16 && matches!(crate::text::number(&text[..len]), Number::Float(_));
        self.token(if overflows { FloatLiteral } else { kind }, len);
    }

    /// Inside `"$name[`: PHP rejects most of what it finds here, but as tokens.
    pub(super) fn variable_offset(&mut self) {
        let (first, second) = (self.src[self.pos], self.peek(1));
        match first {
            b'$' if is_label_start(second) => self.variable(),
            b']' => {
                self.pop_mode();
                self.token(RightBracket, 1);
            }
            b'0'..=b'9' => {
                let len = offset_number_length(self.rest());
                self.token(OffsetNumber, len);
            }
            b' ' | b'\n' | b'\r' | b'\t' | b'\\' | b'\'' | b'#' => {
                self.pop_mode();
                self.token(StringContent, 0);
            }
            _ if is_label_start(first) => self.token(Identifier, label_length(self.rest())),
            _ => {
                let kind = match first {
                    b'[' => LeftBracket,
                    b'(' => LeftParen,
                    b')' => RightParen,
                    b'{' => LeftBrace,
                    b'}' => RightBrace,
                    b'"' => DoubleQuote,
                    b'`' => Backquote,
                    b'$' => Dollar,
                    b'&' => Ampersand,
                    _ => operator(first, 0, 0).0,
                };
                self.token(kind, 1)
            }
        }
    }

    /// After `${`: a plain name if `}` or `[` follows it, otherwise an expression.
    pub(super) fn variable_name(&mut self) {
        let len = label_length(self.rest());
        self.mode = Mode::Script;
        if len > 0 && matches!(self.peek(len), b'[' | b'}') {
            self.token(VariableName, len);
        }
    }
}

/// The longest operator; one or two bytes missing count as 0.
fn operator(first: u8, second: u8, third: u8) -> (TokenKind, usize) {
    match (first, second, third) {
        (b'=', b'=', b'=') => (IsIdentical, 3),
        (b'=', b'=', _) => (IsEqual, 2),
        (b'=', b'>', _) => (DoubleArrow, 2),
        (b'=', ..) => (Assign, 1),
        (b'!', b'=', b'=') => (IsNotIdentical, 3),
        (b'!', b'=', _) => (IsNotEqual, 2),
        (b'!', ..) => (Bang, 1),
        (b'<', b'=', b'>') => (Spaceship, 3),
        (b'<', b'<', b'=') => (ShlAssign, 3),
        (b'<', b'=', _) => (LessOrEqual, 2),
        (b'<', b'<', _) => (Shl, 2),
        (b'<', b'>', _) => (IsNotEqual, 2),
        (b'<', ..) => (Less, 1),
        (b'>', b'>', b'=') => (ShrAssign, 3),
        (b'>', b'=', _) => (GreaterOrEqual, 2),
        (b'>', b'>', _) => (Shr, 2),
        (b'>', ..) => (Greater, 1),
        (b'+', b'+', _) => (Increment, 2),
        (b'+', b'=', _) => (PlusAssign, 2),
        (b'+', ..) => (Plus, 1),
        (b'-', b'-', _) => (Decrement, 2),
        (b'-', b'=', _) => (MinusAssign, 2),
        (b'-', ..) => (Minus, 1),
        (b'*', b'*', b'=') => (PowAssign, 3),
        (b'*', b'*', _) => (Pow, 2),
        (b'*', b'=', _) => (MulAssign, 2),
        (b'*', ..) => (Star, 1),
        (b'.', b'.', b'.') => (Ellipsis, 3),
        (b'.', b'=', _) => (ConcatAssign, 2),
        (b'.', ..) => (Dot, 1),
        (b'%', b'=', _) => (ModAssign, 2),
        (b'%', ..) => (Percent, 1),
        (b'|', b'|', _) => (BooleanOr, 2),
        (b'|', b'=', _) => (OrAssign, 2),
        (b'|', ..) => (Pipe, 1),
        (b'^', b'=', _) => (XorAssign, 2),
        (b'^', ..) => (Caret, 1),
        (b'?', b'?', b'=') => (CoalesceAssign, 3),
        (b'?', b'?', _) => (Coalesce, 2),
        (b'?', ..) => (Question, 1),
        (b':', b':', _) => (DoubleColon, 2),
        (b':', ..) => (Colon, 1),
        (b'/', ..) => (Slash, 1),
        (b';', ..) => (Semicolon, 1),
        (b',', ..) => (Comma, 1),
        (b'~', ..) => (Tilde, 1),
        (b'@', ..) => (At, 1),
        _ => (BadCharacter, 1),
    }
}

/// Extends a name of `len` bytes by all its `\part`s.
fn qualified_length(text: &[u8], mut len: usize) -> usize {
    while text.get(len) == Some(&b'\\') {
        match label_length(&text[len + 1..]) {
            0 => break,
            part => len += 1 + part,
        }
    }
    len
}

/// The length of digits with single underscores between them.
fn digits_length(text: &[u8], is_digit: fn(u8) -> bool) -> usize {
    let digit_at = |at: usize| text.get(at).is_some_and(|&byte| is_digit(byte));
    let mut len = 0;
    while digit_at(len) || (len > 0 && text.get(len) == Some(&b'_') && digit_at(len + 1)) {
        len += 1;
    }
    len
}

fn decimal(text: &[u8]) -> (TokenKind, usize) {
    let digits = |at: usize| digits_length(&text[at..], |byte| byte.is_ascii_digit());
    let mut len = digits(0);
    let mut kind = IntLiteral;
    if text.get(len) == Some(&b'.') && (len > 0 || text.get(1).is_some_and(u8::is_ascii_digit)) {
        len += 1;
        len += digits(len);
        kind = FloatLiteral;
    }
    if matches!(text.get(len), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(len + 1), Some(b'+' | b'-')));
        let exponent = text.get(len + 1 + sign..).map_or(0, |rest| digits_length(rest, |byte| byte.is_ascii_digit()));
        if exponent > 0 {
            len += 1 + sign + exponent;
            kind = FloatLiteral;
        }
    }
    (kind, len)
}

/// A number in `"$a[0x1]"`.
fn offset_number_length(text: &[u8]) -> usize {
    let prefixed = match text {
        [b'0', b'x' | b'X', ..] => digits_length(&text[2..], |byte| byte.is_ascii_hexdigit()),
        [b'0', b'b' | b'B', ..] => digits_length(&text[2..], |byte| matches!(byte, b'0' | b'1')),
        [b'0', b'o' | b'O', ..] => digits_length(&text[2..], |byte| matches!(byte, b'0'..=b'7')),
        _ => 0,
    };
    if prefixed > 0 { 2 + prefixed } else { digits_length(text, |byte| byte.is_ascii_digit()) }
}

/// Blanks between `<<<` and a heredoc's label.
pub(super) fn blanks_length(text: &[u8]) -> usize {
    whitespace_length(text).min(text.iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count())
}

/// Does a label end where `byte` follows it?
pub(super) fn ends_label(byte: Option<&u8>) -> bool {
    !byte.is_some_and(|&byte| is_label_byte(byte))
}
