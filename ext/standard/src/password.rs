//! Password hashing: `crypt` in its six formats, `password_hash` and its relatives (bcrypt and Argon2).

pub mod argon;
mod salted;

use phlox_runtime::{Call, ConstValue, FnDef, PhpArr, PhpResult, Throw, Val, View, convert};
use pwhash::{bcrypt, bsdi_crypt, unix_crypt};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("crypt(#[\\SensitiveParameter] string $string, string $salt): string", crypt),
    FnDef::new("password_get_info(string $hash): array", password_get_info),
    FnDef::new(
        "password_hash(#[\\SensitiveParameter] string $password, string|int|null $algo, array $options = []): string",
        password_hash,
    ),
    FnDef::new(
        "password_needs_rehash(string $hash, string|int|null $algo, array $options = []): bool",
        password_needs_rehash,
    ),
    FnDef::new("password_verify(#[\\SensitiveParameter] string $password, string $hash): bool", password_verify),
    FnDef::new("password_algos(): array", password_algos),
];

const COST: i64 = 12;

pub const CONSTANTS: &[(&str, ConstValue)] = &[
    ("PASSWORD_DEFAULT", ConstValue::Str("2y")),
    ("PASSWORD_BCRYPT", ConstValue::Str("2y")),
    ("PASSWORD_BCRYPT_DEFAULT_COST", ConstValue::Int(COST)),
    ("CRYPT_SALT_LENGTH", ConstValue::Int(123)),
    ("CRYPT_STD_DES", ConstValue::Int(1)),
    ("CRYPT_EXT_DES", ConstValue::Int(1)),
    ("CRYPT_MD5", ConstValue::Int(1)),
    ("CRYPT_BLOWFISH", ConstValue::Int(1)),
    ("CRYPT_SHA256", ConstValue::Int(1)),
    ("CRYPT_SHA512", ConstValue::Int(1)),
];

/// The letters that salts are written with.
fn are_letters(text: &[u8]) -> bool {
    text.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'/'))
}

/// The hash, in the format that the salt (or an earlier hash) names. `None`: the salt is malformed.
fn hash(password: &[u8], salt: &[u8]) -> Option<Vec<u8>> {
    // Password and salt end at their first NUL byte, as C's strings do.
    let [password, salt] = [password, salt].map(|text| text.split(|&byte| byte == 0).next().unwrap_or(text));
    match salt {
        [b'*', b'0' | b'1', ..] => None,
        [b'$', b'1', b'$', rest @ ..] => Some(salted::md5(password, rest)),
        [b'$', b'5', b'$', rest @ ..] => salted::sha256(password, rest),
        [b'$', b'6', b'$', rest @ ..] => salted::sha512(password, rest),
        _ => hash_with_letters(password, salt).map(String::into_bytes),
    }
}

/// The formats whose salts have letters only.
#[expect(deprecated, reason = "old hashes must go on to verify")]
fn hash_with_letters(password: &[u8], salt: &[u8]) -> Option<String> {
    let text = |length: usize| std::str::from_utf8(salt.get(..length)?).ok();
    match salt {
        [b'$', b'2', b'a' | b'x' | b'y', b'$', digits @ ..] if digits.len() >= 25 && are_letters(&digits[3..25]) => {
            bcrypt::hash_with(text(29)?, password).ok()
        }
        [b'$', ..] => None,
        [b'_', letters @ ..] if letters.len() >= 8 && are_letters(&letters[..8]) => {
            bsdi_crypt::hash_with(text(9)?, password).ok()
        }
        [b'_', ..] => None,
        [first, second, ..] if !are_letters(&[*first, *second]) => None,
        _ => unix_crypt::hash_with(text(2)?, password).ok(),
    }
}

fn crypt(call: &mut Call<'_>) -> PhpResult<Val> {
    const SALT_MAX: usize = 123;
    let (password, salt) = (call.str(0), call.str(1));
    let salt = &salt[..salt.len().min(SALT_MAX)];
    Ok(match hash(&password, salt) {
        Some(hash) => hash.into(),
        // The result for a failure must differ from the salt, or it would verify.
        None if salt.starts_with(b"*0") => "*1".into(),
        None => "*0".into(),
    })
}

fn is_bcrypt(hash: &[u8]) -> bool {
    hash.len() == 60 && hash.starts_with(b"$2y$")
}

fn cost_of(hash: &[u8]) -> i64 {
    let digits = hash[4..].split(|&b| b == b'$').next().unwrap_or(&[]);
    crate::variables::parse_int(digits, 10)
}

/// The variant of Argon2 that the argument names.
fn names_argon(call: &Call<'_>, index: usize) -> Option<&'static str> {
    match call.arg(index).view() {
        View::Int(2) => Some("argon2i"),
        View::Int(3) => Some("argon2id"),
        View::Str(name) => argon::named(name),
        _ => None,
    }
}

/// Is the argument the default algorithm?
fn names_bcrypt(call: &Call<'_>, index: usize) -> bool {
    match call.arg(index).view() {
        View::Null | View::Undef | View::Int(0 | 1) => true,
        View::Str(name) => name.as_bytes() == b"2y",
        _ => false,
    }
}

fn invalid_algorithm(call: &Call<'_>) -> Throw {
    call.value_error(1, "must be a valid password hashing algorithm")
}

fn cost_option(call: &Call<'_>, index: usize) -> PhpResult<i64> {
    match call.arr(index).get_bytes(b"cost") {
        Some(cost) => convert::to_int(call.vm, cost),
        None => Ok(COST),
    }
}

fn password_hash(call: &mut Call<'_>) -> PhpResult<Val> {
    const SALT_LETTERS: &[u8; 64] = b"./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let password = call.str(0);
    if let Some(name) = names_argon(call, 1) {
        return argon::hash(call, name, &password);
    }
    if !names_bcrypt(call, 1) {
        return Err(invalid_algorithm(call));
    }
    if password.contains(&0) {
        return Err(call.vm.throw_value_error(b"Bcrypt password must not contain null character"));
    }
    let cost = cost_option(call, 2)?;
    if !(4..=31).contains(&cost) {
        let text = format!("Invalid bcrypt cost parameter specified: {cost}");
        return Err(call.vm.throw_value_error(text.as_bytes()));
    }
    if call.arr(2).get_bytes(b"salt").is_some() {
        call.warning("The \"salt\" option has been ignored, since providing a custom salt is no longer supported")?;
    }
    let mut random = [0u8; 22];
    phlox_ext_random::engine::secure_bytes(call.vm, &mut random)?;
    let mut salt: Vec<u8> = random.iter().map(|byte| SALT_LETTERS[(byte & 63) as usize]).collect();
    // Only 128 bits count: the last letter stands for two of them.
    salt[21] = b".Oeu"[(random[21] & 3) as usize];
    let setting = [format!("$2y${cost:02}$").as_bytes(), &salt].concat();
    match hash(&password, &setting) {
        Some(hash) => Ok(hash.into()),
        None => Err(call.vm.throw_error(b"Password hashing failed for unknown reason")),
    }
}

fn password_verify(call: &mut Call<'_>) -> PhpResult<Val> {
    let (password, expected) = (call.str(0), call.str(1));
    if let Some(name) = argon::maker(&expected) {
        return Ok(argon::both(name, &password, &expected).is_some_and(|(a, b)| equal(&a, &b)).into());
    }
    let Some(actual) = hash(&password, &expected).filter(|_| expected.len() >= 13) else { return Ok(Val::FALSE) };
    Ok(equal(&actual, &expected).into())
}

/// Compares every byte, so that the time does not depend on where the texts differ.
fn equal(a: &[u8], b: &[u8]) -> bool {
    let difference = a.iter().zip(b).fold(0, |difference, (a, b)| difference | a ^ b);
    a.len() == b.len() && difference == 0
}

fn password_get_info(call: &mut Call<'_>) -> PhpResult<Val> {
    let hash = call.str(0);
    let mut options = PhpArr::new();
    let (algorithm, name) = if is_bcrypt(&hash) {
        options.set_bytes(b"cost", Val::int(cost_of(&hash)));
        (Val::from("2y"), "bcrypt")
    } else if let Some(name) = argon::maker(&hash) {
        options = argon::Costs::of_hash(&hash).shown();
        (Val::from(name), name)
    } else {
        (Val::NULL, "unknown")
    };
    let mut info = PhpArr::new();
    info.set_bytes(b"algo", algorithm);
    info.set_bytes(b"algoName", name.into());
    info.set_bytes(b"options", options.into());
    Ok(info.into())
}

fn password_needs_rehash(call: &mut Call<'_>) -> PhpResult<Val> {
    let hash = call.str(0);
    if let Some(name) = names_argon(call, 1) {
        let wanted = argon::Costs::of_options(call, 2)?;
        return Ok((argon::maker(&hash) != Some(name) || argon::Costs::of_hash(&hash) != wanted).into());
    }
    // For an algorithm that is not known no hash needs to be renewed.
    if !names_bcrypt(call, 1) {
        return Ok(Val::FALSE);
    }
    Ok(Val::bool(!is_bcrypt(&hash) || cost_of(&hash) != cost_option(call, 2)?))
}

fn password_algos(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(["2y", "argon2i", "argon2id"].map(Val::from).into_iter().collect::<PhpArr>().into())
}
