//! The errors, and the request's last one.

use phlox_runtime::{DataKey, Vm};
use std::cell::Cell;
use std::rc::Rc;

/// `JSON_ERROR_*`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i64)]
pub enum JsonError {
    Depth = 1,
    StateMismatch = 2,
    ControlCharacter = 3,
    Syntax = 4,
    Utf8 = 5,
    Recursion = 6,
    InfOrNan = 7,
    UnsupportedType = 8,
    InvalidPropertyName = 9,
    Utf16 = 10,
    NonBackedEnum = 11,
}

impl JsonError {
    /// The text of `json_last_error_msg()`.
    pub fn message(self) -> &'static str {
        match self {
            JsonError::Depth => "Maximum stack depth exceeded",
            JsonError::StateMismatch => "State mismatch (invalid or malformed JSON)",
            JsonError::ControlCharacter => "Control character error, possibly incorrectly encoded",
            JsonError::Syntax => "Syntax error",
            JsonError::Utf8 => "Malformed UTF-8 characters, possibly incorrectly encoded",
            JsonError::Recursion => "Recursion detected",
            JsonError::InfOrNan => "Inf and NaN cannot be JSON encoded",
            JsonError::UnsupportedType => "Type is not supported",
            JsonError::InvalidPropertyName => "The decoded property name is invalid",
            JsonError::Utf16 => "Single unpaired UTF-16 surrogate in unicode escape",
            JsonError::NonBackedEnum => "Non-backed enums have no default serialization",
        }
    }
}

#[derive(Default)]
pub struct State {
    last: Cell<Option<JsonError>>,
    /// Addresses of the objects being encoded.
    pub active: std::cell::RefCell<Vec<usize>>,
}

static STATE: DataKey<State> = DataKey::new();

impl State {
    /// The state of the request.
    pub fn of(vm: &Vm) -> Rc<State> {
        vm.keyed(&STATE)
    }

    /// Records the outcome of a call; `None` is success.
    pub fn set(&self, error: Option<JsonError>) {
        self.last.set(error);
    }

    /// The outcome of the last call; `None` is success.
    pub fn get(&self) -> Option<JsonError> {
        self.last.get()
    }
}
