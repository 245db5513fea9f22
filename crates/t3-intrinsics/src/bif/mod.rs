//! The intrinsic functions.

pub(crate) mod game;
pub(crate) mod gen_objects;
pub(crate) mod io;
mod logs;
pub(crate) mod number;
pub(crate) mod pack;
pub(crate) mod pack_format;
pub(crate) mod rand;
pub(crate) mod rex;
pub(crate) mod sprintf;
pub(crate) mod stack;
pub(crate) mod t3test;
pub(crate) mod t3vm;
pub(crate) mod time;
pub(crate) mod unpack;
