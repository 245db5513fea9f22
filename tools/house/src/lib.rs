//! Measures of the code base: what makes it hard to enter, counted, so that a change can be seen to make it better or worse.
//!
//! [`workspace`] reads every crate's sources, [`measures`] is the list of what is counted, [`graph`] finds which modules of a
//! crate import each other in a cycle and [`cut`] which of those imports a person might remove.

#![forbid(unsafe_code)]

pub mod comments;
pub mod cut;
pub mod graph;
pub mod measures;
mod modules;
mod scan;
pub mod workspace;
