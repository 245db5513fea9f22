//! The process manager that takes php-fpm's place: a master that starts workers by the rules of pools and looks after them, and workers
//! that have requests answered which come over FastCGI. It knows no PHP: that is an [`Application`]'s.
//!
//! Read [`master`] first.
#![forbid(unsafe_code)]

pub mod access_log;
pub mod accounts;
mod application;
mod clients;
pub mod config;
pub mod log;
mod master;
pub mod protocol;
mod request;
pub mod scoreboard;
mod slow_log;
mod sockets;
pub mod status;
mod systemd;
mod worker;

pub use application::{Answered, Application, Found, Make, Page, Program, Setup, Task};
pub use config::{Options, Pool};
pub use master::{run, run_pool};
pub use request::FcgiRequest;
pub use slow_log::SlowLog;
