//! Requests for certificates.

use crate::handle::owner;
use crate::x509::{name_entries, set_serial};
use crate::{Bio, Certificate, Config, Digest, Failed, Key, NameEntry, Outcome, c_text, length, passed, start, sys};
use std::ptr;

owner!(
    /// A request for a certificate.
    pub Request(sys::Request),
    sys::X509_REQ_free
);

const UTF8: i32 = 0x1000;

impl Request {
    /// An empty request of the first version.
    pub fn new() -> Outcome<Request> {
        start();
        // SAFETY: the request is new, and its handle frees it after a failure.
        unsafe {
            let request = Request::own(sys::X509_REQ_new())?;
            passed(sys::X509_REQ_set_version(request.raw(), 0))?;
            Ok(request)
        }
    }

    /// The first request of a PEM text. Fails if there is none.
    pub fn read(bio: &Bio<'_>) -> Outcome<Request> {
        start();
        // SAFETY: `bio` owns its object; the request that is read is new, and no password is asked for.
        unsafe { Request::own(sys::PEM_read_bio_X509_REQ(bio.raw(), ptr::null_mut(), None, ptr::null_mut())) }
    }

    /// Writes the request as PEM.
    pub fn write(&self, bio: &Bio<'_>) -> Outcome<()> {
        // SAFETY: `PEM_write_bio_X509_REQ` borrows the objects that `self` and `bio` own.
        passed(unsafe { sys::PEM_write_bio_X509_REQ(bio.raw(), self.raw()) })
    }

    /// Writes the request as readable text.
    pub fn print(&self, bio: &Bio<'_>) -> Outcome<()> {
        // SAFETY: `X509_REQ_print` borrows the objects that `self` and `bio` own.
        passed(unsafe { sys::X509_REQ_print(bio.raw(), self.raw()) })
    }

    /// The fields of the subject.
    pub fn subject(&self) -> Vec<NameEntry> {
        // SAFETY: the name belongs to the request.
        unsafe { name_entries(sys::X509_REQ_get_subject_name(self.raw())) }
    }

    /// Whether the subject has a field with this number.
    pub fn has_field(&self, nid: i32) -> bool {
        // SAFETY: the name belongs to the request.
        unsafe { sys::X509_NAME_get_index_by_NID(sys::X509_REQ_get_subject_name(self.raw()), nid, -1) >= 0 }
    }

    /// Adds a field of the subject, whose value is UTF-8.
    pub fn add_field(&self, nid: i32, value: &[u8]) -> Outcome<()> {
        let value = c_text(value);
        // SAFETY: the name belongs to the request; the length of -1 says that the value ends with NUL, which it does.
        passed(unsafe {
            let name = sys::X509_REQ_get_subject_name(self.raw());
            sys::X509_NAME_add_entry_by_NID(name, nid, UTF8, value.as_ptr().cast(), -1, -1, 0)
        })
    }

    /// Adds a field of the subject by the field's name.
    pub fn add_field_named(&self, field: &[u8], value: &[u8]) -> Outcome<()> {
        let (field, value) = (c_text(field), c_text(value));
        // SAFETY: the name belongs to the request; field and value end with NUL.
        passed(unsafe {
            let name = sys::X509_REQ_get_subject_name(self.raw());
            sys::X509_NAME_add_entry_by_txt(name, field.as_ptr(), UTF8, value.as_ptr().cast(), -1, -1, 0)
        })
    }

    /// Whether the request has an attribute with this number.
    pub fn has_attribute(&self, nid: i32) -> bool {
        // SAFETY: `X509_REQ_get_attr_by_NID` reads the object that `self` owns.
        unsafe { sys::X509_REQ_get_attr_by_NID(self.raw(), nid, -1) >= 0 }
    }

    /// Adds an attribute, whose value is UTF-8.
    pub fn add_attribute(&self, nid: i32, value: &[u8]) -> Outcome<()> {
        let size = length(value)?;
        // SAFETY: the size is that of the value, which libcrypto copies.
        passed(unsafe { sys::X509_REQ_add1_attr_by_NID(self.raw(), nid, UTF8, value.as_ptr(), size) })
    }

    /// Adds an attribute by its name.
    pub fn add_attribute_named(&self, name: &[u8], value: &[u8]) -> Outcome<()> {
        let (name, value) = (c_text(name), c_text(value));
        // SAFETY: name and value end with NUL, and libcrypto copies them.
        passed(unsafe { sys::X509_REQ_add1_attr_by_txt(self.raw(), name.as_ptr(), UTF8, value.as_ptr().cast(), -1) })
    }

    /// The public key of the request.
    pub fn public_key(&self) -> Outcome<Key> {
        // SAFETY: `self` owns the request; the result is a reference of the caller's own.
        unsafe { Key::own(sys::X509_REQ_get_pubkey(self.raw())) }
    }

    /// Sets the public key of the request.
    pub fn set_public_key(&self, key: &Key) -> Outcome<()> {
        // SAFETY: `X509_REQ_set_pubkey` borrows the objects that `self` and `key` own.
        passed(unsafe { sys::X509_REQ_set_pubkey(self.raw(), key.raw()) })
    }

    /// Verifies the signature by a key. libcrypto's number: 1 valid, 0 invalid, negative after an error.
    pub fn verify(&self, key: &Key) -> i32 {
        // SAFETY: `X509_REQ_verify` borrows the objects that `self` and `key` own.
        unsafe { sys::X509_REQ_verify(self.raw(), key.raw()) }
    }

    /// Signs the request.
    pub fn sign(&self, key: &Key, digest: Digest) -> Outcome<()> {
        // SAFETY: `self` and `key` own their objects, which live through the call; the digest is an entry of
        // libcrypto's table.
        passed(unsafe { sys::X509_REQ_sign(self.raw(), key.raw(), digest.raw()) })
    }

    /// An empty certificate of the third version. [`Request::fill`] sets its fields.
    pub fn certificate(&self) -> Outcome<Certificate> {
        let certificate = Certificate::new()?;
        // SAFETY: `certificate` owns its object, which lives through the call.
        passed(unsafe { sys::X509_set_version(certificate.raw(), 2) })?;
        Ok(certificate)
    }

    /// Sets subject, issuer (without one, the certificate itself), time of validity and public key of a certificate.
    pub fn fill(&self, new: &Certificate, issuer: Option<&Certificate>, days: i64, key: &Key) -> Outcome<()> {
        let seconds = days.checked_mul(86_400).ok_or(Failed)?;
        // SAFETY: all handles own their objects, which live through the calls; names are copied.
        unsafe {
            passed(sys::X509_set_subject_name(new.raw(), sys::X509_REQ_get_subject_name(self.raw())))?;
            let issuer = issuer.unwrap_or(new);
            passed(sys::X509_set_issuer_name(new.raw(), sys::X509_get_subject_name(issuer.raw())))?;
            for (time, seconds) in
                [(sys::X509_getm_notBefore(new.raw()), 0), (sys::X509_getm_notAfter(new.raw()), seconds)]
            {
                if sys::X509_gmtime_adj(time, seconds).is_null() {
                    return Err(Failed);
                }
            }
            passed(sys::X509_set_pubkey(new.raw(), key.raw()))
        }
    }
}

impl Certificate {
    /// Sets the serial number, from a number or from hexadecimal digits.
    pub fn set_serial(&self, serial: i64, hex: Option<&[u8]>) -> Outcome<()> {
        set_serial(self, serial, hex)
    }

    /// Adds the extensions that a section of a configuration describes.
    pub fn extend(
        &self,
        config: &Config,
        section: &[u8],
        issuer: Option<&Certificate>,
        request: &Request,
    ) -> Outcome<()> {
        config.extend_certificate(section, issuer.unwrap_or(self), self, request)
    }

    /// Signs the certificate.
    pub fn sign(&self, key: &Key, digest: Digest) -> Outcome<()> {
        // SAFETY: `self` and `key` own their objects, which live through the call; the digest is an entry of
        // libcrypto's table.
        passed(unsafe { sys::X509_sign(self.raw(), key.raw(), digest.raw()) })
    }
}
