//! `shuffle` and `array_rand`, on the default random engine.

use phlox_ext_random::engine::{self, RandomEngine};
use phlox_runtime::{Call, FnDef, Key, PhpArr, PhpResult, Val};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("shuffle(array &$array): true", shuffle),
    FnDef::new("array_rand(array $array, int $num = 1): int|string|array", array_rand),
];

fn shuffle(call: &mut Call<'_>) -> PhpResult<Val> {
    let array = call.arr(0);
    let values: Vec<Val> = array.values().cloned().collect();
    drop(array);
    let values = engine::with_default(call.vm, |engine| shuffled(call, engine, values))?;
    call.give_back(0, PhpArr::from_vec(values).into());
    Ok(Val::TRUE)
}

/// Fisher-Yates from the end, as Zend draws the numbers.
pub fn shuffled(call: &Call<'_>, engine: &mut dyn RandomEngine, mut values: Vec<Val>) -> PhpResult<Vec<Val>> {
    for left in (1..values.len()).rev() {
        let other = engine::range(call.vm, engine, 0, left as i64)? as usize;
        if other != left {
            values.swap(left, other);
        }
    }
    Ok(values)
}

fn array_rand(call: &mut Call<'_>) -> PhpResult<Val> {
    let (array, wanted) = (call.arr(0), call.int(1));
    if array.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    if wanted < 1 || wanted as u64 > array.len() as u64 {
        let text = "must be between 1 and the number of elements in argument #1 ($array)";
        return Err(call.value_error(1, text));
    }
    let keys = engine::with_default(call.vm, |engine| picked(call, engine, &array, wanted as usize))?;
    if wanted == 1 {
        return Ok(keys.into_iter().next().unwrap_or(Val::NULL));
    }
    Ok(PhpArr::from_vec(keys).into())
}

/// Draws distinct keys; they come in the array's order.
pub fn picked(call: &Call<'_>, engine: &mut dyn RandomEngine, array: &PhpArr, wanted: usize) -> PhpResult<Vec<Val>> {
    let len = array.len();
    if wanted == 1 {
        return one(call, engine, array).map(|key| vec![key]);
    }
    // Drawing the keys to leave out is cheaper when most are wanted.
    let negative = wanted > len / 2;
    let mut draws = if negative { len - wanted } else { wanted };
    let mut drawn = vec![false; len];
    while draws > 0 {
        let index = engine::range(call.vm, engine, 0, len as i64 - 1)? as usize;
        if !drawn[index] {
            drawn[index] = true;
            draws -= 1;
        }
    }
    Ok(array.keys().zip(drawn).filter(|(_, drawn)| *drawn != negative).map(|(key, _)| key.to_val()).collect())
}

fn one(call: &Call<'_>, engine: &mut dyn RandomEngine, array: &PhpArr) -> PhpResult<Val> {
    let positions = array.positions() as usize;
    if positions != array.len() && array.len() * 2 >= positions {
        // A table with few holes is sampled by position until an element is hit.
        loop {
            let position = engine::range(call.vm, engine, 0, positions as i64 - 1)? as u32;
            if let Some((key, _)) = array.at(position) {
                return Ok(key.to_val());
            }
        }
    }
    let index = engine::range(call.vm, engine, 0, array.len() as i64 - 1)? as usize;
    Ok(array.keys().nth(index).map_or(Val::NULL, Key::to_val))
}
