//! Random operations on arrays, compared with a list of pairs: contents, order, copies, and the position of a loop by reference.

mod common;

use common::Numbers;
use phlox_value::{ArrKey, HashIterator, Key, PhpArr, PhpStr, Val};

/// The expected contents of the array.
#[derive(Clone, Default)]
struct Model {
    pairs: Vec<(ArrKey, String)>,
    next_index: i64,
    /// Number of elements before the position of the loop.
    visited: usize,
}

impl Model {
    fn position(&self, key: &ArrKey) -> Option<usize> {
        self.pairs.iter().position(|(known, _)| known == key)
    }

    /// Inserts or replaces. A packed array forgets larger keys that were removed from its end.
    fn insert(&mut self, key: ArrKey, value: String, is_packed: bool) {
        let at = self.position(&key);
        if let (ArrKey::Int(index), None) = (&key, at) {
            let known = if is_packed { 0 } else { self.next_index };
            self.next_index = known.max(index + 1);
        }
        match at {
            Some(at) => self.pairs[at].1 = value,
            None => self.pairs.push((key, value)),
        }
    }

    fn remove(&mut self, key: &ArrKey) -> bool {
        let Some(at) = self.position(key) else { return false };
        self.pairs.remove(at);
        self.visited -= usize::from(at < self.visited);
        true
    }
}

fn key_of(numbers: &mut Numbers) -> ArrKey {
    match numbers.below(3) {
        0 => ArrKey::from_bytes(format!("name {}", numbers.below(12)).as_bytes()),
        _ => ArrKey::Int(numbers.below(14) as i64),
    }
}

fn check(array: &PhpArr, model: &Model, what: &str) {
    assert_eq!(array.len(), model.pairs.len(), "{what}");
    for ((key, value), (expected_key, expected)) in array.iter().zip(&model.pairs) {
        assert_eq!(key, expected_key.as_key(), "{what}");
        assert_eq!(value.as_str().map(PhpStr::as_bytes), Some(expected.as_bytes()), "{what}");
        assert!(array.get(key).is_some_and(|found| std::ptr::eq(found, value)), "{what}");
    }
    let is_list = model.pairs.iter().enumerate().all(|(at, (key, _))| *key == ArrKey::Int(at as i64));
    assert_eq!(array.is_list(), is_list, "{what}");
}

fn program(seed: u64, steps: u64) {
    let mut numbers = Numbers(seed);
    let (mut array, mut model) = (PhpArr::new(), Model::default());
    let mut copy = (array.clone(), model.clone());
    let mut running: Option<HashIterator> = None;
    for step in 0..steps {
        let what = format!("program {seed}, step {step}");
        let value = format!("value {step}");
        match numbers.below(12) {
            0..3 => {
                let pushed = array.push(Val::str(value.as_bytes()));
                assert!(pushed.is_ok(), "{what}");
                let key = ArrKey::Int(model.next_index);
                model.insert(key, value, array.is_packed());
            }
            3..6 => {
                let key = key_of(&mut numbers);
                drop(array.insert(key.as_key(), Val::str(value.as_bytes())));
                model.insert(key, value, array.is_packed());
            }
            6..9 => {
                let key = key_of(&mut numbers);
                assert_eq!(array.remove(key.as_key()).is_some(), model.remove(&key), "{what}");
            }
            9 => {
                // The old copy must not have changed with the array.
                check(&copy.0, &copy.1, &what);
                copy = (array.clone(), model.clone());
            }
            10 => {
                running = Some(HashIterator::new(&mut array));
                model.visited = 0;
            }
            _ => {
                if let Some(iterator) = &running {
                    array.separate();
                    let found = iterator.advance(&array).and_then(|at| array.at(at)).map(|(key, _)| key.to_owned());
                    assert_eq!(found, model.pairs.get(model.visited).map(|(key, _)| key.clone()), "{what}");
                    model.visited += usize::from(found.is_some());
                }
            }
        }
        check(&array, &model, &what);
    }
    check(&copy.0, &copy.1, "at the end");
}

#[test]
fn arrays_do_what_lists_of_pairs_do() {
    // Miri takes ten thousand times as long, so it runs the first steps of a few programs.
    let (programs, steps) = if cfg!(miri) { (6, 60) } else { (300, 400) };
    for seed in 0..programs {
        program(seed, steps);
    }
}

#[test]
fn a_copy_shares_until_one_is_changed() {
    let mut array: PhpArr = (0..20).map(Val::int).collect();
    let copy = array.clone();
    assert!(array.ptr_eq(&copy));
    drop(array.insert(Key::Int(3), Val::str(b"three")));
    assert!(!array.ptr_eq(&copy));
    assert_eq!(copy.get_int(3).and_then(Val::as_int), Some(3));
    assert_eq!(array.get_int(4).and_then(Val::as_int), Some(4));
}
