//! PKCS #12: a key with its certificates, protected by a password.

use crate::handle::owner;
use crate::{Bio, Certificate, Certificates, Key, Outcome, c_text, passed, start, sys};
use std::ptr;

owner!(
    /// A key with its certificates.
    pub Pkcs12(sys::Pkcs12),
    sys::PKCS12_free
);

impl Pkcs12 {
    /// Protects a key, its certificate and certificates of authorities by a password. `name` is the friendly name.
    pub fn new(
        password: &[u8],
        name: Option<&[u8]>,
        key: &Key,
        certificate: &Certificate,
        authorities: Option<&Certificates>,
    ) -> Outcome<Pkcs12> {
        start();
        let (password, name) = (c_text(password), name.map(c_text));
        let name = name.as_ref().map_or(ptr::null(), |name| name.as_ptr());
        let authorities = authorities.map_or(ptr::null_mut(), Certificates::raw);
        // SAFETY: the texts end with NUL or are null; the handles own the rest, which is copied.
        unsafe {
            let (key, certificate) = (key.raw(), certificate.raw());
            let store = sys::PKCS12_create(password.as_ptr(), name, key, certificate, authorities, 0, 0, 0, 0, 0);
            Pkcs12::own(store)
        }
    }

    /// Reads DER.
    pub fn read(bio: &Bio<'_>) -> Outcome<Pkcs12> {
        start();
        // SAFETY: `bio` owns its object; the result is new.
        unsafe { Pkcs12::own(sys::d2i_PKCS12_bio(bio.raw(), ptr::null_mut())) }
    }

    /// Writes DER.
    pub fn write(&self, bio: &Bio<'_>) -> Outcome<()> {
        // SAFETY: `i2d_PKCS12_bio` borrows the objects that `self` and `bio` own.
        passed(unsafe { sys::i2d_PKCS12_bio(bio.raw(), self.raw()) })
    }

    /// The key, the certificate and the certificates of authorities. Fails with a wrong password.
    pub fn open(&self, password: &[u8]) -> Outcome<(Option<Key>, Option<Certificate>, Vec<Certificate>)> {
        let password = c_text(password);
        let (mut key, mut certificate, mut others) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        // SAFETY: `self` owns its object; the password ends with NUL; the results are new, and their handles free
        // them.
        unsafe {
            passed(sys::PKCS12_parse(self.raw(), password.as_ptr(), &mut key, &mut certificate, &mut others))?;
            let others = Certificates::own(others).map_or(Vec::new(), |others| others.all());
            Ok((Key::own(key).ok(), Certificate::own(certificate).ok(), others))
        }
    }
}
