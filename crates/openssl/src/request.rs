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
    /// A request of the first version.
    pub fn new() -> Outcome<Request> {
        start();
        // SAFETY: a new request.
        unsafe {
            let request = Request::own(sys::X509_REQ_new())?;
            passed(sys::X509_REQ_set_version(request.raw(), 0))?;
            Ok(request)
        }
    }

    pub fn read(bio: &Bio<'_>) -> Outcome<Request> {
        start();
        // SAFETY: a new request; no password.
        unsafe { Request::own(sys::PEM_read_bio_X509_REQ(bio.raw(), ptr::null_mut(), None, ptr::null_mut())) }
    }

    pub fn write(&self, bio: &Bio<'_>) -> Outcome<()> {
        // SAFETY: both are alive.
        passed(unsafe { sys::PEM_write_bio_X509_REQ(bio.raw(), self.raw()) })
    }

    /// Writes it for people.
    pub fn print(&self, bio: &Bio<'_>) -> Outcome<()> {
        // SAFETY: both are alive.
        passed(unsafe { sys::X509_REQ_print(bio.raw(), self.raw()) })
    }

    pub fn subject(&self) -> Vec<NameEntry> {
        // SAFETY: the name belongs to the request.
        unsafe { name_entries(sys::X509_REQ_get_subject_name(self.raw())) }
    }

    /// Has the subject a field of this number?
    pub fn has_field(&self, nid: i32) -> bool {
        // SAFETY: the name belongs to the request.
        unsafe { sys::X509_NAME_get_index_by_NID(sys::X509_REQ_get_subject_name(self.raw()), nid, -1) >= 0 }
    }

    pub fn add_field(&self, nid: i32, value: &[u8]) -> Outcome<()> {
        let value = c_text(value);
        // SAFETY: the name belongs to the request; the value ends with NUL, as -1 says.
        passed(unsafe {
            let name = sys::X509_REQ_get_subject_name(self.raw());
            sys::X509_NAME_add_entry_by_NID(name, nid, UTF8, value.as_ptr().cast(), -1, -1, 0)
        })
    }

    pub fn add_field_named(&self, field: &[u8], value: &[u8]) -> Outcome<()> {
        let (field, value) = (c_text(field), c_text(value));
        // SAFETY: as above.
        passed(unsafe {
            let name = sys::X509_REQ_get_subject_name(self.raw());
            sys::X509_NAME_add_entry_by_txt(name, field.as_ptr(), UTF8, value.as_ptr().cast(), -1, -1, 0)
        })
    }

    pub fn has_attribute(&self, nid: i32) -> bool {
        // SAFETY: the request is alive.
        unsafe { sys::X509_REQ_get_attr_by_NID(self.raw(), nid, -1) >= 0 }
    }

    pub fn add_attribute(&self, nid: i32, value: &[u8]) -> Outcome<()> {
        let size = length(value)?;
        // SAFETY: the value goes with its size.
        passed(unsafe { sys::X509_REQ_add1_attr_by_NID(self.raw(), nid, UTF8, value.as_ptr(), size) })
    }

    pub fn add_attribute_named(&self, name: &[u8], value: &[u8]) -> Outcome<()> {
        let (name, value) = (c_text(name), c_text(value));
        // SAFETY: both end with NUL.
        passed(unsafe { sys::X509_REQ_add1_attr_by_txt(self.raw(), name.as_ptr(), UTF8, value.as_ptr().cast(), -1) })
    }

    pub fn public_key(&self) -> Outcome<Key> {
        // SAFETY: the key that comes out is ours.
        unsafe { Key::own(sys::X509_REQ_get_pubkey(self.raw())) }
    }

    pub fn set_public_key(&self, key: &Key) -> Outcome<()> {
        // SAFETY: both are alive.
        passed(unsafe { sys::X509_REQ_set_pubkey(self.raw(), key.raw()) })
    }

    /// The library's number: 1 signed with this key, 0 not, less when it cannot say.
    pub fn verify(&self, key: &Key) -> i32 {
        // SAFETY: both are alive.
        unsafe { sys::X509_REQ_verify(self.raw(), key.raw()) }
    }

    pub fn sign(&self, key: &Key, digest: Digest) -> Outcome<()> {
        // SAFETY: both are alive.
        passed(unsafe { sys::X509_REQ_sign(self.raw(), key.raw(), digest.raw()) })
    }

    /// A certificate of the third version for what is requested, not signed yet, valid from now on.
    pub fn certificate(&self) -> Outcome<Certificate> {
        let certificate = Certificate::new()?;
        // SAFETY: both are alive.
        passed(unsafe { sys::X509_set_version(certificate.raw(), 2) })?;
        Ok(certificate)
    }

    /// Fills a certificate in: subject, issuer (without one: itself), time, key.
    pub fn fill(&self, new: &Certificate, issuer: Option<&Certificate>, days: i64, key: &Key) -> Outcome<()> {
        let seconds = days.checked_mul(86_400).ok_or(Failed)?;
        // SAFETY: all are alive; names are copied.
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
    /// A number, or one in hexadecimal digits.
    pub fn set_serial(&self, serial: i64, hex: Option<&[u8]>) -> Outcome<()> {
        set_serial(self, serial, hex)
    }

    /// Adds the extensions of a configuration's section.
    pub fn extend(
        &self,
        config: &Config,
        section: &[u8],
        issuer: Option<&Certificate>,
        request: &Request,
    ) -> Outcome<()> {
        config.extend_certificate(section, issuer.unwrap_or(self), self, request)
    }

    pub fn sign(&self, key: &Key, digest: Digest) -> Outcome<()> {
        // SAFETY: both are alive.
        passed(unsafe { sys::X509_sign(self.raw(), key.raw(), digest.raw()) })
    }
}
