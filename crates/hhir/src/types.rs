//! The lattice of types: sets of kinds of values, refined by what is known about one of the kinds.
//!
//! A type is a set of bits, one for each kind of value, and at most one refinement ([`Spec`]) of the kinds that the refinement
//! is about: an integer range, a constant, a class, an array's layout. [`Type::union`] goes up in the lattice, [`Type::meet`]
//! down. The text form of types is in `type_text.rs`.

use crate::ids::{ClassId, FuncId, LitId};

/// A set of kinds of values, one bit for each.
pub type Bits = u32;

pub const BOTTOM: Bits = 0;
/// An unset variable, an uninitialised property, a hole in an array.
pub const UNINIT: Bits = 1;
pub const INIT_NULL: Bits = 1 << 1;
pub const FALSE: Bits = 1 << 2;
pub const TRUE: Bits = 1 << 3;
pub const INT: Bits = 1 << 4;
pub const DBL: Bits = 1 << 5;
/// A string that is not counted: a literal, a one-byte string.
pub const STATIC_STR: Bits = 1 << 6;
pub const COUNTED_STR: Bits = 1 << 7;
/// An array that is not counted: a literal, the empty one.
pub const STATIC_ARR: Bits = 1 << 8;
pub const COUNTED_ARR: Bits = 1 << 9;
pub const OBJ: Bits = 1 << 10;
pub const RES: Bits = 1 << 11;
/// A reference: PHP's `&`.
pub const BOXED: Bits = 1 << 12;
/// The frame of the unit or of an inlined callee.
pub const FRAME_PTR: Bits = 1 << 16;
/// Pointers to cells, by where the cell lies.
pub const PTR_FRAME: Bits = 1 << 17;
pub const PTR_STK: Bits = 1 << 18;
pub const PTR_ELEM: Bits = 1 << 19;
pub const PTR_PROP: Bits = 1 << 20;
/// The cell inside a reference.
pub const PTR_REF: Bits = 1 << 21;
/// Globals, static properties and variables, constants of classes.
pub const PTR_STATIC: Bits = 1 << 22;
/// Scratch cells of member operations.
pub const PTR_MIS: Bits = 1 << 23;
pub const CLS: Bits = 1 << 24;
pub const FUNC: Bits = 1 << 25;
/// The class of a static context.
pub const CCTX: Bits = 1 << 26;
pub const NULLPTR: Bits = 1 << 27;
/// An address of code.
pub const TCA: Bits = 1 << 28;

pub const NULL: Bits = UNINIT | INIT_NULL;
pub const BOOL: Bits = FALSE | TRUE;
pub const NUM: Bits = INT | DBL;
pub const STR: Bits = STATIC_STR | COUNTED_STR;
pub const ARR: Bits = STATIC_ARR | COUNTED_ARR;
pub const COUNTED: Bits = COUNTED_STR | COUNTED_ARR | OBJ | RES | BOXED;
pub const INIT_CELL: Bits = INIT_NULL | BOOL | NUM | STR | ARR | OBJ | RES;
pub const CELL: Bits = UNINIT | INIT_CELL;
/// What a local or an element may hold.
pub const GEN: Bits = CELL | BOXED;
pub const UNCOUNTED: Bits = CELL & !COUNTED;
pub const CTX: Bits = OBJ | CCTX;
/// A pointer to a cell inside of something: not to a local or temporary.
pub const PTR_MEMB: Bits = PTR_ELEM | PTR_PROP | PTR_REF | PTR_STATIC | PTR_MIS;
pub const PTR: Bits = PTR_FRAME | PTR_STK | PTR_MEMB;
pub const TOP: Bits = GEN | FRAME_PTR | PTR | CLS | FUNC | CCTX | NULLPTR | TCA;

/// How an array lays out its elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum ArrKind {
    /// Cells with keys 0, 1, ...
    Packed,
    /// A hash table.
    Hash,
    /// Unboxed integers with keys 0, 1, ...
    PackedInt,
    /// Unboxed floats with keys 0, 1, ...
    PackedDbl,
    /// Booleans, a byte for each, with keys 0, 1, ...
    PackedBool,
}

impl ArrKind {
    /// All layouts, in the order of their numbers.
    pub const ALL: [ArrKind; 5] =
        [ArrKind::Packed, ArrKind::Hash, ArrKind::PackedInt, ArrKind::PackedDbl, ArrKind::PackedBool];

    /// The name of the layout in the text form.
    pub fn name(self) -> &'static str {
        match self {
            ArrKind::Packed => "Packed",
            ArrKind::Hash => "Hash",
            ArrKind::PackedInt => "PackedInt",
            ArrKind::PackedDbl => "PackedDbl",
            ArrKind::PackedBool => "PackedBool",
        }
    }

    /// The types that elements may have; a layout without tags has elements of one type.
    pub const fn elem(self) -> Bits {
        match self {
            ArrKind::Packed | ArrKind::Hash => GEN,
            ArrKind::PackedInt => INT,
            ArrKind::PackedDbl => DBL,
            ArrKind::PackedBool => BOOL,
        }
    }
}

/// A refinement: what is known of a value beyond its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spec {
    /// Nothing.
    None,
    /// The integer is in `lo..=hi`.
    Range(i64, i64),
    /// The float has these bits.
    Dbl(u64),
    /// The string or array is this literal.
    Lit(LitId),
    /// The array's layout, if known, and what its elements may be.
    Arr(Option<ArrKind>, Bits),
    /// The object's (or class reference's) class is this one.
    Exact(ClassId),
    /// The object's (or class reference's) class is this one or inherits from it.
    Sub(ClassId),
    /// The function is this one.
    Func(FuncId),
    /// What the cell that is pointed to may hold.
    Ptr(Bits),
}

impl Spec {
    /// The kinds that the refinement is about.
    #[inline]
    pub fn kinds(self) -> Bits {
        match self {
            Spec::None => 0,
            Spec::Range(..) => INT,
            Spec::Dbl(_) => DBL,
            Spec::Lit(_) => STR | ARR,
            Spec::Arr(..) => ARR,
            Spec::Exact(_) | Spec::Sub(_) => OBJ | CLS,
            Spec::Func(_) => FUNC,
            Spec::Ptr(_) => PTR,
        }
    }

    /// Whether all values that fit `self` fit `other`. Both are about the same kinds.
    fn implies(self, other: Spec) -> bool {
        match (self, other) {
            (_, Spec::None) => true,
            (Spec::Range(lo, hi), Spec::Range(from, to)) => from <= lo && hi <= to,
            (Spec::Exact(class) | Spec::Sub(class), Spec::Sub(parent)) => class == parent,
            (Spec::Arr(kind, elem), Spec::Arr(wide, any)) => (wide.is_none() || kind == wide) && elem & !any == 0,
            (Spec::Ptr(cell), Spec::Ptr(any)) => cell & !any == 0,
            _ => self == other,
        }
    }

    /// The refinement that holds if either of the two holds.
    fn union(self, other: Spec) -> Spec {
        match (self, other) {
            (Spec::Range(lo, hi), Spec::Range(from, to)) => range_spec(lo.min(from), hi.max(to)),
            (Spec::Arr(kind, elem), Spec::Arr(other, more)) => {
                arr_spec(if kind == other { kind } else { None }, elem | more)
            }
            (Spec::Ptr(cell), Spec::Ptr(more)) => Spec::Ptr(cell | more),
            (Spec::Exact(class) | Spec::Sub(class), Spec::Exact(same) | Spec::Sub(same)) if class == same => {
                if self == other { self } else { Spec::Sub(class) }
            }
            _ if self == other => self,
            _ => Spec::None,
        }
    }

    /// The refinement that holds if both hold; `Err` if they exclude each other.
    fn meet(self, other: Spec) -> Result<Spec, ()> {
        match (self, other) {
            (Spec::None, spec) | (spec, Spec::None) => Ok(spec),
            (Spec::Range(lo, hi), Spec::Range(from, to)) => {
                let (lo, hi) = (lo.max(from), hi.min(to));
                if lo <= hi { Ok(range_spec(lo, hi)) } else { Err(()) }
            }
            (Spec::Arr(kind, elem), Spec::Arr(other, more)) => match (kind, other) {
                (Some(kind), Some(other)) if kind != other => Err(()),
                _ => Ok(Spec::Arr(kind.or(other), elem & more)),
            },
            (Spec::Lit(_), Spec::Arr(..)) => Ok(self),
            (Spec::Arr(..), Spec::Lit(_)) => Ok(other),
            (Spec::Ptr(cell), Spec::Ptr(more)) => Ok(Spec::Ptr(cell & more)),
            (Spec::Exact(class), Spec::Exact(other)) if class != other => Err(()),
            (Spec::Exact(_), _) => Ok(self),
            (_, Spec::Exact(_)) => Ok(other),
            // Two literals do not exclude each other, because different handles may be equal strings. Floats and functions do.
            (Spec::Dbl(a), Spec::Dbl(b)) if a != b => Err(()),
            (Spec::Func(a), Spec::Func(b)) if a != b => Err(()),
            _ => Ok(self),
        }
    }
}

fn range_spec(lo: i64, hi: i64) -> Spec {
    if (lo, hi) == (i64::MIN, i64::MAX) { Spec::None } else { Spec::Range(lo, hi) }
}

fn arr_spec(kind: Option<ArrKind>, elem: Bits) -> Spec {
    if kind.is_none() && elem == GEN { Spec::None } else { Spec::Arr(kind, elem) }
}

/// A set of values.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type {
    bits: Bits,
    spec: Spec,
}

impl Type {
    pub const BOTTOM: Type = Type::of(BOTTOM);
    pub const TOP: Type = Type::of(TOP);
    pub const UNINIT: Type = Type::of(UNINIT);
    pub const INIT_NULL: Type = Type::of(INIT_NULL);
    pub const BOOL: Type = Type::of(BOOL);
    pub const FALSE: Type = Type::of(FALSE);
    pub const TRUE: Type = Type::of(TRUE);
    pub const INT: Type = Type::of(INT);
    pub const DBL: Type = Type::of(DBL);
    pub const NUM: Type = Type::of(NUM);
    pub const STR: Type = Type::of(STR);
    pub const ARR: Type = Type::of(ARR);
    pub const OBJ: Type = Type::of(OBJ);
    pub const CELL: Type = Type::of(CELL);
    pub const INIT_CELL: Type = Type::of(INIT_CELL);
    pub const GEN: Type = Type::of(GEN);
    pub const UNCOUNTED: Type = Type::of(UNCOUNTED);
    pub const FRAME_PTR: Type = Type::of(FRAME_PTR);

    /// The type of all values of some kinds.
    #[inline]
    pub const fn of(bits: Bits) -> Type {
        Type { bits, spec: Spec::None }
    }

    /// The type of values of some kinds with a refinement, which is dropped if it is about none of them.
    #[inline]
    pub fn with(bits: Bits, spec: Spec) -> Type {
        let spec = if spec.kinds() & bits == 0 { Spec::None } else { spec };
        Type { bits, spec }
    }

    /// Integers in `lo..=hi`; `Bottom` if there are none.
    pub fn range(lo: i64, hi: i64) -> Type {
        if lo > hi { Type::BOTTOM } else { Type { bits: INT, spec: range_spec(lo, hi) } }
    }

    /// The type of one integer.
    pub fn int(value: i64) -> Type {
        Type::range(value, value)
    }

    /// An array, counted or not, of a layout.
    pub fn arr(kind: ArrKind) -> Type {
        Type::with(ARR, Spec::Arr(Some(kind), kind.elem()))
    }

    /// Objects of exactly this class.
    pub fn exact(class: ClassId) -> Type {
        Type::with(OBJ, Spec::Exact(class))
    }

    /// Objects of this class or a subclass.
    pub fn sub(class: ClassId) -> Type {
        Type::with(OBJ, Spec::Sub(class))
    }

    /// Pointers into some kinds of memory, to cells that hold one of `cell`.
    pub fn ptr(place: Bits, cell: Bits) -> Type {
        Type::with(place & PTR, if cell == GEN { Spec::None } else { Spec::Ptr(cell) })
    }

    /// The kinds.
    #[inline]
    pub fn bits(self) -> Bits {
        self.bits
    }

    /// The refinement.
    #[inline]
    pub fn spec(self) -> Spec {
        self.spec
    }

    /// Whether the type has no values.
    #[inline]
    pub fn is_bottom(self) -> bool {
        self.bits == BOTTOM
    }

    /// The type without its refinement.
    #[inline]
    pub fn kinds(self) -> Type {
        Type::of(self.bits)
    }

    /// The values of the type that are of some kinds.
    pub fn only(self, bits: Bits) -> Type {
        Type::with(self.bits & bits, self.spec)
    }

    /// The values of the type that are of none of some kinds.
    pub fn without(self, bits: Bits) -> Type {
        self.only(!bits)
    }

    /// Whether all values are of one of these kinds; false for `Bottom`.
    #[inline]
    pub fn is(self, bits: Bits) -> bool {
        self.bits != BOTTOM && self.bits & !bits == 0
    }

    /// Whether some value is of one of these kinds.
    #[inline]
    pub fn maybe(self, bits: Bits) -> bool {
        self.bits & bits != 0
    }

    /// Whether a value may be counted.
    #[inline]
    pub fn maybe_counted(self) -> bool {
        self.maybe(COUNTED)
    }

    /// Whether the type is a subset of another one.
    pub fn le(self, other: Type) -> bool {
        if self.bits & !other.bits != 0 {
            return false;
        }
        // The refinement of `other` matters only for kinds that `self` has.
        let about = other.spec.kinds() & self.bits;
        about == 0 || (self.spec.kinds() & about == about && self.spec.implies(other.spec))
    }

    /// The smallest type of the lattice that has the values of both.
    pub fn union(self, other: Type) -> Type {
        let bits = self.bits | other.bits;
        // If the other side has none of the kinds that a refinement is about, the refinement stays.
        let mine = self.spec != Spec::None && self.spec.kinds() & other.bits == 0;
        let theirs = other.spec != Spec::None && other.spec.kinds() & self.bits == 0;
        let spec = match (mine, theirs) {
            _ if self.spec == other.spec => self.spec,
            (true, false) if other.spec == Spec::None => self.spec,
            (false, true) if self.spec == Spec::None => other.spec,
            (true, _) | (_, true) => Spec::None,
            (false, false) => self.spec.union(other.spec),
        };
        Type::with(bits, spec)
    }

    /// The values that are in both.
    pub fn meet(self, other: Type) -> Type {
        let bits = self.bits & other.bits;
        let (mine, theirs) = (self.only(bits).spec, other.only(bits).spec);
        match mine.meet(theirs) {
            Ok(spec) => Type::with(bits, spec),
            Err(()) => Type::of(bits & !(mine.kinds() & theirs.kinds())),
        }
    }

    /// Bounds of the integers of the type; all integers if no bounds are known.
    pub fn int_range(self) -> (i64, i64) {
        match self.spec {
            Spec::Range(lo, hi) => (lo, hi),
            _ => (i64::MIN, i64::MAX),
        }
    }

    /// The integer, if the type has just one.
    pub fn as_int(self) -> Option<i64> {
        match self.spec {
            Spec::Range(lo, hi) if lo == hi && self.bits == INT => Some(lo),
            _ => None,
        }
    }

    /// The float, if the type has just one.
    pub fn as_dbl(self) -> Option<f64> {
        match self.spec {
            Spec::Dbl(bits) if self.bits == DBL => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// The boolean, if the type has just one.
    pub fn as_bool(self) -> Option<bool> {
        match self.bits {
            TRUE => Some(true),
            FALSE => Some(false),
            _ => None,
        }
    }

    /// The class of the objects or class references, if it is exactly known.
    pub fn exact_class(self) -> Option<ClassId> {
        match self.spec {
            Spec::Exact(class) if self.is(OBJ | CLS) => Some(class),
            _ => None,
        }
    }

    /// The layout of the arrays, if it is known.
    pub fn arr_kind(self) -> Option<ArrKind> {
        match self.spec {
            Spec::Arr(kind, _) if self.is(ARR) => kind,
            _ => None,
        }
    }

    /// The type of the arrays' elements.
    pub fn elem(self) -> Type {
        match self.spec {
            Spec::Arr(_, elem) if self.is(ARR) => Type::of(elem),
            _ => Type::GEN,
        }
    }

    /// The type of the cells that the pointers point to.
    pub fn pointee(self) -> Type {
        match self.spec {
            Spec::Ptr(cell) if self.is(PTR | NULLPTR) => Type::of(cell),
            _ => Type::GEN,
        }
    }

    /// Whether values of the type are one machine word each, with a tag that is known at compile time.
    pub fn is_unboxed(self) -> bool {
        let bits = self.bits;
        [BOOL, INT, DBL, STR, ARR, OBJ, RES, BOXED].iter().any(|&kind| self.is(kind)) || bits & GEN == 0
    }
}
