//! `str_shuffle`, with the generator that `mt_srand` seeds.

use phlox_ext_random::engine;
use phlox_runtime::{Call, FnDef, PhpResult, PhpStr, Val};

pub const FUNCTIONS: &[FnDef] = &[FnDef::new("str_shuffle(string $string): string", str_shuffle)];

fn str_shuffle(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut bytes = call.str(0).to_vec();
    // From the end, each byte swaps with one before it or itself.
    for last in (1..bytes.len()).rev() {
        let other = engine::with_default(call.vm, |generator| engine::range(call.vm, generator, 0, last as i64))?;
        bytes.swap(last, other as usize);
    }
    Ok(PhpStr::from(bytes).into())
}
