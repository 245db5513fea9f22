//! `crypt` with MD5 and SHA-2: many rounds over a password and a salt, which may have any bytes.

use md5::{Digest, Md5};
use sha2::{Sha256, Sha512};

/// Rounds that the SHA formats accept.
const SHA_ROUNDS: std::ops::RangeInclusive<u64> = 1_000..=999_999_999;
const SHA_ROUNDS_DEFAULT: u64 = 5_000;
const MD5_ROUNDS: usize = 1_000;
const MD5_SALT_MAX: usize = 8;
const SHA_SALT_MAX: usize = 16;

const LETTERS: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Appends three bytes, the highest one first, as letters; the letters of the lowest bits come first.
fn put(out: &mut Vec<u8>, bytes: [u8; 3], letters: usize) {
    let mut bits = u32::from_be_bytes([0, bytes[0], bytes[1], bytes[2]]);
    for _ in 0..letters {
        out.push(LETTERS[(bits & 63) as usize]);
        bits >>= 6;
    }
}

/// The salt's part of a setting whose prefix is gone.
fn salt_of(setting: &[u8], longest: usize) -> &[u8] {
    let end = setting.iter().position(|&byte| byte == b'$').unwrap_or(setting.len());
    &setting[..end.min(longest)]
}

fn digest<D: Digest>(parts: &[&[u8]]) -> Vec<u8> {
    let mut hash = D::new();
    parts.iter().for_each(|part| hash.update(part));
    hash.finalize().to_vec()
}

/// `$1$`; the setting stands without it.
pub fn md5(password: &[u8], setting: &[u8]) -> Vec<u8> {
    let salt = salt_of(setting, MD5_SALT_MAX);
    let other = digest::<Md5>(&[password, salt, password]);
    let mut hash = Md5::new();
    [password, b"$1$", salt].iter().for_each(|part| hash.update(part));
    hash.update(cycled(&other, password.len()));
    let mut left = password.len();
    while left > 0 {
        // The original algorithm was meant to use bytes of the other hash here, but had cleared them by then.
        hash.update(if left & 1 == 1 { &b"\0"[..] } else { &password[..1] });
        left >>= 1;
    }
    let mut last = hash.finalize().to_vec();
    for round in 0..MD5_ROUNDS {
        last = digest::<Md5>(&parts_of(round, password, salt, &last));
    }
    let mut out = [b"$1$", salt, b"$"].concat();
    for at in 0..5 {
        put(&mut out, [last[at], last[at + 6], last[if at == 4 { 5 } else { at + 12 }]], 4);
    }
    put(&mut out, [0, 0, last[11]], 2);
    out
}

/// The parts that are hashed in a round: the last result, and in most rounds password and salt.
fn parts_of<'a>(round: usize, password: &'a [u8], salt: &'a [u8], last: &'a [u8]) -> [&'a [u8]; 4] {
    let (first, end) = if round % 2 == 1 { (password, last) } else { (last, password) };
    let unless = |every: usize, part: &'a [u8]| if round.is_multiple_of(every) { &[][..] } else { part };
    [first, unless(3, salt), unless(7, password), end]
}

/// `count` bytes, taken from the beginning again when `bytes` are used up.
fn cycled(bytes: &[u8], count: usize) -> Vec<u8> {
    bytes.iter().copied().cycle().take(count).collect()
}

/// The rounds that a setting of SHA names, whether it names any, and its salt. `None` if the number of rounds is out of
/// range.
fn rounds_of(setting: &[u8]) -> Option<(u64, bool, &[u8])> {
    let plain = Some((SHA_ROUNDS_DEFAULT, false, setting));
    let Some(text) = setting.strip_prefix(b"rounds=") else { return plain };
    let Some(end) = text.iter().position(|&byte| byte == b'$') else { return plain };
    let text = text[..end].trim_ascii_start();
    let digits = text.strip_prefix(b"+").unwrap_or(text);
    if !digits.iter().all(u8::is_ascii_digit) {
        return plain;
    }
    let rounds = std::str::from_utf8(digits).ok()?.parse().ok().filter(|rounds| SHA_ROUNDS.contains(rounds))?;
    Some((rounds, true, &setting[setting.iter().position(|&byte| byte == b'$')? + 1..]))
}

/// The beginning of the result, up to the hash, and the hash.
fn sha<D: Digest>(prefix: &[u8], password: &[u8], setting: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let (rounds, is_named, rest) = rounds_of(setting)?;
    let salt = salt_of(rest, SHA_SALT_MAX);
    let other = digest::<D>(&[password, salt, password]);
    let mut hash = D::new();
    [password, salt, &cycled(&other, password.len())].iter().for_each(|part| hash.update(part));
    let mut left = password.len();
    while left > 0 {
        hash.update(if left & 1 == 1 { &other } else { password });
        left >>= 1;
    }
    let mut last = hash.finalize().to_vec();
    // The rounds use hashes of password and salt in place of these, with their lengths.
    let repeated = |part: &[u8], times: usize| cycled(&digest::<D>(&vec![part; times]), part.len());
    let own_password = repeated(password, password.len());
    let own_salt = repeated(salt, 16 + usize::from(last[0]));
    for round in 0..rounds as usize {
        last = digest::<D>(&parts_of(round, &own_password, &own_salt, &last));
    }
    let named = if is_named { format!("rounds={rounds}$") } else { String::new() };
    Some(([prefix, named.as_bytes(), salt, b"$"].concat(), last))
}

/// A byte of each third of a hash, which change their places from one group to the next.
fn group_of(hash: &[u8], group: usize, third: usize, turn: usize) -> [u8; 3] {
    let first = group * turn % 3;
    [first, first + 1, first + 2].map(|place| hash[group + place % 3 * third])
}

/// `$5$`; the setting stands without it. `None`: it is malformed.
pub fn sha256(password: &[u8], setting: &[u8]) -> Option<Vec<u8>> {
    let (mut out, hash) = sha::<Sha256>(b"$5$", password, setting)?;
    (0..10).for_each(|group| put(&mut out, group_of(&hash, group, 10, 2), 4));
    put(&mut out, [0, hash[31], hash[30]], 3);
    Some(out)
}

/// `$6$`; the setting stands without it. `None`: it is malformed.
pub fn sha512(password: &[u8], setting: &[u8]) -> Option<Vec<u8>> {
    let (mut out, hash) = sha::<Sha512>(b"$6$", password, setting)?;
    (0..21).for_each(|group| put(&mut out, group_of(&hash, group, 21, 1), 4));
    put(&mut out, [0, 0, hash[63]], 2);
    Some(out)
}
