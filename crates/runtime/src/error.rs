//! The ways in which PHP code stops (throwables, exit, fatal errors), and PHP's error levels.

use phlox_value::PhpObj;

/// The reason why evaluation stopped.
#[derive(Debug)]
pub enum Throw {
    /// A throwable was thrown and is not caught yet.
    Exception(PhpObj),
    /// `exit` was called: of the script's code only shutdown functions and destructors still run.
    Exit,
    /// A fatal error was reported: of the script's code only shutdown functions still run, and no destructors.
    Fatal,
}

/// The result of everything that may run PHP code.
pub type PhpResult<T> = Result<T, Throw>;

/// PHP's error levels (`E_*`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i64)]
pub enum Level {
    Error = 1,
    Warning = 2,
    Parse = 4,
    Notice = 8,
    CoreError = 16,
    CoreWarning = 32,
    CompileError = 64,
    CompileWarning = 128,
    UserError = 256,
    UserWarning = 512,
    UserNotice = 1024,
    Strict = 2048,
    RecoverableError = 4096,
    Deprecated = 8192,
    UserDeprecated = 16384,
}

impl Level {
    /// All levels but `E_STRICT`: the value of `E_ALL`.
    pub const ALL_BITS: i64 = 30719;
    /// The levels that end the script.
    pub const FATAL_BITS: i64 = 1 | 4 | 16 | 64 | 256 | 4096;

    /// The level's bit in `error_reporting`.
    pub fn bits(self) -> i64 {
        self as i64
    }

    /// The word before the colon in a displayed message.
    pub fn label(self) -> &'static str {
        match self {
            Level::Error | Level::CoreError | Level::CompileError | Level::UserError => "Fatal error",
            Level::RecoverableError => "Recoverable fatal error",
            Level::Warning | Level::CoreWarning | Level::CompileWarning | Level::UserWarning => "Warning",
            Level::Parse => "Parse error",
            Level::Notice | Level::UserNotice => "Notice",
            Level::Strict => "Strict Standards",
            Level::Deprecated | Level::UserDeprecated => "Deprecated",
        }
    }
}

/// The builtin throwable classes that the engine itself throws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thrown {
    Error,
    TypeError,
    ValueError,
    ArgumentCountError,
    ArithmeticError,
    DivisionByZeroError,
    AssertionError,
    UnhandledMatchError,
    ParseError,
    CompileError,
    FiberError,
    Exception,
    ErrorException,
}

impl Thrown {
    /// The name of the class.
    pub fn class_name(self) -> &'static [u8] {
        match self {
            Thrown::Error => b"Error",
            Thrown::TypeError => b"TypeError",
            Thrown::ValueError => b"ValueError",
            Thrown::ArgumentCountError => b"ArgumentCountError",
            Thrown::ArithmeticError => b"ArithmeticError",
            Thrown::DivisionByZeroError => b"DivisionByZeroError",
            Thrown::AssertionError => b"AssertionError",
            Thrown::UnhandledMatchError => b"UnhandledMatchError",
            Thrown::ParseError => b"ParseError",
            Thrown::CompileError => b"CompileError",
            Thrown::FiberError => b"FiberError",
            Thrown::Exception => b"Exception",
            Thrown::ErrorException => b"ErrorException",
        }
    }
}
