//! TLS for sockets: sessions that `phlox-ext-standard-file` asks for, by the options of a context (`ssl`).

use crate::objects::certificate_object;
use crate::{tls_peer, tls_server};
use openssl::error::ErrorStack;
use openssl::ssl::{ErrorCode, Ssl, SslContext, SslContextBuilder, SslMethod, SslMode, SslOptions, SslStream};
use openssl::ssl::{SslVerifyMode, SslVersion};
use openssl::x509::X509;
use phlox_ext_standard_file::context;
use phlox_ext_standard_file::stream::crypto::{Session, Setup, Step};
use phlox_ext_standard_file::stream::open::warn;
use phlox_runtime::ini::{IniAccess, IniString};
use phlox_runtime::{PhpArr, PhpResult, PhpStr, Val, Vm, basedir, convert};
use rustix::net::{RecvFlags, SendFlags, recv, send};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// `openssl.cafile`: a file with the trusted certificates, for streams whose context names none.
pub static CAFILE: IniString = IniString::unset("openssl.cafile", IniAccess::PerDirOnly);
/// `openssl.capath`: a folder with trusted certificates, for streams whose context names none.
pub static CAPATH: IniString = IniString::unset("openssl.capath", IniAccess::PerDirOnly);

/// The versions of TLS by their bits of `STREAM_CRYPTO_METHOD_*`, the oldest first.
const VERSIONS: [(i64, SslVersion); 4] = [
    (1 << 3, SslVersion::TLS1),
    (1 << 4, SslVersion::TLS1_1),
    (1 << 5, SslVersion::TLS1_2),
    (1 << 6, SslVersion::TLS1_3),
];
const DEFAULT_DEPTH: i64 = 9;

/// A socket whose operations never wait. The stream waits for it.
struct Socket(File);

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(recv(&self.0, buffer, RecvFlags::DONTWAIT)?.0)
    }
}

impl Write for Socket {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        Ok(send(&self.0, data, SendFlags::DONTWAIT | SendFlags::NOSIGNAL)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An encrypted connection.
struct Tls {
    stream: SslStream<Socket>,
    client: bool,
    context: Val,
    /// The host that the URL names.
    name: Option<Vec<u8>>,
}

/// The options of a context for encryption.
pub struct SslOptionsOf<'a> {
    pub vm: &'a Vm,
    /// The context of the stream.
    pub context: &'a Val,
}

impl SslOptionsOf<'_> {
    /// The value of an option, if it is set.
    pub fn get(&self, name: &str) -> Option<Val> {
        context::option(self.context, b"ssl", name.as_bytes())
    }

    /// The value of an option as a boolean, if it is set.
    pub fn flag(&self, name: &str) -> Option<bool> {
        self.get(name).map(|value| convert::to_bool(&value))
    }

    /// The value of an option as a string, if it is set.
    pub fn text(&self, name: &str) -> PhpResult<Option<PhpStr>> {
        self.get(name).map(|value| convert::to_str(self.vm, &value)).transpose()
    }

    /// The value of an option as an integer.
    pub fn number(&self, name: &str, default: i64) -> PhpResult<i64> {
        self.get(name).map_or(Ok(default), |value| convert::to_int(self.vm, &value))
    }

    /// The absolute path of a file that an option names; `None` if `open_basedir` forbids it.
    pub fn file(&self, path: &[u8]) -> PhpResult<Option<Vec<u8>>> {
        if path.contains(&0) {
            return Ok(None);
        }
        let path = basedir::absolute(path, None);
        Ok(basedir::allows(self.vm, &path)?.then_some(path))
    }
}

/// A path from its bytes.
pub fn os(path: &[u8]) -> &Path {
    use std::os::unix::ffi::OsStrExt;
    Path::new(std::ffi::OsStr::from_bytes(path))
}

/// Prepares the encryption of a socket. `None`: that failed, which was reported.
pub fn begin(vm: &Vm, socket: File, setup: &Setup) -> PhpResult<Option<Box<dyn Session>>> {
    phlox_openssl::start();
    let options = SslOptionsOf { vm, context: &setup.context };
    let Some(context) = build(&options, setup)? else { return Ok(None) };
    let mut host = None;
    if setup.client && options.flag("SNI_enabled") != Some(false) {
        let name = options.text("peer_name")?.map(|name| name.to_vec()).or_else(|| setup.name.clone());
        host = name.and_then(|name| String::from_utf8(name).ok());
    }
    let made = Ssl::new(&context).and_then(|mut ssl| {
        if let Some(host) = &host {
            // A name that TLS cannot send is left out.
            let _ = ssl.set_hostname(host);
        }
        SslStream::new(ssl, Socket(socket))
    });
    let Ok(stream) = made else {
        warn(vm, b"SSL handle creation failure")?;
        return Ok(None);
    };
    let name = setup.name.clone();
    Ok(Some(Box::new(Tls { stream, client: setup.client, context: setup.context.clone(), name })))
}

fn build(options: &SslOptionsOf<'_>, setup: &Setup) -> PhpResult<Option<SslContext>> {
    let vm = options.vm;
    let method = if setup.client { SslMethod::tls_client() } else { SslMethod::tls_server() };
    let Ok(mut builder) = SslContextBuilder::new(method) else {
        warn(vm, b"SSL context creation failure")?;
        return Ok(None);
    };
    let mut bits = SslOptions::ALL | SslOptions::IGNORE_UNEXPECTED_EOF;
    bits.remove(SslOptions::DONT_INSERT_EMPTY_FRAGMENTS);
    bits.set(SslOptions::NO_TICKET, options.flag("no_ticket") == Some(true));
    bits.set(SslOptions::NO_COMPRESSION, options.flag("disable_compression") != Some(false));
    builder.set_options(bits);
    builder.set_mode(SslMode::ENABLE_PARTIAL_WRITE | SslMode::ACCEPT_MOVING_WRITE_BUFFER | SslMode::RELEASE_BUFFERS);
    set_versions(options, &mut builder, setup.method)?;
    if !set_verification(options, &mut builder, setup.client)? {
        return Ok(None);
    }
    let ciphers = options.text("ciphers")?;
    let ciphers = match &ciphers {
        Some(given) => phlox_runtime::shown(given).into_owned(),
        None => crate::constants::DEFAULT_STREAM_CIPHERS.to_owned(),
    };
    if builder.set_cipher_list(&ciphers).is_err() {
        return Ok(None);
    }
    if options.get("security_level").is_some() {
        let level = options.number("security_level", 0)?;
        if !(0..=5).contains(&level) {
            warn(vm, b"Security level must be between 0 and 5")?;
        }
        builder.set_security_level(level.clamp(0, u32::MAX as i64) as u32);
    }
    if let Some(protocols) = options.text("alpn_protocols")? {
        let Some(encoded) = encode_protocols(&protocols) else {
            warn(vm, b"Failed parsing comma-separated TLS ALPN protocol string")?;
            return Ok(None);
        };
        if setup.client {
            let _ = builder.set_alpn_protos(&encoded);
        } else {
            tls_server::offer_protocols(&mut builder, encoded);
        }
    }
    if !set_local_certificate(options, &mut builder)? {
        return Ok(None);
    }
    if !setup.client && !tls_server::set_up(options, &mut builder)? {
        return Ok(None);
    }
    Ok(Some(builder.build()))
}

/// Sets the oldest and the newest of the allowed versions.
fn set_versions(options: &SslOptionsOf<'_>, builder: &mut SslContextBuilder, method: i64) -> PhpResult<()> {
    let allowed = VERSIONS.iter().filter(|(bit, _)| method & bit != 0).map(|(bit, _)| *bit);
    let least = options.number("min_proto_version", 0)?;
    let most = options.number("max_proto_version", 0)?;
    let least = if least != 0 { least } else { allowed.clone().min().unwrap_or(1 << 6) };
    let most = if most != 0 { most } else { allowed.max().unwrap_or(1 << 6) };
    let inside = || VERSIONS.iter().filter(|(bit, _)| (least..=most).contains(bit));
    let first = inside().next().map_or(SslVersion::TLS1_3, |(_, version)| *version);
    let last = inside().next_back().map_or(SslVersion::TLS1_3, |(_, version)| *version);
    let _ = builder.set_min_proto_version(Some(first));
    let _ = builder.set_max_proto_version(Some(last));
    Ok(())
}

/// Sets whether the peer's certificate is verified, and the trusted certificates. False: that failed, which was
/// reported.
pub fn set_verification(options: &SslOptionsOf<'_>, builder: &mut SslContextBuilder, client: bool) -> PhpResult<bool> {
    if options.flag("verify_peer") == Some(false) {
        builder.set_verify(SslVerifyMode::NONE);
        return Ok(true);
    }
    let vm = options.vm;
    let setting = |path: &'static IniString| Some(vm.ini.get(path)).filter(|path| !path.is_empty());
    let (file, path) = (options.text("cafile")?, options.text("capath")?);
    if let Some(file) = file.as_ref().filter(|_| !client) {
        let authorities = std::fs::read(os(file)).ok().and_then(|pem| X509::stack_from_pem(&pem).ok());
        let authorities = authorities.filter(|list| !list.is_empty()).unwrap_or_default();
        if authorities.is_empty() || authorities.iter().any(|one| builder.add_client_ca(one).is_err()) {
            vm.warning(b"SSL: failed loading CA names from cafile")?;
            return Ok(false);
        }
    }
    let (file, path) = (file.or_else(|| setting(&CAFILE)), path.or_else(|| setting(&CAPATH)));
    if file.is_some() || path.is_some() {
        let loaded = builder.load_verify_locations(file.as_deref().map(os), path.as_deref().map(os));
        if loaded.is_err()
            && let Some(file) = &file
            && !tls_peer::trust_stream(vm, builder, file)?
        {
            return Ok(false);
        }
    } else if client && builder.set_default_verify_paths().is_err() {
        warn(vm, b"Unable to set default verify locations and no CA settings specified")?;
        return Ok(false);
    }
    let self_signed = options.flag("allow_self_signed") == Some(true);
    let depth = options.number("verify_depth", DEFAULT_DEPTH)?;
    builder.set_verify_depth(depth.clamp(0, i32::MAX as i64) as u32);
    builder.set_verify_callback(SslVerifyMode::PEER, move |good, chain| {
        good || self_signed && chain.error().as_raw() == tls_peer::SELF_SIGNED
    });
    Ok(true)
}

/// Sets the certificate of this side. False: that failed, which was reported.
fn set_local_certificate(options: &SslOptionsOf<'_>, builder: &mut SslContextBuilder) -> PhpResult<bool> {
    let vm = options.vm;
    let Some(given) = options.text("local_cert")? else { return Ok(true) };
    let shown = phlox_runtime::shown(&given).into_owned();
    let Some(certificate) = options.file(&given)? else {
        warn(vm, format!("Unable to get real path of certificate file `{shown}'").as_bytes())?;
        return Ok(false);
    };
    if builder.set_certificate_chain_file(os(&certificate)).is_err() {
        let text = format!(
            "Unable to set local cert chain file `{shown}'; Check that your cafile/capath settings include details of \
             your certificate and its issuer"
        );
        warn(vm, text.as_bytes())?;
        return Ok(false);
    }
    let mut key = certificate;
    if let Some(given) = options.text("local_pk")? {
        match options.file(&given)? {
            Some(path) => key = path,
            None => {
                let shown = phlox_runtime::shown(&given).into_owned();
                warn(vm, format!("Unable to get real path of private key file `{shown}'").as_bytes())?;
                return Ok(false);
            }
        }
    }
    let passphrase = options.text("passphrase")?.unwrap_or_else(PhpStr::empty);
    let set = std::fs::read(os(&key)).ok().is_some_and(|pem| {
        let key = openssl::pkey::PKey::private_key_from_pem_passphrase(&pem, &passphrase);
        key.and_then(|key| builder.set_private_key(&key)).is_ok()
    });
    if !set {
        let shown = phlox_runtime::shown(&key).into_owned();
        warn(vm, format!("Unable to set private key file `{shown}'").as_bytes())?;
        return Ok(false);
    }
    if builder.check_private_key().is_err() {
        warn(vm, b"Private key does not match certificate!")?;
    }
    Ok(true)
}

/// Protocol names, each preceded by its length. `None`: they cannot be written so.
fn encode_protocols(list: &[u8]) -> Option<Vec<u8>> {
    if list.len() >= 65_535 {
        return None;
    }
    let mut encoded = Vec::new();
    for name in list.split(|&byte| byte == b',') {
        encoded.push(u8::try_from(name.len()).ok()?);
        encoded.extend_from_slice(name);
    }
    Some(encoded)
}

/// The step that an error stands for. Serious errors are reported.
fn judge(vm: &Vm, error: openssl::ssl::Error) -> PhpResult<Step> {
    const NO_SHARED_CIPHER: i32 = 193;
    match error.code() {
        ErrorCode::ZERO_RETURN => return Ok(Step::Closed),
        ErrorCode::WANT_READ => return Ok(Step::WantsRead),
        ErrorCode::WANT_WRITE => return Ok(Step::WantsWrite),
        _ => {}
    }
    let errors = error.ssl_error().map(ErrorStack::errors).unwrap_or_default();
    if error.code() == ErrorCode::SYSCALL && errors.is_empty() {
        if let Some(cause) = error.io_error().filter(|cause| cause.raw_os_error().is_some()) {
            let text = phlox_ext_standard_file::stream::plain::error_text(cause);
            warn(vm, format!("SSL: {text}").as_bytes())?;
            return Ok(Step::Failed);
        }
        return Ok(Step::Closed);
    }
    if errors.first().is_some_and(|first| first.reason_code() == NO_SHARED_CIPHER) {
        let text = "SSL_R_NO_SHARED_CIPHER: no suitable shared cipher could be used.  This could be because the server \
                    is missing an SSL certificate (local_cert context option)";
        warn(vm, text.as_bytes())?;
        return Ok(Step::Failed);
    }
    let lines: Vec<Vec<u8>> = errors.iter().map(|error| phlox_openssl::error_text(error.code())).collect();
    let mut text = format!("SSL operation failed with code {}. ", error.code().as_raw()).into_bytes();
    if !lines.is_empty() {
        text.extend_from_slice(b"OpenSSL Error messages:\n");
        text.extend(lines.join(&b'\n'));
    }
    warn(vm, &text)?;
    Ok(Step::Failed)
}

impl Tls {
    fn certificate(vm: &Vm, certificate: &X509) -> PhpResult<Option<Val>> {
        let read = certificate.to_der().ok().and_then(|der| phlox_openssl::Certificate::from_der(&der).ok());
        read.map(|certificate| certificate_object(vm, certificate)).transpose()
    }

    /// Puts the peer's certificates into the context, if it asks for them.
    fn capture(&self, vm: &Vm) -> PhpResult<()> {
        let options = SslOptionsOf { vm, context: &self.context };
        let ssl = self.stream.ssl();
        let Some(own) = ssl.peer_certificate() else { return Ok(()) };
        if options.flag("capture_peer_cert") == Some(true)
            && let Some(object) = Tls::certificate(vm, &own)?
        {
            context::set_option(&self.context, b"ssl", b"peer_certificate", object);
        }
        if options.flag("capture_peer_cert_chain") == Some(true) {
            let mut list = Vec::new();
            for certificate in ssl.peer_cert_chain().into_iter().flatten() {
                list.extend(Tls::certificate(vm, &certificate.to_owned())?);
            }
            let chain = if list.is_empty() { Val::NULL } else { PhpArr::from_vec(list).into() };
            context::set_option(&self.context, b"ssl", b"peer_certificate_chain", chain);
        }
        Ok(())
    }
}

impl Session for Tls {
    fn handshake(&mut self, vm: &Vm) -> PhpResult<Step> {
        let step = if self.client { self.stream.connect() } else { self.stream.accept() };
        let step = match step {
            Ok(()) => Step::Done(0),
            Err(error) => judge(vm, error)?,
        };
        match step {
            Step::Done(_) => {
                self.capture(vm)?;
                let (ssl, options) = (self.stream.ssl(), SslOptionsOf { vm, context: &self.context });
                if tls_peer::accepts(&options, ssl, self.client, self.name.as_deref())? {
                    return Ok(Step::Done(0));
                }
                let _ = self.stream.shutdown();
                Ok(Step::Failed)
            }
            Step::Failed | Step::Closed => {
                self.capture(vm)?;
                Ok(Step::Failed)
            }
            waits => Ok(waits),
        }
    }

    fn read(&mut self, vm: &Vm, buffer: &mut [u8]) -> PhpResult<Step> {
        match self.stream.ssl_read(buffer) {
            Ok(count) => Ok(Step::Done(count)),
            Err(error) => judge(vm, error),
        }
    }

    fn write(&mut self, vm: &Vm, data: &[u8]) -> PhpResult<Step> {
        match self.stream.ssl_write(data) {
            Ok(count) => Ok(Step::Done(count)),
            Err(error) => judge(vm, error),
        }
    }

    fn is_alive(&mut self) -> bool {
        match self.stream.ssl_peek(&mut [0]) {
            Ok(_) => true,
            Err(error) => matches!(error.code(), ErrorCode::WANT_READ | ErrorCode::WANT_WRITE),
        }
    }

    fn pending(&self) -> usize {
        self.stream.ssl().pending()
    }

    fn shut_down(&mut self) {
        let _ = self.stream.shutdown();
    }

    fn meta(&self) -> PhpArr {
        let ssl = self.stream.ssl();
        let mut meta = PhpArr::new();
        meta.set_bytes(b"protocol", ssl.version_str().into());
        if let Some(cipher) = ssl.current_cipher() {
            meta.set_bytes(b"cipher_name", cipher.name().into());
            meta.set_bytes(b"cipher_bits", Val::int(cipher.bits().secret as i64));
            meta.set_bytes(b"cipher_version", cipher.version().into());
        }
        if let Some(protocol) = ssl.selected_alpn_protocol() {
            meta.set_bytes(b"alpn_protocol", Val::str(protocol));
        }
        meta
    }
}
