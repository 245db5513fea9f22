//! The master: starts workers, waits for what happens, and ends. It runs no PHP and has one thread.
//!
//! [`start`] begins, [`state`] has what it knows, [`events`] is its loop.

mod children;
mod control;
mod events;
mod notify;
mod output;
mod start;
mod state;
mod upkeep;

pub use start::{run, run_pool};
