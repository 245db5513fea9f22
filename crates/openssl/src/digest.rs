//! Digests, signatures, and keys that are derived from passwords.

use crate::handle::owner;
use crate::key::Key;
use crate::{Failed, Outcome, c_text, length, passed, start, sys};
use std::ptr;

owner!(Context(sys::DigestCtx), sys::EVP_MD_CTX_free);

const LARGEST: usize = 64;

/// A digest of libcrypto's table, which lives as long as the process.
#[derive(Clone, Copy)]
pub struct Digest(*const sys::Digest);

impl Digest {
    /// The digest with a name or alias; `None` if libcrypto knows none.
    pub fn named(name: &[u8]) -> Option<Digest> {
        start();
        let name = c_text(name);
        // SAFETY: the name ends with NUL; entries of the table are never freed.
        let raw = unsafe { sys::EVP_get_digestbyname(name.as_ptr()) };
        (!raw.is_null()).then_some(Digest(raw))
    }

    /// The digest whose results are empty.
    pub fn null() -> Digest {
        // SAFETY: the function has no preconditions; the digest is a constant of libcrypto.
        Digest(unsafe { sys::EVP_md_null() })
    }

    pub(crate) fn raw(self) -> *const sys::Digest {
        self.0
    }

    /// The size of a result in bytes.
    pub fn size(self) -> usize {
        // SAFETY: `EVP_MD_get_size` reads an entry of libcrypto's table, which is never freed.
        unsafe { sys::EVP_MD_get_size(self.0) }.max(0) as usize
    }

    /// The digest of data.
    pub fn digest(self, data: &[u8]) -> Outcome<Vec<u8>> {
        let mut out = vec![0; LARGEST.max(self.size())];
        let mut size = 0;
        // SAFETY: the buffer has room for any digest; the size is that of the data.
        unsafe {
            let context = Context::own(sys::EVP_MD_CTX_new())?;
            passed(sys::EVP_DigestInit_ex(context.raw(), self.0, ptr::null_mut()))?;
            passed(sys::EVP_DigestUpdate(context.raw(), data.as_ptr().cast(), data.len()))?;
            passed(sys::EVP_DigestFinal_ex(context.raw(), out.as_mut_ptr(), &mut size))?;
        }
        out.truncate(size as usize);
        Ok(out)
    }
}

fn raw(digest: Option<Digest>) -> *const sys::Digest {
    digest.map_or(ptr::null(), Digest::raw)
}

impl Key {
    /// Signs data. Without a digest, that of the key is used.
    pub fn sign(&self, digest: Option<Digest>, data: &[u8]) -> Outcome<Vec<u8>> {
        // SAFETY: the first call asks for the size only, and the second writes at most that many bytes.
        unsafe {
            let context = Context::own(sys::EVP_MD_CTX_new())?;
            let null = ptr::null_mut();
            passed(sys::EVP_DigestSignInit(context.raw(), ptr::null_mut(), raw(digest), null, self.raw()))?;
            let mut size = 0;
            let (start, count) = (data.as_ptr(), data.len());
            passed(sys::EVP_DigestSign(context.raw(), ptr::null_mut(), &mut size, start, count))?;
            let mut signature = vec![0; size];
            passed(sys::EVP_DigestSign(context.raw(), signature.as_mut_ptr(), &mut size, start, count))?;
            signature.truncate(size);
            Ok(signature)
        }
    }

    /// Verifies the signature of data. libcrypto's number: 1 valid, 0 invalid, negative after an error.
    pub fn verify(&self, digest: Option<Digest>, signature: &[u8], data: &[u8]) -> i32 {
        // SAFETY: the sizes are those of signature and data.
        unsafe {
            let Ok(context) = Context::own(sys::EVP_MD_CTX_new()) else { return 0 };
            let null = ptr::null_mut();
            if sys::EVP_DigestVerifyInit(context.raw(), ptr::null_mut(), raw(digest), null, self.raw()) <= 0 {
                return 0;
            }
            sys::EVP_DigestVerify(context.raw(), signature.as_ptr(), signature.len(), data.as_ptr(), data.len())
        }
    }
}

/// A key of `size` bytes by PBKDF2 with HMAC.
pub fn pbkdf2(digest: Digest, password: &[u8], salt: &[u8], rounds: i32, size: usize) -> Outcome<Vec<u8>> {
    let mut key = vec![0; size];
    let key_size = i32::try_from(size).map_err(|_| Failed)?;
    let (password_size, salt_size) = (length(password)?, length(salt)?);
    // SAFETY: the sizes are those of password, salt and key.
    passed(unsafe {
        sys::PKCS5_PBKDF2_HMAC(
            password.as_ptr().cast(),
            password_size,
            salt.as_ptr(),
            salt_size,
            rounds,
            digest.0,
            key_size,
            key.as_mut_ptr(),
        )
    })?;
    Ok(key)
}
