//! Ciphers: one run over data that is all there, and envelopes.

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
/// The library's limits; buffers have at least as much room.
const LARGEST_BLOCK: usize = 32;
const LARGEST_IV: usize = 16;

/// A cipher of the library's table, which lives as long as the program.
#[derive(Clone, Copy)]
pub struct Cipher(*const sys::Cipher);

impl Cipher {
    pub fn named(name: &[u8]) -> Option<Cipher> {
        start();
        let name = c_text(name);
        Cipher::find(&name)
    }

    fn find(name: &CStr) -> Option<Cipher> {
        // SAFETY: the name ends with NUL; the table's entries are never freed.
        let raw = unsafe { sys::EVP_get_cipherbyname(name.as_ptr()) };
        (!raw.is_null()).then_some(Cipher(raw))
    }

    pub(crate) fn raw(self) -> *const sys::Cipher {
        self.0
    }

    pub fn iv_length(self) -> usize {
        // SAFETY: the entry is alive.
        unsafe { sys::EVP_CIPHER_get_iv_length(self.0) }.max(0) as usize
    }

    pub fn key_length(self) -> usize {
        // SAFETY: the entry is alive.
        unsafe { sys::EVP_CIPHER_get_key_length(self.0) }.max(0) as usize
    }

    fn block_size(self) -> usize {
        // SAFETY: the entry is alive.
        (unsafe { sys::EVP_CIPHER_get_block_size(self.0) }.max(1) as usize).max(LARGEST_BLOCK)
    }

    fn mode(self) -> i32 {
        // SAFETY: the entry is alive.
        unsafe { sys::EVP_CIPHER_get_mode(self.0) }
    }

    /// Does it authenticate, with a tag?
    pub fn is_aead(self) -> bool {
        // SAFETY: the entry is alive.
        matches!(self.mode(), GCM | CCM | OCB) || unsafe { sys::EVP_CIPHER_get_nid(self.0) } == CHACHA20_POLY1305
    }

    /// Does it need the length of the data beforehand, and check the tag before it gives anything?
    pub fn is_single_run(self) -> bool {
        self.mode() == CCM
    }

    /// Does the length of the tag have to be set before the key?
    pub fn wants_tag_length(self, encrypting: bool) -> bool {
        self.mode() == OCB || encrypting && self.mode() == CCM
    }
}

/// One encryption or decryption. The key is set last; data is passed once.
pub struct CipherRun {
    context: Context,
    cipher: Cipher,
    encrypt: c_int,
    iv_length: usize,
    key_length: usize,
}

impl CipherRun {
    pub fn new(cipher: Cipher, encrypting: bool) -> Outcome<CipherRun> {
        let encrypt = encrypting as c_int;
        // SAFETY: a new context, without key and IV for now.
        let context = unsafe {
            let context = Context::own(sys::EVP_CIPHER_CTX_new())?;
            let null = ptr::null_mut();
            passed(sys::EVP_CipherInit_ex(context.raw(), cipher.0, null, ptr::null(), ptr::null(), encrypt))?;
            context
        };
        let (iv_length, key_length) = (cipher.iv_length(), cipher.key_length());
        Ok(CipherRun { context, cipher, encrypt, iv_length, key_length })
    }

    /// Sets the length of an AEAD cipher's IV.
    pub fn set_iv_length(&mut self, size: usize) -> Outcome<()> {
        let number = i32::try_from(size).map_err(|_| Failed)?;
        // SAFETY: this command takes a number.
        passed(unsafe { sys::EVP_CIPHER_CTX_ctrl(self.context.raw(), SET_IV_LENGTH, number, ptr::null_mut()) })?;
        self.iv_length = size;
        Ok(())
    }

    pub fn set_tag_length(&mut self, size: i32) -> Outcome<()> {
        // SAFETY: without a tag this command sets the length.
        passed(unsafe { sys::EVP_CIPHER_CTX_ctrl(self.context.raw(), SET_TAG, size, ptr::null_mut()) })
    }

    /// The tag that has to come out.
    pub fn set_tag(&mut self, tag: &[u8]) -> Outcome<()> {
        let (size, mut tag) = (length(tag)?, tag.to_vec());
        // SAFETY: the tag goes with its size and is copied.
        passed(unsafe { sys::EVP_CIPHER_CTX_ctrl(self.context.raw(), SET_TAG, size, tag.as_mut_ptr().cast()) })
    }

    pub fn set_key_length(&mut self, size: usize) -> Outcome<()> {
        let number = i32::try_from(size).map_err(|_| Failed)?;
        // SAFETY: takes a number.
        passed(unsafe { sys::EVP_CIPHER_CTX_set_key_length(self.context.raw(), number) })?;
        self.key_length = size;
        Ok(())
    }

    /// Key and IV; missing bytes are zero.
    pub fn set_key(&mut self, key: &[u8], iv: &[u8]) -> Outcome<()> {
        let padded = |bytes: &[u8], size: usize| {
            let mut bytes = bytes.to_vec();
            bytes.resize(bytes.len().max(size), 0);
            bytes
        };
        let (key, iv) = (padded(key, self.key_length), padded(iv, self.iv_length.max(LARGEST_IV)));
        let context = self.context.raw();
        // SAFETY: both have at least as many bytes as the context asks for.
        passed(unsafe {
            sys::EVP_CipherInit_ex(context, ptr::null(), ptr::null_mut(), key.as_ptr(), iv.as_ptr(), self.encrypt)
        })
    }

    pub fn without_padding(&mut self) {
        // SAFETY: takes a number.
        unsafe { sys::EVP_CIPHER_CTX_set_padding(self.context.raw(), 0) };
    }

    /// Tells how much data there will be.
    pub fn announce(&mut self, size: usize) -> Outcome<()> {
        let (size, mut done) = (i32::try_from(size).map_err(|_| Failed)?, 0);
        // SAFETY: without buffers this announces the length.
        passed(unsafe { sys::EVP_CipherUpdate(self.context.raw(), ptr::null_mut(), &mut done, ptr::null(), size) })
    }

    /// Data that is authenticated only.
    pub fn authenticate(&mut self, data: &[u8]) -> Outcome<()> {
        let (size, mut done) = (length(data)?, 0);
        // SAFETY: without a target nothing is written.
        passed(unsafe { sys::EVP_CipherUpdate(self.context.raw(), ptr::null_mut(), &mut done, data.as_ptr(), size) })
    }

    /// The data, without what only [`CipherRun::finish`] gives.
    pub fn update(&mut self, data: &[u8]) -> Outcome<Vec<u8>> {
        let size = length(data)?;
        let extra = if self.cipher.mode() == WRAP { 2 } else { 1 };
        let mut out = vec![0; data.len() + extra * self.cipher.block_size()];
        let mut done = 0;
        // SAFETY: the buffer has room for the data and the blocks that padding and wrapping add.
        passed(unsafe { sys::EVP_CipherUpdate(self.context.raw(), out.as_mut_ptr(), &mut done, data.as_ptr(), size) })?;
        out.truncate(done.max(0) as usize);
        Ok(out)
    }

    /// Adds the last block.
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Outcome<()> {
        let mut last = vec![0; self.cipher.block_size()];
        let mut done = 0;
        // SAFETY: the buffer has room for a block.
        passed(unsafe { sys::EVP_CipherFinal_ex(self.context.raw(), last.as_mut_ptr(), &mut done) })?;
        out.extend_from_slice(&last[..done.max(0) as usize]);
        Ok(())
    }

    /// The tag of what was encrypted.
    pub fn tag(&mut self, size: usize) -> Outcome<Vec<u8>> {
        let mut tag = vec![0; size.max(LARGEST_BLOCK)];
        let number = i32::try_from(size).map_err(|_| Failed)?;
        // SAFETY: the buffer has room for as many bytes as are asked for.
        passed(unsafe { sys::EVP_CIPHER_CTX_ctrl(self.context.raw(), GET_TAG, number, tag.as_mut_ptr().cast()) })?;
        tag.truncate(size);
        Ok(tag)
    }
}

/// Data under a random key, and that key for each recipient.
pub struct Sealed {
    pub data: Vec<u8>,
    pub keys: Vec<Vec<u8>>,
    pub iv: Vec<u8>,
}

/// Encrypts for all who have one of the private keys.
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
    // SAFETY: each place has room for its key's size; the arrays have `count` entries; the buffer has two more blocks.
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

/// Decrypts what was sealed for a key.
pub fn open(cipher: Cipher, key: &Key, encrypted_key: &[u8], iv: Option<&[u8]>, data: &[u8]) -> Outcome<Vec<u8>> {
    if iv.is_some_and(|iv| iv.len() < cipher.iv_length()) {
        return Err(Failed);
    }
    let (size, key_size) = (length(data)?, length(encrypted_key)?);
    let iv = iv.map_or(ptr::null(), <[u8]>::as_ptr);
    let mut out = vec![0; data.len() + 2 * cipher.block_size()];
    let (mut first, mut last) = (0, 0);
    // SAFETY: the IV has the cipher's length; the buffer has two blocks more than the data.
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
