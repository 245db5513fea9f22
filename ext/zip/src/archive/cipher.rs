//! The methods of encryption: PKWARE's own of 1990, and AES as WinZip uses it.

use super::error::{Code, Result, ZipError};
use super::header::encryption;
use aes::cipher::generic_array::GenericArray;
use aes::cipher::{BlockEncrypt, KeyInit};
use hmac::{Hmac, Mac};
use sha1::Sha1;

/// Bytes before data that is encrypted by PKWARE's method.
pub const PKWARE_HEAD: usize = 12;
/// Bytes behind data that is encrypted by AES: a part of its authentication code.
pub const CODE_SIZE: usize = 10;
/// Bytes by which a password is checked before data is decrypted by AES.
const CHECK_SIZE: usize = 2;
const BLOCK: usize = 16;
const ROUNDS: u32 = 1000;

/// Can data be encrypted and decrypted by a method? No encryption is one.
pub fn is_supported(method: u16) -> bool {
    use encryption::{AES_128, AES_192, AES_256, NONE, PKWARE};
    matches!(method, NONE | PKWARE | AES_128 | AES_192 | AES_256)
}

/// The keys of PKWARE's method.
pub struct Keys([u32; 3]);

impl Keys {
    /// The keys that a password makes.
    pub fn new(password: &[u8]) -> Keys {
        let mut keys = Keys([0x1234_5678, 0x2345_6789, 0x3456_7890]);
        password.iter().for_each(|&byte| keys.update(byte));
        keys
    }

    fn update(&mut self, byte: u8) {
        let [first, second, third] = &mut self.0;
        *first = next_crc(*first, byte);
        *second = second.wrapping_add(*first & 0xff).wrapping_mul(134_775_813).wrapping_add(1);
        *third = next_crc(*third, (*second >> 24) as u8);
    }

    fn mask(&self) -> u8 {
        let low = u32::from(self.0[2] as u16 | 2);
        (low.wrapping_mul(low ^ 1) >> 8) as u8
    }

    /// Encrypts data in its place.
    pub fn encrypt(&mut self, data: &mut [u8]) {
        for byte in data {
            let mask = self.mask();
            self.update(*byte);
            *byte ^= mask;
        }
    }

    /// Decrypts data in its place.
    pub fn decrypt(&mut self, data: &mut [u8]) {
        for byte in data {
            *byte ^= self.mask();
            self.update(*byte);
        }
    }
}

/// One step of CRC-32 without its inversions.
fn next_crc(crc: u32, byte: u8) -> u32 {
    TABLE[usize::from(crc as u8 ^ byte)] ^ crc >> 8
}

static TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let (mut value, mut bit) = (index as u32, 0);
        while bit < 8 {
            value = if value & 1 != 0 { 0xedb8_8320 ^ value >> 1 } else { value >> 1 };
            bit += 1;
        }
        table[index] = value;
        index += 1;
    }
    table
};

enum Key {
    Bits128(aes::Aes128),
    Bits192(aes::Aes192),
    Bits256(aes::Aes256),
}

/// AES in counter mode, with HMAC-SHA1 over the encrypted data.
pub struct Aes {
    key: Key,
    mac: Hmac<Sha1>,
    counter: u64,
    pad: [u8; BLOCK],
    used: usize,
    /// Bytes by which a password is checked.
    pub check: [u8; CHECK_SIZE],
}

/// The size of a method's salt, in bytes.
pub fn salt_size(method: u16) -> usize {
    match method {
        encryption::AES_128 => 8,
        encryption::AES_192 => 12,
        _ => 16,
    }
}

/// Bytes before data that is encrypted by AES: the salt and what the password is checked by.
pub fn aes_head(method: u16) -> usize {
    salt_size(method) + CHECK_SIZE
}

impl Aes {
    /// The cipher of a password and a salt of the method's size.
    ///
    /// # Errors
    /// `Invalid` for an empty password or another method.
    pub fn new(method: u16, password: &[u8], salt: &[u8]) -> Result<Aes> {
        if password.is_empty() {
            return Err(Code::Invalid.into());
        }
        let size = salt_size(method) * 2;
        let mut made = [0; 2 * 32 + CHECK_SIZE];
        let made = &mut made[..2 * size + CHECK_SIZE];
        pbkdf2::pbkdf2_hmac::<Sha1>(password, salt, ROUNDS, made);
        let (key, rest) = made.split_at(size);
        let invalid = |_| ZipError::from(Code::Invalid);
        let key = match method {
            encryption::AES_128 => Key::Bits128(aes::Aes128::new_from_slice(key).map_err(invalid)?),
            encryption::AES_192 => Key::Bits192(aes::Aes192::new_from_slice(key).map_err(invalid)?),
            encryption::AES_256 => Key::Bits256(aes::Aes256::new_from_slice(key).map_err(invalid)?),
            _ => return Err(Code::Invalid.into()),
        };
        let mac = <Hmac<Sha1> as Mac>::new_from_slice(&rest[..size]).map_err(|_| ZipError::from(Code::Invalid))?;
        let check = [rest[size], rest[size + 1]];
        Ok(Aes { key, mac, counter: 0, pad: [0; BLOCK], used: BLOCK, check })
    }

    fn apply(&mut self, data: &mut [u8]) {
        for byte in data {
            if self.used == BLOCK {
                self.counter = self.counter.wrapping_add(1);
                let mut block = [0; BLOCK];
                block[..8].copy_from_slice(&self.counter.to_le_bytes());
                let block_in = GenericArray::from_mut_slice(&mut block);
                match &self.key {
                    Key::Bits128(key) => key.encrypt_block(block_in),
                    Key::Bits192(key) => key.encrypt_block(block_in),
                    Key::Bits256(key) => key.encrypt_block(block_in),
                }
                (self.pad, self.used) = (block, 0);
            }
            *byte ^= self.pad[self.used];
            self.used += 1;
        }
    }

    /// Encrypts data in its place.
    pub fn encrypt(&mut self, data: &mut [u8]) {
        self.apply(data);
        self.mac.update(data);
    }

    /// Decrypts data in its place.
    pub fn decrypt(&mut self, data: &mut [u8]) {
        self.mac.update(data);
        self.apply(data);
    }

    /// The authentication code, as far as archives have it.
    pub fn code(&self) -> [u8; CODE_SIZE] {
        let whole = self.mac.clone().finalize().into_bytes();
        std::array::from_fn(|index| whole[index])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encrypted_is_decrypted() {
        let text = b"a text that is longer than a block of the cipher".to_vec();
        let mut data = text.clone();
        Keys::new(b"secret").encrypt(&mut data);
        assert_ne!(data, text);
        Keys::new(b"secret").decrypt(&mut data);
        assert_eq!(data, text);
        for method in [encryption::AES_128, encryption::AES_192, encryption::AES_256] {
            let salt = vec![7; salt_size(method)];
            let (mut one, mut two) = match (Aes::new(method, b"secret", &salt), Aes::new(method, b"secret", &salt)) {
                (Ok(one), Ok(two)) => (one, two),
                _ => panic!("the method is known"),
            };
            one.encrypt(&mut data);
            two.decrypt(&mut data);
            assert_eq!((&data, one.code()), (&text, two.code()));
        }
    }
}
