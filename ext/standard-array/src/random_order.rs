//! `shuffle` and `array_rand`, on the default random engine.

use phlox_ext_random::{engine, randomizer};
use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, Val};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("shuffle(array &$array): true", shuffle),
    FnDef::new("array_rand(array $array, int $num = 1): int|string|array", array_rand),
];

fn shuffle(call: &mut Call<'_>) -> PhpResult<Val> {
    let array = call.arr(0);
    let values: Vec<Val> = array.values().cloned().collect();
    drop(array);
    let values = engine::with_default(call.vm, |engine| randomizer::shuffled(call.vm, engine, values))?;
    call.give_back(0, PhpArr::from_vec(values).into());
    Ok(Val::TRUE)
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
    let keys = engine::with_default(call.vm, |engine| randomizer::picked(call.vm, engine, &array, wanted as usize))?;
    if wanted == 1 {
        return Ok(keys.into_iter().next().unwrap_or(Val::NULL));
    }
    Ok(PhpArr::from_vec(keys).into())
}
