//! The `openssl` extension: encryption, digests, keys, certificates and messages, by OpenSSL itself.
//!
//! The module [`tls`] encrypts sockets of `phlox-ext-standard-file`.
#![forbid(unsafe_code)]

mod certificates;
mod constants;
mod containers;
mod digests;
mod errors;
mod exchange;
mod keys;
mod messages;
mod objects;
mod requests;
mod settings;
mod symmetric;
mod tls;
mod tls_peer;
mod tls_server;

use certificates::*;
use containers::*;
use digests::*;
use errors::openssl_error_string;
use exchange::*;
use keys::*;
use messages::*;
use phlox_ext_standard_file::http_client;
use phlox_ext_standard_file::stream::crypto;
use phlox_ext_standard_file::stream::open::{self, Wrapper};
use phlox_runtime::{Extension, FnDef, Vm};
use requests::*;
use symmetric::*;
pub use tls::CAFILE;

const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "openssl_x509_export_to_file(OpenSSLCertificate|string $certificate, string $output_filename, bool $no_text = true): bool",
        openssl_x509_export_to_file,
    ),
    FnDef::new(
        "openssl_x509_export(OpenSSLCertificate|string $certificate, &$output, bool $no_text = true): bool",
        openssl_x509_export,
    ),
    FnDef::new(
        r#"openssl_x509_fingerprint(OpenSSLCertificate|string $certificate, string $digest_algo = "sha1", bool $binary = false): string|false"#,
        openssl_x509_fingerprint,
    ),
    FnDef::new(
        r"openssl_x509_check_private_key(OpenSSLCertificate|string $certificate, #[\SensitiveParameter] $private_key): bool",
        openssl_x509_check_private_key,
    ),
    FnDef::new("openssl_x509_verify(OpenSSLCertificate|string $certificate, $public_key): int", openssl_x509_verify),
    FnDef::new(
        "openssl_x509_parse(OpenSSLCertificate|string $certificate, bool $short_names = true): array|false",
        openssl_x509_parse,
    ),
    FnDef::new(
        "openssl_x509_checkpurpose(OpenSSLCertificate|string $certificate, int $purpose, array $ca_info = [], ?string $untrusted_certificates_file = null): bool|int",
        openssl_x509_checkpurpose,
    ),
    FnDef::new(
        "openssl_x509_read(OpenSSLCertificate|string $certificate): OpenSSLCertificate|false",
        openssl_x509_read,
    ),
    FnDef::new(
        r##"#[\Deprecated(since: "8.0", message: "as OpenSSLCertificate objects are freed automatically")] openssl_x509_free(OpenSSLCertificate $certificate): void"##,
        nothing,
    ),
    FnDef::new(
        r"openssl_pkcs12_export_to_file(OpenSSLCertificate|string $certificate, string $output_filename, #[\SensitiveParameter] $private_key, #[\SensitiveParameter] string $passphrase, array $options = []): bool",
        openssl_pkcs12_export_to_file,
    ),
    FnDef::new(
        r"openssl_pkcs12_export(OpenSSLCertificate|string $certificate, &$output, #[\SensitiveParameter] $private_key, #[\SensitiveParameter] string $passphrase, array $options = []): bool",
        openssl_pkcs12_export,
    ),
    FnDef::new(
        r"openssl_pkcs12_read(string $pkcs12, &$certificates, #[\SensitiveParameter] string $passphrase): bool",
        openssl_pkcs12_read,
    ),
    FnDef::new(
        "openssl_csr_export_to_file(OpenSSLCertificateSigningRequest|string $csr, string $output_filename, bool $no_text = true): bool",
        openssl_csr_export_to_file,
    ),
    FnDef::new(
        "openssl_csr_export(OpenSSLCertificateSigningRequest|string $csr, &$output, bool $no_text = true): bool",
        openssl_csr_export,
    ),
    FnDef::new(
        r"openssl_csr_sign(OpenSSLCertificateSigningRequest|string $csr, OpenSSLCertificate|string|null $ca_certificate, #[\SensitiveParameter] $private_key, int $days, ?array $options = null, int $serial = 0, ?string $serial_hex = null): OpenSSLCertificate|false",
        openssl_csr_sign,
    ),
    FnDef::new(
        r"openssl_csr_new(array $distinguished_names, #[\SensitiveParameter] &$private_key, ?array $options = null, ?array $extra_attributes = null): OpenSSLCertificateSigningRequest|bool",
        openssl_csr_new,
    ),
    FnDef::new(
        "openssl_csr_get_subject(OpenSSLCertificateSigningRequest|string $csr, bool $short_names = true): array|false",
        openssl_csr_get_subject,
    ),
    FnDef::new(
        "openssl_csr_get_public_key(OpenSSLCertificateSigningRequest|string $csr, bool $short_names = true): OpenSSLAsymmetricKey|false",
        openssl_csr_get_public_key,
    ),
    FnDef::new("openssl_pkey_new(?array $options = null): OpenSSLAsymmetricKey|false", openssl_pkey_new),
    FnDef::new(
        r"openssl_pkey_export_to_file(#[\SensitiveParameter] $key, string $output_filename, #[\SensitiveParameter] ?string $passphrase = null, ?array $options = null): bool",
        openssl_pkey_export_to_file,
    ),
    FnDef::new(
        r"openssl_pkey_export(#[\SensitiveParameter] $key, &$output, #[\SensitiveParameter] ?string $passphrase = null, ?array $options = null): bool",
        openssl_pkey_export,
    ),
    FnDef::new("openssl_pkey_get_public($public_key): OpenSSLAsymmetricKey|false", openssl_pkey_get_public),
    FnDef::new("openssl_get_publickey($public_key): OpenSSLAsymmetricKey|false", openssl_pkey_get_public),
    FnDef::new(
        r##"#[\Deprecated(since: "8.0", message: "as OpenSSLAsymmetricKey objects are freed automatically")] openssl_pkey_free(OpenSSLAsymmetricKey $key): void"##,
        nothing,
    ),
    FnDef::new(
        r##"#[\Deprecated(since: "8.0", message: "as OpenSSLAsymmetricKey objects are freed automatically")] openssl_free_key(OpenSSLAsymmetricKey $key): void"##,
        nothing,
    ),
    FnDef::new(
        r"openssl_pkey_get_private(#[\SensitiveParameter] $private_key, #[\SensitiveParameter] ?string $passphrase = null): OpenSSLAsymmetricKey|false",
        openssl_pkey_get_private,
    ),
    FnDef::new(
        r"openssl_get_privatekey(#[\SensitiveParameter] $private_key, #[\SensitiveParameter] ?string $passphrase = null): OpenSSLAsymmetricKey|false",
        openssl_pkey_get_private,
    ),
    FnDef::new("openssl_pkey_get_details(OpenSSLAsymmetricKey $key): array|false", openssl_pkey_get_details),
    FnDef::new(
        r#"openssl_pbkdf2(#[\SensitiveParameter] string $password, string $salt, int $key_length, int $iterations, string $digest_algo = "sha1"): string|false"#,
        openssl_pbkdf2,
    ),
    FnDef::new(
        "openssl_pkcs7_verify(string $input_filename, int $flags, ?string $signers_certificates_filename = null, array $ca_info = [], ?string $untrusted_certificates_filename = null, ?string $content = null, ?string $output_filename = null): bool|int",
        openssl_pkcs7_verify,
    ),
    FnDef::new(
        "openssl_pkcs7_encrypt(string $input_filename, string $output_filename, $certificate, ?array $headers, int $flags = 0, int $cipher_algo = OPENSSL_CIPHER_AES_128_CBC): bool",
        openssl_pkcs7_encrypt,
    ),
    FnDef::new(
        r"openssl_pkcs7_sign(string $input_filename, string $output_filename, OpenSSLCertificate|string $certificate, #[\SensitiveParameter] $private_key, ?array $headers, int $flags = PKCS7_DETACHED, ?string $untrusted_certificates_filename = null): bool",
        openssl_pkcs7_sign,
    ),
    FnDef::new(
        r"openssl_pkcs7_decrypt(string $input_filename, string $output_filename, #[\SensitiveParameter] $certificate, #[\SensitiveParameter] $private_key = null): bool",
        openssl_pkcs7_decrypt,
    ),
    FnDef::new("openssl_pkcs7_read(string $data, &$certificates): bool", openssl_pkcs7_read),
    FnDef::new(
        "openssl_cms_verify(string $input_filename, int $flags = 0, ?string $certificates = null, array $ca_info = [], ?string $untrusted_certificates_filename = null, ?string $content = null, ?string $pk7 = null, ?string $sigfile = null, int $encoding = OPENSSL_ENCODING_SMIME): bool",
        openssl_cms_verify,
    ),
    FnDef::new(
        "openssl_cms_encrypt(string $input_filename, string $output_filename, $certificate, ?array $headers, int $flags = 0, int $encoding = OPENSSL_ENCODING_SMIME, int $cipher_algo = OPENSSL_CIPHER_AES_128_CBC): bool",
        openssl_cms_encrypt,
    ),
    FnDef::new(
        r"openssl_cms_sign(string $input_filename, string $output_filename, OpenSSLCertificate|string $certificate, #[\SensitiveParameter] $private_key, ?array $headers, int $flags = 0, int $encoding = OPENSSL_ENCODING_SMIME, ?string $untrusted_certificates_filename = null): bool",
        openssl_cms_sign,
    ),
    FnDef::new(
        r"openssl_cms_decrypt(string $input_filename, string $output_filename, #[\SensitiveParameter] $certificate, #[\SensitiveParameter] $private_key = null, int $encoding = OPENSSL_ENCODING_SMIME): bool",
        openssl_cms_decrypt,
    ),
    FnDef::new("openssl_cms_read(string $input_filename, &$certificates): bool", openssl_cms_read),
    FnDef::new(
        r"openssl_private_encrypt(#[\SensitiveParameter] string $data, &$encrypted_data, #[\SensitiveParameter] $private_key, int $padding = OPENSSL_PKCS1_PADDING): bool",
        openssl_private_encrypt,
    ),
    FnDef::new(
        r"openssl_private_decrypt(string $data, #[\SensitiveParameter] &$decrypted_data, #[\SensitiveParameter] $private_key, int $padding = OPENSSL_PKCS1_PADDING): bool",
        openssl_private_decrypt,
    ),
    FnDef::new(
        r"openssl_public_encrypt(#[\SensitiveParameter] string $data, &$encrypted_data, $public_key, int $padding = OPENSSL_PKCS1_PADDING): bool",
        openssl_public_encrypt,
    ),
    FnDef::new(
        r"openssl_public_decrypt(string $data, #[\SensitiveParameter] &$decrypted_data, $public_key, int $padding = OPENSSL_PKCS1_PADDING): bool",
        openssl_public_decrypt,
    ),
    FnDef::new("openssl_error_string(): string|false", openssl_error_string),
    FnDef::new(
        r"openssl_sign(string $data, &$signature, #[\SensitiveParameter] $private_key, string|int $algorithm = OPENSSL_ALGO_SHA1): bool",
        openssl_sign,
    ),
    FnDef::new(
        "openssl_verify(string $data, string $signature, $public_key, string|int $algorithm = OPENSSL_ALGO_SHA1): int|false",
        openssl_verify,
    ),
    FnDef::new(
        r"openssl_seal(#[\SensitiveParameter] string $data, &$sealed_data, &$encrypted_keys, array $public_key, string $cipher_algo, &$iv = null): int|false",
        openssl_seal,
    ),
    FnDef::new(
        r"openssl_open(string $data, #[\SensitiveParameter] &$output, string $encrypted_key, #[\SensitiveParameter] $private_key, string $cipher_algo, ?string $iv = null): bool",
        openssl_open,
    ),
    FnDef::new("openssl_get_md_methods(bool $aliases = false): array", openssl_get_md_methods),
    FnDef::new("openssl_get_cipher_methods(bool $aliases = false): array", openssl_get_cipher_methods),
    FnDef::new("openssl_get_curve_names(): array|false", openssl_get_curve_names),
    FnDef::new("openssl_digest(string $data, string $digest_algo, bool $binary = false): string|false", openssl_digest),
    FnDef::new(
        r#"openssl_encrypt(#[\SensitiveParameter] string $data, string $cipher_algo, #[\SensitiveParameter] string $passphrase, int $options = 0, string $iv = "", &$tag = null, string $aad = "", int $tag_length = 16): string|false"#,
        openssl_encrypt,
    ),
    FnDef::new(
        r#"openssl_decrypt(string $data, string $cipher_algo, #[\SensitiveParameter] string $passphrase, int $options = 0, string $iv = "", ?string $tag = null, string $aad = ""): string|false"#,
        openssl_decrypt,
    ),
    FnDef::new("openssl_cipher_iv_length(string $cipher_algo): int|false", openssl_cipher_iv_length),
    FnDef::new("openssl_cipher_key_length(string $cipher_algo): int|false", openssl_cipher_key_length),
    FnDef::new(
        r"openssl_dh_compute_key(string $public_key, #[\SensitiveParameter] OpenSSLAsymmetricKey $private_key): string|false",
        openssl_dh_compute_key,
    ),
    FnDef::new(
        r"openssl_pkey_derive($public_key, #[\SensitiveParameter] $private_key, int $key_length = 0): string|false",
        openssl_pkey_derive,
    ),
    FnDef::new("openssl_random_pseudo_bytes(int $length, &$strong_result = null): string", openssl_random_pseudo_bytes),
    FnDef::new(
        r"openssl_spki_new(#[\SensitiveParameter] OpenSSLAsymmetricKey $private_key, string $challenge, int $digest_algo = OPENSSL_ALGO_MD5): string|false",
        openssl_spki_new,
    ),
    FnDef::new("openssl_spki_verify(string $spki): bool", openssl_spki_verify),
    FnDef::new("openssl_spki_export(string $spki): string|false", openssl_spki_export),
    FnDef::new("openssl_spki_export_challenge(string $spki): string|false", openssl_spki_export_challenge),
    FnDef::new("openssl_get_cert_locations(): array", openssl_get_cert_locations),
];

/// The extension, which the engine registers.
pub static EXTENSION: Extension = Extension {
    name: "openssl",
    functions: &[FUNCTIONS],
    classes: &[objects::CLASSES],
    constants: &[constants::CONSTANTS],
    ini: &[&tls::CAFILE.def, &tls::CAPATH.def],
    startup: Some(startup),
    shutdown: None,
};

/// Registers TLS for sockets, and the wrapper `https://`.
fn startup(vm: &Vm) {
    crypto::provide(vm, tls::begin);
    let https = Wrapper::Native(http_client::SECURE_WRAPPER);
    open::wrappers(vm).table.borrow_mut().push((b"https".to_vec(), https));
}
