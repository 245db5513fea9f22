//! The engine put together: front end, bytecode, interpreter, extensions; running requests.
//!
//! The only crate that knows all parts. Start at [`run`].
#![forbid(unsafe_code)]

mod cache;
mod cgi;
mod cgi_paths;
mod compile;
mod extensions;
pub mod ini_file;
mod request;
pub mod settings;
mod startup;
mod stats;
mod worker;

pub use cgi::{SETTINGS as CGI_SETTINGS, Server, Target, answer_cgi};
pub use cgi_paths::{Paths, Rules};
pub use compile::{Checked, check, compile};
pub use extensions::{EXTENSIONS, WORKER_EXTENSIONS};
pub use phlox_ext_standard::request::{HEADERS as SERVER_HEADERS, credentials};
pub use phlox_interp::tier::show::Stage;
pub use phlox_process::Arena;
pub use phlox_runtime::ini::IniAccess;
pub use phlox_runtime::request::Body;
pub use phlox_runtime::vm::CompileRequest;
pub use phlox_runtime::{Request, Val};
pub use request::{
    Ending, Options, Program, STANDARD_INPUT, Session, on_deep_stack, repeat, run, run_to_exit, session, session_to,
};
pub use settings::Configuration;
pub use worker::{Activation, Content, Fact, Outcome, SETTINGS as POOL_SETTINGS, Status, Task, Worker};

/// The version of PHP whose behaviour this is.
pub fn php_version() -> &'static str {
    phlox_runtime::version::PHP_VERSION
}

/// The time as the web server's log shows it.
pub fn log_time() -> String {
    phlox_ext_standard_file::http::log_time()
}

/// The most bytes of a form that a web server has to read.
pub fn post_max_size(configuration: &Configuration) -> u64 {
    const DEFAULT: &[u8] = b"8M";
    let text = configuration.text("post_max_size").unwrap_or(DEFAULT);
    u64::try_from(phlox_runtime::ini::parse_quantity(text)).ok().filter(|&bytes| bytes > 0).unwrap_or(u64::MAX)
}
