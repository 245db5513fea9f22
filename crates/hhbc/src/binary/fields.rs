//! How each type is written in the binary form, in both directions.

use super::decode::{DecodeError, Reader};
use super::encode::Writer;
use crate::ids::*;
use crate::imm::{Imm, ImmKind};
use crate::info::{MAX_IMMEDIATES, Opcode};
use crate::instr::{F64, Instr};
use crate::records::for_each_record;
use crate::strings::Strings;
use crate::unit::*;

/// A type with a binary form of at least one byte.
pub trait Binary: Sized {
    fn write(&self, out: &mut Writer);
    fn read(r: &mut Reader) -> Result<Self, DecodeError>;
}

/// The form of type masks is that of any number.
struct Mask;

impl Mask {
    fn write(mask: &u32, out: &mut Writer) {
        mask.write(out);
    }

    fn read(r: &mut Reader) -> Result<u32, DecodeError> {
        Binary::read(r)
    }
}

macro_rules! field {
    ($method:ident) => {
        Binary::$method
    };
    ($method:ident $form:ident) => {
        $form::$method
    };
}

macro_rules! record_binary {
    ($($record:ident { $($field:ident $(as $form:ident)?),* } $(rest { $($rest:ident $(as $rest_form:ident)?),* })?;)*) => { $(
        impl Binary for $record {
            fn write(&self, out: &mut Writer) {
                let $record { $($field,)* $($($rest,)*)? } = self;
                $(field!(write $($form)?)($field, out);)*
                $($(field!(write $($rest_form)?)($rest, out);)*)?
            }

            fn read(r: &mut Reader) -> Result<Self, DecodeError> {
                Ok($record {
                    $($field: field!(read $($form)?)(r)?,)*
                    $($($rest: field!(read $($rest_form)?)(r)?,)*)?
                })
            }
        }
    )* };
}

for_each_record!(record_binary);
record_binary! {
    Body { code as Code, vectors, switches, main_entry, dv_entries, eh, fpi, funclets, lines };
}

impl Binary for u8 {
    fn write(&self, out: &mut Writer) {
        out.bytes.push(*self);
    }

    fn read(r: &mut Reader) -> Result<Self, DecodeError> {
        r.byte()
    }
}

impl Binary for u32 {
    fn write(&self, out: &mut Writer) {
        out.unsigned(u64::from(*self));
    }

    fn read(r: &mut Reader) -> Result<Self, DecodeError> {
        let start = r.position();
        u32::try_from(r.unsigned()?).or_else(|_| r.error_at(start, "a number is larger than 2^32 - 1"))
    }
}

impl Binary for i64 {
    fn write(&self, out: &mut Writer) {
        out.signed(*self);
    }

    fn read(r: &mut Reader) -> Result<Self, DecodeError> {
        r.signed()
    }
}

impl Binary for bool {
    fn write(&self, out: &mut Writer) {
        out.bytes.push(u8::from(*self));
    }

    fn read(r: &mut Reader) -> Result<Self, DecodeError> {
        tag(r, 2).map(|tag| tag == 1)
    }
}

/// A byte below `count`.
fn tag(r: &mut Reader, count: u8) -> Result<u8, DecodeError> {
    let start = r.position();
    let tag = r.byte()?;
    if tag < count { Ok(tag) } else { r.error_at(start, format!("byte {tag} where one below {count} must be")) }
}

macro_rules! newtype_binary {
    ($($ty:ident)*) => { $(
        impl Binary for $ty {
            fn write(&self, out: &mut Writer) {
                self.0.write(out);
            }

            fn read(r: &mut Reader) -> Result<Self, DecodeError> {
                Binary::read(r).map($ty)
            }
        }
    )* };
}

newtype_binary!(LocalId StrId ArrayId TypeId FuncId ClassId VectorId SwitchId Target FuncFlags Attrs);

impl Binary for IterId {
    fn write(&self, out: &mut Writer) {
        out.unsigned(u64::from(self.0));
    }

    fn read(r: &mut Reader) -> Result<Self, DecodeError> {
        let start = r.position();
        u16::try_from(r.unsigned()?).map(IterId).or_else(|_| r.error_at(start, "an iterator id is too large"))
    }
}

impl Binary for F64 {
    fn write(&self, out: &mut Writer) {
        out.bytes.extend_from_slice(&self.0.to_le_bytes());
    }

    fn read(r: &mut Reader) -> Result<Self, DecodeError> {
        r.array().map(|bytes| F64(u64::from_le_bytes(bytes)))
    }
}

impl Binary for Box<[u8]> {
    fn write(&self, out: &mut Writer) {
        out.unsigned(self.len() as u64);
        out.bytes.extend_from_slice(self);
    }

    fn read(r: &mut Reader) -> Result<Self, DecodeError> {
        let len = r.len()?;
        r.take(len).map(Box::from)
    }
}

impl Binary for Strings {
    fn write(&self, out: &mut Writer) {
        out.unsigned(self.len() as u64);
        for string in self.iter() {
            out.unsigned(string.len() as u64);
            out.bytes.extend_from_slice(string);
        }
    }

    fn read(r: &mut Reader) -> Result<Self, DecodeError> {
        let count = r.len()?;
        let mut strings = Strings::default();
        strings.reserve(count.min(TAKEN_AT_ONCE / size_of::<usize>()));
        for _ in 0..count {
            let len = r.len()?;
            strings.push(r.take(len)?);
        }
        strings.shrink();
        Ok(strings)
    }
}

/// Most bytes that are allocated for a list before its items have been read.
const TAKEN_AT_ONCE: usize = 16 << 10;
/// Bytes of a typical short instruction, by which the number of instructions is estimated.
const SHORT_INSTRUCTION: usize = 3;

impl<T: Binary> Binary for Vec<T> {
    fn write(&self, out: &mut Writer) {
        out.unsigned(self.len() as u64);
        self.iter().for_each(|item| item.write(out));
    }

    /// A long list grows as its items are read: the length alone, which may be forged, must not make it allocate.
    fn read(r: &mut Reader) -> Result<Self, DecodeError> {
        let len = r.len()?;
        let mut items = Vec::with_capacity(len.min(TAKEN_AT_ONCE / size_of::<T>().max(1)));
        for _ in 0..len {
            items.push(T::read(r)?);
        }
        Ok(items)
    }
}

impl<T: Binary> Binary for Option<T> {
    fn write(&self, out: &mut Writer) {
        self.is_some().write(out);
        if let Some(value) = self {
            value.write(out);
        }
    }

    fn read(r: &mut Reader) -> Result<Self, DecodeError> {
        if bool::read(r)? { T::read(r).map(Some) } else { Ok(None) }
    }
}

impl<A: Binary, B: Binary> Binary for (A, B) {
    fn write(&self, out: &mut Writer) {
        self.0.write(out);
        self.1.write(out);
    }

    fn read(r: &mut Reader) -> Result<Self, DecodeError> {
        Ok((A::read(r)?, B::read(r)?))
    }
}

/// Forms of enums: a tag byte by position in the list, then the fields.
macro_rules! enum_binary {
    ($($ty:ident { $($tag:literal = $variant:ident $(($($item:ident),*))? $({ $($field:ident),* })?,)* })*) => { $(
        impl Binary for $ty {
            fn write(&self, out: &mut Writer) {
                match self {
                    $($ty::$variant $(($($item),*))? $({ $($field),* })? => {
                        out.bytes.push($tag);
                        $($($item.write(out);)*)?
                        $($($field.write(out);)*)?
                    })*
                }
            }

            fn read(r: &mut Reader) -> Result<Self, DecodeError> {
                let start = r.position();
                match r.byte()? {
                    $($tag => Ok($ty::$variant $(($({ let $item = Binary::read(r)?; $item }),*))? $({ $($field: Binary::read(r)?),* })?),)*
                    tag => r.error_at(start, format!("{tag} is no {}", stringify!($ty))),
                }
            }
        }
    )* };
}

enum_binary! {
    Hoisted { 0 = Func(id), 1 = Class(id), }
    Literal { 0 = Null, 1 = Bool(value), 2 = Int(value), 3 = Double(value), 4 = Str(id), 5 = Array(id), }
    Key { 0 = Int(value), 1 = Str(id), }
    Init { 0 = Literal(literal), 1 = Thunk(id), }
    Base { 0 = L(local), 1 = N, 2 = G, 3 = S, 4 = C, 5 = R, 6 = H, }
    Member {
        0 = EC, 1 = EL(local), 2 = ET(name), 3 = EI(value), 4 = PC, 5 = PL(local), 6 = PT(name), 7 = W,
    }
    SwitchTable { 0 = Int { cases, default }, 1 = Str { cases, default }, }
    EhKind { 0 = Catch(handlers), 1 = Fault(funclet), }
    ClassKind { 0 = Class, 1 = Interface, 2 = Trait, 3 = Enum, }
    TraitRule {
        0 = InsteadOf { trait_name, method, excluded }, 1 = Alias { trait_name, method, attrs, alias },
    }
}

macro_rules! struct_binary {
    ($($ty:ident { $($field:ident),* };)*) => { $(
        impl Binary for $ty {
            fn write(&self, out: &mut Writer) {
                let $ty { $($field),* } = self;
                $($field.write(out);)*
            }

            fn read(r: &mut Reader) -> Result<Self, DecodeError> {
                Ok($ty { $($field: Binary::read(r)?),* })
            }
        }
    )* };
}

struct_binary! {
    ScalarArray { entries };
    MemberVector { base, members };
    EhEntry { start, end, kind };
    FpiRegion { push, call };
}

/// The form of a function's code: its length in bytes, then its instructions.
struct Code;

impl Code {
    fn write(code: &[Instr], out: &mut Writer) {
        let mut body = Writer::default();
        let mut starts = Vec::with_capacity(code.len());
        let mut branches = Vec::new();
        for instr in code {
            starts.push(body.bytes.len());
            body.bytes.push(instr.opcode() as u8);
            instr.for_each_imm(|imm| write_imm(imm, &mut body, starts.len() - 1, &mut branches));
        }
        for Branch { hole, from, target } in branches {
            let offset = starts.get(target.index()).map(|&to| to as i64 - starts[from] as i64);
            match offset.and_then(|offset| i32::try_from(offset).ok()) {
                Some(offset) => body.bytes[hole..hole + 4].copy_from_slice(&offset.to_le_bytes()),
                None => out.fail(format!("a branch to {target:?} leads too far or outside the code")),
            }
        }
        out.unsigned(body.bytes.len() as u64);
        out.bytes.append(&mut body.bytes);
    }

    fn read(r: &mut Reader) -> Result<Vec<Instr>, DecodeError> {
        let len = r.len()?;
        let start = r.position();
        let likely = (len / SHORT_INSTRUCTION + 1).min(TAKEN_AT_ONCE / size_of::<Instr>());
        let (mut code, mut starts) = (Vec::with_capacity(likely), Vec::with_capacity(likely));
        let mut imms = [Imm::Count(0); MAX_IMMEDIATES];
        while r.position() - start < len {
            let at = r.position();
            let byte = r.byte()?;
            let Some(opcode) = Opcode::from_byte(byte) else {
                return r.error_at(at, format!("byte {byte} is no instruction"));
            };
            let kinds = opcode.info().immediates;
            for (imm, (_, kind)) in imms.iter_mut().zip(kinds) {
                *imm = read_imm(*kind, r, at - start)?;
            }
            let Some(instr) = Instr::from_imms(opcode, &imms[..kinds.len()]) else {
                return r.error_at(at, format!("wrong immediates of {}", opcode.name()));
            };
            starts.push((at - start) as u32);
            code.push(instr);
        }
        if r.position() - start != len {
            return r.error("the last instruction runs past the code");
        }
        code.shrink_to_fit();
        resolve_targets(code, &starts).or_else(|pc| r.error_at(start + starts[pc] as usize, BAD_TARGET))
    }
}

const BAD_TARGET: &str = "a branch does not lead to the start of an instruction";

/// A branch target that is filled in when the offset of every instruction is known.
struct Branch {
    hole: usize,
    /// Index of the branching instruction.
    from: usize,
    target: Target,
}

fn write_imm(imm: Imm, out: &mut Writer, from: usize, branches: &mut Vec<Branch>) {
    match imm {
        Imm::Count(value) => value.write(out),
        Imm::Int(value) => value.write(out),
        Imm::Double(value) => value.write(out),
        Imm::Str(id) => id.write(out),
        Imm::Array(id) => id.write(out),
        Imm::Type(id) => id.write(out),
        Imm::Local(id) => id.write(out),
        Imm::Iter(id) => id.write(out),
        Imm::Func(id) => id.write(out),
        Imm::Class(id) => id.write(out),
        Imm::Vector(id) => id.write(out),
        Imm::Switch(id) => id.write(out),
        Imm::SubOp(position) => out.bytes.push(position),
        Imm::Target(target) => {
            branches.push(Branch { hole: out.bytes.len(), from, target });
            out.bytes.extend_from_slice(&[0; 4]);
        }
    }
}

/// Reads an immediate of the instruction at byte `at` of the code; a target is left as a byte offset in the code.
fn read_imm(kind: ImmKind, r: &mut Reader, at: usize) -> Result<Imm, DecodeError> {
    Ok(match kind {
        ImmKind::Count => Imm::Count(Binary::read(r)?),
        ImmKind::Int => Imm::Int(Binary::read(r)?),
        ImmKind::Double => Imm::Double(Binary::read(r)?),
        ImmKind::Str => Imm::Str(Binary::read(r)?),
        ImmKind::Array => Imm::Array(Binary::read(r)?),
        ImmKind::Type => Imm::Type(Binary::read(r)?),
        ImmKind::Local => Imm::Local(Binary::read(r)?),
        ImmKind::Iter => Imm::Iter(Binary::read(r)?),
        ImmKind::Func => Imm::Func(Binary::read(r)?),
        ImmKind::Class => Imm::Class(Binary::read(r)?),
        ImmKind::Vector => Imm::Vector(Binary::read(r)?),
        ImmKind::Switch => Imm::Switch(Binary::read(r)?),
        ImmKind::SubOp { values, .. } => Imm::SubOp(tag(r, values.len() as u8)?),
        ImmKind::Target => {
            let start = r.position();
            let offset = i64::from(i32::from_le_bytes(r.array()?));
            match u32::try_from(at as i64 + offset) {
                Ok(offset) => Imm::Target(Target(offset)),
                Err(_) => return r.error_at(start, BAD_TARGET),
            }
        }
    })
}

/// Turns byte offsets into indices; the error is the index of a branch that leads nowhere.
fn resolve_targets(mut code: Vec<Instr>, starts: &[u32]) -> Result<Vec<Instr>, usize> {
    for (pc, instr) in code.iter_mut().enumerate() {
        let mut failed = false;
        instr.map_target(|target| match starts.binary_search(&target.0) {
            Ok(index) => Target(index as u32),
            Err(_) => {
                failed = true;
                target
            }
        });
        if failed {
            return Err(pc);
        }
    }
    Ok(code)
}
