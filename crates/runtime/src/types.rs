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

    /// Is there at most one class name in it, counting `self` and `parent`?
    pub fn names_at_most_one_class(&self) -> bool {
        let relative = u32::from(self.has(TypeMask::SELF)) + u32::from(self.has(TypeMask::PARENT));
        let named: usize = self.classes.iter().map(Vec::len).sum();
        named + relative as usize <= 1
    }

    #[inline]
    pub fn is_mixed(&self) -> bool {
        self.has(TypeMask::MIXED)
    }
}
