//! Ciphers: encryption and decryption of data that is complete, and envelopes.

use crate::handle::owner;
use crate::key::Key;
use crate::{Failed, Outcome, c_text, length, passed, start, sys};
use std::ffi::{CStr, c_int};
use std::ptr;

owner!(Context(sys::CipherCtx), sys::EVP_CIPHER_CTX_free);

const GCM: i32 = 6;
const CCM: i32 = 7;
const WRAP: i32 = 0x10002;
const OCB: i32 = 0x10003;
const CHACHA20_POLY1305: i32 = 1018;
const SET_IV_LENGTH: i32 = 9;
const GET_TAG: i32 = 0x10;
const SET_TAG: i32 = 0x11;
/// libcrypto's limits. Buffers have at least this room.
const LARGEST_BLOCK: usize = 32;
const LARGEST_IV: usize = 16;

/// A cipher of libcrypto's table, which lives as long as the process.
#[derive(Clone, Copy)]
pub struct Cipher(*const sys::Cipher);

impl Cipher {
    /// The cipher with a name or alias; `None` if libcrypto knows none.
    pub fn named(name: &[u8]) -> Option<Cipher> {
        start();
        let name = c_text(name);
        Cipher::find(&name)
    }

    fn find(name: &CStr) -> Option<Cipher> {
        // SAFETY: the name ends with NUL; entries of the table are never freed.
        let raw = unsafe { sys::EVP_get_cipherbyname(name.as_ptr()) };
        (!raw.is_null()).then_some(Cipher(raw))
    }

    pub(crate) fn raw(self) -> *const sys::Cipher {
        self.0
    }

    /// The length of the initialisation vector in bytes.
    pub fn iv_length(self) -> usize {
        // SAFETY: `EVP_CIPHER_get_iv_length` reads an entry of libcrypto's table, which is never freed.
        unsafe { sys::EVP_CIPHER_get_iv_length(self.0) }.max(0) as usize
    }

    /// The length of the key in bytes.
    pub fn key_length(self) -> usize {
        // SAFETY: `EVP_CIPHER_get_key_length` reads an entry of libcrypto's table, which is never freed.
        unsafe { sys::EVP_CIPHER_get_key_length(self.0) }.max(0) as usize
    }

    fn block_size(self) -> usize {
        // SAFETY: `EVP_CIPHER_get_block_size` reads an entry of libcrypto's table, which is never freed.
        (unsafe { sys::EVP_CIPHER_get_block_size(self.0) }.max(1) as usize).max(LARGEST_BLOCK)
    }

    fn mode(self) -> i32 {
        // SAFETY: `EVP_CIPHER_get_mode` reads an entry of libcrypto's table, which is never freed.
        unsafe { sys::EVP_CIPHER_get_mode(self.0) }
    }

    /// Whether the cipher authenticates data by a tag.
    pub fn is_aead(self) -> bool {
        // SAFETY: `EVP_CIPHER_get_nid` reads an entry of libcrypto's table, which is never freed.
        matches!(self.mode(), GCM | CCM | OCB) || unsafe { sys::EVP_CIPHER_get_nid(self.0) } == CHACHA20_POLY1305
    }

    /// Whether the cipher needs the length of the data beforehand, and checks the tag before it gives any data.
    pub fn is_single_run(self) -> bool {
        self.mode() == CCM
    }

    /// Whether the length of the tag must be set before the key.
    pub fn wants_tag_length(self, encrypting: bool) -> bool {
        self.mode() == OCB || encrypting && self.mode() == CCM
    }
}

/// One encryption or decryption. The key is set last, and the data is passed at once.
pub struct CipherRun {
    context: Context,
    cipher: Cipher,
    encrypt: c_int,
    iv_length: usize,
    key_length: usize,
}

impl CipherRun {
    /// A run without key and initialisation vector.
    pub fn new(cipher: Cipher, encrypting: bool) -> Outcome<CipherRun> {
        let encrypt = encrypting as c_int;
        // SAFETY: the context is new; null pointers leave key and initialisation vector unset.
        let context = unsafe {
            let context = Context::own(sys::EVP_CIPHER_CTX_new())?;
            let null = ptr::null_mut();
            passed(sys::EVP_CipherInit_ex(context.raw(), cipher.0, null, ptr::null(), ptr::null(), encrypt))?;
            context
        };
        let (iv_length, key_length) = (cipher.iv_length(), cipher.key_length());
        Ok(CipherRun { context, cipher, encrypt, iv_length, key_length })
    }

    /// Sets the length of the initialisation vector of an AEAD cipher.
    pub fn set_iv_length(&mut self, size: usize) -> Outcome<()> {
        let number = i32::try_from(size).map_err(|_| Failed)?;
        // SAFETY: the command takes a number and no pointer.
        passed(unsafe { sys::EVP_CIPHER_CTX_ctrl(self.context.raw(), SET_IV_LENGTH, number, ptr::null_mut()) })?;
        self.iv_length = size;
        Ok(())
    }

    /// Sets the length of the tag.
    pub fn set_tag_length(&mut self, size: i32) -> Outcome<()> {
        // SAFETY: without a pointer the command sets the length only.
        passed(unsafe { sys::EVP_CIPHER_CTX_ctrl(self.context.raw(), SET_TAG, size, ptr::null_mut()) })
    }

    /// Sets the tag that a decryption has to find.
    pub fn set_tag(&mut self, tag: &[u8]) -> Outcome<()> {
        let (size, mut tag) = (length(tag)?, tag.to_vec());
        // SAFETY: the size is that of the tag, which the context copies.
        passed(unsafe { sys::EVP_CIPHER_CTX_ctrl(self.context.raw(), SET_TAG, size, tag.as_mut_ptr().cast()) })
    }

    /// Sets the length of the key of a cipher that allows several.
    pub fn set_key_length(&mut self, size: usize) -> Outcome<()> {
        let number = i32::try_from(size).map_err(|_| Failed)?;
        // SAFETY: `self` owns the context; the function takes a number and no pointer.
        passed(unsafe { sys::EVP_CIPHER_CTX_set_key_length(self.context.raw(), number) })?;
        self.key_length = size;
        Ok(())
    }

    /// Sets key and initialisation vector. Missing bytes are zero.
    pub fn set_key(&mut self, key: &[u8], iv: &[u8]) -> Outcome<()> {
        let padded = |bytes: &[u8], size: usize| {
            let mut bytes = bytes.to_vec();
            bytes.resize(bytes.len().max(size), 0);
            bytes
        };
        let (key, iv) = (padded(key, self.key_length), padded(iv, self.iv_length.max(LARGEST_IV)));
        let context = self.context.raw();
        // SAFETY: both buffers have at least as many bytes as the context reads.
        passed(unsafe {
            sys::EVP_CipherInit_ex(context, ptr::null(), ptr::null_mut(), key.as_ptr(), iv.as_ptr(), self.encrypt)
        })
    }

    /// Switches the padding of the last block off.
    pub fn without_padding(&mut self) {
        // SAFETY: `self` owns the context; the function takes a number and no pointer.
        unsafe { sys::EVP_CIPHER_CTX_set_padding(self.context.raw(), 0) };
    }

    /// Announces the length of the data.
    pub fn announce(&mut self, size: usize) -> Outcome<()> {
        let (size, mut done) = (i32::try_from(size).map_err(|_| Failed)?, 0);
        // SAFETY: without buffers the function only records the length.
        passed(unsafe { sys::EVP_CipherUpdate(self.context.raw(), ptr::null_mut(), &mut done, ptr::null(), size) })
    }

    /// Adds data that is authenticated but not encrypted.
    pub fn authenticate(&mut self, data: &[u8]) -> Outcome<()> {
        let (size, mut done) = (length(data)?, 0);
        // SAFETY: the size is that of the data; without a target nothing is written.
        passed(unsafe { sys::EVP_CipherUpdate(self.context.raw(), ptr::null_mut(), &mut done, data.as_ptr(), size) })
    }

    /// Processes the data. The part that completes the last block comes from [`CipherRun::finish`].
    pub fn update(&mut self, data: &[u8]) -> Outcome<Vec<u8>> {
        let size = length(data)?;
        let extra = if self.cipher.mode() == WRAP { 2 } else { 1 };
        let mut out = vec![0; data.len() + extra * self.cipher.block_size()];
        let mut done = 0;
        // SAFETY: the size is that of the data; the buffer has room for it and for the blocks that padding and
        // wrapping add.
        passed(unsafe { sys::EVP_CipherUpdate(self.context.raw(), out.as_mut_ptr(), &mut done, data.as_ptr(), size) })?;
        out.truncate(done.max(0) as usize);
        Ok(out)
    }

    /// Appends the last block. Fails if a decryption finds wrong padding or a wrong tag.
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Outcome<()> {
        let mut last = vec![0; self.cipher.block_size()];
        let mut done = 0;
        // SAFETY: the buffer has room for a block.
        passed(unsafe { sys::EVP_CipherFinal_ex(self.context.raw(), last.as_mut_ptr(), &mut done) })?;
        out.extend_from_slice(&last[..done.max(0) as usize]);
        Ok(())
    }

    /// The tag of the encrypted data.
    pub fn tag(&mut self, size: usize) -> Outcome<Vec<u8>> {
        let mut tag = vec![0; size.max(LARGEST_BLOCK)];
        let number = i32::try_from(size).map_err(|_| Failed)?;
        // SAFETY: the buffer has room for the bytes that are asked for.
        passed(unsafe { sys::EVP_CIPHER_CTX_ctrl(self.context.raw(), GET_TAG, number, tag.as_mut_ptr().cast()) })?;
        tag.truncate(size);
        Ok(tag)
    }
}

/// Data that is encrypted with a random key, and that key encrypted for each recipient.
pub struct Sealed {
    /// The encrypted data.
    pub data: Vec<u8>,
    /// The encrypted key for each recipient.
    pub keys: Vec<Vec<u8>>,
    /// The initialisation vector.
    pub iv: Vec<u8>,
}

/// Encrypts data so that each of the private keys can decrypt it.
pub fn seal(cipher: Cipher, keys: &[Key], data: &[u8]) -> Outcome<Sealed> {
    let size = length(data)?;
    let count = i32::try_from(keys.len()).map_err(|_| Failed)?;
    let mut public: Vec<_> = keys.iter().map(Key::raw).collect();
    let mut encrypted: Vec<Vec<u8>> = keys.iter().map(|key| vec![0; key.size() + 1]).collect();
    let mut places: Vec<_> = encrypted.iter_mut().map(|key| key.as_mut_ptr()).collect();
    let mut sizes = vec![0; keys.len()];
    let mut iv = vec![0; cipher.iv_length().max(LARGEST_IV)];
    let mut out = vec![0; data.len() + 2 * cipher.block_size()];
    let (mut first, mut last) = (0, 0);
    // SAFETY: each pointer has room for its key's size; the arrays have `count` entries; the buffer has two blocks
    // more than the data.
    unsafe {
        let context = Context::own(sys::EVP_CIPHER_CTX_new())?;
        let raw = context.raw();
        let (keys, sizes) = (places.as_mut_ptr(), sizes.as_mut_ptr());
        passed(sys::EVP_SealInit(raw, cipher.0, keys, sizes, iv.as_mut_ptr(), public.as_mut_ptr(), count))?;
        passed(sys::EVP_CipherUpdate(raw, out.as_mut_ptr(), &mut first, data.as_ptr(), size))?;
        passed(sys::EVP_SealFinal(raw, out.as_mut_ptr().add(first.max(0) as usize), &mut last))?;
    }
    out.truncate((first + last).max(0) as usize);
    for (key, size) in encrypted.iter_mut().zip(&sizes) {
        key.truncate((*size).max(0) as usize);
    }
    iv.truncate(cipher.iv_length());
    Ok(Sealed { data: out, keys: encrypted, iv })
}

/// Decrypts data that was sealed for a key. Fails if the initialisation vector is too short.
pub fn open(cipher: Cipher, key: &Key, encrypted_key: &[u8], iv: Option<&[u8]>, data: &[u8]) -> Outcome<Vec<u8>> {
    if iv.is_some_and(|iv| iv.len() < cipher.iv_length()) {
        return Err(Failed);
    }
    let (size, key_size) = (length(data)?, length(encrypted_key)?);
    let iv = iv.map_or(ptr::null(), <[u8]>::as_ptr);
    let mut out = vec![0; data.len() + 2 * cipher.block_size()];
    let (mut first, mut last) = (0, 0);
    // SAFETY: the initialisation vector has at least the cipher's length; the buffer has two blocks more than the
    // data.
    unsafe {
        let context = Context::own(sys::EVP_CIPHER_CTX_new())?;
        let raw = context.raw();
        passed(sys::EVP_OpenInit(raw, cipher.0, encrypted_key.as_ptr(), key_size, iv, key.raw()))?;
        passed(sys::EVP_CipherUpdate(raw, out.as_mut_ptr(), &mut first, data.as_ptr(), size))?;
        passed(sys::EVP_OpenFinal(raw, out.as_mut_ptr().add(first.max(0) as usize), &mut last))?;
    }
    out.truncate((first + last).max(0) as usize);
    Ok(out)
}
