//! Digests as upper-case hexadecimal text.

use md5::Digest;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

/// SHA-256.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&sha2::Sha256::digest(bytes))
}

/// MD5.
pub fn md5(bytes: &[u8]) -> String {
    hex(&md5::Md5::digest(bytes))
}
