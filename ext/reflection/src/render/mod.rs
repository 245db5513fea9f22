//! The texts of `__toString`. Every function appends to a text; `indent` starts every line.

pub mod classes;
pub mod extensions;
pub mod functions;
pub mod values;

/// Appends formatted text.
macro_rules! put {
    ($text:expr, $($part:expr),* $(,)?) => {{ $($text.extend_from_slice(AsRef::<[u8]>::as_ref($part));)* }};
}
pub(crate) use put;
