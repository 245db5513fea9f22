//! Addresses and names of hosts.

use crate::flags::*;

pub fn ipv4(text: &[u8]) -> Option<[u16; 4]> {
    let mut parts = [0; 4];
    let mut rest = text.split(|&byte| byte == b'.');
    for part in &mut parts {
        let digits = rest.next().filter(|digits| (1..=3).contains(&digits.len()))?;
        let leading_zero = digits.len() > 1 && digits[0] == b'0';
        if leading_zero || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        *part = digits.iter().fold(0, |value, digit| value * 10 + (digit - b'0') as u16);
        if *part > 255 {
            return None;
        }
    }
    rest.next().is_none().then_some(parts)
}

pub fn ipv6(text: &[u8]) -> Option<[u16; 8]> {
    let text = std::str::from_utf8(text).ok()?;
    let address: std::net::Ipv6Addr = text.parse().ok()?;
    // An address of version 4 at the end must be one by the rules above, too, and then all of it counts as a mapped one.
    match text.rsplit_once(':').filter(|(_, tail)| tail.contains('.')) {
        Some((_, tail)) => {
            let [a, b, c, d] = ipv4(tail.as_bytes())?;
            Some([0, 0, 0, 0, 0, 0xFFFF, a << 8 | b, c << 8 | d])
        }
        None => Some(address.segments()),
    }
}

/// What the registries of special addresses say about one.
struct Status {
    global: bool,
    reserved: bool,
    private: bool,
}

const RESERVED: Status = Status { global: false, reserved: true, private: false };
const PRIVATE: Status = Status { global: false, reserved: false, private: true };
const GLOBAL: Status = Status { global: true, reserved: false, private: false };
const LOCAL: Status = Status { global: false, reserved: false, private: false };

/// `None`: the address is in no special block.
fn status_of_ipv4(ip: [u16; 4]) -> Option<Status> {
    Some(match ip {
        [0, ..] | [127, ..] | [169, 254, ..] | [240..=u16::MAX, ..] => RESERVED,
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => PRIVATE,
        [192, 88, 99, _] => GLOBAL,
        [100, 64..=127, ..] | [192, 0, 0 | 2, _] | [198, 18..=19, ..] | [198, 51, 100, _] | [203, 0, 113, _] => LOCAL,
        _ => return None,
    })
}

fn status_of_ipv6(ip: [u16; 8]) -> Option<Status> {
    Some(match ip {
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] | [0, 0, 0, 0, 0, 0xFFFF, ..] | [0xFE80..=0xFEBF, ..] => RESERVED,
        [0x64, 0xFF9B, ..] => GLOBAL,
        [0xFC00..=0xFDFF, ..] => PRIVATE,
        [0x100, 0, 0, 0, ..] | [0x2001, 0..=0x1FF | 0xDB8, ..] | [0x2002, ..] => LOCAL,
        _ => return None,
    })
}

pub fn is_ip(text: &[u8], flags: i64) -> bool {
    let is_v6 = text.contains(&b':');
    let versions = flags & (IPV4 | IPV6);
    if (versions == IPV4 && is_v6) || (versions == IPV6 && !is_v6) {
        return false;
    }
    let status = if is_v6 { ipv6(text).map(status_of_ipv6) } else { ipv4(text).map(status_of_ipv4) };
    match status {
        None => false,
        Some(None) => true,
        Some(Some(status)) => {
            !(flags & GLOBAL_RANGE != 0 && !status.global
                || flags & NO_PRIV_RANGE != 0 && status.private
                || flags & NO_RES_RANGE != 0 && status.reserved)
        }
    }
}

/// Labels between points; those of a hostname are letters, digits and hyphens.
pub fn is_domain(text: &[u8], hostname: bool) -> bool {
    let text = text.strip_suffix(b".").unwrap_or(text);
    if text.len() > 253 {
        return false;
    }
    if text.is_empty() {
        return !hostname;
    }
    text.split(|&byte| byte == b'.').all(|label| {
        let (Some(first), Some(last)) = (label.first(), label.last()) else { return false };
        let spelled = label.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
        label.len() <= 63 && (!hostname || (spelled && first.is_ascii_alphanumeric() && last.is_ascii_alphanumeric()))
    })
}

/// `None`: no address; else what separates its parts.
pub fn mac_separator(text: &[u8]) -> Option<u8> {
    let (groups, width, separator) = match (text.len(), text.get(2)) {
        (14, _) => (3, 4, b'.'),
        (17, Some(separator @ (b'-' | b':'))) => (6, 2, *separator),
        _ => return None,
    };
    let mut parts = text.split(|&byte| byte == separator);
    let valid = |part: &[u8]| part.len() == width && part.iter().all(u8::is_ascii_hexdigit);
    let well_formed = (0..groups).all(|_| parts.next().is_some_and(valid));
    (well_formed && parts.next().is_none()).then_some(separator)
}

/// Characters that the name of a mailbox has outside quotes.
fn is_atom_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte)
}

/// A word of the local part: an atom, or text in quotes.
fn is_word(word: &str, unicode: bool) -> bool {
    if let Some(quoted) = word.strip_prefix('"') {
        let Some(inner) = quoted.strip_suffix('"') else { return false };
        let mut characters = inner.chars();
        while let Some(character) = characters.next() {
            let valid = match character {
                '\\' => characters.next().is_some_and(|next| next.is_ascii()),
                '"' | '\0' | '\n' | '\r' | '\t' | ' ' => false,
                other => other.is_ascii() || (unicode && other.is_alphanumeric()),
            };
            if !valid {
                return false;
            }
        }
        return true;
    }
    let valid = |character: char| match u8::try_from(character) {
        Ok(byte) if byte.is_ascii() => is_atom_byte(byte),
        _ => unicode && character.is_alphanumeric(),
    };
    !word.is_empty() && word.chars().all(valid)
}

/// Splits at points outside quotes.
fn words(local: &str) -> Vec<&str> {
    let mut list = Vec::new();
    let (mut start, mut quoted, mut escaped) = (0, false, false);
    for (at, character) in local.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = quoted,
            '"' => quoted = !quoted,
            '.' if !quoted => {
                list.push(&local[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    list.push(&local[start..]);
    list
}

/// Is it an address of mail that can be routed: a local part, and a domain of two labels or more or an IP address?
pub fn is_email(text: &[u8], unicode: bool) -> bool {
    let Ok(text) = std::str::from_utf8(text) else { return false };
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    if text.len() > 254 || local.chars().count() > 64 || !words(local).into_iter().all(|word| is_word(word, unicode)) {
        return false;
    }
    if let Some(literal) = domain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return match literal.strip_prefix("IPv6:") {
            Some(address) => ipv6(address.as_bytes()).is_some(),
            None => ipv4(literal.as_bytes()).is_some(),
        };
    }
    let labels: Vec<&str> = domain.split('.').collect();
    let is_label = |label: &&str| {
        let spelled = |character: char| character.is_ascii_alphanumeric() || character == '-';
        (1..=63).contains(&label.len())
            && label.chars().all(spelled)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let top_is_number = labels.last().is_some_and(|label| label.bytes().all(|byte| byte.is_ascii_digit()));
    labels.len() >= 2 && labels.iter().all(is_label) && !top_is_number
}
