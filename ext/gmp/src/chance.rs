//! The functions for random numbers.

use crate::number::{argument, object, require_bits};
use crate::random::Random;
use num_bigint::BigInt;
use phlox_runtime::{Call, FnDef, PhpResult, Val, Vm};
use std::cell::RefCell;

/// The functions for random numbers.
pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("gmp_random_seed(#[unchecked] GMP|int|string $seed): void", gmp_random_seed),
    FnDef::new("gmp_random_bits(int $bits): GMP", gmp_random_bits),
    FnDef::new(
        "gmp_random_range(#[unchecked] GMP|int|string $min, #[unchecked] GMP|int|string $max): GMP",
        gmp_random_range,
    ),
];

/// The request's generator, which is seeded by the system unless the script seeds it.
#[derive(Default)]
struct Generator(RefCell<Option<Random>>);

fn with_generator<R>(vm: &Vm, work: impl FnOnce(&mut Random) -> R) -> R {
    let generator = vm.data::<Generator>("gmp random");
    let mut generator = generator.0.borrow_mut();
    work(generator.get_or_insert_with(|| Random::new(&getrandom::u64().unwrap_or_default().into())))
}

fn gmp_random_seed(call: &mut Call<'_>) -> PhpResult<Val> {
    let seed = argument(call, 0)?;
    with_generator(call.vm, |generator| *generator = Random::new(&seed));
    Ok(Val::NULL)
}

fn gmp_random_bits(call: &mut Call<'_>) -> PhpResult<Val> {
    const MOST: i64 = i32::MAX as i64;
    let bits = call.int(0);
    if !(1..=MOST).contains(&bits) {
        return Err(call.value_error(0, &format!("must be between 1 and {MOST}")));
    }
    require_bits(bits.unsigned_abs());
    let number = with_generator(call.vm, |generator| generator.bits(bits.unsigned_abs()));
    object(call.vm, number.into())
}

fn gmp_random_range(call: &mut Call<'_>) -> PhpResult<Val> {
    let highest = argument(call, 1)?;
    let lowest = argument(call, 0)?;
    if highest <= lowest {
        return Err(call.value_error(0, "must be less than argument #2 ($maximum)"));
    }
    let count: BigInt = highest - &lowest + 1;
    let number = with_generator(call.vm, |generator| generator.below(&count));
    object(call.vm, number + lowest)
}
