//! Declared types at run time.

use phlox_hhbc::TypeMask;
use phlox_value::PhpStr;

/// A declared type: built-in alternatives as a mask, class alternatives as intersections.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeSpec {
    /// Bits of [`TypeMask`].
    pub mask: u32,
    /// Class alternatives, each an intersection of one or more class names.
    pub classes: Vec<Vec<PhpStr>>,
    /// As PHP prints it.
    pub display: PhpStr,
}

impl TypeSpec {
    #[inline]
    pub fn has(&self, mask: u32) -> bool {
        self.mask & mask != 0
    }

    /// Does the type accept null?
    #[inline]
    pub fn allows_null(&self) -> bool {
        self.has(TypeMask::NULL | TypeMask::MIXED)
    }

    #[inline]
    pub fn is_mixed(&self) -> bool {
        self.has(TypeMask::MIXED)
    }
}
