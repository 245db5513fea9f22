//! The reference's hashes, which decide the chain that an entry of a saved lookup table is in: the reference takes the
//! chains of a saved game as they are. Nothing here is used while a program runs; those hashes are in `compare.rs`.

use phlox_t3_image::Kind;

use crate::heap::Heap;
use crate::objects::Obj;
use crate::objects::lookup::LookupTable;
use crate::value::Value;

/// How deep vectors in vectors are looked into; one that contains itself has no end.
const MAX_DEPTH: usize = 64;

/// The heads of a table's chains, and for each place the next one of its chain or of the free places, all counted
/// from 1; 0 ends a chain.
pub fn chains(heap: &Heap, table: &LookupTable, buckets: usize) -> (Vec<usize>, Vec<usize>) {
    let mut heads = vec![0; buckets];
    let (_, mut next) = table.free_chain();
    for (at, entry) in table.entries.iter().enumerate() {
        if entry.key != Value::Empty {
            let bucket = reference_hash(heap, entry.key, 0) as usize % buckets;
            next[at] = heads[bucket];
            heads[bucket] = at + 1;
        }
    }
    (heads, next)
}

fn reference_hash(heap: &Heap, value: Value, depth: usize) -> u32 {
    if let Some(text) = heap.text(value) {
        return text.chars().fold(0, |sum, char| sum.wrapping_add(char.into()));
    }
    if let Some(items) = heap.sequence(value) {
        let hash = |item: &Value| if depth < MAX_DEPTH { reference_hash(heap, *item, depth + 1) } else { 0 };
        return items.iter().fold(0, |sum, item| sum.wrapping_add(hash(item)));
    }
    if let Value::Obj(id) = value {
        match heap.get(id) {
            Obj::Buffer(chars) => return chars.iter().fold(0, |sum, char| sum.wrapping_add((*char).into())),
            Obj::Bytes(bytes) => return sum_bytes(bytes),
            Obj::CharSet(set) => return sum_bytes(set.name.as_bytes()),
            Obj::Big(number) => {
                let digits: u32 = number.digits().bytes().map(|digit| u32::from(digit.wrapping_sub(b'0'))).sum();
                return digits.wrapping_add(number.scale() as u32);
            }
            _ => {}
        }
    }
    let (kind, raw) = heap.export(value);
    let (low, high) = (raw & 0xffff, raw >> 16);
    match kind {
        Kind::Nil => 0,
        Kind::True => 1,
        Kind::Empty => 2,
        Kind::Property => low,
        Kind::Int | Kind::Builtin | Kind::BuiltinX => low.wrapping_mul(high) & 0xffff,
        Kind::Object | Kind::ObjectX | Kind::Code | Kind::Function | Kind::Enum => low ^ high,
        _ => 3,
    }
}

fn sum_bytes(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |sum, byte| sum.wrapping_add((*byte).into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hashes_are_those_of_the_reference() {
        let mut heap = Heap::new();
        let text = heap.new_text("Abé".to_owned());
        assert_eq!(reference_hash(&heap, text, 0), 65 + 98 + 233);
        let list = heap.new_list(vec![text, Value::True]);
        assert_eq!(reference_hash(&heap, list, 0), 65 + 98 + 233 + 1);
        assert_eq!(reference_hash(&heap, Value::Obj(0x2_0103), 0), 0x0101);
        assert_eq!(reference_hash(&heap, Value::Int(0x0003_0005), 0), 15);
        assert_eq!(reference_hash(&heap, Value::Int(77), 0), 0);
        assert_eq!(reference_hash(&heap, Value::Enum(9), 0), 9);
    }
}
