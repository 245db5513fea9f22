//! The lattice of types: its laws on random types, and their text.

mod common;

use common::Random;
use phlox_hhir::types::*;
use phlox_hhir::{ClassId, FuncId, LitId, Type, parse};

fn some_type(random: &mut Random) -> Type {
    const SETS: &[Bits] = &[
        UNINIT, INIT_NULL, FALSE, BOOL, INT, DBL, STR, STATIC_STR, ARR, OBJ, BOXED, NUM, CELL, GEN, UNCOUNTED, CLS,
        FUNC, PTR_PROP,
    ];
    let mut bits = SETS[random.below(SETS.len())];
    if random.below(3) == 0 {
        bits |= SETS[random.below(SETS.len())];
    }
    let bounds = [i64::MIN, -3, 0, 1, 7, i64::MAX];
    let (lo, hi) = (bounds[random.below(6)], bounds[random.below(6)]);
    let kinds = [None, Some(ArrKind::Packed), Some(ArrKind::Hash)];
    let class = ClassId(random.below(2) as u64);
    let spec = match random.below(9) {
        0 | 1 if (lo, hi) != (i64::MIN, i64::MAX) => Spec::Range(lo.min(hi), lo.max(hi)),
        2 if bits & (OBJ | CLS) != 0 => Spec::Exact(class),
        3 if bits & (OBJ | CLS) != 0 => Spec::Sub(class),
        4 if bits & ARR != 0 => Spec::Arr(kinds[1 + random.below(2)], SETS[random.below(5)]),
        5 if bits & FUNC != 0 => Spec::Func(FuncId(random.below(2) as u64)),
        6 if bits & PTR != 0 => Spec::Ptr(SETS[random.below(5)]),
        7 if bits & DBL != 0 => Spec::Dbl(1.5_f64.to_bits()),
        8 if bits & STR == STATIC_STR && bits & ARR == 0 => Spec::Lit(LitId(0)),
        _ => Spec::None,
    };
    match spec {
        Spec::Range(lo, hi) if lo == i64::MIN && hi == i64::MAX => Type::of(bits),
        _ => Type::with(bits, spec),
    }
}

#[test]
fn union_and_meet_are_bounds() {
    let mut random = Random(7);
    for _ in 0..200_000 {
        let (a, b, c) = (some_type(&mut random), some_type(&mut random), some_type(&mut random));
        let (union, meet) = (a.union(b), a.meet(b));
        assert!(a.le(a) && Type::BOTTOM.le(a) && a.le(Type::TOP), "{a}");
        assert!(a.le(union) && b.le(union), "{a} and {b} are not in {union}");
        assert_eq!(union, b.union(a), "{a} and {b}");
        assert_eq!(a.union(a), a);
        assert_eq!(a.meet(a), a);
        // Of two refinements that cannot both be kept, one is; the result may be too large, but never too small.
        assert!(meet.bits() & !(a.bits() & b.bits()) == 0, "{a} and {b} meet in {meet}");
        if c.le(a) && c.le(b) {
            assert!(c.le(meet), "{c} is in {a} and in {b}, but not in {meet}");
        }
        if a.le(b) && b.le(c) {
            assert!(a.le(c), "{a} <= {b} <= {c}");
        }
        if a.le(b) {
            assert!(a.le(a.meet(b)), "{a} <= {b}, which meet in {}", a.meet(b));
        }
    }
}

#[test]
fn types_round_trip() {
    let mut random = Random(8);
    for _ in 0..2000 {
        let ty = some_type(&mut random).only(GEN);
        if ty.is_bottom() {
            continue;
        }
        let text = format!("unit #1 @0\nlit0 = \"a\"\nB0:\n  v0 = DefFP\n  v1 = LdLoc<{ty},$0> v0\n  EndBlock\n");
        let unit = parse(&text).unwrap_or_else(|error| panic!("{ty}: {error}"));
        let inst = unit.insts.iter().find(|inst| inst.op == phlox_hhir::Op::LdLoc).unwrap();
        assert_eq!(inst.ty, ty);
    }
}
