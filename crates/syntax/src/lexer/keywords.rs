//! Keywords, found by first letter and spelling, in any case.

use crate::token::TokenKind::{self, *};

/// The keywords that start with each letter of the alphabet, then those that start with an underscore.
#[rustfmt::skip]
static BY_FIRST: [&[(&[u8], TokenKind)]; 27] = [
    &[(b"as", As), (b"array", Array), (b"abstract", Abstract), (b"and", LogicalAnd)],
    &[(b"break", Break)],
    &[(b"class", Class), (b"case", Case), (b"const", Const), (b"catch", Catch), (b"continue", Continue),
      (b"clone", Clone), (b"callable", Callable)],
    &[(b"default", Default), (b"do", Do), (b"declare", Declare), (b"die", Exit)],
    &[(b"else", Else), (b"echo", Echo), (b"elseif", ElseIf), (b"extends", Extends), (b"empty", Empty), (b"exit", Exit),
      (b"endif", EndIf), (b"endforeach", EndForeach), (b"endwhile", EndWhile), (b"endfor", EndFor),
      (b"endswitch", EndSwitch), (b"enddeclare", EndDeclare), (b"eval", Eval), (b"enum", Enum)],
    &[(b"function", Function), (b"foreach", Foreach), (b"fn", Fn), (b"for", For), (b"final", Final),
      (b"finally", Finally)],
    &[(b"global", Global), (b"goto", Goto)],
    &[],
    &[(b"if", If), (b"isset", Isset), (b"implements", Implements), (b"instanceof", InstanceOf),
      (b"interface", Interface), (b"include", Include), (b"include_once", IncludeOnce), (b"insteadof", InsteadOf)],
    &[],
    &[],
    &[(b"list", List)],
    &[(b"match", Match)],
    &[(b"new", New), (b"namespace", Namespace)],
    &[(b"or", LogicalOr)],
    &[(b"public", Public), (b"private", Private), (b"protected", Protected), (b"print", Print)],
    &[],
    &[(b"return", Return), (b"readonly", Readonly), (b"require", Require), (b"require_once", RequireOnce)],
    &[(b"static", Static), (b"switch", Switch)],
    &[(b"throw", Throw), (b"try", Try), (b"trait", Trait)],
    &[(b"use", Use), (b"unset", Unset)],
    &[(b"var", Var)],
    &[(b"while", While)],
    &[(b"xor", LogicalXor)],
    &[(b"yield", Yield)],
    &[],
    &[(b"__class__", MagicClass), (b"__dir__", MagicDir), (b"__file__", MagicFile), (b"__line__", MagicLine),
      (b"__function__", MagicFunction), (b"__method__", MagicMethod), (b"__namespace__", MagicNamespace),
      (b"__trait__", MagicTrait), (b"__property__", MagicProperty), (b"__halt_compiler", HaltCompiler)],
];

/// The keyword that `word` spells.
pub(super) fn keyword(word: &[u8]) -> Option<TokenKind> {
    let first = *word.first()?;
    let row = match first {
        b'_' => 26,
        _ => first.to_ascii_lowercase().wrapping_sub(b'a'),
    };
    let candidates = BY_FIRST.get(usize::from(row))?;
    candidates.iter().find(|(text, _)| text.eq_ignore_ascii_case(word)).map(|&(_, kind)| kind)
}
