//! Keys that are made from their numbers, and the numbers of keys.

use crate::handle::{Group, KeyCtx, Number, NumberCtx, ParamBuilder, Params, Point};
use crate::{Failed, Key, KeyKind, Outcome, c_text, passed, start, sys};
use std::ptr;

const KEY_PAIR: i32 = 0x87;
const COMPRESSED: i32 = 2;
const SM2: i32 = 1172;

/// The numbers and texts that a key is made of, by libcrypto's names.
pub struct KeyParts {
    builder: ParamBuilder,
    /// The numbers that the builder points to, because it does not copy them.
    numbers: Vec<Number>,
    texts: Vec<Vec<u8>>,
}

impl KeyParts {
    /// No parts.
    pub fn new() -> Outcome<KeyParts> {
        start();
        // SAFETY: the function has no preconditions; the builder is new.
        let builder = unsafe { ParamBuilder::own(sys::OSSL_PARAM_BLD_new()) }?;
        Ok(KeyParts { builder, numbers: Vec::new(), texts: Vec::new() })
    }

    /// Adds a number, the highest byte first.
    pub fn number(&mut self, name: &str, bytes: &[u8]) -> Outcome<()> {
        let number = Number::of(bytes).ok_or(Failed)?;
        self.push(name, number)
    }

    fn push(&mut self, name: &str, number: Number) -> Outcome<()> {
        let name = c_text(name.as_bytes());
        // SAFETY: name and number live as long as the builder, which keeps pointers to them.
        let code = unsafe { sys::OSSL_PARAM_BLD_push_BN(self.builder.raw(), self.keep(name), number.raw()) };
        self.numbers.push(number);
        passed(code)
    }

    /// Keeps a text as long as the builder, which points to it.
    fn keep(&mut self, name: std::ffi::CString) -> *const std::ffi::c_char {
        self.texts.push(name.into_bytes_with_nul());
        self.texts.last().map_or(ptr::null(), |text| text.as_ptr().cast())
    }

    /// Adds bytes.
    pub fn octets(&mut self, name: &str, bytes: &[u8]) -> Outcome<()> {
        let name = self.keep(c_text(name.as_bytes()));
        self.texts.push(bytes.to_vec());
        let data = self.texts.last().map_or(ptr::null(), |text| text.as_ptr());
        // SAFETY: name and bytes live as long as the builder, which keeps pointers to them; the size is that of the
        // bytes.
        passed(unsafe { sys::OSSL_PARAM_BLD_push_octet_string(self.builder.raw(), name, data.cast(), bytes.len()) })
    }

    fn text(&mut self, name: &str, text: &[u8]) -> Outcome<()> {
        let name = self.keep(c_text(name.as_bytes()));
        let data = self.keep(c_text(text));
        // SAFETY: name and text live as long as the builder; a size of 0 says that the text ends with NUL.
        passed(unsafe { sys::OSSL_PARAM_BLD_push_utf8_string(self.builder.raw(), name, data, 0) })
    }

    fn params(&mut self) -> Outcome<Params> {
        // SAFETY: everything that was pushed is still alive; the result is a copy.
        unsafe { Params::own(sys::OSSL_PARAM_BLD_to_param(self.builder.raw())) }
    }

    /// A key of these parts.
    pub fn key(&mut self, kind: KeyKind) -> Outcome<Key> {
        let params = self.params()?;
        // SAFETY: context and parameters are alive; the result is a reference of the caller's own.
        unsafe {
            let context = KeyCtx::own(sys::EVP_PKEY_CTX_new_id(kind.nid(), ptr::null_mut()))?;
            passed(sys::EVP_PKEY_fromdata_init(context.raw()))?;
            let mut key = ptr::null_mut();
            passed(sys::EVP_PKEY_fromdata(context.raw(), &mut key, KEY_PAIR, params.raw()))?;
            Key::own(key)
        }
    }
}

/// The reason why a key on a curve cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EcFailure {
    /// There is no curve with this short name.
    UnknownCurve,
    /// There is neither a name nor any number of a curve.
    NoCurve,
    /// Some numbers of a curve are missing.
    IncompleteCurve,
    NoGenerator,
    Failed,
}

impl From<Failed> for EcFailure {
    fn from(_: Failed) -> EcFailure {
        EcFailure::Failed
    }
}

/// A part of a key on a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EcPart {
    CurveName,
    P,
    A,
    B,
    Order,
    Generator,
    GeneratorX,
    GeneratorY,
    Seed,
    Cofactor,
    Private,
    X,
    Y,
}

/// Gives the part if it exists.
type PartOf<'a> = &'a dyn Fn(EcPart) -> Option<Vec<u8>>;

impl Key {
    /// A new key with the parameters of this one.
    pub fn generate_like(&self) -> Outcome<Key> {
        // SAFETY: `self` owns the key, and the context belongs to this call.
        unsafe {
            let context = KeyCtx::own(sys::EVP_PKEY_CTX_new(self.raw(), ptr::null_mut()))?;
            passed(sys::EVP_PKEY_keygen_init(context.raw()))?;
            Key::from_context(&context)
        }
    }

    /// The public number of Diffie-Hellman that belongs to a private one. `None`: it cannot be computed.
    pub fn dh_public(private: &[u8], generator: &[u8], prime: &[u8]) -> Option<Vec<u8>> {
        let (private, generator, prime) = (Number::of(private)?, Number::of(generator)?, Number::of(prime)?);
        // SAFETY: the handles own all numbers, which live through the call; the context is new.
        unsafe {
            let context = NumberCtx::own(sys::BN_CTX_new()).ok()?;
            let public = Number::own(sys::BN_new()).ok()?;
            let code = sys::BN_mod_exp(public.raw(), generator.raw(), private.raw(), prime.raw(), context.raw());
            (code > 0).then(|| public.bytes())
        }
    }

    /// The key on a curve that the parts describe; a new one if they have no key. The flag says whether it is
    /// private.
    pub fn on_curve(part: PartOf<'_>) -> Result<(Key, bool), EcFailure> {
        let mut parts = KeyParts::new()?;
        // SAFETY: the function has no preconditions; the context is new.
        let numbers = unsafe { NumberCtx::own(sys::BN_CTX_new()) }?;
        let (group, nid) = match part(EcPart::CurveName).filter(|name| !name.is_empty()) {
            Some(name) => named_curve(&mut parts, &name)?,
            None => explicit_curve(&mut parts, part, &numbers)?,
        };
        let (private, mut point) = (part(EcPart::Private), None);
        let mut has_key = false;
        if nid != SM2 {
            if let Some(private) = &private {
                let number = Number::of(private).ok_or(Failed)?;
                point = Some(multiple(&group, &number, &numbers)?);
                parts.push("priv", number)?;
            } else if let (Some(x), Some(y)) = (part(EcPart::X), part(EcPart::Y)) {
                point = Some(point_at(&group, &x, &y, &numbers)?);
            }
            if let Some(point) = &point {
                has_key = true;
                let encoded = encode(&group, point, &numbers)?;
                parts.octets("pub", &encoded)?;
            }
        }
        let params = parts.params()?;
        // SAFETY: the contexts belong to this call; the keys are references of the caller's own.
        unsafe {
            let mut context = KeyCtx::own(sys::EVP_PKEY_CTX_new_id(KeyKind::Ec.nid(), ptr::null_mut()))?;
            let mut given = None;
            if has_key {
                passed(sys::EVP_PKEY_fromdata_init(context.raw()))?;
                let mut key = ptr::null_mut();
                passed(sys::EVP_PKEY_fromdata(context.raw(), &mut key, KEY_PAIR, params.raw()))?;
                let key = Key::own(key)?;
                context = KeyCtx::own(sys::EVP_PKEY_CTX_new(key.raw(), ptr::null_mut()))?;
                given = Some(key);
            }
            let good = sys::EVP_PKEY_check(context.raw()) != 0 || sys::EVP_PKEY_public_check_quick(context.raw()) != 0;
            if let (true, Some(key)) = (good, given) {
                return Ok((key, private.is_some()));
            }
            let mut key = ptr::null_mut();
            passed(sys::EVP_PKEY_keygen_init(context.raw()))?;
            passed(sys::EVP_PKEY_CTX_set_params(context.raw(), params.raw()))?;
            passed(sys::EVP_PKEY_generate(context.raw(), &mut key))?;
            Ok((Key::own(key)?, true))
        }
    }

    /// A number of the key by libcrypto's name.
    pub fn number(&self, name: &str) -> Option<Vec<u8>> {
        let name = c_text(name.as_bytes());
        let mut number = ptr::null_mut();
        // SAFETY: `self` owns the key; the name ends with NUL; the number is new and belongs to the caller.
        unsafe {
            let code = sys::EVP_PKEY_get_bn_param(self.raw(), name.as_ptr(), &mut number);
            let number = Number::own(number).ok()?;
            (code > 0).then(|| number.bytes())
        }
    }

    /// Bytes of the key by libcrypto's name, at most 64.
    pub fn octets(&self, name: &str) -> Option<Vec<u8>> {
        let (name, mut buffer, mut size) = (c_text(name.as_bytes()), [0u8; 64], 0);
        // SAFETY: `self` owns the key; the name ends with NUL; the size is that of the buffer.
        let code = unsafe {
            let (start, room) = (buffer.as_mut_ptr(), buffer.len());
            sys::EVP_PKEY_get_octet_string_param(self.raw(), name.as_ptr(), start, room, &mut size)
        };
        (code > 0).then(|| buffer[..size.min(buffer.len())].to_vec())
    }

    /// The short name of the key's curve, and the curve's number with dots if it has one.
    pub fn curve(&self) -> Option<(Vec<u8>, Option<Vec<u8>>)> {
        let (mut buffer, mut size) = ([0u8; 64], 0);
        // SAFETY: the sizes are those of the buffers; the object is a constant of libcrypto's table.
        unsafe {
            let (start, room) = (buffer.as_mut_ptr(), buffer.len());
            if sys::EVP_PKEY_get_utf8_string_param(self.raw(), c"group".as_ptr(), start.cast(), room, &mut size) <= 0 {
                return None;
            }
            let name = buffer[..size.min(room)].to_vec();
            let c_name = c_text(&name);
            let nid = sys::OBJ_sn2nid(c_name.as_ptr());
            let object = if nid == 0 { ptr::null_mut() } else { sys::OBJ_nid2obj(nid) };
            let numbers = (!object.is_null()).then(|| crate::x509::object_text(object));
            Some((name, numbers))
        }
    }
}

fn named_curve(parts: &mut KeyParts, name: &[u8]) -> Result<(Group, i32), EcFailure> {
    let nid = crate::is_short_name(name).ok_or(EcFailure::UnknownCurve)?;
    // SAFETY: the function takes a number; the group is new.
    let group = unsafe { Group::own(sys::EC_GROUP_new_by_curve_name(nid)) }?;
    parts.text("group", name)?;
    Ok((group, nid))
}

/// A curve of the form y² = x³ + ax + b over a prime field.
fn explicit_curve(parts: &mut KeyParts, part: PartOf<'_>, numbers: &NumberCtx) -> Result<(Group, i32), EcFailure> {
    let given = [EcPart::P, EcPart::A, EcPart::B, EcPart::Order].map(part);
    let [Some(p), Some(a), Some(b), Some(order)] = &given else {
        return Err(if given.iter().all(Option::is_none) { EcFailure::NoCurve } else { EcFailure::IncompleteCurve });
    };
    for (name, bytes) in [("p", p), ("a", a), ("b", b), ("order", order)] {
        parts.number(name, bytes)?;
    }
    parts.text("field-type", b"prime-field")?;
    let number = |bytes: &[u8]| Number::of(bytes).ok_or(Failed);
    let (p, a, b, order) = (number(p)?, number(a)?, number(b)?, number(order)?);
    // SAFETY: the handles own all numbers, which live through the calls; group and point are new.
    let (group, generator) = unsafe {
        let group = Group::own(sys::EC_GROUP_new_curve_GFp(p.raw(), a.raw(), b.raw(), numbers.raw()))?;
        let generator = Point::own(sys::EC_POINT_new(group.raw()))?;
        (group, generator)
    };
    let generator = match part(EcPart::Generator).filter(|bytes| !bytes.is_empty()) {
        Some(bytes) => {
            // SAFETY: the size is that of the bytes; group and point live through the call.
            passed(unsafe {
                let (start, size) = (bytes.as_ptr(), bytes.len());
                sys::EC_POINT_oct2point(group.raw(), generator.raw(), start, size, numbers.raw())
            })?;
            parts.octets("generator", &bytes)?;
            generator
        }
        None => {
            let (Some(x), Some(y)) = (part(EcPart::GeneratorX), part(EcPart::GeneratorY)) else {
                return Err(EcFailure::NoGenerator);
            };
            let generator = point_at(&group, &x, &y, numbers)?;
            let encoded = encode(&group, &generator, numbers)?;
            parts.octets("generator", &encoded)?;
            generator
        }
    };
    if let Some(seed) = part(EcPart::Seed).filter(|bytes| !bytes.is_empty()) {
        // SAFETY: the size is that of the bytes, which the group copies.
        if unsafe { sys::EC_GROUP_set_seed(group.raw(), seed.as_ptr(), seed.len()) } == 0 {
            return Err(EcFailure::Failed);
        }
        parts.octets("seed", &seed)?;
    }
    // libcrypto computes a missing cofactor.
    let cofactor = part(EcPart::Cofactor);
    if let Some(cofactor) = &cofactor {
        parts.number("cofactor", cofactor)?;
    }
    let cofactor = cofactor.map(|bytes| number(&bytes)).transpose()?;
    let cofactor = cofactor.as_ref().map_or(ptr::null(), |number| number.raw().cast_const());
    // SAFETY: the handles own group, point and numbers, which the group copies; a null cofactor is allowed.
    let nid = unsafe {
        passed(sys::EC_GROUP_set_generator(group.raw(), generator.raw(), order.raw(), cofactor))?;
        sys::EC_GROUP_check_named_curve(group.raw(), 0, numbers.raw())
    };
    Ok((group, nid))
}

fn point_at(group: &Group, x: &[u8], y: &[u8], numbers: &NumberCtx) -> Outcome<Point> {
    let (x, y) = (Number::of(x).ok_or(Failed)?, Number::of(y).ok_or(Failed)?);
    // SAFETY: the handles own group and numbers, which live through the calls; the point is new.
    unsafe {
        let point = Point::own(sys::EC_POINT_new(group.raw()))?;
        passed(sys::EC_POINT_set_affine_coordinates(group.raw(), point.raw(), x.raw(), y.raw(), numbers.raw()))?;
        Ok(point)
    }
}

/// The generator of the group multiplied by a number.
fn multiple(group: &Group, number: &Number, numbers: &NumberCtx) -> Outcome<Point> {
    // SAFETY: the handles own group and numbers, which live through the calls; the point is new.
    unsafe {
        let point = Point::own(sys::EC_POINT_new(group.raw()))?;
        let (none, no_factor) = (ptr::null(), ptr::null());
        passed(sys::EC_POINT_mul(group.raw(), point.raw(), number.raw(), none, no_factor, numbers.raw()))?;
        Ok(point)
    }
}

fn encode(group: &Group, point: &Point, numbers: &NumberCtx) -> Outcome<Vec<u8>> {
    // SAFETY: the first call asks for the size only, and the second writes at most that many bytes.
    unsafe {
        let (form, none) = (COMPRESSED, ptr::null_mut());
        let size = sys::EC_POINT_point2oct(group.raw(), point.raw(), form, none, 0, numbers.raw());
        let mut bytes = vec![0; size];
        let start = bytes.as_mut_ptr();
        let size = sys::EC_POINT_point2oct(group.raw(), point.raw(), form, start, size, numbers.raw());
        if size == 0 { Err(Failed) } else { Ok(bytes) }
    }
}
