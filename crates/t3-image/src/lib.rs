//! T3 image files: their blocks, the instruction table and everything that derives from it
//! (decoder, disassembler, assembler, verifier, documentation).
//!
//! Nothing here runs a program; `phlox-t3-vm` does. Any bytes are an image or an [`ImageError`], never a panic.
#![forbid(unsafe_code)]

pub mod asm;
pub mod contents;
pub mod debug;
pub mod decode;
pub mod dis;
pub mod docs;
mod error;
pub mod holder;
pub mod image;
pub mod method;
pub mod names;
pub mod ops;
mod reader;
pub mod verify;
mod writer;

pub use error::ImageError;
pub use holder::{DataHolder, Kind};
pub use image::Image;
pub use ops::Op;
pub use reader::{Reader, WIDE};
