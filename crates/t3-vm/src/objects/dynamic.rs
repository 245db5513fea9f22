//! Functions that are compiled while the program runs.

use crate::value::Value;

/// Code in the space of compiled code, as saved games need to know it.
#[derive(Debug, Clone, Default)]
pub struct Extent {
    /// Where it begins; the function that was asked for comes first.
    pub start: usize,
    pub length: usize,
    /// Places in it of the numbers of objects made for it.
    pub objects: Vec<usize>,
    /// Places in it of addresses of its own functions.
    pub functions: Vec<usize>,
}

/// A compiled function.
#[derive(Debug, Clone)]
pub struct DynamicFunc {
    /// The source text.
    pub source: Value,
    /// The function's index.
    pub function: u32,
    /// Objects that its code refers to.
    pub literals: Vec<Value>,
    /// Where its code is.
    pub extent: Extent,
}

/// Marks, at the end of the saved code, a list of the places where it refers to its own functions. The reference, for
/// which inner functions are objects, does not look there.
pub const MARK: [u8; 2] = *b"PX";

impl DynamicFunc {
    /// The lengths of code and references, the code with addresses from its own start, and the references.
    pub fn saved_code(&self, dynamic: &[u8]) -> (Vec<u8>, &[usize]) {
        let Extent { start, length, .. } = self.extent;
        let mut code = dynamic.get(start..start + length).unwrap_or_default().to_vec();
        for at in &self.extent.functions {
            if let Some(place) = code.get_mut(*at..at + 4) {
                let address = u32::from_le_bytes([place[0], place[1], place[2], place[3]]);
                place.copy_from_slice(&address.wrapping_sub(start as u32).to_le_bytes());
            }
        }
        if !self.extent.functions.is_empty() {
            self.extent.functions.iter().for_each(|at| code.extend((*at as u16).to_le_bytes()));
            code.extend((self.extent.functions.len() as u16).to_le_bytes());
            code.extend((start as u32).to_le_bytes());
            code.extend(MARK);
        }
        (code, &self.extent.objects)
    }
}
