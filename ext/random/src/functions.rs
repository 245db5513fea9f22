//! `mt_rand` and the other functions on the global generator.

use crate::engine::{self, MtMode, Secure};
use phlox_runtime::{Call, FnDef, PhpResult, Thrown, Val, Vm};
use std::cell::Cell;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("mt_srand(?int $seed = null, int $mode = MT_RAND_MT19937): void", mt_srand),
    FnDef::new("srand(?int $seed = null, int $mode = MT_RAND_MT19937): void", mt_srand),
    FnDef::new("mt_rand(int $min = UNKNOWN, int $max = UNKNOWN): int", mt_rand).fast_path(|args| match args {
        [] => Some(unbounded(Vm::current()?)),
        [min, max] => between_quick(min.as_int()?, max.as_int()?),
        _ => None,
    }),
    FnDef::new("rand(int $min = UNKNOWN, int $max = UNKNOWN): int", rand).fast_path(|args| match args {
        [] => Some(unbounded(Vm::current()?)),
        [min, max] => {
            let (min, max) = (min.as_int()?, max.as_int()?);
            between_quick(min.min(max), min.max(max))
        }
        _ => None,
    }),
    FnDef::new("mt_getrandmax(): int", mt_getrandmax),
    FnDef::new("getrandmax(): int", mt_getrandmax),
    FnDef::new("random_bytes(int $length): string", random_bytes),
    FnDef::new("random_int(int $min, int $max): int", random_int),
    FnDef::new(
        "#[\\Deprecated(since: '8.4', message: 'use \\Random\\Randomizer::getFloat() instead')] lcg_value(): float",
        lcg_value,
    ),
];

fn mt_srand(call: &mut Call<'_>) -> PhpResult<Val> {
    const MT_RAND_PHP: i64 = 1;
    let mode = if call.int(1) == MT_RAND_PHP {
        call.vm.raise(phlox_runtime::Level::Deprecated, b"The MT_RAND_PHP variant of Mt19937 is deprecated")?;
        MtMode::Legacy
    } else {
        MtMode::Mt19937
    };
    let seed = call.opt_int(0).map_or_else(engine::random_seed, |seed| seed as u32);
    engine::seed_default(call.vm, seed, mode);
    Ok(Val::NULL)
}

/// A number between the bounds, scaled as the generator's mode wants.
fn between(vm: &Vm, min: i64, max: i64) -> PhpResult<Val> {
    engine::with_default(vm, |engine| {
        if engine.mode == MtMode::Mt19937 {
            return engine::range(vm, engine, min, max).map(Val::int);
        }
        Ok(Val::int(engine::badly_scaled(engine.next(), min, max)))
    })
}

/// This generator does not fail.
fn between_quick(min: i64, max: i64) -> Option<Val> {
    if max < min { None } else { between(Vm::current()?, min, max).ok() }
}

fn unbounded(vm: &Vm) -> Val {
    Val::int(engine::with_default(vm, |engine| engine.next() >> 1) as i64)
}

fn check_both_bounds(call: &Call<'_>) -> PhpResult<()> {
    if call.passed == 1 {
        let text = [call.func.name.as_bytes(), b"() expects exactly 2 arguments, 1 given"].concat();
        return Err(call.vm.throw(Thrown::ArgumentCountError, &text));
    }
    Ok(())
}

fn mt_rand(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.passed == 0 {
        return Ok(unbounded(call.vm));
    }
    check_both_bounds(call)?;
    let (min, max) = (call.int(0), call.int(1));
    if max < min {
        return Err(call.value_error(1, "must be greater than or equal to argument #1 ($min)"));
    }
    between(call.vm, min, max)
}

fn rand(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.passed == 0 {
        return Ok(unbounded(call.vm));
    }
    check_both_bounds(call)?;
    let (min, max) = (call.int(0), call.int(1));
    between(call.vm, min.min(max), min.max(max))
}

fn mt_getrandmax(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(engine::MT_RAND_MAX))
}

fn random_bytes(call: &mut Call<'_>) -> PhpResult<Val> {
    let length = call.int(0);
    if length < 1 {
        return Err(call.value_error(0, "must be greater than 0"));
    }
    engine::secure_string(call.vm, length as usize).map(Val::from)
}

fn random_int(call: &mut Call<'_>) -> PhpResult<Val> {
    let (min, max) = (call.int(0), call.int(1));
    if min > max {
        return Err(call.value_error(0, "must be less than or equal to argument #2 ($max)"));
    }
    if min == max {
        return Ok(Val::int(min));
    }
    Ok(Val::int(engine::range(call.vm, &mut Secure, min, max)?))
}

/// The two registers of the combined linear congruential generator.
#[derive(Default)]
struct Lcg {
    registers: Cell<Option<(i32, i32)>>,
}

/// `a * (value mod q) - r * (value / q)`, kept positive (Schrage's method).
fn lcg_step(value: i32, q: i32, a: i32, r: i32, modulus: i32) -> i32 {
    let next = a * (value % q) - r * (value / q);
    if next < 0 { next + modulus } else { next }
}

fn lcg_value(call: &mut Call<'_>) -> PhpResult<Val> {
    let lcg = call.vm.data::<Lcg>("random.lcg");
    let positive = |seed: u32| (seed >> 1).max(1) as i32;
    let seeds = lcg.registers.get();
    let (first, second) = seeds.unwrap_or_else(|| (positive(engine::random_seed()), positive(engine::random_seed())));
    let first = lcg_step(first, 53668, 40014, 12211, 2_147_483_563);
    let second = lcg_step(second, 52774, 40692, 3791, 2_147_483_399);
    lcg.registers.set(Some((first, second)));
    let difference = first.wrapping_sub(second);
    let combined = if difference < 1 { difference.wrapping_add(2_147_483_562) } else { difference };
    Ok(Val::double(combined as f64 * 4.656_613e-10))
}
