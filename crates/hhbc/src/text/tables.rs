//! Member vectors and switch tables as text: inside the instruction that uses them, or in a directive.

use super::fields::Text;
use super::lexer::{AsmError, Token};
use super::parse::Parser;
use super::print::Printer;
use crate::ids::Target;
use crate::unit::*;

impl Text for MemberVector {
    fn print(&self, out: &mut Printer) {
        out.open('<');
        self.base.print(out);
        self.members.iter().for_each(|member| member.print(out));
        out.close('>');
    }

    fn parse(p: &mut Parser) -> Result<Self, AsmError> {
        p.expect('<')?;
        let base = Base::parse(p)?;
        let mut members = Vec::new();
        while !p.accept('>') {
            members.push(Member::parse(p)?);
        }
        Ok(MemberVector { base, members })
    }
}

/// `NAME:operand`
fn print_operand<T: Text>(name: &str, operand: &T, out: &mut Printer) {
    out.word(name);
    out.punct(":");
    operand.print(out);
}

impl Text for Base {
    fn print(&self, out: &mut Printer) {
        match self {
            Base::L(local) => print_operand("L", local, out),
            Base::N => out.word("N"),
            Base::G => out.word("G"),
            Base::S => out.word("S"),
            Base::C => out.word("C"),
            Base::R => out.word("R"),
            Base::H => out.word("H"),
        }
    }

    fn parse(p: &mut Parser) -> Result<Self, AsmError> {
        Ok(match p.next() {
            Token::Word("L") => Base::L(p.operand()?),
            Token::Word("N") => Base::N,
            Token::Word("G") => Base::G,
            Token::Word("S") => Base::S,
            Token::Word("C") => Base::C,
            Token::Word("R") => Base::R,
            Token::Word("H") => Base::H,
            found => return p.unexpected(&found, "a base (L:local N G S C R H)"),
        })
    }
}

impl Text for Member {
    fn print(&self, out: &mut Printer) {
        match self {
            Member::EC => out.word("EC"),
            Member::EL(local) => print_operand("EL", local, out),
            Member::ET(name) => print_operand("ET", name, out),
            Member::EI(value) => print_operand("EI", value, out),
            Member::PC => out.word("PC"),
            Member::PL(local) => print_operand("PL", local, out),
            Member::PT(name) => print_operand("PT", name, out),
            Member::W => out.word("W"),
        }
    }

    fn parse(p: &mut Parser) -> Result<Self, AsmError> {
        Ok(match p.next() {
            Token::Word("EC") => Member::EC,
            Token::Word("EL") => Member::EL(p.operand()?),
            Token::Word("ET") => Member::ET(p.operand()?),
            Token::Word("EI") => Member::EI(p.operand()?),
            Token::Word("PC") => Member::PC,
            Token::Word("PL") => Member::PL(p.operand()?),
            Token::Word("PT") => Member::PT(p.operand()?),
            Token::Word("W") => Member::W,
            found => return p.unexpected(&found, "a member (EC EL: ET: EI: PC PL: PT: W)"),
        })
    }
}

impl Text for SwitchTable {
    /// `([0 => L1, 7 => L2] default=L3)` or `(["a" => L1, "b" => L2] default=L3)`; without a case that would tell,
    /// a table of integers is `(int [] default=L3)`.
    fn print(&self, out: &mut Printer) {
        out.open('(');
        if matches!(self, SwitchTable::Int { .. }) && self.is_empty() {
            out.word("int");
        }
        let default = match self {
            SwitchTable::Int { cases, default } => {
                print_cases(cases, out);
                default
            }
            SwitchTable::Str { cases, default } => {
                print_cases(cases, out);
                default
            }
        };
        out.word("default=");
        default.print(out);
        out.close(')');
    }

    fn parse(p: &mut Parser) -> Result<Self, AsmError> {
        p.expect('(')?;
        let is_int = p.accept_word("int");
        p.expect('[')?;
        let table = match is_int || matches!(p.peek(), Token::Number(_)) {
            true => SwitchTable::Int { cases: parse_cases(p)?, default: parse_default(p)? },
            false => SwitchTable::Str { cases: parse_cases(p)?, default: parse_default(p)? },
        };
        p.expect(')')?;
        Ok(table)
    }
}

fn print_cases<T: Text>(cases: &[(T, Target)], out: &mut Printer) {
    out.open('[');
    for (index, (value, target)) in cases.iter().enumerate() {
        if index > 0 {
            out.punct(",");
        }
        value.print(out);
        out.word("=>");
        target.print(out);
    }
    out.close(']');
}

/// What [`print_cases`] prints, behind its first bracket.
fn parse_cases<T: Text>(p: &mut Parser) -> Result<Vec<(T, Target)>, AsmError> {
    let mut cases = Vec::new();
    while !p.accept(']') {
        if !cases.is_empty() {
            p.expect(',')?;
        }
        let value = Text::parse(p)?;
        p.expect_arrow()?;
        cases.push((value, Text::parse(p)?));
    }
    Ok(cases)
}

fn parse_default(p: &mut Parser) -> Result<Target, AsmError> {
    if p.accept_field("default") { Text::parse(p) } else { p.error("a switch table needs `default=`") }
}
