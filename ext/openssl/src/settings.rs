//! The settings of a new key, request or certificate, from `openssl.cnf` and the options of a call.

use crate::errors::{keep, kept};
use crate::objects::LONGEST_PATH;
use phlox_openssl::{Bio, Cipher, Config, Digest, KeyKind, is_short_name};
use phlox_runtime::{Call, PhpArr, PhpResult, Val, basedir};

/// The ciphers that have a number in PHP (`OPENSSL_CIPHER_*`).
const NUMBERED: [(i64, &[u8]); 8] = [
    (0, b"rc2-40-cbc"),
    (1, b"rc2-cbc"),
    (2, b"rc2-64-cbc"),
    (3, b"des-cbc"),
    (4, b"des-ede3-cbc"),
    (5, b"aes-128-cbc"),
    (6, b"aes-192-cbc"),
    (7, b"aes-256-cbc"),
];

/// The cipher with a number of `OPENSSL_CIPHER_*`.
pub fn cipher_number(number: i64) -> Option<Cipher> {
    NUMBERED.iter().find(|(known, _)| *known == number).and_then(|(_, name)| Cipher::named(name))
}

/// The kinds of keys by their numbers in PHP (`OPENSSL_KEYTYPE_*`).
const KINDS: [KeyKind; 8] = [
    KeyKind::Rsa,
    KeyKind::Dsa,
    KeyKind::Dh,
    KeyKind::Ec,
    KeyKind::X25519,
    KeyKind::Ed25519,
    KeyKind::X448,
    KeyKind::Ed448,
];

/// The number of a kind of keys (`OPENSSL_KEYTYPE_*`); -1 if it has none.
pub fn kind_number(kind: KeyKind) -> i64 {
    KINDS.iter().position(|known| *known == kind).map_or(-1, |at| at as i64)
}

/// The settings of a new key, request or certificate.
pub struct Settings {
    /// The configuration file.
    pub config: Config,
    /// The section of the configuration for requests.
    pub section: Vec<u8>,
    /// The digest of signatures.
    pub digest: Digest,
    /// The section with the extensions of certificates.
    pub extensions: Option<Vec<u8>>,
    /// The section with the extensions of requests.
    pub request_extensions: Option<Vec<u8>>,
    /// The size of new keys in bits.
    pub key_bits: i32,
    /// The kind of new keys, by its number in PHP.
    pub key_type: i64,
    /// Whether exported keys are encrypted.
    pub encrypts_key: bool,
    /// The cipher of exported keys, if the options name one.
    pub key_cipher: Option<Cipher>,
    /// The number of the curve; 0 for none.
    pub curve: i32,
}

/// The path of `openssl.cnf`, unless a call names another file.
pub fn default_config() -> Vec<u8> {
    use std::os::unix::ffi::OsStringExt;
    let given = std::env::var_os("OPENSSL_CONF").or_else(|| std::env::var_os("SSLEAY_CONF"));
    given.map_or_else(
        || {
            let locations = phlox_openssl::default_locations();
            let area = locations.iter().find(|(name, _)| *name == "default_default_cert_area");
            [area.map_or(&b""[..], |(_, area)| area), b"/openssl.cnf"].concat()
        },
        OsStringExt::into_vec,
    )
}

/// The value of an option; values that are no strings are ignored.
fn text(options: &PhpArr, name: &str) -> Option<Vec<u8>> {
    options.get_bytes(name.as_bytes()).map(Val::deref)?.as_str().map(|text| text.to_vec())
}

/// The value of an option; values that are no integers are ignored.
fn number(options: &PhpArr, name: &str) -> Option<i64> {
    options.get_bytes(name.as_bytes()).map(Val::deref)?.as_int()
}

fn shown(text: &[u8]) -> String {
    phlox_runtime::shown(text).into_owned()
}

/// Reads the configuration and the options. `None`: they are invalid.
pub fn read(call: &Call<'_>, options: &PhpArr) -> PhpResult<Option<Settings>> {
    let vm = call.vm;
    let path = text(options, "config").unwrap_or_else(default_config);
    let section = text(options, "config_section_name").unwrap_or_else(|| b"req".to_vec());
    // PHP also reads the machine's own configuration, whose errors show in the queue.
    kept(vm, Config::load(&default_config()));
    let Ok(config) = Config::load(&path) else { return Ok(None) };
    if !add_objects(call, &config)? {
        return Ok(None);
    }
    let of_section = |name: &str| config.string(Some(&section), name.as_bytes());
    let either = |option: &str, name: &str| {
        let found = text(options, option).or_else(|| of_section(name));
        if found.is_none() {
            keep(vm);
        }
        found
    };
    let digest_name = either("digest_alg", "default_md");
    let extensions = either("x509_extensions", "x509_extensions");
    let request_extensions = either("req_extensions", "req_extensions");
    let key_bits =
        number(options, "private_key_bits").unwrap_or_else(|| config.number(&section, b"default_bits")) as i32;
    let key_type = number(options, "private_key_type").unwrap_or(0);
    let encrypts_key = match options.get_bytes(b"encrypt_key") {
        Some(value) => value.deref().as_bool() == Some(true),
        None => of_section("encrypt_rsa_key").or_else(|| of_section("encrypt_key")).as_deref() != Some(b"no"),
    };
    let mut key_cipher = None;
    if let Some(wanted) = number(options, "encrypt_key_cipher").filter(|_| encrypts_key) {
        key_cipher = cipher_number(wanted);
        if key_cipher.is_none() {
            call.warning("Unknown cipher algorithm for private key")?;
            return Ok(None);
        }
    }
    let digest = match digest_name.as_deref() {
        Some(b"null") => Some(Digest::null()),
        Some(name) => Digest::named(name),
        None => None,
    };
    let digest = digest.or_else(|| {
        keep(vm);
        Digest::named(b"sha1")
    });
    let Some(digest) = digest else { return Ok(None) };
    let settings = Settings {
        config,
        section,
        digest,
        extensions,
        request_extensions,
        key_bits,
        key_type,
        encrypts_key,
        key_cipher,
        curve: 0,
    };
    finish(call, options, &path, settings)
}

/// The second part of the checks, in PHP's order.
fn finish(call: &Call<'_>, options: &PhpArr, path: &[u8], mut settings: Settings) -> PhpResult<Option<Settings>> {
    if !is_well_formed(call, &settings, "extensions_section", &settings.extensions, path)? {
        return Ok(None);
    }
    if let Some(name) = text(options, "curve_name") {
        match is_short_name(&name) {
            Some(curve) => settings.curve = curve,
            None => {
                call.warning(&format!("Unknown elliptic curve (short) name {}", shown(&name)))?;
                return Ok(None);
            }
        }
    }
    if let Some(mask) = settings.config.string(Some(&settings.section), b"string_mask")
        && Config::set_string_mask(&mask).is_err()
    {
        call.warning(&format!("Invalid global string mask setting {}", shown(&mask)))?;
        return Ok(None);
    }
    let good = is_well_formed(call, &settings, "request_extensions_section", &settings.request_extensions, path)?;
    Ok(good.then_some(settings))
}

fn is_well_formed(
    call: &Call<'_>,
    settings: &Settings,
    label: &str,
    section: &Option<Vec<u8>>,
    path: &[u8],
) -> PhpResult<bool> {
    let Some(section) = section else { return Ok(true) };
    if kept(call.vm, settings.config.check_extensions(section)).is_some() {
        return Ok(true);
    }
    call.warning(&format!("Error loading {label} section {} of {}", shown(section), shown(path)))?;
    Ok(false)
}

/// Registers the objects that a configuration adds.
fn add_objects(call: &Call<'_>, config: &Config) -> PhpResult<bool> {
    if let Some(path) = config.string(None, b"oid_file") {
        let path = basedir::absolute(&path, None);
        if path.len() >= LONGEST_PATH {
            call.warning("Path for oid_file option must be a valid file path")?;
        } else if basedir::allows(call.vm, &path)?
            && let Ok(file) = Bio::file(&path, "rb")
        {
            Config::add_objects_of(&file);
            keep(call.vm);
        }
    }
    let Some(section) = config.string(None, b"oid_section") else { return Ok(true) };
    let Some(entries) = config.section(&section) else {
        keep(call.vm);
        call.warning(&format!("Problem loading oid section {}", shown(&section)))?;
        return Ok(false);
    };
    for entry in entries {
        if kept(call.vm, Config::add_object(&entry)).is_none() {
            call.warning(&format!("Problem creating object {}={}", shown(&entry.name), shown(&entry.value)))?;
            return Ok(false);
        }
    }
    Ok(true)
}

const LEAST_BITS: i32 = 384;

/// Makes a private key by the settings. `None`: it cannot be made.
pub fn new_key(call: &Call<'_>, settings: &Settings) -> PhpResult<Option<phlox_openssl::Key>> {
    let kind = usize::try_from(settings.key_type).ok().and_then(|number| KINDS.get(number).copied());
    let sized = matches!(kind, Some(KeyKind::Rsa | KeyKind::Dsa | KeyKind::Dh));
    if sized && settings.key_bits < LEAST_BITS {
        let bits = settings.key_bits;
        call.warning(&format!("Private key length must be at least {LEAST_BITS} bits, configured to {bits}"))?;
        return Ok(None);
    }
    let Some(kind) = kind else {
        call.warning("Unsupported private key type")?;
        return Ok(None);
    };
    if kind == KeyKind::Ec && settings.curve == 0 {
        call.warning("Missing configuration value: \"curve_name\" not set")?;
        return Ok(None);
    }
    Ok(kept(call.vm, phlox_openssl::Key::generate(kind, settings.key_bits, settings.curve)))
}
