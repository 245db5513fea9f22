//! Declared types at run time.

use phlox_hhbc::TypeMask;
use phlox_value::PhpStr;

/// A declared type: built-in alternatives as a mask, class alternatives as intersections.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeSpec {
    /// The built-in alternatives, as bits of [`TypeMask`].
    pub mask: u32,
    /// Class alternatives, each an intersection of one or more class names.
    pub classes: Vec<Vec<PhpStr>>,
    /// The type as PHP prints it.
    pub display: PhpStr,
}

impl TypeSpec {
    /// Whether the type has one of these alternatives.
    #[inline]
    pub fn has(&self, mask: u32) -> bool {
        self.mask & mask != 0
    }

    /// Whether the type accepts null.
    #[inline]
    pub fn allows_null(&self) -> bool {
        self.has(TypeMask::NULL | TypeMask::MIXED)
    }

    /// Whether the type contains at most one class name, counting `self` and `parent`.
    pub fn names_at_most_one_class(&self) -> bool {
        let relative = u32::from(self.has(TypeMask::SELF)) + u32::from(self.has(TypeMask::PARENT));
        let named: usize = self.classes.iter().map(Vec::len).sum();
        named + relative as usize <= 1
    }

    /// Whether the type is `mixed`.
    #[inline]
    pub fn is_mixed(&self) -> bool {
        self.has(TypeMask::MIXED)
    }
}
