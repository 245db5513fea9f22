//! The three classes, and the conversion of arguments to keys, certificates and requests.

use crate::errors::{self, kept};
use phlox_openssl::{Bio, Certificate, Certificates, Key, Request};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, Edges, NativeClass, NativeData, PhpResult, Val, View, Vm, basedir, convert};
use std::rc::Rc;

const fn hooks(message: &'static str) -> NativeHooks {
    NativeHooks {
        no_clone: true,
        no_serialize: true,
        no_dynamic: true,
        no_new: Some(message),
        compare: Some(|_, _, _| Ok(None)),
        ..NativeHooks::NONE
    }
}

/// The classes of the extension.
pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "OpenSSLCertificate",
        decl: "final class OpenSSLCertificate {}",
        methods: &[],
        hooks: hooks("Cannot directly construct OpenSSLCertificate, use openssl_x509_read() instead"),
    },
    NativeClass {
        name: "OpenSSLCertificateSigningRequest",
        decl: "final class OpenSSLCertificateSigningRequest {}",
        methods: &[],
        hooks: hooks("Cannot directly construct OpenSSLCertificateSigningRequest, use openssl_csr_new() instead"),
    },
    NativeClass {
        name: "OpenSSLAsymmetricKey",
        decl: "final class OpenSSLAsymmetricKey {}",
        methods: &[],
        hooks: hooks("Cannot directly construct OpenSSLAsymmetricKey, use openssl_pkey_new() instead"),
    },
];

struct HeldKey {
    key: Key,
    private: bool,
}

struct HeldCertificate(Certificate);

struct HeldRequest(Rc<Request>);

macro_rules! native {
    ($($name:ident),*) => {$(
        impl NativeData for $name {
            fn trace(&self, _edges: &mut Edges) {}

            fn clear(&self) {}
        }
    )*};
}

native!(HeldKey, HeldCertificate, HeldRequest);

fn make(vm: &Vm, class: &[u8], data: Rc<dyn NativeData>) -> PhpResult<Val> {
    let object = vm.instantiate(&vm.require_class(class)?)?;
    object.set_native(data);
    Ok(object.into())
}

/// A new `OpenSSLAsymmetricKey`.
pub fn key_object(vm: &Vm, key: Key, private: bool) -> PhpResult<Val> {
    make(vm, b"OpenSSLAsymmetricKey", Rc::new(HeldKey { key, private }))
}

/// A new `OpenSSLCertificate`.
pub fn certificate_object(vm: &Vm, certificate: Certificate) -> PhpResult<Val> {
    make(vm, b"OpenSSLCertificate", Rc::new(HeldCertificate(certificate)))
}

/// A new `OpenSSLCertificateSigningRequest`.
pub fn request_object(vm: &Vm, request: Request) -> PhpResult<Val> {
    make(vm, b"OpenSSLCertificateSigningRequest", Rc::new(HeldRequest(Rc::new(request))))
}

/// The key of an argument that is declared as an `OpenSSLAsymmetricKey`.
pub fn key_argument(call: &Call<'_>, index: usize) -> Option<Key> {
    call.opt_obj(index).and_then(|object| object.native::<HeldKey>().map(|held| held.key.clone()))
}

/// The origin of a path, for messages about it.
#[derive(Clone, Copy)]
pub struct Origin<'a> {
    /// The index of the argument.
    pub argument: usize,
    /// Whether the argument is an array that contains the path.
    pub from_array: bool,
    /// The option of the argument that has the path.
    pub option: Option<&'a str>,
}

impl Origin<'_> {
    /// The origin of a path that is an argument itself.
    pub fn argument(argument: usize) -> Origin<'static> {
        Origin { argument, from_array: false, option: None }
    }
}

/// The system's limit of the length of a path.
pub const LONGEST_PATH: usize = 4096;

/// The absolute path. `None`: it may not be used, which was reported.
pub fn checked_path(call: &Call<'_>, path: &[u8], origin: Origin<'_>) -> PhpResult<Option<Vec<u8>>> {
    if path.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let place = match (origin.option, origin.from_array) {
        (Some(option), true) => format!("option {option} array item "),
        (Some(option), false) => format!("option {option} "),
        (None, true) => "array item ".to_owned(),
        (None, false) => String::new(),
    };
    if path.contains(&0) {
        let message = format!("{place}must not contain any null bytes");
        return Err(call.value_error(origin.argument, &message));
    }
    let path = basedir::absolute(path, None);
    if path.len() >= LONGEST_PATH {
        let name = phlox_runtime::shown(&call.func.display_name()).into_owned();
        let parameter = call.func.params.get(origin.argument).map(|parameter| parameter.name.to_string());
        let parameter = parameter.unwrap_or_default();
        call.vm.warning(format!("{name}({parameter}): {place}must be a valid file path").as_bytes())?;
        return Ok(None);
    }
    Ok(basedir::allows(call.vm, &path)?.then_some(path))
}

/// Opens the file that an argument names. `None`: it cannot be opened, and the reason is kept.
pub fn open_file(call: &Call<'_>, path: &[u8], argument: usize, mode: &str) -> PhpResult<Option<Bio<'static>>> {
    let Some(path) = checked_path(call, path, Origin::argument(argument))? else { return Ok(None) };
    Ok(kept(call.vm, Bio::file(&path, mode)))
}

/// The path behind `file://`.
fn file_of(text: &[u8]) -> Option<&[u8]> {
    text.strip_prefix(b"file://").filter(|path| !path.is_empty())
}

/// A source for a text, or for the file that it names by `file://`. `None`: it cannot be read.
fn source<'a>(call: &Call<'_>, text: &'a [u8], origin: Origin<'_>) -> PhpResult<Option<Bio<'a>>> {
    match file_of(text) {
        Some(path) => {
            let Some(path) = checked_path(call, path, origin)? else { return Ok(None) };
            Ok(kept(call.vm, Bio::file(&path, "rb")))
        }
        None => Ok(kept(call.vm, Bio::reader(text))),
    }
}

fn certificate_of_text(call: &Call<'_>, text: &[u8], origin: Origin<'_>) -> PhpResult<Option<Certificate>> {
    let Some(source) = source(call, text, origin)? else { return Ok(None) };
    Ok(kept(call.vm, Certificate::read(&source)))
}

/// The certificate that a value contains: an object, a PEM text, or the name of a file.
pub fn certificate_of(call: &Call<'_>, value: &Val, origin: Origin<'_>) -> PhpResult<Option<Certificate>> {
    let value = value.deref();
    if let View::Obj(object) = value.view()
        && let Some(held) = object.native::<HeldCertificate>()
    {
        return Ok(Some(held.0.clone()));
    }
    let text = convert::to_str(call.vm, &value)?;
    certificate_of_text(call, &text, origin)
}

/// The certificate of an argument; `None` if it contains none.
pub fn certificate_argument(call: &Call<'_>, index: usize) -> PhpResult<Option<Certificate>> {
    certificate_of(call, &call.arg(index), Origin::argument(index))
}

/// Reports that something is missing. Where an error is thrown as well, only scripts without an error handler get the
/// report.
fn report_missing<T>(call: &Call<'_>, found: &PhpResult<Option<T>>, message: &str) -> PhpResult<()> {
    let has_handler = || call.vm.errors.handlers.borrow().last().is_some_and(|(handler, _)| !handler.is_null());
    match found {
        Ok(Some(_)) => Ok(()),
        Err(_) if has_handler() => Ok(()),
        _ => call.warning(message),
    }
}

/// The certificate of an argument. A missing one is reported.
pub fn required_certificate(call: &Call<'_>, index: usize) -> PhpResult<Option<Certificate>> {
    let certificate = certificate_argument(call, index);
    report_missing(call, &certificate, "X.509 Certificate cannot be retrieved")?;
    certificate
}

/// The certificates of an array, or a single one. The flag says whether all could be read.
pub fn certificates_of(
    call: &Call<'_>,
    value: &Val,
    argument: usize,
    option: Option<&str>,
) -> PhpResult<(Certificates, bool)> {
    let value = value.deref();
    let Some(mut list) = kept(call.vm, Certificates::new()) else {
        return Err(call.vm.throw_error(b"Out of memory"));
    };
    let single = [value.clone()];
    let from_array = value.as_arr().is_some();
    let values: Vec<Val> = match value.as_arr() {
        Some(array) => array.values().map(Val::deref).collect(),
        None => single.to_vec(),
    };
    for value in values {
        match certificate_of(call, &value, Origin { argument, from_array, option })? {
            Some(certificate) => {
                kept(call.vm, list.push(certificate));
            }
            None => return Ok((list, false)),
        }
    }
    Ok((list, true))
}

/// All certificates of a file. `None`: there are none, which was reported.
pub fn certificates_of_file(call: &Call<'_>, path: &[u8], argument: usize) -> PhpResult<Option<Certificates>> {
    let Some(path) = checked_path(call, path, Origin::argument(argument))? else { return Ok(None) };
    let shown = phlox_runtime::shown(&path).into_owned();
    let Some(file) = kept(call.vm, Bio::file(&path, "rb")) else {
        call.warning(&format!("Error opening the file, {shown}"))?;
        return Ok(None);
    };
    let Some(list) = kept(call.vm, Certificates::read(&file)) else {
        call.warning(&format!("Error reading the file, {shown}"))?;
        return Ok(None);
    };
    if list.is_empty() {
        call.warning(&format!("No certificates in file, {shown}"))?;
        return Ok(None);
    }
    Ok(Some(list))
}

/// The request that an argument contains: an object, a PEM text, or the name of a file.
pub fn request_argument(call: &Call<'_>, index: usize) -> PhpResult<Option<Rc<Request>>> {
    let value = call.arg(index);
    if let View::Obj(object) = value.view()
        && let Some(held) = object.native::<HeldRequest>()
    {
        return Ok(Some(held.0.clone()));
    }
    let text = call.str(index);
    let Some(source) = source(call, &text, Origin::argument(index))? else { return Ok(None) };
    Ok(kept(call.vm, Request::read(&source)).map(Rc::new))
}

/// The request of an argument. A missing one is reported.
pub fn required_request(call: &Call<'_>, index: usize) -> PhpResult<Option<Rc<Request>>> {
    let request = request_argument(call, index);
    report_missing(call, &request, "X.509 Certificate Signing Request cannot be retrieved")?;
    request
}

/// The half of a key that is needed. A private one may come with the password of its file.
#[derive(Clone, Copy)]
pub enum Half<'a> {
    Public,
    Private(Option<&'a [u8]>),
}

const KEY_ARRAY: &[u8] = b"Key array must be of the form array(0 => key, 1 => phrase)";

/// The key that a value contains: an object, a PEM text, the name of a file, or an array of one of these and a
/// password. `None`: there is none.
pub fn key_of(call: &Call<'_>, value: &Val, half: Half<'_>, argument: usize) -> PhpResult<Option<Key>> {
    let mut value = value.deref();
    let phrase;
    let mut half = half;
    if let Some(array) = value.as_arr().cloned() {
        let (key, given) = (array.get_int(0).map(Val::deref), array.get_int(1).map(Val::deref));
        let Some(given) = given else { return Err(call.vm.throw_value_error(KEY_ARRAY)) };
        phrase = convert::to_str(call.vm, &given)?;
        let Some(key) = key else { return Err(call.vm.throw_value_error(KEY_ARRAY)) };
        value = key;
        if let Half::Private(_) = half {
            half = Half::Private(Some(&phrase));
        }
    }
    let public = matches!(half, Half::Public);
    let text = match value.view() {
        View::Obj(object) => {
            if let Some(held) = object.native::<HeldKey>() {
                if public == held.private {
                    call.warning(match public {
                        true => "Don't know how to get public key from this private key",
                        false => "Supplied key param is a public key",
                    })?;
                    return Ok(None);
                }
                return Ok(Some(held.key.clone()));
            }
            if let Some(held) = object.native::<HeldCertificate>() {
                return Ok(if public { kept(call.vm, held.0.public_key()) } else { None });
            }
            convert::to_str(call.vm, &value)?
        }
        View::Str(text) => text.clone(),
        _ => return Ok(None),
    };
    let origin = Origin::argument(argument);
    let password = match half {
        Half::Private(password) => password,
        Half::Public => {
            let mark = errors::mark(call.vm);
            if let Some(certificate) = certificate_of_text(call, &text, origin)? {
                return Ok(kept(call.vm, certificate.public_key()));
            }
            errors::restore(call.vm, mark);
            let Some(source) = source(call, &text, origin)? else { return Ok(None) };
            return Ok(kept(call.vm, Key::read_public(&source)));
        }
    };
    let Some(source) = source(call, &text, origin)? else { return Ok(None) };
    Ok(kept(call.vm, Key::read_private(&source, password)))
}

/// The key of an argument. A missing one is reported with `message`.
pub fn required_key(call: &Call<'_>, index: usize, half: Half<'_>, message: &str) -> PhpResult<Option<Key>> {
    let key = key_of(call, &call.arg(index), half, index)?;
    if key.is_none() {
        call.warning(message)?;
    }
    Ok(key)
}
