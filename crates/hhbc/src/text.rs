//! The text form of a unit (`.phas`): what is common to the assembler ([`parse`]) and the disassembler ([`print`]).
//!
//! `docs/phas.md` describes the form; its examples and tables are compared with this code.

mod fields;
mod lexer;
mod names;
mod parse;
mod parse_code;
mod print;
mod print_code;
mod tables;

pub use lexer::AsmError;
pub use parse::assemble;
pub use print::disassemble;
