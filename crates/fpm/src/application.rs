//! What the process manager asks of the program that runs PHP.

use crate::config::Pool;
use crate::request::FcgiRequest;
use crate::scoreboard::Board;
use crate::slow_log::SlowLog;
use std::rc::Rc;
use std::sync::Arc;

/// A worker's PHP.
pub trait Application {
    /// Finds out which script a request is for, and corrects the parameters that tell of it.
    fn find(&mut self, request: &FcgiRequest) -> Found;

    /// Answers a request: everything is written but the end of the answer.
    fn answer(&mut self, request: &Rc<FcgiRequest>, task: Task<'_>) -> Answered;
}

/// What a request is for.
#[derive(Debug, Default)]
pub struct Found {
    /// The script's path.
    pub script: Option<Vec<u8>>,
    /// The script's path as part of the address that the client asks for.
    pub uri: Option<Vec<u8>>,
    /// The user's name, if the client gives one.
    pub user: Option<Vec<u8>>,
}

/// How a request is to be answered.
pub enum Task<'a> {
    /// By the script with this path.
    Script(&'a [u8]),
    /// By a page of the process manager.
    Page(&'a Page),
}

/// A page of the process manager.
#[derive(Debug)]
pub struct Page {
    pub status: u16,
    pub headers: Vec<&'static str>,
    pub body: Vec<u8>,
}

/// How a request was answered, for the access log and for the pool's status.
#[derive(Debug, Default)]
pub struct Answered {
    pub status: i64,
    /// The lines of the answer's head.
    pub headers: Vec<Vec<u8>>,
    /// The most memory that PHP had.
    pub memory: u64,
    /// The worker cannot answer any more requests.
    pub is_spent: bool,
}

/// What a worker's application gets at its start.
pub struct Setup {
    pub pool: Pool,
    /// The pool's scoreboard.
    pub board: Board,
    /// Where the worker writes down what its script is about, when the master asks for it.
    pub slow_log: Option<SlowLog>,
}

/// Makes the application of a worker, on the thread that runs PHP.
pub type Make = Arc<dyn Fn(Setup) -> Box<dyn Application> + Send + Sync>;

/// The program that the process manager serves with.
pub struct Program {
    pub make: Make,
    /// Runs a worker's work on a thread that is fit for PHP, and ends the process with the status that it gives.
    pub launch: fn(Box<dyn FnOnce() -> i32 + Send>) -> std::convert::Infallible,
    /// Reads the text behind a sign of equality as php.ini's values are read; `None` if it is none.
    pub read_value: fn(&[u8]) -> Option<Vec<u8>>,
}
