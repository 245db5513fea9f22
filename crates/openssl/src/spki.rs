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
    pub fn new() -> Outcome<Spki> {
        start();
        // SAFETY: a new one.
        unsafe { Spki::own(sys::NETSCAPE_SPKI_new()) }
    }

    /// Reads what [`Spki::encode`] writes.
    pub fn decode(text: &[u8]) -> Outcome<Spki> {
        start();
        let size = length(text)?;
        let text = c_text(text);
        if text.as_bytes().len() != size as usize {
            return Err(Failed);
        }
        // SAFETY: the text goes with its size.
        unsafe { Spki::own(sys::NETSCAPE_SPKI_b64_decode(text.as_ptr(), size)) }
    }

    pub fn encode(&self) -> Option<Vec<u8>> {
        // SAFETY: the text is ours.
        unsafe { taken(sys::NETSCAPE_SPKI_b64_encode(self.raw())) }
    }

    pub fn set_challenge(&self, challenge: &[u8]) -> Outcome<()> {
        let size = length(challenge)?;
        // SAFETY: the inner part lives as long as this; the bytes are copied.
        passed(unsafe { sys::ASN1_STRING_set((*(*self.raw()).spkac).challenge, challenge.as_ptr().cast(), size) })
    }

    pub fn challenge(&self) -> Vec<u8> {
        // SAFETY: the inner part lives as long as this.
        unsafe { string_bytes((*(*self.raw()).spkac).challenge) }
    }

    pub fn set_key(&self, key: &Key) -> Outcome<()> {
        // SAFETY: both are alive.
        passed(unsafe { sys::NETSCAPE_SPKI_set_pubkey(self.raw(), key.raw()) })
    }

    pub fn key(&self) -> Outcome<Key> {
        // SAFETY: the key that comes out is ours.
        unsafe { Key::own(sys::X509_PUBKEY_get((*(*self.raw()).spkac).key)) }
    }

    pub fn sign(&self, key: &Key, digest: Digest) -> Outcome<()> {
        // SAFETY: all are alive.
        passed(unsafe { sys::NETSCAPE_SPKI_sign(self.raw(), key.raw(), digest.raw()) })
    }

    pub fn verify(&self, key: &Key) -> bool {
        // SAFETY: both are alive.
        unsafe { sys::NETSCAPE_SPKI_verify(self.raw(), key.raw()) > 0 }
    }
}
