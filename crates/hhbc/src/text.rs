//! The text form of a unit (`.phas`): what is common to the assembler ([`parse`]) and the disassembler ([`print`]).
//!
//! A file is a sequence of directives. Line ends and `;` only separate words; `#` starts a comment.
//!
//! ```text
//! .unit "a.php" strict_types=true hoisted=[f1]
//! .str "fib"                               # litstr s0; strings may also be used without being declared
//! .array ["k" => 1, 0 => a0]               # scalar array a1
//! .type display="?int" mask=null|int       # type constraint t0
//! .class name="C" methods=[f2]             # class c0
//! .function name="fib" params=[{name="n" ty=t0}] max_stack=9 line_start=3 {
//!   .line 4
//!   L0: CGetL $n
//!       CGetM <L:$n EI:0 PT:"x">
//!       JmpZ L0
//!       ...
//!   .try L0 L4 [("Exception", L9)]
//!   .fault L4 L7 L20
//! }
//! ```
//!
//! A field that is left out has its default. Ids are written with the prefix of their table (`s3 a0 t1 f2 c0 v0 w0
//! l5 it0`); a string may be written instead of its id, and `$name` instead of the id of a local. A target is a label
//! or, where it lies outside the code, `@N`.

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
