//! String functions, one file per topic.

pub mod case;
pub mod compare;
pub mod escape;
pub mod hebrew;
mod metaphone;
pub mod replace;
pub mod scan;
pub mod search;
pub mod sequence;
pub mod shuffle;
pub mod tags;
pub mod words;
