//! Random operations on unboxed lists, compared with vectors: contents, copies, and when they are boxed.

mod common;

use common::Numbers;
use phlox_value::{Key, PhpArr, Val};

fn value_of(numbers: &mut Numbers, kind: u64) -> Val {
    match kind {
        0 => Val::bool(numbers.below(2) == 0),
        1 => Val::int(numbers.below(1000) as i64 - 500),
        2 => Val::double(numbers.below(1000) as f64 / 8.0),
        _ => Val::str(b"text"),
    }
}

fn same(a: &Val, b: &Val) -> bool {
    (a.as_bool(), a.as_int(), a.as_double().map(f64::to_bits), a.as_str().is_some())
        == (b.as_bool(), b.as_int(), b.as_double().map(f64::to_bits), b.as_str().is_some())
}

/// Compares the elements without boxing an unboxed list.
fn check(array: &PhpArr, model: &[Val], what: &str) {
    assert_eq!(array.len(), model.len(), "{what}");
    assert_eq!(array.next_index(), Some(model.len() as i64), "{what}");
    assert!(array.is_list() && array.is_packed(), "{what}");
    let was_unboxed = array.is_unboxed();
    for (at, expected) in model.iter().enumerate() {
        let own = array.unboxed_at(at as i64);
        assert_eq!(own.is_some(), was_unboxed, "{what}, {at}");
        if let Some(own) = own {
            assert!(same(&own, expected), "{what}, {at}");
        }
    }
    assert!(array.unboxed_at(model.len() as i64).is_none() && array.unboxed_at(-1).is_none(), "{what}");
    assert_eq!(array.is_unboxed(), was_unboxed, "{what}");
}

fn program(seed: u64) {
    let mut numbers = Numbers(seed);
    let kind = numbers.below(4);
    let first = value_of(&mut numbers, kind);
    let count = if kind == 0 { 1000 } else { 32_750 } + numbers.below(50) as usize;
    let mut array = PhpArr::filled(&first, count);
    let is_long = count >= if kind == 0 { 1 << 10 } else { 1 << 15 };
    assert_eq!(array.is_unboxed(), kind < 3 && is_long, "program {seed}");
    let mut model = vec![first; count];
    let mut copies: Vec<(PhpArr, Vec<Val>)> = Vec::new();
    for step in 0..60 {
        let what = format!("program {seed}, step {step}");
        let own_kind = if numbers.below(50) == 0 { numbers.below(4) } else { kind };
        let (at, value) = (numbers.below(model.len() as u64) as usize, value_of(&mut numbers, own_kind));
        match numbers.below(7) {
            0..3 => {
                if !array.set_unboxed(at as i64, &value) {
                    drop(array.insert(Key::Int(at as i64), value.clone()));
                }
                model[at] = value;
            }
            3 if numbers.below(10) == 0 => {
                assert!(array.push(value.clone()).is_ok(), "{what}");
                model.push(value);
            }
            4 => copies.push((array.clone(), model.clone())),
            5 if numbers.below(10) == 0 => {
                // An iteration boxes the list.
                assert!(array.iter().zip(&model).all(|((_, own), expected)| same(own, expected)), "{what}");
                assert!(!array.is_unboxed(), "{what}");
            }
            5 if numbers.below(20) == 0 => {
                assert!(array.take_last().is_some_and(|last| same(&last, &model[model.len() - 1])), "{what}");
                model.pop();
            }
            _ => assert!(!array.set_unboxed(-1, &value) && !array.set_unboxed(1 << 20, &value), "{what}"),
        }
        check(&array, &model, &what);
    }
    for (number, (copy, model)) in copies.iter().enumerate() {
        check(copy, model, &format!("program {seed}, copy {number}"));
        assert!(copy.values().zip(model).all(|(own, expected)| same(own, expected)), "program {seed}, copy {number}");
        assert_eq!(copy.values().count(), model.len());
    }
}

#[test]
fn random_programs() {
    // The lists are too long for Miri, which takes minutes for one program.
    (0..if cfg!(miri) { 0 } else { 100 }).for_each(program);
}
