//! Builtin functions of the language.

pub mod arguments;
pub mod classes;
pub mod constants;
pub mod engine;
pub mod errors;
pub mod members;
pub mod symbols;
