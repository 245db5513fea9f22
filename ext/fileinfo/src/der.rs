//! Tests of values in the Distinguished Encoding Rules of ASN.1.

const TAGS: [&str; 37] = [
    "eoc",
    "bool",
    "int",
    "bit_str",
    "octet_str",
    "null",
    "obj_id",
    "obj_desc",
    "ext",
    "real",
    "enum",
    "embed",
    "utf8_str",
    "rel_oid",
    "time",
    "res2",
    "seq",
    "set",
    "num_str",
    "prt_str",
    "t61_str",
    "vid_str",
    "ia5_str",
    "utc_time",
    "gen_time",
    "gr_str",
    "vis_str",
    "gen_str",
    "univ_str",
    "char_str",
    "bmp_str",
    "date",
    "tod",
    "datetime",
    "duration",
    "oid-iri",
    "rel-oid-iri",
];

/// The longest text that a value is compared as.
const LONGEST: usize = 127;

fn tag(data: &[u8], at: &mut usize) -> Option<u32> {
    let first = u32::from(*data.get(*at)?) & 0x1f;
    *at += 1;
    if first != 0x1f {
        return Some(first);
    }
    let mut tag = first;
    loop {
        let byte = *data.get(*at)?;
        if byte < 0x80 {
            return Some(tag);
        }
        tag = tag.wrapping_mul(128).wrapping_add(u32::from(byte)).wrapping_sub(0x80);
        *at += 1;
    }
}

fn length(data: &[u8], at: &mut usize) -> Option<usize> {
    let first = *data.get(*at)?;
    *at += 1;
    let digits = usize::from(first & 0x7f);
    if *at + digits >= data.len() {
        return None;
    }
    if first & 0x80 == 0 {
        return Some(digits);
    }
    let length = data[*at..*at + digits].iter().fold(0usize, |length, &byte| length << 8 | usize::from(byte));
    *at += digits;
    let fits = length <= u32::MAX as usize - *at && *at + length <= data.len();
    fits.then_some(length)
}

/// Where a value's contents start, and how long they are.
pub fn place(data: &[u8]) -> Option<(usize, usize)> {
    let mut at = 0;
    tag(data, &mut at)?;
    let length = length(data, &mut at)?;
    Some((at, length))
}

/// A value's contents as the text that they are compared as.
fn contents(tag: u32, data: &[u8]) -> Vec<u8> {
    let mut text = match (tag, data) {
        (0x0c | 0x13 | 0x16, _) => crate::rule::until_nul(data).to_vec(),
        (0x17, [y1, y2, m1, m2, d1, d2, h1, h2, i1, i2, s1, s2, ..]) => {
            let parts =
                [b'2', b'0', *y1, *y2, b'-', *m1, *m2, b'-', *d1, *d2, b' ', *h1, *h2, b':', *i1, *i2, b':', *s1, *s2];
            [&parts[..], b" GMT"].concat()
        }
        _ => data.iter().take(LONGEST / 2).flat_map(|byte| format!("{byte:02x}").into_bytes()).collect(),
    };
    text.truncate(LONGEST);
    text
}

/// Compares the value at the start of the data with what a rule says of it: its tag, its length or its contents. Gives the
/// contents, if they were compared. `None`: it is another value, or none.
pub fn compare(data: &[u8], rule: &[u8]) -> Option<Option<Vec<u8>>> {
    let mut at = 0;
    let tag = tag(data, &mut at)?;
    let length = length(data, &mut at)?;
    let name = TAGS.get(tag as usize).map_or_else(|| format!("{tag:#x}"), |name| (*name).to_owned());
    let mut rest = rule.strip_prefix(name.as_bytes())?;
    loop {
        match rest.first() {
            None => return Some(None),
            Some(b'=') => break,
            Some(byte) if byte.is_ascii_digit() => {
                let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                let step = |wanted: usize, byte: &u8| wanted.wrapping_mul(10).wrapping_add(usize::from(byte - b'0'));
                if rest[..digits].iter().fold(0, step) != length {
                    return None;
                }
                rest = &rest[digits..];
            }
            Some(_) => return None,
        }
    }
    let wanted = &rest[1..];
    let text = contents(tag, data.get(at..at + length).unwrap_or_default());
    (wanted == text || wanted == b"x").then_some(Some(text))
}
