//! The engine put together: front end, bytecode, interpreter, extensions; running requests.
//!
//! The only crate that knows all parts. Start at [`run`].
#![forbid(unsafe_code)]

mod compile;
mod extensions;
mod request;
mod settings;

pub use compile::{compile, compile_for_dump};
pub use extensions::EXTENSIONS;
pub use request::{Options, Program, run, with_big_stack};
