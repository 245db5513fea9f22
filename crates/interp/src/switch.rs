//! Switch tables whose targets are oplines.

use crate::code::Op;
use phlox_lower::{FALLS_THROUGH, Lowered, OpCode};
use phlox_runtime::{PhpStr, Val};

/// The targets of a switch.
pub enum SwitchMap {
    /// Targets of consecutive integers from `base` on.
    Dense { base: i64, targets: Vec<*const Op>, default: *const Op },
    /// Targets of integers in ascending order.
    Sparse { cases: Vec<(i64, *const Op)>, default: *const Op },
    /// Targets of strings.
    Str { table: StringTable, default: *const Op },
}

/// How many times larger than the number of cases a table of consecutive integers may be.
const MAX_SPREAD: usize = 4;

impl SwitchMap {
    /// A table for integers in ascending order.
    pub fn of_ints(cases: Vec<(i64, *const Op)>, default: *const Op) -> SwitchMap {
        let base = cases.first().map_or(0, |case| case.0);
        let last = cases.last().map_or(0, |case| case.0);
        match last.checked_sub(base).and_then(|distance| usize::try_from(distance).ok()) {
            Some(distance) if distance < cases.len() * MAX_SPREAD => {
                let mut targets = vec![default; distance + 1];
                for (case, target) in cases {
                    targets[(case - base) as usize] = target;
                }
                SwitchMap::Dense { base, targets, default }
            }
            _ => SwitchMap::Sparse { cases, default },
        }
    }

    /// Whether a value is of the type of the cases.
    pub fn fits(&self, value: &Val) -> bool {
        match self {
            SwitchMap::Dense { .. } | SwitchMap::Sparse { .. } => value.as_int().is_some(),
            SwitchMap::Str { .. } => value.as_str().is_some(),
        }
    }

    /// The target for a value.
    pub fn target(&self, value: &Val) -> *const Op {
        match self {
            SwitchMap::Dense { base, targets, default } => {
                let index = value.as_int().and_then(|int| usize::try_from(int.checked_sub(*base)?).ok());
                index.and_then(|index| targets.get(index)).copied().unwrap_or(*default)
            }
            SwitchMap::Sparse { cases, default } => {
                let found = value.as_int().and_then(|int| cases.binary_search_by_key(&int, |case| case.0).ok());
                found.map_or(*default, |index| cases[index].1)
            }
            SwitchMap::Str { table, default } => value.as_str().and_then(|text| table.find(text)).unwrap_or(*default),
        }
    }
}

impl Op {
    /// The table of a `Switch`, whose address takes the place of operand c and the number.
    #[inline(always)]
    pub fn switch_map(&self) -> *const SwitchMap {
        (u64::from(self.c) | u64::from(self.d as u32) << 32) as *const SwitchMap
    }

    fn set_switch_map(&mut self, map: *const SwitchMap) {
        (self.c, self.d) = (map as u64 as u32, (map as u64 >> 32) as i32);
    }
}

/// Gives each `Switch` its table, and notes in operand b whether the switch falls through for values of another type.
///
/// # Safety
/// `ops` are the oplines of the lowered function, which nobody runs yet; the tables do not move and live as long as the oplines.
pub unsafe fn hand_out(lowered: &Lowered, tables: &[SwitchMap], ops: *mut Op) {
    for (at, opline) in lowered.ops.iter().enumerate().filter(|(_, opline)| opline.op == OpCode::Switch) {
        // SAFETY: the caller says that these are the function's oplines; `at` is the index of one.
        let op = unsafe { &mut *ops.add(at) };
        op.b = (opline.n & FALLS_THROUGH != 0).into();
        op.set_switch_map(&tables[(opline.n & !FALLS_THROUGH) as usize]);
    }
}

/// Targets by string: open addressing by the hash that each string stores.
pub struct StringTable {
    /// As many entries as a power of two; empty ones have no string.
    places: Vec<Option<(PhpStr, *const Op)>>,
}

impl StringTable {
    /// A table of cases; of several equal cases the first one counts.
    pub fn new(cases: Vec<(PhpStr, *const Op)>) -> StringTable {
        let size = (cases.len() * 2 + 1).next_power_of_two();
        let mut table = StringTable { places: (0..size).map(|_| None).collect() };
        for (text, target) in cases {
            let at = table.place_of(&text);
            table.places[at].get_or_insert((text, target));
        }
        table
    }

    /// The entry of a string, or the empty one where it would be: there always is one.
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

    /// The target of a string, if it is a case.
    fn find(&self, text: &PhpStr) -> Option<*const Op> {
        self.places[self.place_of(text)].as_ref().map(|(_, target)| *target)
    }
}
