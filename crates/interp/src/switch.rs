//! Switch tables with oplines for targets.

use crate::code::Op;
use phlox_runtime::{PhpStr, Val};

/// Where a switch goes.
pub enum SwitchMap {
    Int { base: i64, targets: Vec<*const Op>, default: *const Op },
    Str { table: StringTable, default: *const Op },
}

impl SwitchMap {
    /// Is the value of the type of the cases?
    pub fn fits(&self, value: &Val) -> bool {
        match self {
            SwitchMap::Int { .. } => value.as_int().is_some(),
            SwitchMap::Str { .. } => value.as_str().is_some(),
        }
    }

    /// Where a value goes.
    pub fn target(&self, value: &Val) -> *const Op {
        match self {
            SwitchMap::Int { base, targets, default } => {
                let index = value.as_int().and_then(|int| usize::try_from(int.checked_sub(*base)?).ok());
                index.and_then(|index| targets.get(index)).copied().unwrap_or(*default)
            }
            SwitchMap::Str { table, default } => value.as_str().and_then(|text| table.find(text)).unwrap_or(*default),
        }
    }
}

/// Cases by string: open addressing over the hash that every string carries.
pub struct StringTable {
    /// A power of two; empty places have no string.
    places: Vec<Option<(PhpStr, *const Op)>>,
}

impl StringTable {
    /// Of several equal cases the first one counts.
    pub fn new(cases: Vec<(PhpStr, *const Op)>) -> StringTable {
        let size = (cases.len() * 2 + 1).next_power_of_two();
        let mut table = StringTable { places: (0..size).map(|_| None).collect() };
        for (text, target) in cases {
            let at = table.place_of(&text);
            table.places[at].get_or_insert((text, target));
        }
        table
    }

    /// The place of a string, or the empty one where it would be: there always is one.
    fn place_of(&self, text: &PhpStr) -> usize {
        let mask = self.places.len() - 1;
        let mut at = text.hash() as usize & mask;
        while let Some((other, _)) = &self.places[at] {
            if other.ptr_eq(text) || (other.hash() == text.hash() && other == text) {
                return at;
            }
            at = (at + 1) & mask;
        }
        at
    }

    fn find(&self, text: &PhpStr) -> Option<*const Op> {
        self.places[self.place_of(text)].as_ref().map(|(_, target)| *target)
    }
}
