//! Configuration files of OpenSSL.

use crate::handle::owner;
use crate::{Bio, Certificate, Outcome, Request, c_text, copied, passed, quietly, start, sys};
use std::mem::MaybeUninit;
use std::ptr;

owner!(
    /// A configuration that was read.
    pub Config(sys::Conf),
    sys::NCONF_free
);

/// A line of a section.
pub struct ConfigEntry {
    pub name: Vec<u8>,
    pub value: Vec<u8>,
}

/// Extensions are only checked, not made.
const TEST_ONLY: i32 = 1;

impl Config {
    /// Reads a configuration file.
    pub fn load(path: &[u8]) -> Outcome<Config> {
        start();
        let path = c_text(path);
        // SAFETY: the configuration is new; the path ends with NUL.
        unsafe {
            let config = Config::own(sys::NCONF_new(ptr::null_mut()))?;
            passed(sys::NCONF_load(config.raw(), path.as_ptr(), ptr::null_mut()))?;
            Ok(config)
        }
    }

    /// A value; without a group, one that precedes all sections. A missing value is no error.
    pub fn string(&self, group: Option<&[u8]>, name: &[u8]) -> Option<Vec<u8>> {
        quietly(|| self.required_string(group, name))
    }

    /// A value; without a group, one that precedes all sections. A missing value leaves an error in the queue.
    pub fn required_string(&self, group: Option<&[u8]>, name: &[u8]) -> Option<Vec<u8>> {
        let (group, name) = (group.map(c_text), c_text(name));
        let group = group.as_ref().map_or(ptr::null(), |group| group.as_ptr());
        // SAFETY: the texts end with NUL or are null; the result belongs to the configuration and is copied.
        unsafe { copied(sys::NCONF_get_string(self.raw(), group, name.as_ptr())) }
    }

    /// A number; 0 if it is missing.
    pub fn number(&self, group: &[u8], name: &[u8]) -> i64 {
        let (group, name, mut number) = (c_text(group), c_text(name), 0);
        // SAFETY: `self` owns the configuration, and both texts end with NUL.
        quietly(|| unsafe { sys::NCONF_get_number_e(self.raw(), group.as_ptr(), name.as_ptr(), &mut number) });
        number
    }

    /// The entries of a section; `None` if there is no such section.
    pub fn section(&self, name: &[u8]) -> Option<Vec<ConfigEntry>> {
        let name = c_text(name);
        // SAFETY: stack and entries belong to the configuration; the texts are copied.
        unsafe {
            let stack = sys::NCONF_get_section(self.raw(), name.as_ptr());
            if stack.is_null() {
                return None;
            }
            let entries = (0..sys::OPENSSL_sk_num(stack)).map(|index| {
                let entry = sys::OPENSSL_sk_value(stack, index).cast::<sys::ConfValue>();
                let text = |pointer| copied(pointer).unwrap_or_default();
                ConfigEntry { name: text((*entry).name), value: text((*entry).value) }
            });
            Some(entries.collect())
        }
    }

    /// Registers the objects that a file describes.
    pub fn add_objects_of(bio: &Bio<'_>) {
        // SAFETY: `bio` owns its object, which lives through the call.
        unsafe { sys::OBJ_create_objects(bio.raw()) };
    }

    /// Registers an object, unless its name is known.
    pub fn add_object(entry: &ConfigEntry) -> Outcome<()> {
        let (name, value) = (c_text(&entry.name), c_text(&entry.value));
        // SAFETY: the texts end with NUL, and libcrypto copies them.
        unsafe {
            if sys::OBJ_sn2nid(name.as_ptr()) != 0 || sys::OBJ_ln2nid(name.as_ptr()) != 0 {
                return Ok(());
            }
            passed(sys::OBJ_create(value.as_ptr(), name.as_ptr(), name.as_ptr()))
        }
    }

    /// Sets the kinds of strings that names may use.
    pub fn set_string_mask(mask: &[u8]) -> Outcome<()> {
        let mask = c_text(mask);
        // SAFETY: libcrypto only reads the text, which ends with NUL.
        passed(unsafe { sys::ASN1_STRING_set_default_mask_asc(mask.as_ptr()) })
    }

    /// Whether the extensions of a section are well formed.
    pub fn check_extensions(&self, section: &[u8]) -> Outcome<()> {
        self.with_context(TEST_ONLY, [ptr::null_mut(); 2], ptr::null_mut(), |context| {
            let section = c_text(section);
            // SAFETY: `with_context` set the context up for checks only, so no certificate is needed.
            passed(unsafe { sys::X509V3_EXT_add_nconf(self.raw(), context, section.as_ptr(), ptr::null_mut()) })
        })
    }

    /// Adds the extensions of a section to a certificate.
    pub(crate) fn extend_certificate(
        &self,
        section: &[u8],
        issuer: &Certificate,
        certificate: &Certificate,
        request: &Request,
    ) -> Outcome<()> {
        self.with_context(0, [issuer.raw(), certificate.raw()], request.raw(), |context| {
            let section = c_text(section);
            // SAFETY: `with_context` set the context up; certificate and configuration live through the call.
            passed(unsafe { sys::X509V3_EXT_add_nconf(self.raw(), context, section.as_ptr(), certificate.raw()) })
        })
    }

    /// Adds the extensions of a section to a request.
    pub fn extend_request(&self, section: &[u8], request: &Request) -> Outcome<()> {
        self.with_context(0, [ptr::null_mut(); 2], request.raw(), |context| {
            let section = c_text(section);
            // SAFETY: `with_context` set the context up; request and configuration live through the call.
            passed(unsafe { sys::X509V3_EXT_REQ_add_nconf(self.raw(), context, section.as_ptr(), request.raw()) })
        })
    }

    fn with_context<T>(
        &self,
        flags: i32,
        [issuer, subject]: [*mut sys::X509; 2],
        request: *mut sys::Request,
        work: impl FnOnce(*mut sys::ExtensionCtx) -> T,
    ) -> T {
        let mut context = MaybeUninit::<sys::ExtensionCtx>::zeroed();
        // SAFETY: both functions initialise the context, whose pointers are used during this call only.
        unsafe {
            sys::X509V3_set_ctx(context.as_mut_ptr(), issuer, subject, request, ptr::null_mut(), flags);
            sys::X509V3_set_nconf(context.as_mut_ptr(), self.raw());
        }
        work(context.as_mut_ptr())
    }
}
