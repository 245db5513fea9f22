//! The assembler: the body of a function.

use super::fields::Text;
use super::lexer::{AsmError, Token};
use super::parse::Parser;
use super::print_code::implied_fpi;
use crate::ids::*;
use crate::imm::{Imm, ImmKind};
use crate::info::MAX_IMMEDIATES;
use crate::instr::Instr;
use crate::unit::*;
use std::collections::HashMap;

/// The contents of a body besides the function's own fields.
#[derive(Default)]
struct Body<'t> {
    labels: HashMap<&'t str, u32>,
    explicit_fpi: bool,
}

impl<'t> Parser<'t> {
    /// Reads a body into a function, and returns its labels. It is read twice: first only for the labels.
    pub fn body(&mut self, func: &mut Func) -> Result<HashMap<&'t str, u32>, AsmError> {
        let mut body = Body::default();
        self.expect('{')?;
        loop {
            match self.next() {
                Token::Punct('}') => break,
                Token::Directive(name) => self.code_directive(name, func, &mut body)?,
                Token::Word(label) if *self.peek() == Token::Punct(':') => {
                    self.next();
                    if body.labels.insert(label, func.code.len() as u32).is_some() {
                        return self.error(format!("the label `{label}` stands twice"));
                    }
                }
                Token::Word(name) => {
                    let instr = self.instr(name, func)?;
                    func.code.push(instr);
                }
                found => return self.unexpected(&found, "an instruction, a label or `}`"),
            }
        }
        if !body.explicit_fpi {
            func.fpi = implied_fpi(&func.code);
        }
        Ok(body.labels)
    }

    fn code_directive(&mut self, name: &str, func: &mut Func, body: &mut Body) -> Result<(), AsmError> {
        match name {
            "line" => {
                let line = Text::parse(self)?;
                let start = Target(func.code.len() as u32);
                func.lines.push((start, line));
            }
            "lines" => func.lines = Text::parse(self)?,
            "vector" => func.vectors.push(Text::parse(self)?),
            "switch" => func.switches.push(Text::parse(self)?),
            "entry" => func.main_entry = Text::parse(self)?,
            "dv" => func.dv_entries = Text::parse(self)?,
            "funclets" => func.funclets = Text::parse(self)?,
            "fpi" => {
                body.explicit_fpi = true;
                let rows: Vec<(Target, Target)> = Text::parse(self)?;
                func.fpi = rows.into_iter().map(|(push, call)| FpiRegion { push, call }).collect();
            }
            "try" => {
                let (start, end) = (self.target()?, self.target()?);
                func.eh.push(EhEntry { start, end, kind: EhKind::Catch(Text::parse(self)?) });
            }
            "fault" => {
                let (start, end) = (self.target()?, self.target()?);
                func.eh.push(EhEntry { start, end, kind: EhKind::Fault(self.target()?) });
            }
            _ => return self.error(format!("unknown directive `.{name}` in a function")),
        }
        Ok(())
    }

    fn instr(&mut self, name: &str, func: &mut Func) -> Result<Instr, AsmError> {
        let Some(&opcode) = self.opcodes.get(name) else {
            return self.error(format!("there is no instruction `{name}`"));
        };
        let mut imms = [Imm::Count(0); MAX_IMMEDIATES];
        let kinds = opcode.info().immediates;
        for (imm, (_, kind)) in imms.iter_mut().zip(kinds) {
            *imm = self.imm(*kind, func)?;
        }
        match Instr::from_imms(opcode, &imms[..kinds.len()]) {
            Some(instr) => Ok(instr),
            None => self.error(format!("wrong immediates for `{name}`")),
        }
    }

    fn imm(&mut self, kind: ImmKind, func: &mut Func) -> Result<Imm, AsmError> {
        Ok(match kind {
            ImmKind::Count => Imm::Count(Text::parse(self)?),
            ImmKind::Int => Imm::Int(Text::parse(self)?),
            ImmKind::Double => Imm::Double(Text::parse(self)?),
            ImmKind::Str => Imm::Str(Text::parse(self)?),
            ImmKind::Array => Imm::Array(Text::parse(self)?),
            ImmKind::Type => Imm::Type(Text::parse(self)?),
            ImmKind::Local => Imm::Local(Text::parse(self)?),
            ImmKind::Iter => Imm::Iter(Text::parse(self)?),
            ImmKind::Func => Imm::Func(Text::parse(self)?),
            ImmKind::Class => Imm::Class(Text::parse(self)?),
            ImmKind::Target => Imm::Target(Text::parse(self)?),
            ImmKind::Vector if *self.peek() == Token::Punct('<') => {
                func.vectors.push(Text::parse(self)?);
                Imm::Vector(VectorId(func.vectors.len() as u32 - 1))
            }
            ImmKind::Vector => Imm::Vector(Text::parse(self)?),
            ImmKind::Switch if *self.peek() == Token::Punct('(') => {
                func.switches.push(Text::parse(self)?);
                Imm::Switch(SwitchId(func.switches.len() as u32 - 1))
            }
            ImmKind::Switch => Imm::Switch(Text::parse(self)?),
            ImmKind::SubOp { name, values } => {
                let found = self.next();
                match values.iter().position(|value| found == Token::Word(value)) {
                    Some(position) => Imm::SubOp(position as u8),
                    None => return self.unexpected(&found, &format!("a {name}: {}", values.join(" "))),
                }
            }
        })
    }
}
