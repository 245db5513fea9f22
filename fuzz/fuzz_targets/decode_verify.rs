//! Any bytes are answered by the decoder; any decoded unit is answered by the verifier and, if accepted, survives
//! both forms. Seeds: encode the units of `tests/hhbc/valid`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phlox_hhbc::{assemble, decode, disassemble, encode, verify};

fuzz_target!(|body: &[u8]| {
    let Ok(unit) = decode(&sealed(body)) else { return };
    if verify::check(&unit).is_err() {
        return;
    }
    assert_eq!(decode(&encode(&unit).expect("a verified unit has a binary form")).as_ref(), Ok(&unit));
    assert_eq!(assemble(&disassemble(&unit)).as_ref(), Ok(&unit));
});

/// The body with a header that makes the decoder look at it.
fn sealed(body: &[u8]) -> Vec<u8> {
    let sum = body
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let mut file = b"PHBC\x01\x00".to_vec();
    file.extend_from_slice(&sum.to_le_bytes());
    file.extend_from_slice(body);
    file
}
