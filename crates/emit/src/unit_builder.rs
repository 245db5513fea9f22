//! The tables of the unit under construction: literal strings, arrays, types, functions, classes.

use std::collections::HashMap;

use phlox_hhbc::*;

use crate::constant::{Const, ConstKey};

/// Literal strings, each once: open addressing over their ids.
#[derive(Default)]
struct Interner {
    /// Id + 1; 0 is free. The length is a power of two.
    slots: Vec<u32>,
}

fn hash(bytes: &[u8]) -> u64 {
    // FNV-1a over eight bytes at a time, with a final mix: short identifiers dominate.
    let mut h: u64 = 0xcbf2_9ce4_8422_2325 ^ bytes.len() as u64;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let word = chunk.iter().fold(0u64, |w, &b| w << 8 | u64::from(b));
        h = (h ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
    for &b in chunks.remainder() {
        h = (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
    }
    h ^ (h >> 32)
}

impl Interner {
    fn find(&mut self, strings: &mut Strings, bytes: &[u8]) -> StrId {
        if (strings.len() + 1) * 2 > self.slots.len() {
            self.grow(strings);
        }
        let mask = self.slots.len() - 1;
        let mut at = hash(bytes) as usize & mask;
        loop {
            match self.slots[at] {
                0 => {
                    strings.push(bytes);
                    self.slots[at] = strings.len() as u32;
                    return StrId(strings.len() as u32 - 1);
                }
                id if strings.get(id as usize - 1) == Some(bytes) => return StrId(id - 1),
                _ => at = (at + 1) & mask,
            }
        }
    }

    fn grow(&mut self, strings: &Strings) {
        let size = (self.slots.len() * 2).max(256);
        self.slots.clear();
        self.slots.resize(size, 0);
        for (i, s) in strings.iter().enumerate() {
            let mut at = hash(s) as usize & (size - 1);
            while self.slots[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = i as u32 + 1;
        }
    }
}

#[derive(Default)]
pub(crate) struct UnitBuilder {
    pub unit: Unit,
    interner: Interner,
    /// Types by their text: `self` and the like make one text stand for several.
    types: HashMap<StrId, Vec<TypeId>>,
}

impl UnitBuilder {
    /// The id of a literal string, which is added if it is new.
    pub fn str(&mut self, bytes: &[u8]) -> StrId {
        self.interner.find(&mut self.unit.strings, bytes)
    }

    /// The bytes of a literal string.
    pub fn text(&self, id: StrId) -> &[u8] {
        self.unit.str(id)
    }

    /// Reserves the next function's id; `set_func` fills it in.
    pub fn reserve_func(&mut self) -> FuncId {
        self.unit.funcs.push(Func::default());
        FuncId(self.unit.funcs.len() as u32 - 1)
    }

    /// Fills in a function whose id was reserved.
    pub fn set_func(&mut self, id: FuncId, func: Func) {
        self.unit.funcs[id.index()] = func;
    }

    /// Reserves the next class's id; `set_class` fills it in.
    pub fn reserve_class(&mut self) -> ClassId {
        self.unit.classes.push(ClassDef::default());
        ClassId(self.unit.classes.len() as u32 - 1)
    }

    /// Fills in a class whose id was reserved.
    pub fn set_class(&mut self, id: ClassId, class: ClassDef) {
        self.unit.classes[id.index()] = class;
    }

    /// The id of a type constraint, which is added if it is new.
    pub fn ty(&mut self, ty: TypeConstraint) -> TypeId {
        let known = self.types.entry(ty.display).or_default();
        if let Some(&id) = known.iter().find(|id| self.unit.types[id.index()] == ty) {
            return id;
        }
        let id = TypeId(self.unit.types.len() as u32);
        known.push(id);
        self.unit.types.push(ty);
        id
    }

    /// The value as a literal of the unit; its strings and arrays are added to the tables.
    pub fn literal(&mut self, value: &Const<'_>) -> Literal {
        match value {
            Const::Null => Literal::Null,
            Const::Bool(b) => Literal::Bool(*b),
            Const::Int(n) => Literal::Int(*n),
            Const::Double(d) => Literal::Double(F64::new(*d)),
            Const::Str(s) => Literal::Str(self.str(s)),
            Const::Array(items) => {
                let mut entries = Vec::with_capacity(items.len());
                for (key, value) in items.iter() {
                    let key = match key {
                        ConstKey::Int(n) => Key::Int(*n),
                        ConstKey::Str(s) => Key::Str(self.str(s)),
                    };
                    entries.push((key, self.literal(value)));
                }
                self.unit.arrays.push(ScalarArray { entries });
                Literal::Array(ArrayId(self.unit.arrays.len() as u32 - 1))
            }
        }
    }
}
