//! Signed and encrypted messages: PKCS #7 and its successor CMS.

use crate::handle::{Items, owner};
use crate::x509::stack_of_certificates;
use crate::{Bio, Certificate, Certificates, Cipher, Failed, Key, Outcome, Store, passed, start, sys};
use std::ptr;

owner!(
    /// A message of PKCS #7.
    pub Pkcs7(sys::Pkcs7),
    sys::PKCS7_free
);
owner!(
    /// A message of CMS.
    pub Cms(sys::Cms),
    sys::CMS_ContentInfo_free
);

/// Flags that both kinds of messages have in common.
pub mod flags {
    /// The content is not part of a signed message.
    pub const DETACHED: i64 = 0x40;
    /// The content is not changed, not even its line ends.
    pub const BINARY: i64 = 0x80;
    /// The message is completed while it is written.
    pub const STREAM: i64 = 0x1000;
    /// The message is completed by a later call.
    pub const PARTIAL: i64 = 0x4000;
}

/// The encoding of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Der,
    Smime,
    Pem,
}

const SIGNED: i32 = 22;
const SIGNED_AND_ENVELOPED: i32 = 24;

fn raw_list(list: Option<&Certificates>) -> *mut sys::Stack {
    list.map_or(ptr::null_mut(), Certificates::raw)
}

fn raw_bio(bio: Option<&Bio<'_>>) -> *mut sys::Bio {
    bio.map_or(ptr::null_mut(), Bio::raw)
}

/// The certificates and the revocation lists of two stacks, each as PEM.
///
/// # Safety
/// The pointers are null, or stacks whose items are alive.
unsafe fn pem_of_all(certificates: *const sys::Stack, crls: *const sys::Stack) -> [Vec<Vec<u8>>; 2] {
    // SAFETY: the contract keeps the stacks and their items alive.
    unsafe {
        let certificates = stack_of_certificates(certificates);
        let certificates = certificates.iter().filter_map(|certificate| certificate.pem().ok()).collect();
        let mut lists = Vec::new();
        let count = if crls.is_null() { 0 } else { sys::OPENSSL_sk_num(crls) };
        for index in 0..count {
            let Ok(bio) = Bio::memory() else { continue };
            if sys::PEM_write_bio_X509_CRL(bio.raw(), sys::OPENSSL_sk_value(crls, index).cast()) > 0 {
                lists.push(bio.bytes());
            }
        }
        [certificates, lists]
    }
}

impl Pkcs7 {
    /// Reads an S/MIME message, and its content if that is detached.
    pub fn read_smime(bio: &Bio<'_>) -> Outcome<(Pkcs7, Option<Bio<'static>>)> {
        start();
        let mut content = ptr::null_mut();
        // SAFETY: `bio` owns its object; message and content are new, and their handles free them.
        unsafe {
            let message = sys::SMIME_read_PKCS7(bio.raw(), &mut content);
            let content = Bio::own(content).ok();
            Ok((Pkcs7::own(message)?, content))
        }
    }

    /// Reads a message from PEM.
    pub fn read_pem(bio: &Bio<'_>) -> Outcome<Pkcs7> {
        start();
        // SAFETY: `bio` owns its object; the message is new, and no password is asked for.
        unsafe { Pkcs7::own(sys::PEM_read_bio_PKCS7(bio.raw(), ptr::null_mut(), None, ptr::null_mut())) }
    }

    /// Writes the message as PEM.
    pub fn write_pem(&self, bio: &Bio<'_>) -> Outcome<()> {
        // SAFETY: `PEM_write_bio_PKCS7` borrows the objects that `self` and `bio` own.
        passed(unsafe { sys::PEM_write_bio_PKCS7(bio.raw(), self.raw()) })
    }

    /// Writes the message as S/MIME. `data` is the content if the message was made by streaming.
    pub fn write_smime(&self, bio: &Bio<'_>, data: &Bio<'_>, flags: i64) -> Outcome<()> {
        // SAFETY: all handles own their objects, which live through the call.
        passed(unsafe { sys::SMIME_write_PKCS7(bio.raw(), self.raw(), data.raw(), flags as i32) })
    }

    /// Verifies the signatures, and writes the content to `out`. `others` are further certificates of signers;
    /// `content` is a detached content.
    pub fn verify(
        &self,
        others: Option<&Certificates>,
        store: &Store,
        content: Option<&Bio<'_>>,
        out: Option<&Bio<'_>>,
        flags: i64,
    ) -> Outcome<()> {
        // SAFETY: all handles own their objects, which live through the call.
        passed(unsafe {
            let (content, out) = (raw_bio(content), raw_bio(out));
            sys::PKCS7_verify(self.raw(), raw_list(others), store.raw(), content, out, flags as i32)
        })
    }

    /// The certificates of the signers. `None`: they cannot be found.
    pub fn signers(&self, others: Option<&Certificates>, flags: i64) -> Option<Vec<Certificate>> {
        // SAFETY: the stack belongs to the caller; its items belong to the message and the list, which are borrowed.
        unsafe {
            let stack = Items::own(sys::PKCS7_get0_signers(self.raw(), raw_list(others), flags as i32))?;
            Some(stack_of_certificates(stack.raw()))
        }
    }

    /// Encrypts data for all recipients.
    pub fn encrypt(recipients: &Certificates, data: &Bio<'_>, cipher: Cipher, flags: i64) -> Outcome<Pkcs7> {
        start();
        // SAFETY: all handles own their objects, which live through the call; the message is new.
        unsafe { Pkcs7::own(sys::PKCS7_encrypt(recipients.raw(), data.raw(), cipher.raw(), flags as i32)) }
    }

    /// Signs data. `others` are certificates that are added to the message.
    pub fn sign(
        certificate: &Certificate,
        key: &Key,
        others: Option<&Certificates>,
        data: &Bio<'_>,
        flags: i64,
    ) -> Outcome<Pkcs7> {
        start();
        // SAFETY: all handles own their objects; the message is new, and keeps references of its own.
        unsafe {
            let others = raw_list(others);
            Pkcs7::own(sys::PKCS7_sign(certificate.raw(), key.raw(), others, data.raw(), flags as i32))
        }
    }

    /// Decrypts the message for a recipient, and writes the content to `out`.
    pub fn decrypt(&self, key: &Key, certificate: &Certificate, out: &Bio<'_>, flags: i64) -> Outcome<()> {
        // SAFETY: all handles own their objects, which live through the call.
        passed(unsafe { sys::PKCS7_decrypt(self.raw(), key.raw(), certificate.raw(), out.raw(), flags as i32) })
    }

    /// The certificates and revocation lists of a signed message, as PEM; none for other messages.
    pub fn parts(&self) -> [Vec<Vec<u8>>; 2] {
        // SAFETY: the kind says that the union holds a signed message; both signed kinds begin with the fields that
        // are read.
        unsafe {
            let signed = (*self.raw()).signed;
            let kind = sys::OBJ_obj2nid((*self.raw()).kind);
            if signed.is_null() || !matches!(kind, SIGNED | SIGNED_AND_ENVELOPED) {
                return Default::default();
            }
            pem_of_all((*signed).certificates, (*signed).crls)
        }
    }
}

unsafe extern "C" fn free_crl(item: *mut std::ffi::c_void) {
    // SAFETY: the stack owns its items, which are revocation lists.
    unsafe { sys::X509_CRL_free(item.cast()) };
}

impl Cms {
    /// Reads a message, and its content if that is detached.
    pub fn read(bio: &Bio<'_>, encoding: Encoding) -> Outcome<(Cms, Option<Bio<'static>>)> {
        start();
        let mut content = ptr::null_mut();
        // SAFETY: `bio` owns its object; message and content are new, and their handles free them.
        unsafe {
            let message = match encoding {
                Encoding::Pem => sys::PEM_read_bio_CMS(bio.raw(), ptr::null_mut(), None, ptr::null_mut()),
                Encoding::Der => sys::d2i_CMS_bio(bio.raw(), ptr::null_mut()),
                Encoding::Smime => sys::SMIME_read_CMS(bio.raw(), &mut content),
            };
            let content = Bio::own(content).ok();
            Ok((Cms::own(message)?, content))
        }
    }

    /// Writes the message. The data becomes its content if the message was made without one.
    pub fn write(&self, bio: &Bio<'_>, data: &Bio<'_>, encoding: Encoding, flags: i64) -> Outcome<()> {
        let number = flags as i32;
        // SAFETY: all handles own their objects, which live through the calls.
        unsafe {
            if encoding == Encoding::Smime {
                return passed(sys::SMIME_write_CMS(bio.raw(), self.raw(), data.raw(), number));
            }
            if flags & flags::PARTIAL != 0 && flags & flags::STREAM == 0 {
                passed(sys::CMS_final(self.raw(), data.raw(), ptr::null_mut(), number as u32))?;
            }
            match encoding {
                Encoding::Der => passed(sys::i2d_CMS_bio(bio.raw(), self.raw())),
                _ if flags & flags::STREAM != 0 => {
                    passed(sys::PEM_write_bio_CMS_stream(bio.raw(), self.raw(), data.raw(), number))
                }
                _ => self.write_pem(bio),
            }
        }
    }

    /// Writes the message as PEM.
    pub fn write_pem(&self, bio: &Bio<'_>) -> Outcome<()> {
        // SAFETY: `PEM_write_bio_CMS` borrows the objects that `self` and `bio` own.
        passed(unsafe { sys::PEM_write_bio_CMS(bio.raw(), self.raw()) })
    }

    /// Verifies the signatures, and writes the content to `out`. `others` are further certificates of signers;
    /// `content` is a detached content.
    pub fn verify(
        &self,
        others: Option<&Certificates>,
        store: &Store,
        content: Option<&Bio<'_>>,
        out: Option<&Bio<'_>>,
        flags: i64,
    ) -> Outcome<()> {
        // SAFETY: all handles own their objects, which live through the call.
        passed(unsafe {
            let (content, out) = (raw_bio(content), raw_bio(out));
            sys::CMS_verify(self.raw(), raw_list(others), store.raw(), content, out, flags as u32)
        })
    }

    /// The certificates of the signers. `None`: they cannot be found.
    pub fn signers(&self) -> Option<Vec<Certificate>> {
        // SAFETY: the stack belongs to the caller; its items belong to the message, which is borrowed.
        unsafe {
            let stack = Items::own(sys::CMS_get0_signers(self.raw()))?;
            Some(stack_of_certificates(stack.raw()))
        }
    }

    /// Encrypts data for all recipients.
    pub fn encrypt(recipients: &Certificates, data: &Bio<'_>, cipher: Cipher, flags: i64) -> Outcome<Cms> {
        start();
        // SAFETY: all handles own their objects, which live through the call; the message is new.
        unsafe { Cms::own(sys::CMS_encrypt(recipients.raw(), data.raw(), cipher.raw(), flags as u32)) }
    }

    /// Signs data. `others` are certificates that are added to the message.
    pub fn sign(
        certificate: &Certificate,
        key: &Key,
        others: Option<&Certificates>,
        data: &Bio<'_>,
        flags: i64,
    ) -> Outcome<Cms> {
        start();
        // SAFETY: all handles own their objects; the message is new, and keeps references of its own.
        unsafe {
            let others = raw_list(others);
            Cms::own(sys::CMS_sign(certificate.raw(), key.raw(), others, data.raw(), flags as u32))
        }
    }

    /// Decrypts the message for a recipient, and writes the content to `out`.
    pub fn decrypt(&self, key: &Key, certificate: &Certificate, out: &Bio<'_>) -> Outcome<()> {
        // SAFETY: all handles own their objects, which live through the call; a null content says that it is not
        // detached.
        passed(unsafe { sys::CMS_decrypt(self.raw(), key.raw(), certificate.raw(), ptr::null_mut(), out.raw(), 0) })
    }

    /// The certificates and revocation lists of a signed message, as PEM; none for other messages.
    pub fn parts(&self) -> [Vec<Vec<u8>>; 2] {
        // SAFETY: both stacks are copies that belong to the caller, and are freed here with their items.
        unsafe {
            if !matches!(sys::OBJ_obj2nid(sys::CMS_get0_type(self.raw())), SIGNED | SIGNED_AND_ENVELOPED) {
                return Default::default();
            }
            let certificates = Certificates::own(sys::CMS_get1_certs(self.raw()));
            let crls = sys::CMS_get1_crls(self.raw());
            let parts = pem_of_all(raw_list(certificates.as_ref()), crls);
            if !crls.is_null() {
                sys::OPENSSL_sk_pop_free(crls, free_crl);
            }
            parts
        }
    }
}

impl TryFrom<i64> for Encoding {
    type Error = Failed;

    /// The encoding with a number of `OPENSSL_ENCODING_*`.
    fn try_from(number: i64) -> Result<Encoding, Failed> {
        match number {
            0 => Ok(Encoding::Der),
            1 => Ok(Encoding::Smime),
            2 => Ok(Encoding::Pem),
            _ => Err(Failed),
        }
    }
}
