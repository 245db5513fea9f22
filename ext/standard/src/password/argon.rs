//! Argon2i and Argon2id for `password_hash` (RFC 9106), in the form `$argon2id$v=19$m=..,t=..,p=..$salt$hash`.

use argon2::{Algorithm, Argon2, Params, Version};
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use phlox_runtime::{Call, ConstValue, PhpArr, PhpResult, Val, convert};
use std::ops::RangeInclusive;

pub const CONSTANTS: &[(&str, ConstValue)] = &[
    ("PASSWORD_ARGON2I", ConstValue::Str("argon2i")),
    ("PASSWORD_ARGON2ID", ConstValue::Str("argon2id")),
    ("PASSWORD_ARGON2_DEFAULT_MEMORY_COST", ConstValue::Int(DEFAULT.memory)),
    ("PASSWORD_ARGON2_DEFAULT_TIME_COST", ConstValue::Int(DEFAULT.time)),
    ("PASSWORD_ARGON2_DEFAULT_THREADS", ConstValue::Int(DEFAULT.threads)),
    ("PASSWORD_ARGON2_PROVIDER", ConstValue::Str("standard")),
];

/// The costs of computing a hash.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Costs {
    /// Memory in KiB.
    memory: i64,
    time: i64,
    threads: i64,
}

const DEFAULT: Costs = Costs { memory: 64 << 10, time: 4, threads: 1 };
const MEMORY: RangeInclusive<i64> = 8..=u32::MAX as i64;
const TIME: RangeInclusive<i64> = 1..=u32::MAX as i64;
const THREADS: RangeInclusive<i64> = 1..=0xFF_FFFF;
const SALT_BYTES: usize = 16;
const HASH_BYTES: usize = 32;

/// The algorithm of a name.
pub fn named(name: &[u8]) -> Option<&'static str> {
    ["argon2i", "argon2id"].into_iter().find(|known| known.as_bytes() == name)
}

/// The algorithm that made a hash.
pub fn maker(hash: &[u8]) -> Option<&'static str> {
    let end = 1 + hash.strip_prefix(b"$")?.iter().position(|&byte| byte == b'$')?;
    named(&hash[1..end])
}

fn algorithm(name: &str) -> Algorithm {
    if name == "argon2i" { Algorithm::Argon2i } else { Algorithm::Argon2id }
}

impl Costs {
    /// The costs that the options name, or the error about one outside of its range.
    pub fn of_options(call: &Call<'_>, index: usize) -> PhpResult<Costs> {
        let options = call.arr(index);
        let option = |name: &[u8], default: i64| match options.get_bytes(name) {
            Some(value) => convert::to_int(call.vm, &value.deref()),
            None => Ok(default),
        };
        let costs = Costs {
            memory: option(b"memory_cost", DEFAULT.memory)?,
            time: option(b"time_cost", DEFAULT.time)?,
            threads: option(b"threads", DEFAULT.threads)?,
        };
        let refused = if !MEMORY.contains(&costs.memory) {
            "Memory cost is outside of allowed memory range"
        } else if !TIME.contains(&costs.time) {
            "Time cost is outside of allowed time range"
        } else if !THREADS.contains(&costs.threads) {
            "Invalid number of threads"
        } else {
            return Ok(costs);
        };
        Err(call.vm.throw_value_error(refused.as_bytes()))
    }

    /// The costs that a hash names; the defaults where it names none.
    pub fn of_hash(hash: &[u8]) -> Costs {
        parse(hash).map_or(DEFAULT, |parsed| parsed.costs)
    }

    /// The costs as the options of `password_get_info()`.
    pub fn shown(self) -> PhpArr {
        let mut options = PhpArr::new();
        for (name, value) in [("memory_cost", self.memory), ("time_cost", self.time), ("threads", self.threads)] {
            options.set_bytes(name.as_bytes(), Val::int(value));
        }
        options
    }
}

/// The parts of a hash's text.
struct Parsed {
    costs: Costs,
    salt: Vec<u8>,
    hash: Vec<u8>,
}

fn parse(text: &[u8]) -> Option<Parsed> {
    let mut parts = std::str::from_utf8(text).ok()?.split('$').skip(2);
    if parts.next()? != "v=19" {
        return None;
    }
    let mut costs = parts.next()?.split(',');
    let mut cost = |name: &str| costs.next()?.strip_prefix(name)?.strip_prefix('=')?.parse().ok();
    let costs = Costs { memory: cost("m")?, time: cost("t")?, threads: cost("p")? };
    let mut bytes = || STANDARD_NO_PAD.decode(parts.next()?).ok();
    let (salt, hash) = (bytes()?, bytes()?);
    Some(Parsed { costs, salt, hash })
}

/// `None`: the library refuses the costs together, or the salt.
fn compute(name: &str, password: &[u8], salt: &[u8], costs: Costs, length: usize) -> Option<Vec<u8>> {
    let cost = |cost: i64| u32::try_from(cost).ok();
    let params = Params::new(cost(costs.memory)?, cost(costs.time)?, cost(costs.threads)?, Some(length)).ok()?;
    let mut out = vec![0; length];
    let argon = Argon2::new(algorithm(name), Version::V0x13, params);
    argon.hash_password_into(password, salt, &mut out).ok()?;
    Some(out)
}

/// `password_hash()` with an Argon2 algorithm.
pub fn hash(call: &Call<'_>, name: &str, password: &[u8]) -> PhpResult<Val> {
    let costs = Costs::of_options(call, 2)?;
    if costs.memory < 8 * costs.threads {
        return Err(call.vm.throw_value_error(b"Memory cost is too small"));
    }
    let mut salt = [0; SALT_BYTES];
    phlox_ext_random::engine::secure_bytes(call.vm, &mut salt)?;
    let Some(hash) = compute(name, password, &salt, costs, HASH_BYTES) else {
        return Err(call.vm.throw_value_error(b"Password hashing failed for unknown reason"));
    };
    let (salt, hash) = (STANDARD_NO_PAD.encode(salt), STANDARD_NO_PAD.encode(hash));
    let Costs { memory, time, threads } = costs;
    Ok(format!("${name}$v=19$m={memory},t={time},p={threads}${salt}${hash}").into())
}

/// The raw hash of a password computed with the salt and costs of an expected hash, and the expected raw hash.
pub fn both(name: &str, password: &[u8], expected: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let Parsed { costs, salt, hash } = parse(expected)?;
    Some((compute(name, password, &salt, costs, hash.len())?, hash))
}
