//! Numbers and names of the kinds of tokens.

use phlox_runtime::ConstValue;
use phlox_syntax::token::{Token, TokenKind};
use std::sync::atomic::{AtomicU16, Ordering};

/// The number of the first row below; smaller ones are the tokens that are a character.
const FIRST: i64 = 260;

/// Names in order of their numbers.
const NAMES: [&str; 150] = [
    "T_LNUMBER",
    "T_DNUMBER",
    "T_STRING",
    "T_NAME_FULLY_QUALIFIED",
    "T_NAME_RELATIVE",
    "T_NAME_QUALIFIED",
    "T_VARIABLE",
    "T_INLINE_HTML",
    "T_ENCAPSED_AND_WHITESPACE",
    "T_CONSTANT_ENCAPSED_STRING",
    "T_STRING_VARNAME",
    "T_NUM_STRING",
    "T_INCLUDE",
    "T_INCLUDE_ONCE",
    "T_EVAL",
    "T_REQUIRE",
    "T_REQUIRE_ONCE",
    "T_LOGICAL_OR",
    "T_LOGICAL_XOR",
    "T_LOGICAL_AND",
    "T_PRINT",
    "T_YIELD",
    "T_YIELD_FROM",
    "T_INSTANCEOF",
    "T_NEW",
    "T_CLONE",
    "T_EXIT",
    "T_IF",
    "T_ELSEIF",
    "T_ELSE",
    "T_ENDIF",
    "T_ECHO",
    "T_DO",
    "T_WHILE",
    "T_ENDWHILE",
    "T_FOR",
    "T_ENDFOR",
    "T_FOREACH",
    "T_ENDFOREACH",
    "T_DECLARE",
    "T_ENDDECLARE",
    "T_AS",
    "T_SWITCH",
    "T_ENDSWITCH",
    "T_CASE",
    "T_DEFAULT",
    "T_MATCH",
    "T_BREAK",
    "T_CONTINUE",
    "T_GOTO",
    "T_FUNCTION",
    "T_FN",
    "T_CONST",
    "T_RETURN",
    "T_TRY",
    "T_CATCH",
    "T_FINALLY",
    "T_THROW",
    "T_USE",
    "T_INSTEADOF",
    "T_GLOBAL",
    "T_STATIC",
    "T_ABSTRACT",
    "T_FINAL",
    "T_PRIVATE",
    "T_PROTECTED",
    "T_PUBLIC",
    "T_PRIVATE_SET",
    "T_PROTECTED_SET",
    "T_PUBLIC_SET",
    "T_READONLY",
    "T_VAR",
    "T_UNSET",
    "T_ISSET",
    "T_EMPTY",
    "T_HALT_COMPILER",
    "T_CLASS",
    "T_TRAIT",
    "T_INTERFACE",
    "T_ENUM",
    "T_EXTENDS",
    "T_IMPLEMENTS",
    "T_NAMESPACE",
    "T_LIST",
    "T_ARRAY",
    "T_CALLABLE",
    "T_LINE",
    "T_FILE",
    "T_DIR",
    "T_CLASS_C",
    "T_TRAIT_C",
    "T_METHOD_C",
    "T_FUNC_C",
    "T_PROPERTY_C",
    "T_NS_C",
    "T_ATTRIBUTE",
    "T_PLUS_EQUAL",
    "T_MINUS_EQUAL",
    "T_MUL_EQUAL",
    "T_DIV_EQUAL",
    "T_CONCAT_EQUAL",
    "T_MOD_EQUAL",
    "T_AND_EQUAL",
    "T_OR_EQUAL",
    "T_XOR_EQUAL",
    "T_SL_EQUAL",
    "T_SR_EQUAL",
    "T_COALESCE_EQUAL",
    "T_BOOLEAN_OR",
    "T_BOOLEAN_AND",
    "T_IS_EQUAL",
    "T_IS_NOT_EQUAL",
    "T_IS_IDENTICAL",
    "T_IS_NOT_IDENTICAL",
    "T_IS_SMALLER_OR_EQUAL",
    "T_IS_GREATER_OR_EQUAL",
    "T_SPACESHIP",
    "T_SL",
    "T_SR",
    "T_INC",
    "T_DEC",
    "T_INT_CAST",
    "T_DOUBLE_CAST",
    "T_STRING_CAST",
    "T_ARRAY_CAST",
    "T_OBJECT_CAST",
    "T_BOOL_CAST",
    "T_UNSET_CAST",
    "T_OBJECT_OPERATOR",
    "T_NULLSAFE_OBJECT_OPERATOR",
    "T_DOUBLE_ARROW",
    "T_COMMENT",
    "T_DOC_COMMENT",
    "T_OPEN_TAG",
    "T_OPEN_TAG_WITH_ECHO",
    "T_CLOSE_TAG",
    "T_WHITESPACE",
    "T_START_HEREDOC",
    "T_END_HEREDOC",
    "T_DOLLAR_OPEN_CURLY_BRACES",
    "T_CURLY_OPEN",
    "T_PAAMAYIM_NEKUDOTAYIM",
    "T_NS_SEPARATOR",
    "T_ELLIPSIS",
    "T_COALESCE",
    "T_POW",
    "T_POW_EQUAL",
    "T_AMPERSAND_FOLLOWED_BY_VAR_OR_VARARG",
    "T_AMPERSAND_NOT_FOLLOWED_BY_VAR_OR_VARARG",
    "T_BAD_CHARACTER",
];

const fn constants() -> [(&'static str, ConstValue); 152] {
    let mut rows = [("T_DOUBLE_COLON", ConstValue::Int(401)); 152];
    let mut index = 0;
    while index < NAMES.len() {
        rows[index] = (NAMES[index], ConstValue::Int(FIRST + index as i64));
        index += 1;
    }
    rows[index + 1] = ("TOKEN_PARSE", ConstValue::Int(1));
    rows
}

pub const CONSTANTS: &[(&str, ConstValue)] = &constants();

/// The name of a number; `T_DOUBLE_COLON` is what PHP calls the token in this one place.
pub fn name(id: i64) -> Option<&'static str> {
    match id.checked_sub(FIRST).and_then(|index| usize::try_from(index).ok()).and_then(|index| NAMES.get(index)) {
        Some(&"T_PAAMAYIM_NEKUDOTAYIM") => Some("T_DOUBLE_COLON"),
        found => found.copied(),
    }
}

fn number(name: &str) -> Option<i64> {
    NAMES.iter().position(|&known| known == name).map(|index| FIRST + index as i64)
}

/// The number of a kind; that of the character for tokens without a name.
pub fn id(kind: TokenKind, text: &[u8]) -> i64 {
    match number_of(kind) {
        // A binary string has a letter in front of its quote.
        0 => text.last().map_or(0, |&byte| byte as i64),
        number => number.into(),
    }
}

/// The number of a kind, 0 for one without a name. It is looked for once.
fn number_of(kind: TokenKind) -> u16 {
    const UNKNOWN: u16 = u16::MAX;
    static NUMBERS: [AtomicU16; 256] = [const { AtomicU16::new(UNKNOWN) }; 256];
    let place = &NUMBERS[usize::from(kind as u8)];
    match place.load(Ordering::Relaxed) {
        UNKNOWN => {
            let name = match kind.info().php_name {
                "T_DOUBLE_COLON" => "T_PAAMAYIM_NEKUDOTAYIM",
                name => name,
            };
            let found = number(name).and_then(|number| u16::try_from(number).ok()).unwrap_or(0);
            place.store(found, Ordering::Relaxed);
            found
        }
        found => found,
    }
}

pub fn string_id() -> i64 {
    number("T_STRING").unwrap_or(FIRST)
}

/// Is the token of no meaning for the program?
pub fn is_ignorable(id: i64) -> bool {
    matches!(name(id), Some("T_WHITESPACE" | "T_COMMENT" | "T_DOC_COMMENT" | "T_OPEN_TAG"))
}

/// Is a token that could be a keyword a name where it stands? `before` are the tokens that mean something.
pub fn is_name_here(token: &Token, before: &[&Token], after: Option<TokenKind>) -> bool {
    if !token.kind.is_semi_reserved() {
        return false;
    }
    let kind = |back: usize| before.len().checked_sub(back).and_then(|index| before.get(index)).map(|token| token.kind);
    let named = |kind: Option<TokenKind>, name: &str| kind.is_some_and(|kind| kind.info().php_name == name);
    let is_ampersand =
        |kind: Option<TokenKind>| kind.is_some_and(|kind| kind.info().php_name.starts_with("T_AMPERSAND"));
    let last = kind(1);
    if named(last, "T_FUNCTION") || (is_ampersand(last) && named(kind(2), "T_FUNCTION")) {
        return true;
    }
    if named(last, "T_OBJECT_OPERATOR") || named(last, "T_NULLSAFE_OBJECT_OPERATOR") {
        return true;
    }
    if named(last, "T_DOUBLE_COLON") {
        return true;
    }
    let ends = after == Some(TokenKind::Semicolon);
    let is_assigned = after.is_some_and(|kind| kind == TokenKind::Assign);
    // Constants, of which a type may be the word before; no other keyword stands before `=`.
    if is_assigned {
        return true;
    }
    if named(last, "T_CASE") && ends {
        return true;
    }
    // What a trait's method is called, and its new name.
    let is_visibility =
        |kind: Option<TokenKind>| ["T_PUBLIC", "T_PROTECTED", "T_PRIVATE"].iter().any(|word| named(kind, word));
    let begins = matches!(last, Some(TokenKind::LeftBrace | TokenKind::Semicolon));
    if (begins && (named(after, "T_AS") || named(after, "T_INSTEADOF")))
        || (ends && named(last, "T_AS") && !is_visibility(Some(token.kind)))
        || (ends && is_visibility(last) && named(kind(2), "T_AS"))
    {
        return true;
    }
    let is_argument = matches!(last, Some(TokenKind::LeftParen | TokenKind::Comma));
    is_argument && after == Some(TokenKind::Colon)
}
