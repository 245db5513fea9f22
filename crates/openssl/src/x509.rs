//! Certificates, their parts, and stores of trusted certificates.

use crate::handle::owner;
use crate::{Bio, Digest, Failed, Key, Outcome, c_text, copied, length, passed, start, sys, taken};
use std::ptr;

owner!(
    /// A certificate. A clone shares the object.
    pub Certificate(sys::X509),
    sys::X509_free
);
owner!(
    /// The trusted certificates that others are verified against.
    pub Store(sys::Store),
    sys::X509_STORE_free
);
owner!(StoreContext(sys::StoreCtx), sys::X509_STORE_CTX_free);

/// A list of certificates that owns them.
pub struct Certificates(*mut sys::Stack);

/// A field of a name.
pub struct NameEntry {
    pub short: Vec<u8>,
    pub long: Vec<u8>,
    /// The value in UTF-8. `None`: it cannot be converted.
    pub value: Option<Vec<u8>>,
}

/// A purpose that a certificate may serve.
pub struct Purpose {
    pub id: i64,
    pub short: Vec<u8>,
    pub long: Vec<u8>,
    /// Whether the certificate itself serves it, and whether it serves it as an authority for others.
    pub fits: [bool; 2],
}

/// An extension of a certificate: its name, and its value as text.
pub struct Extension {
    pub name: Vec<u8>,
    pub text: Vec<u8>,
}

/// A time in the spelling of a certificate.
pub struct Time {
    pub text: Vec<u8>,
    /// Whether the year has four digits instead of two.
    pub generalized: bool,
    /// Whether the time is of one of the two types that certificates use.
    pub is_time: bool,
}

const UTF8_STRING: i32 = 12;
const UTC_TIME: i32 = 23;
const GENERALIZED_TIME: i32 = 24;
const SUBJECT_ALT_NAME: i32 = 85;
const FROM_PEM: i64 = 1;
const BY_DEFAULT: i64 = 3;
const LOAD_FILE: i32 = 1;
const ADD_DIRECTORY: i32 = 2;
/// The reason of the error that says that the file has no further certificate.
const NO_START_LINE: u64 = 108;

impl Clone for Certificate {
    fn clone(&self) -> Certificate {
        // SAFETY: `self` owns a reference to the certificate, and the new owner gets one of its own.
        unsafe {
            sys::X509_up_ref(self.raw());
            Certificate(self.0)
        }
    }
}

/// The bytes of a string.
///
/// # Safety
/// The string is alive.
pub(crate) unsafe fn string_bytes(text: *const sys::Asn1String) -> Vec<u8> {
    // SAFETY: the contract keeps the string alive, and the length is that of its data.
    unsafe {
        let (data, size) = (sys::ASN1_STRING_get0_data(text), sys::ASN1_STRING_length(text));
        if data.is_null() || size <= 0 { Vec::new() } else { std::slice::from_raw_parts(data, size as usize).to_vec() }
    }
}

/// The number of an object, with dots.
///
/// # Safety
/// The object is alive.
pub(crate) unsafe fn object_text(object: *const sys::Asn1Object) -> Vec<u8> {
    let mut buffer = [0u8; 256];
    // SAFETY: the size is that of the buffer, and libcrypto ends the text inside of it.
    unsafe { sys::OBJ_obj2txt(buffer.as_mut_ptr().cast(), buffer.len() as i32, object, 1) };
    buffer.iter().copied().take_while(|&byte| byte != 0).collect()
}

/// # Safety
/// The name is alive.
pub(crate) unsafe fn name_entries(name: *const sys::Name) -> Vec<NameEntry> {
    let mut entries = Vec::new();
    // SAFETY: entries, objects and strings belong to the name, which the contract keeps alive; converted texts are
    // freed here.
    unsafe {
        for index in 0..sys::X509_NAME_entry_count(name) {
            let entry = sys::X509_NAME_get_entry(name, index);
            let nid = sys::OBJ_obj2nid(sys::X509_NAME_ENTRY_get_object(entry));
            let text = sys::X509_NAME_ENTRY_get_data(entry);
            let value = if sys::ASN1_STRING_type(text) == UTF8_STRING {
                Some(string_bytes(text))
            } else {
                let mut out = ptr::null_mut();
                let size = sys::ASN1_STRING_to_UTF8(&mut out, text);
                let value = (size >= 0).then(|| std::slice::from_raw_parts(out, size as usize).to_vec());
                sys::CRYPTO_free(out.cast(), c"".as_ptr(), 0);
                value
            };
            let short = copied(sys::OBJ_nid2sn(nid)).unwrap_or_default();
            let long = copied(sys::OBJ_nid2ln(nid)).unwrap_or_default();
            entries.push(NameEntry { short, long, value });
        }
    }
    entries
}

/// # Safety
/// The time is alive.
unsafe fn time(time: *const sys::Asn1String) -> Time {
    // SAFETY: the contract keeps the time alive.
    let (kind, text) = unsafe { (sys::ASN1_STRING_type(time), string_bytes(time)) };
    let generalized = kind == GENERALIZED_TIME;
    Time { text, generalized, is_time: generalized || kind == UTC_TIME }
}

impl Certificate {
    /// The first certificate of a PEM text. Fails if there is none.
    pub fn read(bio: &Bio<'_>) -> Outcome<Certificate> {
        start();
        // SAFETY: `bio` owns its object; the certificate that is read is new, and no password is asked for.
        unsafe { Certificate::own(sys::PEM_read_bio_X509(bio.raw(), ptr::null_mut(), None, ptr::null_mut())) }
    }

    /// A certificate from DER. Fails if the bytes are none.
    pub fn from_der(bytes: &[u8]) -> Outcome<Certificate> {
        start();
        let mut data = bytes.as_ptr();
        // SAFETY: the size is that of the bytes; the certificate that is read is new.
        unsafe { Certificate::own(sys::d2i_X509(ptr::null_mut(), &mut data, bytes.len() as i64)) }
    }

    pub(crate) fn new() -> Outcome<Certificate> {
        // SAFETY: the function has no preconditions; the certificate is new.
        unsafe { Certificate::own(sys::X509_new()) }
    }

    /// A copy of the certificate with an object of its own.
    pub fn duplicate(&self) -> Outcome<Certificate> {
        // SAFETY: `self` owns the certificate; the copy is new.
        unsafe { Certificate::own(sys::X509_dup(self.raw())) }
    }

    /// Writes the certificate as PEM.
    pub fn write(&self, bio: &Bio<'_>) -> Outcome<()> {
        // SAFETY: `PEM_write_bio_X509` borrows the objects that `self` and `bio` own.
        passed(unsafe { sys::PEM_write_bio_X509(bio.raw(), self.raw()) })
    }

    /// Writes the certificate as readable text.
    pub fn print(&self, bio: &Bio<'_>) -> Outcome<()> {
        // SAFETY: `X509_print` borrows the objects that `self` and `bio` own.
        passed(unsafe { sys::X509_print(bio.raw(), self.raw()) })
    }

    /// The certificate as PEM.
    pub fn pem(&self) -> Outcome<Vec<u8>> {
        let bio = Bio::memory()?;
        self.write(&bio)?;
        Ok(bio.bytes())
    }

    /// The digest of the certificate's DER.
    pub fn fingerprint(&self, digest: Digest) -> Outcome<Vec<u8>> {
        let (mut out, mut size) = (vec![0; 64.max(digest.size())], 0);
        // SAFETY: `self` owns the certificate, and the buffer has room for any digest.
        passed(unsafe { sys::X509_digest(self.raw(), digest.raw(), out.as_mut_ptr(), &mut size) })?;
        out.truncate(size as usize);
        Ok(out)
    }

    /// Whether `key` is the private key of this certificate.
    pub fn belongs_to(&self, key: &Key) -> bool {
        // SAFETY: `X509_check_private_key` borrows the objects that `self` and `key` own.
        unsafe { sys::X509_check_private_key(self.raw(), key.raw()) > 0 }
    }

    /// Verifies the signature by a key. libcrypto's number: 1 valid, 0 invalid, negative after an error.
    pub fn verify(&self, key: &Key) -> i32 {
        // SAFETY: `X509_verify` borrows the objects that `self` and `key` own.
        unsafe { sys::X509_verify(self.raw(), key.raw()) }
    }

    /// The public key of the certificate.
    pub fn public_key(&self) -> Outcome<Key> {
        // SAFETY: `self` owns the certificate; the result is a reference of the caller's own.
        unsafe { Key::own(sys::X509_get_pubkey(self.raw())) }
    }

    /// The subject in one line, with slashes between the fields.
    pub fn name_line(&self) -> Option<Vec<u8>> {
        // SAFETY: the name belongs to the certificate; libcrypto allocated the text for the caller.
        unsafe { taken(sys::X509_NAME_oneline(sys::X509_get_subject_name(self.raw()), ptr::null_mut(), 0)) }
    }

    /// The fields of the subject.
    pub fn subject(&self) -> Vec<NameEntry> {
        // SAFETY: the name belongs to the certificate.
        unsafe { name_entries(sys::X509_get_subject_name(self.raw())) }
    }

    /// The fields of the issuer.
    pub fn issuer(&self) -> Vec<NameEntry> {
        // SAFETY: the name belongs to the certificate.
        unsafe { name_entries(sys::X509_get_issuer_name(self.raw())) }
    }

    /// The hash of the subject, by which directories of certificates name their files.
    pub fn subject_hash(&self) -> u64 {
        // SAFETY: `self` owns the certificate.
        unsafe { sys::X509_subject_name_hash(self.raw()) }
    }

    /// The version; 0 is the first.
    pub fn version(&self) -> i64 {
        // SAFETY: `self` owns the certificate.
        unsafe { sys::X509_get_version(self.raw()) }
    }

    /// The serial number as libcrypto writes it, and in hexadecimal.
    pub fn serial(&self) -> Option<(Vec<u8>, Vec<u8>)> {
        // SAFETY: the number belongs to the certificate; the copies are freed here.
        unsafe {
            let serial = sys::X509_get_serialNumber(self.raw());
            let number = crate::handle::Number::own(sys::ASN1_INTEGER_to_BN(serial, ptr::null_mut())).ok()?;
            let hex = taken(sys::BN_bn2hex(number.raw()))?;
            Some((taken(sys::i2s_ASN1_INTEGER(ptr::null_mut(), serial))?, hex))
        }
    }

    /// The time from which the certificate is valid.
    pub fn valid_from(&self) -> Time {
        // SAFETY: the time belongs to the certificate.
        unsafe { time(sys::X509_getm_notBefore(self.raw())) }
    }

    /// The time up to which the certificate is valid.
    pub fn valid_to(&self) -> Time {
        // SAFETY: the time belongs to the certificate.
        unsafe { time(sys::X509_getm_notAfter(self.raw())) }
    }

    /// The alias of a trusted certificate.
    pub fn alias(&self) -> Option<Vec<u8>> {
        let mut size = 0;
        // SAFETY: the alias belongs to the certificate and has the size that comes with it.
        unsafe {
            let alias = sys::X509_alias_get0(self.raw(), &mut size);
            (!alias.is_null() && size >= 0).then(|| std::slice::from_raw_parts(alias, size as usize).to_vec())
        }
    }

    /// Short name, long name and number of the signature's algorithm.
    pub fn signature_kind(&self) -> (Vec<u8>, Vec<u8>, i64) {
        // SAFETY: `self` owns the certificate; the names are constants of libcrypto.
        unsafe {
            let nid = sys::X509_get_signature_nid(self.raw());
            let name = |pointer| copied(pointer).unwrap_or_default();
            (name(sys::OBJ_nid2sn(nid)), name(sys::OBJ_nid2ln(nid)), nid as i64)
        }
    }

    /// The purposes that libcrypto knows, and which of them the certificate serves.
    pub fn purposes(&self) -> Vec<Purpose> {
        // SAFETY: the purposes are entries of libcrypto's table.
        unsafe {
            let purposes = (0..sys::X509_PURPOSE_get_count()).map(|index| {
                let purpose = sys::X509_PURPOSE_get0(index);
                let id = sys::X509_PURPOSE_get_id(purpose);
                let fits = [0, 1].map(|authority| sys::X509_check_purpose(self.raw(), id, authority) != 0);
                let short = copied(sys::X509_PURPOSE_get0_sname(purpose)).unwrap_or_default();
                let long = copied(sys::X509_PURPOSE_get0_name(purpose)).unwrap_or_default();
                Purpose { id: id as i64, short, long, fits }
            });
            purposes.collect()
        }
    }

    /// The extensions as texts. Fails if the alternative names cannot be read.
    pub fn extensions(&self) -> Outcome<Vec<Extension>> {
        let mut extensions = Vec::new();
        // SAFETY: extensions, objects and strings belong to the certificate.
        unsafe {
            for index in 0..sys::X509_get_ext_count(self.raw()) {
                let extension = sys::X509_get_ext(self.raw(), index);
                let object = sys::X509_EXTENSION_get_object(extension);
                let nid = sys::OBJ_obj2nid(object);
                let name =
                    if nid != 0 { copied(sys::OBJ_nid2sn(nid)).unwrap_or_default() } else { object_text(object) };
                let bio = Bio::memory()?;
                let text = if nid == SUBJECT_ALT_NAME {
                    print_alternative_names(&bio, extension)?;
                    bio.bytes()
                } else if sys::X509V3_EXT_print(bio.raw(), extension, 0, 0) > 0 {
                    bio.bytes()
                } else {
                    string_bytes(sys::X509_EXTENSION_get_data(extension))
                };
                extensions.push(Extension { name, text });
            }
        }
        Ok(extensions)
    }
}

/// Writes alternative names. Those that are texts are written in full, whatever bytes they have, so that no byte can
/// hide a part of them.
///
/// # Safety
/// The extension is alive and holds alternative names.
unsafe fn print_alternative_names(bio: &Bio<'_>, extension: *mut sys::Extension) -> Outcome<()> {
    // SAFETY: the names are freed once, here; the kind of a name says that its union holds a string.
    unsafe {
        let names = sys::X509V3_EXT_d2i(extension).cast::<sys::Stack>();
        if names.is_null() {
            return Err(Failed);
        }
        for index in 0..sys::OPENSSL_sk_num(names) {
            let name = sys::OPENSSL_sk_value(names, index).cast::<sys::GeneralName>();
            if index > 0 {
                let _ = bio.write(b", ");
            }
            let label: Option<&[u8]> = match (*name).kind {
                1 => Some(b"email:"),
                2 => Some(b"DNS:"),
                6 => Some(b"URI:"),
                _ => None,
            };
            match label {
                Some(label) => {
                    let _ = bio.write(&[label, &string_bytes((*name).text)].concat());
                }
                None => {
                    sys::GENERAL_NAME_print(bio.raw(), name);
                }
            }
        }
        sys::GENERAL_NAMES_free(names);
        Ok(())
    }
}

unsafe extern "C" fn free_certificate(item: *mut std::ffi::c_void) {
    // SAFETY: the stack owns its items, which are certificates.
    unsafe { sys::X509_free(item.cast()) };
}

impl Drop for Certificates {
    fn drop(&mut self) {
        // SAFETY: this value owns the stack and its items, which are freed only here.
        unsafe { sys::OPENSSL_sk_pop_free(self.0, free_certificate) };
    }
}

impl Certificates {
    /// An empty list.
    pub fn new() -> Outcome<Certificates> {
        // SAFETY: the function has no preconditions; the stack is new.
        let stack = unsafe { sys::OPENSSL_sk_new_null() };
        if stack.is_null() { Err(Failed) } else { Ok(Certificates(stack)) }
    }

    /// # Safety
    /// The pointer is null, or a stack of certificates that nothing else frees.
    pub(crate) unsafe fn own(stack: *mut sys::Stack) -> Option<Certificates> {
        (!stack.is_null()).then_some(Certificates(stack))
    }

    /// All certificates of a PEM text; an empty list if it has none. Fails if one is damaged.
    pub fn read(bio: &Bio<'_>) -> Outcome<Certificates> {
        start();
        let mut list = Certificates::new()?;
        loop {
            // SAFETY: `bio` owns its object; each certificate that is read is new, and no password is asked for.
            let next = unsafe {
                Certificate::own(sys::PEM_read_bio_X509_AUX(bio.raw(), ptr::null_mut(), None, ptr::null_mut()))
            };
            match next {
                Ok(certificate) => list.push(certificate)?,
                Err(Failed) => {
                    // SAFETY: the function has no preconditions; the queue belongs to this thread.
                    let last = unsafe { sys::ERR_peek_last_error() };
                    if last & 0x7f_ffff != NO_START_LINE {
                        return Err(Failed);
                    }
                    crate::take_errors();
                    return Ok(list);
                }
            }
        }
    }

    /// Adds a certificate at the end.
    pub fn push(&mut self, certificate: Certificate) -> Outcome<()> {
        // SAFETY: the stack takes the certificate over, so `certificate` is forgotten instead of freed.
        let count = unsafe { sys::OPENSSL_sk_push(self.0, certificate.raw().cast()) };
        passed(count)?;
        std::mem::forget(certificate);
        Ok(())
    }

    pub(crate) fn raw(&self) -> *mut sys::Stack {
        self.0
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of certificates.
    pub fn len(&self) -> usize {
        // SAFETY: `OPENSSL_sk_num` reads the object that `self` owns.
        unsafe { sys::OPENSSL_sk_num(self.0) }.max(0) as usize
    }

    /// The certificates, each as a handle of its own.
    pub fn all(&self) -> Vec<Certificate> {
        // SAFETY: `self` owns the stack and its certificates.
        unsafe { stack_of_certificates(self.0) }
    }
}

/// The certificates of a stack, each with a reference of its own.
///
/// # Safety
/// The pointer is null, or a stack of certificates that are alive.
pub(crate) unsafe fn stack_of_certificates(stack: *const sys::Stack) -> Vec<Certificate> {
    if stack.is_null() {
        return Vec::new();
    }
    // SAFETY: the stack is not null here, and the contract keeps it and its certificates alive.
    unsafe {
        let items = (0..sys::OPENSSL_sk_num(stack)).filter_map(|index| {
            let raw = ptr::NonNull::new(sys::OPENSSL_sk_value(stack, index).cast::<sys::X509>())?;
            sys::X509_up_ref(raw.as_ptr());
            Some(Certificate(raw))
        });
        items.collect()
    }
}

impl Store {
    /// A store that trusts nothing yet.
    pub fn new() -> Outcome<Store> {
        start();
        // SAFETY: the function has no preconditions; the store is new.
        unsafe { Store::own(sys::X509_STORE_new()) }
    }

    fn look_up(&self, file: bool, path: Option<&[u8]>) -> Outcome<()> {
        let path = path.map(c_text);
        let text = path.as_ref().map_or(ptr::null(), |path| path.as_ptr());
        let kind = if path.is_some() { FROM_PEM } else { BY_DEFAULT };
        // SAFETY: the lookup belongs to the store; the path ends with NUL or is null.
        unsafe {
            let method = if file { sys::X509_LOOKUP_file() } else { sys::X509_LOOKUP_hash_dir() };
            let lookup = sys::X509_STORE_add_lookup(self.raw(), method);
            if lookup.is_null() {
                return Err(Failed);
            }
            let command = if file { LOAD_FILE } else { ADD_DIRECTORY };
            passed(sys::X509_LOOKUP_ctrl(lookup, command, text, kind, ptr::null_mut()))
        }
    }

    /// Trusts the certificates of a file; without a path, those of the machine's default file.
    pub fn add_file(&self, path: Option<&[u8]>) -> Outcome<()> {
        self.look_up(true, path)
    }

    /// Trusts the certificates of a directory, whose files are named by hashes; without a path, the machine's default
    /// directory.
    pub fn add_directory(&self, path: Option<&[u8]>) -> Outcome<()> {
        self.look_up(false, path)
    }

    /// Verifies a certificate. libcrypto's number: 1 trusted, 0 not trusted, negative after an error.
    pub fn check(
        &self,
        certificate: &Certificate,
        untrusted: Option<&Certificates>,
        purpose: Option<i32>,
    ) -> Outcome<i32> {
        // SAFETY: the store and all certificates outlive the context, which only borrows them.
        unsafe {
            let context = StoreContext::own(sys::X509_STORE_CTX_new())?;
            let untrusted = untrusted.map_or(ptr::null_mut(), Certificates::raw);
            passed(sys::X509_STORE_CTX_init(context.raw(), self.raw(), certificate.raw(), untrusted))?;
            if let Some(purpose) = purpose {
                sys::X509_STORE_CTX_set_purpose(context.raw(), purpose);
            }
            Ok(sys::X509_verify_cert(context.raw()))
        }
    }
}

/// Sets the serial number of a certificate, from a number or from hexadecimal digits.
pub(crate) fn set_serial(certificate: &Certificate, serial: i64, hex: Option<&[u8]>) -> Outcome<()> {
    // SAFETY: the number belongs to the certificate; the size is that of the buffer.
    unsafe {
        let number = sys::X509_get_serialNumber(certificate.raw());
        match hex {
            Some(hex) => {
                let mut buffer = [0u8; 256];
                let bio = Bio::reader(hex)?;
                let size = length(&buffer)?;
                passed(sys::a2i_ASN1_INTEGER(bio.raw(), number, buffer.as_mut_ptr().cast(), size))
            }
            None => passed(sys::ASN1_INTEGER_set_int64(number, serial)),
        }
    }
}
