//! The functions and the HashContext class.

use crate::algorithm::{ALGORITHMS, Algorithm, Hasher, Options, Takes, find};
use crate::saved;
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{
    Call, ConstValue, Edges, FnDef, Level, NativeClass, NativeData, PhpArr, PhpObj, PhpResult, PhpStr, Throw, Thrown,
    Val, Vm, convert,
};
use std::cell::RefCell;
use std::rc::Rc;

const HASH_HMAC: i64 = 1;

pub const CONSTANTS: &[(&str, ConstValue)] = &[("HASH_HMAC", ConstValue::Int(HASH_HMAC))];

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("hash(string $algo, string $data, bool $binary = false, array $options = []): string", hash),
    FnDef::new(
        "hash_hmac(string $algo, string $data, #[\\SensitiveParameter] string $key, bool $binary = false): string",
        hash_hmac,
    ),
    FnDef::new("hash_algos(): array", hash_algos),
    FnDef::new("hash_hmac_algos(): array", hash_hmac_algos),
    FnDef::new(
        "hash_equals(#[unchecked, \\SensitiveParameter] string $known_string, #[unchecked, \\SensitiveParameter] string $user_string): bool",
        hash_equals,
    ),
    FnDef::new(
        "hash_init(string $algo, int $flags = 0, #[\\SensitiveParameter] string $key = \"\", array $options = []): HashContext",
        hash_init,
    ),
    FnDef::new("hash_update(HashContext $context, string $data): true", hash_update),
    FnDef::new("hash_final(HashContext $context, bool $binary = false): string", hash_final),
    FnDef::new("hash_copy(HashContext $context): HashContext", hash_copy),
    FnDef::new(
        "hash_pbkdf2(string $algo, #[\\SensitiveParameter] string $password, string $salt, int $iterations, int $length = 0, bool $binary = false, array $options = []): string",
        hash_pbkdf2,
    ),
    FnDef::new(
        "hash_hkdf(string $algo, #[\\SensitiveParameter] string $key, int $length = 0, string $info = \"\", string $salt = \"\"): string",
        hash_hkdf,
    ),
];

/// A running hash.
pub struct Context {
    pub hasher: RefCell<Option<Box<dyn Hasher>>>,
    algorithm: &'static Algorithm,
    /// The outer padded key, with HMAC.
    outer: Option<Vec<u8>>,
}

impl NativeData for Context {
    fn trace(&self, _edges: &mut Edges) {}

    fn clear(&self) {}

    fn clone_data(&self) -> Option<Rc<dyn NativeData>> {
        let hasher = self.hasher.borrow().as_ref().map(|hasher| hasher.copy());
        Some(Rc::new(Context { hasher: RefCell::new(hasher), algorithm: self.algorithm, outer: self.outer.clone() }))
    }
}

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "HashContext",
    decl: include_str!("../stubs/HashContext.stub.php"),
    methods: &[
        ("__construct", |_| Ok(Val::NULL)),
        ("__serialize", serialize_context),
        ("__unserialize", unserialize_context),
        ("__debugInfo", debug_info),
    ],
    hooks: NativeHooks { needs_constructor: true, check_clone: Some(check_clone), ..NativeHooks::NONE },
}];

fn check_clone(vm: &Vm, object: &PhpObj) -> PhpResult<()> {
    let live = object.native::<Context>().is_some_and(|context| context.hasher.borrow().is_some());
    if live { Ok(()) } else { Err(vm.throw_value_error(b"Cannot clone a finalized HashContext")) }
}

fn refused(call: &Call<'_>, message: &str) -> Throw {
    call.vm.throw(Thrown::Exception, message.as_bytes())
}

const NO_HMAC: &str = "HashContext with HASH_HMAC option cannot be serialized";

fn serialize_context(call: &mut Call<'_>) -> PhpResult<Val> {
    let object = call.this().clone();
    let context = object.native::<Context>();
    if context.is_some_and(|context| context.outer.is_some()) {
        return Err(refused(call, NO_HMAC));
    }
    let saved = context.and_then(|context| {
        let raw = context.hasher.borrow().as_ref()?.save()?;
        Some((context.algorithm.name, saved::layout(context.algorithm)?, raw))
    });
    let Some((name, layout, raw)) = saved else {
        let name = context.map_or("", |context| context.algorithm.name);
        return Err(refused(call, &format!("HashContext for algorithm \"{name}\" cannot be serialized")));
    };
    let members = convert::object_properties(&object);
    let parts = [name.into(), Val::int(0), layout.write(&raw), Val::int(layout.magic), members.into()];
    Ok(parts.into_iter().collect::<PhpArr>().into())
}

fn unserialize_context(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.this().native::<Context>().is_some() {
        return Err(refused(call, "HashContext::__unserialize called on initialized object"));
    }
    let data = call.arr(0);
    let part = |index: i64| data.get_int(index).map(Val::deref);
    let name = part(0).and_then(Val::into_str);
    let (options, magic) = (part(1).and_then(|value| value.as_int()), part(3).and_then(|value| value.as_int()));
    let complete = part(4).is_some_and(|members| members.as_arr().is_some());
    let (Some(name), Some(options), Some(state), Some(magic), true) = (name, options, part(2), magic, complete) else {
        return Err(refused(call, "Incomplete or ill-formed serialization data"));
    };
    if options & HASH_HMAC != 0 {
        return Err(refused(call, NO_HMAC));
    }
    let Some(algorithm) = find(&name) else { return Err(refused(call, "Unknown hash algorithm")) };
    let Some(layout) = saved::layout(algorithm) else {
        let message = format!("Hash algorithm \"{}\" cannot be unserialized", algorithm.name);
        return Err(refused(call, &message));
    };
    // PHP's number for data that is not in its format at all.
    const UNKNOWN: i64 = -1;
    let read = match state.as_arr().filter(|_| magic == layout.magic) {
        Some(values) => layout.read(values),
        None => Err(UNKNOWN),
    };
    let mut hasher = algorithm.start();
    if let Err(code) = read.and_then(|raw| if hasher.load(&raw) { Ok(()) } else { Err(UNKNOWN) }) {
        let name = algorithm.name;
        let message = format!("Incomplete or ill-formed serialization data (\"{name}\" code {code})");
        return Err(refused(call, &message));
    }
    let context = Context { hasher: RefCell::new(Some(hasher)), algorithm, outer: None };
    call.this().set_native(Rc::new(context));
    Ok(Val::NULL)
}

fn debug_info(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut shown = PhpArr::new();
    if let Some(context) = call.this().native::<Context>() {
        shown.set_bytes(b"algo", context.algorithm.name.into());
    }
    Ok(shown.into())
}

/// A digest as the functions give it: its bytes, or hexadecimal digits.
pub fn text(digest: &[u8], binary: bool) -> Val {
    if binary {
        return Val::str(digest);
    }
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let hex = PhpStr::build(digest.len() * 2, |out| {
        for (pair, byte) in out.chunks_exact_mut(2).zip(digest) {
            pair.copy_from_slice(&[DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
        }
    });
    hex.into()
}

/// The algorithm that the first argument names, or the error about an unknown one.
pub fn algorithm(call: &Call<'_>, cryptographic: bool) -> PhpResult<&'static Algorithm> {
    match find(&call.str(0)).filter(|found| found.cryptographic || !cryptographic) {
        Some(found) => Ok(found),
        None if cryptographic => Err(call.value_error(0, "must be a valid cryptographic hashing algorithm")),
        None => Err(call.value_error(0, "must be a valid hashing algorithm")),
    }
}

/// Secrets of XXH3 have at least and at most so many bytes.
const SECRET_MIN: usize = 136;
const SECRET_MAX: usize = 256;

/// Seed and secret, as far as the algorithm has them.
pub fn options(call: &Call<'_>, index: usize, algorithm: &Algorithm) -> PhpResult<Options> {
    let given = call.arr(index);
    let mut options = Options::default();
    let (seed, secret) = (given.get_bytes(b"seed").map(Val::deref), given.get_bytes(b"secret").map(Val::deref));
    if algorithm.takes == Takes::Nothing {
        return Ok(options);
    }
    let name = algorithm.name;
    if algorithm.takes == Takes::Secret && seed.is_some() && secret.is_some() {
        let message = format!("{name}: Only one of seed or secret is to be passed for initialization");
        return Err(call.vm.throw_error(message.as_bytes()));
    }
    if let Some(seed) = seed {
        match seed.as_int() {
            Some(seed) => options.seed = seed as u64,
            None => {
                let why = match algorithm.takes {
                    Takes::Secret => "it is ignored",
                    _ => "it is the same as setting the seed to 0",
                };
                let message = format!("Passing a seed of a type other than int is deprecated because {why}");
                call.raise(Level::Deprecated, message.as_bytes())?;
            }
        }
    }
    if let Some(secret) = secret.filter(|_| algorithm.takes == Takes::Secret) {
        if secret.as_str().is_none() {
            let message = "Passing a secret of a type other than string is deprecated because it implicitly converts \
                           to a string, potentially hiding bugs";
            call.raise(Level::Deprecated, message.as_bytes())?;
        }
        let mut secret = convert::to_str(call.vm, &secret)?.to_vec();
        if secret.len() < SECRET_MIN {
            let length = secret.len();
            let message = format!("{name}: Secret length must be >= {SECRET_MIN} bytes, {length} bytes passed");
            return Err(call.vm.throw_error(message.as_bytes()));
        }
        if secret.len() > SECRET_MAX {
            secret.truncate(SECRET_MAX);
            call.warning(&format!("{name}: Secret content exceeding {SECRET_MAX} bytes discarded"))?;
        }
        options.secret = Some(secret);
    }
    Ok(options)
}

fn hash(call: &mut Call<'_>) -> PhpResult<Val> {
    let algorithm = algorithm(call, false)?;
    let digest = algorithm.digest_with(&options(call, 3, algorithm)?, &call.str(1));
    Ok(text(&digest, call.bool(2)))
}

fn hash_hmac(call: &mut Call<'_>) -> PhpResult<Val> {
    let digest = algorithm(call, true)?.hmac(&call.str(2), &call.str(1));
    Ok(text(&digest, call.bool(3)))
}

fn hash_algos(_call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(ALGORITHMS.iter().map(|found| Val::from(found.name)).collect::<PhpArr>().into())
}

fn hash_hmac_algos(_call: &mut Call<'_>) -> PhpResult<Val> {
    let names = ALGORITHMS.iter().filter(|found| found.cryptographic).map(|found| Val::from(found.name));
    Ok(names.collect::<PhpArr>().into())
}

/// Compares without stopping at the first difference.
fn hash_equals(call: &mut Call<'_>) -> PhpResult<Val> {
    for index in 0..2 {
        let value = call.arg(index);
        if value.as_str().is_none() {
            let given = convert::value_name(&value);
            return Err(call.type_error(index, &format!("must be of type string, {given} given")));
        }
    }
    let (known, user) = (call.str(0), call.str(1));
    if known.len() != user.len() {
        return Ok(Val::FALSE);
    }
    let difference = known.iter().zip(user.iter()).fold(0u8, |all, (a, b)| all | (a ^ b));
    Ok(Val::bool(difference == 0))
}

fn hash_init(call: &mut Call<'_>) -> PhpResult<Val> {
    let hmac = call.int(1) & HASH_HMAC != 0;
    let algorithm = algorithm(call, false)?;
    if hmac && !algorithm.cryptographic {
        return Err(call.value_error(0, "must be a cryptographic hashing algorithm if HMAC is requested"));
    }
    let key = call.str(2);
    if hmac && key.is_empty() {
        return Err(call.value_error(2, "must not be empty when HMAC is requested"));
    }
    let mut hasher = algorithm.start_with(&options(call, 3, algorithm)?);
    let outer = hmac.then(|| {
        let (inner, outer) = algorithm.hmac_pads(&key);
        hasher.update(&inner);
        outer
    });
    let class = call.vm.require_class(b"HashContext")?;
    let object = call.vm.instantiate(&class)?;
    object.set_native(Rc::new(Context { hasher: RefCell::new(Some(hasher)), algorithm, outer }));
    Ok(object.into())
}

/// The context argument; a finished one is refused.
pub fn context(call: &Call<'_>) -> PhpResult<PhpObj> {
    let object = call.opt_obj(0);
    let live = object.filter(|object| object.native::<Context>().is_some_and(|c| c.hasher.borrow().is_some()));
    live.ok_or_else(|| call.type_error(0, "must be a valid, non-finalized HashContext"))
}

fn hash_update(call: &mut Call<'_>) -> PhpResult<Val> {
    let object = context(call)?;
    if let Some(context) = object.native::<Context>()
        && let Some(hasher) = &mut *context.hasher.borrow_mut()
    {
        hasher.update(&call.str(1));
    }
    Ok(Val::TRUE)
}

fn hash_final(call: &mut Call<'_>) -> PhpResult<Val> {
    let object = context(call)?;
    let Some(context) = object.native::<Context>() else { return Ok(Val::FALSE) };
    let Some(hasher) = context.hasher.borrow_mut().take() else { return Ok(Val::FALSE) };
    let mut digest = hasher.finish();
    if let Some(outer) = &context.outer {
        digest = context.algorithm.digest(&[outer.clone(), digest].concat());
    }
    Ok(text(&digest, call.bool(1)))
}

fn hash_copy(call: &mut Call<'_>) -> PhpResult<Val> {
    let object = context(call)?;
    phlox_runtime::objects::clone_value(call.vm, &object.into(), None)
}

fn hash_pbkdf2(call: &mut Call<'_>) -> PhpResult<Val> {
    let algorithm = algorithm(call, true)?;
    let (password, salt, iterations, length) = (call.str(1), call.str(2), call.int(3), call.int(4));
    if iterations <= 0 {
        return Err(call.value_error(3, "must be greater than 0"));
    }
    if length < 0 {
        return Err(call.value_error(4, "must be greater than or equal to 0"));
    }
    let binary = call.bool(5);
    let digest_bytes = algorithm.digest(b"").len();
    let wanted = match (length, binary) {
        (0, _) => digest_bytes,
        (length, true) => length as usize,
        (length, false) => (length as usize).div_ceil(2),
    };
    phlox_runtime::room::require_room(wanted.saturating_mul(2));
    let mut key = Vec::with_capacity(wanted);
    let mut block = 1u32;
    while key.len() < wanted {
        let mut round = algorithm.hmac(&password, &[&salt[..], &block.to_be_bytes()].concat());
        let mut sum = round.clone();
        for _ in 1..iterations {
            round = algorithm.hmac(&password, &round);
            sum.iter_mut().zip(&round).for_each(|(a, b)| *a ^= b);
        }
        key.extend_from_slice(&sum);
        block = block.wrapping_add(1);
    }
    key.truncate(wanted);
    let shown = text(&key, binary);
    match shown.as_str() {
        Some(hex) if !binary && length > 0 => Ok(Val::str(&hex[..length as usize])),
        _ => Ok(shown),
    }
}

fn hash_hkdf(call: &mut Call<'_>) -> PhpResult<Val> {
    let algorithm = algorithm(call, true)?;
    let (key, length, info, salt) = (call.str(1), call.int(2), call.str(3), call.str(4));
    let digest_bytes = algorithm.digest(b"").len();
    if key.is_empty() {
        return Err(call.value_error(1, "must not be empty"));
    }
    if length < 0 {
        return Err(call.value_error(2, "must be greater than or equal to 0"));
    }
    if length as usize > digest_bytes * 255 {
        let message = format!("must be less than or equal to {}", digest_bytes * 255);
        return Err(call.value_error(2, &message));
    }
    let wanted = if length == 0 { digest_bytes } else { length as usize };
    let pseudo_random = algorithm.hmac(&salt, &key);
    let (mut output, mut previous, mut counter) = (Vec::new(), Vec::new(), 1u8);
    while output.len() < wanted {
        previous = algorithm.hmac(&pseudo_random, &[&previous[..], &info, &[counter]].concat());
        output.extend_from_slice(&previous);
        counter = counter.wrapping_add(1);
    }
    output.truncate(wanted);
    Ok(Val::str(&output))
}
