//! Signed public keys with a challenge (SPKAC).

use crate::handle::owner;
use crate::x509::string_bytes;
use crate::{Digest, Failed, Key, Outcome, c_text, length, passed, start, sys, taken};

owner!(
    /// A public key that its owner signed together with a challenge.
    pub Spki(sys::Spki),
    sys::NETSCAPE_SPKI_free
);

impl Spki {
    /// An empty, unsigned one.
    pub fn new() -> Outcome<Spki> {
        start();
        // SAFETY: the function has no preconditions; the object is new.
        unsafe { Spki::own(sys::NETSCAPE_SPKI_new()) }
    }

    /// Reads the text that [`Spki::encode`] writes.
    pub fn decode(text: &[u8]) -> Outcome<Spki> {
        start();
        let size = length(text)?;
        let text = c_text(text);
        if text.as_bytes().len() != size as usize {
            return Err(Failed);
        }
        // SAFETY: the size is that of the text, which has no NUL inside; the object is new.
        unsafe { Spki::own(sys::NETSCAPE_SPKI_b64_decode(text.as_ptr(), size)) }
    }

    /// The signed key in base 64.
    pub fn encode(&self) -> Option<Vec<u8>> {
        // SAFETY: `self` owns the object; libcrypto allocated the text for the caller.
        unsafe { taken(sys::NETSCAPE_SPKI_b64_encode(self.raw())) }
    }

    /// Sets the challenge.
    pub fn set_challenge(&self, challenge: &[u8]) -> Outcome<()> {
        let size = length(challenge)?;
        // SAFETY: the inner part belongs to `self`; the size is that of the bytes, which are copied.
        passed(unsafe { sys::ASN1_STRING_set((*(*self.raw()).spkac).challenge, challenge.as_ptr().cast(), size) })
    }

    /// The challenge.
    pub fn challenge(&self) -> Vec<u8> {
        // SAFETY: the inner part belongs to `self`.
        unsafe { string_bytes((*(*self.raw()).spkac).challenge) }
    }

    /// Sets the public key.
    pub fn set_key(&self, key: &Key) -> Outcome<()> {
        // SAFETY: `NETSCAPE_SPKI_set_pubkey` borrows the objects that `self` and `key` own.
        passed(unsafe { sys::NETSCAPE_SPKI_set_pubkey(self.raw(), key.raw()) })
    }

    /// The public key.
    pub fn key(&self) -> Outcome<Key> {
        // SAFETY: the inner part belongs to `self`; the result is a reference of the caller's own.
        unsafe { Key::own(sys::X509_PUBKEY_get((*(*self.raw()).spkac).key)) }
    }

    /// Signs the key and the challenge.
    pub fn sign(&self, key: &Key, digest: Digest) -> Outcome<()> {
        // SAFETY: `self` and `key` own their objects, which live through the call; the digest is an entry of
        // libcrypto's table.
        passed(unsafe { sys::NETSCAPE_SPKI_sign(self.raw(), key.raw(), digest.raw()) })
    }

    /// Whether the signature is that of a key.
    pub fn verify(&self, key: &Key) -> bool {
        // SAFETY: `NETSCAPE_SPKI_verify` borrows the objects that `self` and `key` own.
        unsafe { sys::NETSCAPE_SPKI_verify(self.raw(), key.raw()) > 0 }
    }
}
