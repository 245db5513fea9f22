//! The part of libcrypto's C interface that this crate uses. `openssl-sys`, which builds and links the library,
//! declares about half of it; all declarations are repeated here, with a type for each kind of pointer.

use std::ffi::{c_char, c_int, c_long, c_uchar, c_uint, c_ulong, c_void};

// The dependency that links libcrypto.
use openssl_sys as _;

macro_rules! opaque {
    ($($name:ident),* $(,)?) => { $(#[repr(C)] pub struct $name { _hidden: [u8; 0] })* };
}

opaque!(
    Asn1Object,
    Asn1String,
    BigNum,
    Bio,
    BnCtx,
    Cipher,
    CipherCtx,
    Cms,
    Conf,
    Crl,
    Digest,
    DigestCtx,
    EcGroup,
    EcPoint,
    Extension,
    Lookup,
    LookupMethod,
    Name,
    NameEntry,
    Param,
    ParamBuilder,
    PkeyCtx,
    Pkcs12,
    PublicKey,
    Purpose,
    Request,
    Stack,
    Store,
    StoreCtx,
    X509
);
opaque!(Pkey);

/// The first fields of `X509V3_CTX`.
#[repr(C)]
pub struct ExtensionCtx {
    pub flags: c_int,
    pub issuer: *mut X509,
    pub subject: *mut X509,
    pub request: *mut Request,
    pub crl: *mut Crl,
    pub method: *mut c_void,
    pub database: *mut c_void,
    pub issuer_key: *mut Pkey,
}

#[repr(C)]
pub struct ConfValue {
    pub section: *mut c_char,
    pub name: *mut c_char,
    pub value: *mut c_char,
}

#[repr(C)]
pub struct GeneralName {
    pub kind: c_int,
    pub text: *mut Asn1String,
}

/// The first fields of `NETSCAPE_SPKI`.
#[repr(C)]
pub struct Spki {
    pub spkac: *mut Spkac,
}

#[repr(C)]
pub struct Spkac {
    pub key: *mut PublicKey,
    pub challenge: *mut Asn1String,
}

/// The first fields of `PKCS7`.
#[repr(C)]
pub struct Pkcs7 {
    asn1: *mut c_uchar,
    length: c_long,
    state: c_int,
    detached: c_int,
    pub kind: *mut Asn1Object,
    pub signed: *mut Pkcs7Signed,
}

/// The first fields of `PKCS7_SIGNED` and of `PKCS7_SIGN_ENVELOPE`.
#[repr(C)]
pub struct Pkcs7Signed {
    version: *mut c_void,
    digests: *mut Stack,
    pub certificates: *mut Stack,
    pub crls: *mut Stack,
}

#[repr(C)]
pub struct BuiltinCurve {
    pub nid: c_int,
    pub comment: *const c_char,
}

#[repr(C)]
pub struct ObjectName {
    pub kind: c_int,
    pub alias: c_int,
    pub name: *const c_char,
    pub data: *const c_char,
}

pub type PasswordCallback = unsafe extern "C" fn(*mut c_char, c_int, c_int, *mut c_void) -> c_int;

unsafe extern "C" {
    pub fn OPENSSL_init_crypto(options: u64, settings: *const c_void) -> c_int;
    pub fn OpenSSL_version(what: c_int) -> *const c_char;
    pub fn OpenSSL_version_num() -> c_ulong;
    pub fn CRYPTO_free(pointer: *mut c_void, file: *const c_char, line: c_int);
    pub fn ERR_get_error() -> c_ulong;
    pub fn ERR_error_string_n(code: c_ulong, buffer: *mut c_char, size: usize);
    pub fn ERR_set_mark() -> c_int;
    pub fn ERR_pop_to_mark() -> c_int;
    pub fn ERR_peek_last_error() -> c_ulong;
    pub fn RAND_bytes(buffer: *mut c_uchar, size: c_int) -> c_int;

    pub fn BIO_new(method: *const c_void) -> *mut Bio;
    pub fn BIO_s_mem() -> *const c_void;
    pub fn BIO_new_mem_buf(data: *const c_void, size: c_int) -> *mut Bio;
    pub fn BIO_new_file(path: *const c_char, mode: *const c_char) -> *mut Bio;
    pub fn BIO_free(bio: *mut Bio) -> c_int;
    pub fn BIO_ctrl(bio: *mut Bio, command: c_int, number: c_long, pointer: *mut c_void) -> c_long;
    pub fn BIO_write(bio: *mut Bio, data: *const c_void, size: c_int) -> c_int;

    pub fn OPENSSL_sk_new_null() -> *mut Stack;
    pub fn OPENSSL_sk_num(stack: *const Stack) -> c_int;
    pub fn OPENSSL_sk_value(stack: *const Stack, index: c_int) -> *mut c_void;
    pub fn OPENSSL_sk_push(stack: *mut Stack, item: *const c_void) -> c_int;
    pub fn OPENSSL_sk_free(stack: *mut Stack);
    pub fn OPENSSL_sk_pop_free(stack: *mut Stack, free: unsafe extern "C" fn(*mut c_void));

    pub fn OBJ_nid2sn(nid: c_int) -> *const c_char;
    pub fn OBJ_nid2ln(nid: c_int) -> *const c_char;
    pub fn OBJ_nid2obj(nid: c_int) -> *mut Asn1Object;
    pub fn OBJ_obj2nid(object: *const Asn1Object) -> c_int;
    pub fn OBJ_obj2txt(buffer: *mut c_char, size: c_int, object: *const Asn1Object, numeric: c_int) -> c_int;
    pub fn OBJ_sn2nid(name: *const c_char) -> c_int;
    pub fn OBJ_ln2nid(name: *const c_char) -> c_int;
    pub fn OBJ_txt2nid(text: *const c_char) -> c_int;
    pub fn OBJ_create(oid: *const c_char, short: *const c_char, long: *const c_char) -> c_int;
    pub fn OBJ_create_objects(bio: *mut Bio) -> c_int;
    pub fn OBJ_NAME_do_all_sorted(
        kind: c_int,
        visit: unsafe extern "C" fn(*const ObjectName, *mut c_void),
        argument: *mut c_void,
    );

    pub fn ASN1_STRING_type(text: *const Asn1String) -> c_int;
    pub fn ASN1_STRING_length(text: *const Asn1String) -> c_int;
    pub fn ASN1_STRING_get0_data(text: *const Asn1String) -> *const c_uchar;
    pub fn ASN1_STRING_to_UTF8(out: *mut *mut c_uchar, text: *const Asn1String) -> c_int;
    pub fn ASN1_STRING_set(text: *mut Asn1String, data: *const c_void, size: c_int) -> c_int;
    pub fn ASN1_STRING_set_default_mask_asc(mask: *const c_char) -> c_int;
    pub fn ASN1_INTEGER_to_BN(number: *const Asn1String, to: *mut BigNum) -> *mut BigNum;
    pub fn ASN1_INTEGER_set_int64(number: *mut Asn1String, value: i64) -> c_int;
    pub fn a2i_ASN1_INTEGER(bio: *mut Bio, number: *mut Asn1String, buffer: *mut c_char, size: c_int) -> c_int;
    pub fn i2s_ASN1_INTEGER(method: *mut c_void, number: *const Asn1String) -> *mut c_char;

    pub fn BN_new() -> *mut BigNum;
    pub fn BN_free(number: *mut BigNum);
    pub fn BN_bin2bn(data: *const c_uchar, size: c_int, to: *mut BigNum) -> *mut BigNum;
    pub fn BN_bn2bin(number: *const BigNum, to: *mut c_uchar) -> c_int;
    pub fn BN_num_bits(number: *const BigNum) -> c_int;
    pub fn BN_bn2hex(number: *const BigNum) -> *mut c_char;
    pub fn BN_CTX_new() -> *mut BnCtx;
    pub fn BN_CTX_free(context: *mut BnCtx);
    pub fn BN_mod_exp(
        result: *mut BigNum,
        base: *const BigNum,
        exponent: *const BigNum,
        modulus: *const BigNum,
        context: *mut BnCtx,
    ) -> c_int;

    pub fn EVP_get_digestbyname(name: *const c_char) -> *const Digest;
    pub fn EVP_md_null() -> *const Digest;
    pub fn EVP_MD_get_size(digest: *const Digest) -> c_int;
    pub fn EVP_MD_CTX_new() -> *mut DigestCtx;
    pub fn EVP_MD_CTX_free(context: *mut DigestCtx);
    pub fn EVP_DigestInit_ex(context: *mut DigestCtx, digest: *const Digest, engine: *mut c_void) -> c_int;
    pub fn EVP_DigestUpdate(context: *mut DigestCtx, data: *const c_void, size: usize) -> c_int;
    pub fn EVP_DigestFinal_ex(context: *mut DigestCtx, out: *mut c_uchar, size: *mut c_uint) -> c_int;
    pub fn EVP_DigestSignInit(
        context: *mut DigestCtx,
        key_context: *mut *mut PkeyCtx,
        digest: *const Digest,
        engine: *mut c_void,
        key: *mut Pkey,
    ) -> c_int;
    pub fn EVP_DigestSign(
        context: *mut DigestCtx,
        out: *mut c_uchar,
        size: *mut usize,
        data: *const c_uchar,
        data_size: usize,
    ) -> c_int;
    pub fn EVP_DigestVerifyInit(
        context: *mut DigestCtx,
        key_context: *mut *mut PkeyCtx,
        digest: *const Digest,
        engine: *mut c_void,
        key: *mut Pkey,
    ) -> c_int;
    pub fn EVP_DigestVerify(
        context: *mut DigestCtx,
        signature: *const c_uchar,
        size: usize,
        data: *const c_uchar,
        data_size: usize,
    ) -> c_int;
    pub fn PKCS5_PBKDF2_HMAC(
        password: *const c_char,
        password_size: c_int,
        salt: *const c_uchar,
        salt_size: c_int,
        rounds: c_int,
        digest: *const Digest,
        size: c_int,
        out: *mut c_uchar,
    ) -> c_int;

    pub fn EVP_get_cipherbyname(name: *const c_char) -> *const Cipher;
    pub fn EVP_CIPHER_get_mode(cipher: *const Cipher) -> c_int;
    pub fn EVP_CIPHER_get_nid(cipher: *const Cipher) -> c_int;
    pub fn EVP_CIPHER_get_iv_length(cipher: *const Cipher) -> c_int;
    pub fn EVP_CIPHER_get_key_length(cipher: *const Cipher) -> c_int;
    pub fn EVP_CIPHER_get_block_size(cipher: *const Cipher) -> c_int;
    pub fn EVP_CIPHER_get0_name(cipher: *const Cipher) -> *const c_char;
    pub fn EVP_CIPHER_names_do_all(
        cipher: *const Cipher,
        visit: unsafe extern "C" fn(*const c_char, *mut c_void),
        argument: *mut c_void,
    ) -> c_int;
    pub fn EVP_CIPHER_do_all_provided(
        context: *mut c_void,
        visit: unsafe extern "C" fn(*mut Cipher, *mut c_void),
        argument: *mut c_void,
    );
    pub fn EVP_CIPHER_CTX_new() -> *mut CipherCtx;
    pub fn EVP_CIPHER_CTX_free(context: *mut CipherCtx);
    pub fn EVP_CIPHER_CTX_ctrl(context: *mut CipherCtx, what: c_int, number: c_int, pointer: *mut c_void) -> c_int;
    pub fn EVP_CIPHER_CTX_set_key_length(context: *mut CipherCtx, length: c_int) -> c_int;
    pub fn EVP_CIPHER_CTX_set_padding(context: *mut CipherCtx, padding: c_int) -> c_int;
    pub fn EVP_CipherInit_ex(
        context: *mut CipherCtx,
        cipher: *const Cipher,
        engine: *mut c_void,
        key: *const c_uchar,
        iv: *const c_uchar,
        encrypt: c_int,
    ) -> c_int;
    pub fn EVP_CipherUpdate(
        context: *mut CipherCtx,
        out: *mut c_uchar,
        size: *mut c_int,
        data: *const c_uchar,
        data_size: c_int,
    ) -> c_int;
    pub fn EVP_CipherFinal_ex(context: *mut CipherCtx, out: *mut c_uchar, size: *mut c_int) -> c_int;
    pub fn EVP_SealInit(
        context: *mut CipherCtx,
        cipher: *const Cipher,
        keys: *mut *mut c_uchar,
        sizes: *mut c_int,
        iv: *mut c_uchar,
        public: *mut *mut Pkey,
        count: c_int,
    ) -> c_int;
    pub fn EVP_SealFinal(context: *mut CipherCtx, out: *mut c_uchar, size: *mut c_int) -> c_int;
    pub fn EVP_OpenInit(
        context: *mut CipherCtx,
        cipher: *const Cipher,
        key: *const c_uchar,
        size: c_int,
        iv: *const c_uchar,
        private: *mut Pkey,
    ) -> c_int;
    pub fn EVP_OpenFinal(context: *mut CipherCtx, out: *mut c_uchar, size: *mut c_int) -> c_int;

    pub fn EVP_PKEY_new() -> *mut Pkey;
    pub fn EVP_PKEY_free(key: *mut Pkey);
    pub fn EVP_PKEY_up_ref(key: *mut Pkey) -> c_int;
    pub fn EVP_PKEY_get_bits(key: *const Pkey) -> c_int;
    pub fn EVP_PKEY_get_size(key: *const Pkey) -> c_int;
    pub fn EVP_PKEY_get_id(key: *const Pkey) -> c_int;
    pub fn EVP_PKEY_get_base_id(key: *const Pkey) -> c_int;
    pub fn EVP_PKEY_get0_type_name(key: *const Pkey) -> *const c_char;
    pub fn EVP_PKEY_type(nid: c_int) -> c_int;
    pub fn EVP_PKEY_copy_parameters(to: *mut Pkey, from: *const Pkey) -> c_int;
    pub fn EVP_PKEY_set1_encoded_public_key(key: *mut Pkey, data: *const c_uchar, size: usize) -> c_int;
    pub fn EVP_PKEY_get_bn_param(key: *const Pkey, name: *const c_char, number: *mut *mut BigNum) -> c_int;
    pub fn EVP_PKEY_get_utf8_string_param(
        key: *const Pkey,
        name: *const c_char,
        buffer: *mut c_char,
        size: usize,
        used: *mut usize,
    ) -> c_int;
    pub fn EVP_PKEY_get_octet_string_param(
        key: *const Pkey,
        name: *const c_char,
        buffer: *mut c_uchar,
        size: usize,
        used: *mut usize,
    ) -> c_int;
    pub fn EVP_PKEY_CTX_new(key: *mut Pkey, engine: *mut c_void) -> *mut PkeyCtx;
    pub fn EVP_PKEY_CTX_new_id(kind: c_int, engine: *mut c_void) -> *mut PkeyCtx;
    pub fn EVP_PKEY_CTX_free(context: *mut PkeyCtx);
    pub fn EVP_PKEY_CTX_set_params(context: *mut PkeyCtx, params: *const Param) -> c_int;
    pub fn EVP_PKEY_CTX_set_rsa_padding(context: *mut PkeyCtx, padding: c_int) -> c_int;
    pub fn EVP_PKEY_CTX_set_rsa_keygen_bits(context: *mut PkeyCtx, bits: c_int) -> c_int;
    pub fn EVP_PKEY_CTX_set_dsa_paramgen_bits(context: *mut PkeyCtx, bits: c_int) -> c_int;
    pub fn EVP_PKEY_CTX_set_dh_paramgen_prime_len(context: *mut PkeyCtx, bits: c_int) -> c_int;
    pub fn EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context: *mut PkeyCtx, nid: c_int) -> c_int;
    pub fn EVP_PKEY_CTX_set_ec_param_enc(context: *mut PkeyCtx, encoding: c_int) -> c_int;
    pub fn EVP_PKEY_paramgen_init(context: *mut PkeyCtx) -> c_int;
    pub fn EVP_PKEY_paramgen(context: *mut PkeyCtx, key: *mut *mut Pkey) -> c_int;
    pub fn EVP_PKEY_keygen_init(context: *mut PkeyCtx) -> c_int;
    pub fn EVP_PKEY_keygen(context: *mut PkeyCtx, key: *mut *mut Pkey) -> c_int;
    pub fn EVP_PKEY_generate(context: *mut PkeyCtx, key: *mut *mut Pkey) -> c_int;
    pub fn EVP_PKEY_check(context: *mut PkeyCtx) -> c_int;
    pub fn EVP_PKEY_public_check_quick(context: *mut PkeyCtx) -> c_int;
    pub fn EVP_PKEY_fromdata_init(context: *mut PkeyCtx) -> c_int;
    pub fn EVP_PKEY_fromdata(context: *mut PkeyCtx, key: *mut *mut Pkey, selection: c_int, params: *mut Param)
    -> c_int;
    pub fn EVP_PKEY_sign_init(context: *mut PkeyCtx) -> c_int;
    pub fn EVP_PKEY_sign(
        context: *mut PkeyCtx,
        out: *mut c_uchar,
        size: *mut usize,
        data: *const c_uchar,
        data_size: usize,
    ) -> c_int;
    pub fn EVP_PKEY_verify_recover_init(context: *mut PkeyCtx) -> c_int;
    pub fn EVP_PKEY_verify_recover(
        context: *mut PkeyCtx,
        out: *mut c_uchar,
        size: *mut usize,
        data: *const c_uchar,
        data_size: usize,
    ) -> c_int;
    pub fn EVP_PKEY_encrypt_init(context: *mut PkeyCtx) -> c_int;
    pub fn EVP_PKEY_encrypt(
        context: *mut PkeyCtx,
        out: *mut c_uchar,
        size: *mut usize,
        data: *const c_uchar,
        data_size: usize,
    ) -> c_int;
    pub fn EVP_PKEY_decrypt_init(context: *mut PkeyCtx) -> c_int;
    pub fn EVP_PKEY_decrypt(
        context: *mut PkeyCtx,
        out: *mut c_uchar,
        size: *mut usize,
        data: *const c_uchar,
        data_size: usize,
    ) -> c_int;
    pub fn EVP_PKEY_derive_init(context: *mut PkeyCtx) -> c_int;
    pub fn EVP_PKEY_derive_set_peer(context: *mut PkeyCtx, peer: *mut Pkey) -> c_int;
    pub fn EVP_PKEY_derive(context: *mut PkeyCtx, out: *mut c_uchar, size: *mut usize) -> c_int;
    pub fn OSSL_PARAM_BLD_new() -> *mut ParamBuilder;
    pub fn OSSL_PARAM_BLD_free(builder: *mut ParamBuilder);
    pub fn OSSL_PARAM_BLD_to_param(builder: *mut ParamBuilder) -> *mut Param;
    pub fn OSSL_PARAM_BLD_push_BN(builder: *mut ParamBuilder, name: *const c_char, number: *const BigNum) -> c_int;
    pub fn OSSL_PARAM_BLD_push_utf8_string(
        builder: *mut ParamBuilder,
        name: *const c_char,
        text: *const c_char,
        size: usize,
    ) -> c_int;
    pub fn OSSL_PARAM_BLD_push_octet_string(
        builder: *mut ParamBuilder,
        name: *const c_char,
        data: *const c_void,
        size: usize,
    ) -> c_int;
    pub fn OSSL_PARAM_free(params: *mut Param);

    pub fn EC_get_builtin_curves(curves: *mut BuiltinCurve, count: usize) -> usize;
    pub fn EC_GROUP_new_by_curve_name(nid: c_int) -> *mut EcGroup;
    pub fn EC_GROUP_new_curve_GFp(
        p: *const BigNum,
        a: *const BigNum,
        b: *const BigNum,
        context: *mut BnCtx,
    ) -> *mut EcGroup;
    pub fn EC_GROUP_free(group: *mut EcGroup);
    pub fn EC_GROUP_set_generator(
        group: *mut EcGroup,
        generator: *const EcPoint,
        order: *const BigNum,
        cofactor: *const BigNum,
    ) -> c_int;
    pub fn EC_GROUP_set_seed(group: *mut EcGroup, seed: *const c_uchar, size: usize) -> usize;
    pub fn EC_GROUP_check_named_curve(group: *const EcGroup, nist_only: c_int, context: *mut BnCtx) -> c_int;
    pub fn EC_POINT_new(group: *const EcGroup) -> *mut EcPoint;
    pub fn EC_POINT_free(point: *mut EcPoint);
    pub fn EC_POINT_oct2point(
        group: *const EcGroup,
        point: *mut EcPoint,
        data: *const c_uchar,
        size: usize,
        context: *mut BnCtx,
    ) -> c_int;
    pub fn EC_POINT_point2oct(
        group: *const EcGroup,
        point: *const EcPoint,
        form: c_int,
        buffer: *mut c_uchar,
        size: usize,
        context: *mut BnCtx,
    ) -> usize;
    pub fn EC_POINT_set_affine_coordinates(
        group: *const EcGroup,
        point: *mut EcPoint,
        x: *const BigNum,
        y: *const BigNum,
        context: *mut BnCtx,
    ) -> c_int;
    pub fn EC_POINT_mul(
        group: *const EcGroup,
        result: *mut EcPoint,
        number: *const BigNum,
        point: *const EcPoint,
        factor: *const BigNum,
        context: *mut BnCtx,
    ) -> c_int;

    pub fn PEM_read_bio_X509(
        bio: *mut Bio,
        to: *mut *mut X509,
        password: Option<PasswordCallback>,
        data: *mut c_void,
    ) -> *mut X509;
    pub fn PEM_read_bio_X509_AUX(
        bio: *mut Bio,
        to: *mut *mut X509,
        password: Option<PasswordCallback>,
        data: *mut c_void,
    ) -> *mut X509;
    pub fn PEM_write_bio_X509(bio: *mut Bio, certificate: *const X509) -> c_int;
    pub fn PEM_write_bio_X509_CRL(bio: *mut Bio, crl: *const Crl) -> c_int;
    pub fn PEM_read_bio_X509_REQ(
        bio: *mut Bio,
        to: *mut *mut Request,
        password: Option<PasswordCallback>,
        data: *mut c_void,
    ) -> *mut Request;
    pub fn PEM_write_bio_X509_REQ(bio: *mut Bio, request: *const Request) -> c_int;
    pub fn PEM_read_bio_PUBKEY(
        bio: *mut Bio,
        to: *mut *mut Pkey,
        password: Option<PasswordCallback>,
        data: *mut c_void,
    ) -> *mut Pkey;
    pub fn PEM_write_bio_PUBKEY(bio: *mut Bio, key: *const Pkey) -> c_int;
    pub fn PEM_read_bio_PrivateKey(
        bio: *mut Bio,
        to: *mut *mut Pkey,
        password: Option<PasswordCallback>,
        data: *mut c_void,
    ) -> *mut Pkey;
    pub fn PEM_write_bio_PrivateKey(
        bio: *mut Bio,
        key: *const Pkey,
        cipher: *const Cipher,
        password: *const c_uchar,
        size: c_int,
        callback: Option<PasswordCallback>,
        data: *mut c_void,
    ) -> c_int;

    pub fn X509_new() -> *mut X509;
    pub fn X509_free(certificate: *mut X509);
    pub fn X509_up_ref(certificate: *mut X509) -> c_int;
    pub fn X509_dup(certificate: *const X509) -> *mut X509;
    pub fn d2i_X509(to: *mut *mut X509, data: *mut *const c_uchar, size: c_long) -> *mut X509;
    pub fn X509_print(bio: *mut Bio, certificate: *mut X509) -> c_int;
    pub fn X509_digest(certificate: *const X509, digest: *const Digest, out: *mut c_uchar, size: *mut c_uint) -> c_int;
    pub fn X509_check_private_key(certificate: *const X509, key: *const Pkey) -> c_int;
    pub fn X509_verify(certificate: *mut X509, key: *mut Pkey) -> c_int;
    pub fn X509_sign(certificate: *mut X509, key: *mut Pkey, digest: *const Digest) -> c_int;
    pub fn X509_get_subject_name(certificate: *const X509) -> *mut Name;
    pub fn X509_get_issuer_name(certificate: *const X509) -> *mut Name;
    pub fn X509_set_subject_name(certificate: *mut X509, name: *const Name) -> c_int;
    pub fn X509_set_issuer_name(certificate: *mut X509, name: *const Name) -> c_int;
    pub fn X509_subject_name_hash(certificate: *mut X509) -> c_ulong;
    pub fn X509_get_version(certificate: *const X509) -> c_long;
    pub fn X509_set_version(certificate: *mut X509, version: c_long) -> c_int;
    pub fn X509_get_serialNumber(certificate: *mut X509) -> *mut Asn1String;
    pub fn X509_getm_notBefore(certificate: *const X509) -> *mut Asn1String;
    pub fn X509_getm_notAfter(certificate: *const X509) -> *mut Asn1String;
    pub fn X509_gmtime_adj(time: *mut Asn1String, seconds: c_long) -> *mut Asn1String;
    pub fn X509_alias_get0(certificate: *const X509, size: *mut c_int) -> *const c_uchar;
    pub fn X509_get_signature_nid(certificate: *const X509) -> c_int;
    pub fn X509_get_pubkey(certificate: *const X509) -> *mut Pkey;
    pub fn X509_set_pubkey(certificate: *mut X509, key: *mut Pkey) -> c_int;
    pub fn X509_get_ext_count(certificate: *const X509) -> c_int;
    pub fn X509_get_ext(certificate: *const X509, index: c_int) -> *mut Extension;
    pub fn X509_EXTENSION_get_object(extension: *mut Extension) -> *mut Asn1Object;
    pub fn X509_EXTENSION_get_data(extension: *mut Extension) -> *mut Asn1String;
    pub fn X509V3_EXT_print(bio: *mut Bio, extension: *mut Extension, flags: c_ulong, indent: c_int) -> c_int;
    pub fn X509V3_EXT_d2i(extension: *mut Extension) -> *mut c_void;
    pub fn GENERAL_NAME_print(bio: *mut Bio, name: *mut GeneralName) -> c_int;
    pub fn GENERAL_NAMES_free(names: *mut Stack);
    pub fn X509_PURPOSE_get_count() -> c_int;
    pub fn X509_PURPOSE_get0(index: c_int) -> *mut Purpose;
    pub fn X509_PURPOSE_get_id(purpose: *const Purpose) -> c_int;
    pub fn X509_PURPOSE_get0_name(purpose: *const Purpose) -> *const c_char;
    pub fn X509_PURPOSE_get0_sname(purpose: *const Purpose) -> *const c_char;
    pub fn X509_check_purpose(certificate: *mut X509, id: c_int, authority: c_int) -> c_int;
    pub fn X509_NAME_oneline(name: *const Name, buffer: *mut c_char, size: c_int) -> *mut c_char;
    pub fn X509_NAME_entry_count(name: *const Name) -> c_int;
    pub fn X509_NAME_get_entry(name: *const Name, index: c_int) -> *mut NameEntry;
    pub fn X509_NAME_ENTRY_get_object(entry: *const NameEntry) -> *mut Asn1Object;
    pub fn X509_NAME_ENTRY_get_data(entry: *const NameEntry) -> *mut Asn1String;
    pub fn X509_NAME_get_index_by_NID(name: *const Name, nid: c_int, after: c_int) -> c_int;
    pub fn X509_NAME_add_entry_by_NID(
        name: *mut Name,
        nid: c_int,
        kind: c_int,
        data: *const c_uchar,
        size: c_int,
        place: c_int,
        set: c_int,
    ) -> c_int;
    pub fn X509_NAME_add_entry_by_txt(
        name: *mut Name,
        field: *const c_char,
        kind: c_int,
        data: *const c_uchar,
        size: c_int,
        place: c_int,
        set: c_int,
    ) -> c_int;
    pub fn X509_get_default_cert_area() -> *const c_char;
    pub fn X509_get_default_cert_dir() -> *const c_char;
    pub fn X509_get_default_cert_file() -> *const c_char;
    pub fn X509_get_default_cert_dir_env() -> *const c_char;
    pub fn X509_get_default_cert_file_env() -> *const c_char;
    pub fn X509_get_default_private_dir() -> *const c_char;
    pub fn X509_STORE_new() -> *mut Store;
    pub fn X509_STORE_free(store: *mut Store);
    pub fn X509_STORE_add_lookup(store: *mut Store, method: *mut LookupMethod) -> *mut Lookup;
    pub fn X509_LOOKUP_file() -> *mut LookupMethod;
    pub fn X509_LOOKUP_hash_dir() -> *mut LookupMethod;
    pub fn X509_LOOKUP_ctrl(
        lookup: *mut Lookup,
        command: c_int,
        text: *const c_char,
        number: c_long,
        result: *mut *mut c_char,
    ) -> c_int;
    pub fn X509_STORE_CTX_new() -> *mut StoreCtx;
    pub fn X509_STORE_CTX_free(context: *mut StoreCtx);
    pub fn X509_STORE_CTX_init(
        context: *mut StoreCtx,
        store: *mut Store,
        certificate: *mut X509,
        untrusted: *mut Stack,
    ) -> c_int;
    pub fn X509_STORE_CTX_set_purpose(context: *mut StoreCtx, purpose: c_int) -> c_int;
    pub fn X509_verify_cert(context: *mut StoreCtx) -> c_int;
    pub fn X509_CRL_free(crl: *mut Crl);

    pub fn X509_REQ_new() -> *mut Request;
    pub fn X509_REQ_free(request: *mut Request);
    pub fn X509_REQ_print(bio: *mut Bio, request: *mut Request) -> c_int;
    pub fn X509_REQ_set_version(request: *mut Request, version: c_long) -> c_int;
    pub fn X509_REQ_get_subject_name(request: *const Request) -> *mut Name;
    pub fn X509_REQ_get_pubkey(request: *mut Request) -> *mut Pkey;
    pub fn X509_REQ_set_pubkey(request: *mut Request, key: *mut Pkey) -> c_int;
    pub fn X509_REQ_verify(request: *mut Request, key: *mut Pkey) -> c_int;
    pub fn X509_REQ_sign(request: *mut Request, key: *mut Pkey, digest: *const Digest) -> c_int;
    pub fn X509_REQ_add1_attr_by_NID(
        request: *mut Request,
        nid: c_int,
        kind: c_int,
        data: *const c_uchar,
        size: c_int,
    ) -> c_int;
    pub fn X509_REQ_add1_attr_by_txt(
        request: *mut Request,
        name: *const c_char,
        kind: c_int,
        data: *const c_uchar,
        size: c_int,
    ) -> c_int;
    pub fn X509_REQ_get_attr_by_NID(request: *const Request, nid: c_int, after: c_int) -> c_int;
    pub fn X509V3_set_ctx(
        context: *mut ExtensionCtx,
        issuer: *mut X509,
        subject: *mut X509,
        request: *mut Request,
        crl: *mut Crl,
        flags: c_int,
    );
    pub fn X509V3_set_nconf(context: *mut ExtensionCtx, config: *mut Conf);
    pub fn X509V3_EXT_add_nconf(
        config: *mut Conf,
        context: *mut ExtensionCtx,
        section: *const c_char,
        certificate: *mut X509,
    ) -> c_int;
    pub fn X509V3_EXT_REQ_add_nconf(
        config: *mut Conf,
        context: *mut ExtensionCtx,
        section: *const c_char,
        request: *mut Request,
    ) -> c_int;

    pub fn NCONF_new(method: *mut c_void) -> *mut Conf;
    pub fn NCONF_free(config: *mut Conf);
    pub fn NCONF_load(config: *mut Conf, file: *const c_char, line: *mut c_long) -> c_int;
    pub fn NCONF_get_string(config: *const Conf, group: *const c_char, name: *const c_char) -> *mut c_char;
    pub fn NCONF_get_number_e(
        config: *const Conf,
        group: *const c_char,
        name: *const c_char,
        result: *mut c_long,
    ) -> c_int;
    pub fn NCONF_get_section(config: *const Conf, section: *const c_char) -> *mut Stack;

    pub fn NETSCAPE_SPKI_new() -> *mut Spki;
    pub fn NETSCAPE_SPKI_free(spki: *mut Spki);
    pub fn NETSCAPE_SPKI_set_pubkey(spki: *mut Spki, key: *mut Pkey) -> c_int;
    pub fn NETSCAPE_SPKI_sign(spki: *mut Spki, key: *mut Pkey, digest: *const Digest) -> c_int;
    pub fn NETSCAPE_SPKI_verify(spki: *mut Spki, key: *mut Pkey) -> c_int;
    pub fn NETSCAPE_SPKI_b64_encode(spki: *mut Spki) -> *mut c_char;
    pub fn NETSCAPE_SPKI_b64_decode(text: *const c_char, size: c_int) -> *mut Spki;
    pub fn X509_PUBKEY_get(key: *const PublicKey) -> *mut Pkey;

    pub fn PKCS12_create(
        password: *const c_char,
        name: *const c_char,
        key: *mut Pkey,
        certificate: *mut X509,
        authorities: *mut Stack,
        key_nid: c_int,
        certificate_nid: c_int,
        rounds: c_int,
        mac_rounds: c_int,
        kind: c_int,
    ) -> *mut Pkcs12;
    pub fn PKCS12_free(store: *mut Pkcs12);
    pub fn PKCS12_parse(
        store: *mut Pkcs12,
        password: *const c_char,
        key: *mut *mut Pkey,
        certificate: *mut *mut X509,
        authorities: *mut *mut Stack,
    ) -> c_int;
    pub fn d2i_PKCS12_bio(bio: *mut Bio, to: *mut *mut Pkcs12) -> *mut Pkcs12;
    pub fn i2d_PKCS12_bio(bio: *mut Bio, store: *const Pkcs12) -> c_int;

    pub fn SMIME_read_PKCS7(bio: *mut Bio, content: *mut *mut Bio) -> *mut Pkcs7;
    pub fn SMIME_write_PKCS7(bio: *mut Bio, message: *mut Pkcs7, data: *mut Bio, flags: c_int) -> c_int;
    pub fn PEM_read_bio_PKCS7(
        bio: *mut Bio,
        to: *mut *mut Pkcs7,
        password: Option<PasswordCallback>,
        data: *mut c_void,
    ) -> *mut Pkcs7;
    pub fn PEM_write_bio_PKCS7(bio: *mut Bio, message: *const Pkcs7) -> c_int;
    pub fn PKCS7_free(message: *mut Pkcs7);
    pub fn PKCS7_verify(
        message: *mut Pkcs7,
        certificates: *mut Stack,
        store: *mut Store,
        data: *mut Bio,
        out: *mut Bio,
        flags: c_int,
    ) -> c_int;
    pub fn PKCS7_get0_signers(message: *mut Pkcs7, certificates: *mut Stack, flags: c_int) -> *mut Stack;
    pub fn PKCS7_encrypt(certificates: *mut Stack, data: *mut Bio, cipher: *const Cipher, flags: c_int) -> *mut Pkcs7;
    pub fn PKCS7_sign(
        certificate: *mut X509,
        key: *mut Pkey,
        others: *mut Stack,
        data: *mut Bio,
        flags: c_int,
    ) -> *mut Pkcs7;
    pub fn PKCS7_decrypt(
        message: *mut Pkcs7,
        key: *mut Pkey,
        certificate: *mut X509,
        out: *mut Bio,
        flags: c_int,
    ) -> c_int;

    pub fn SMIME_read_CMS(bio: *mut Bio, content: *mut *mut Bio) -> *mut Cms;
    pub fn SMIME_write_CMS(bio: *mut Bio, message: *mut Cms, data: *mut Bio, flags: c_int) -> c_int;
    pub fn PEM_read_bio_CMS(
        bio: *mut Bio,
        to: *mut *mut Cms,
        password: Option<PasswordCallback>,
        data: *mut c_void,
    ) -> *mut Cms;
    pub fn PEM_write_bio_CMS(bio: *mut Bio, message: *const Cms) -> c_int;
    pub fn PEM_write_bio_CMS_stream(bio: *mut Bio, message: *mut Cms, data: *mut Bio, flags: c_int) -> c_int;
    pub fn d2i_CMS_bio(bio: *mut Bio, to: *mut *mut Cms) -> *mut Cms;
    pub fn i2d_CMS_bio(bio: *mut Bio, message: *mut Cms) -> c_int;
    pub fn CMS_ContentInfo_free(message: *mut Cms);
    pub fn CMS_get0_type(message: *const Cms) -> *const Asn1Object;
    pub fn CMS_get1_certs(message: *mut Cms) -> *mut Stack;
    pub fn CMS_get1_crls(message: *mut Cms) -> *mut Stack;
    pub fn CMS_get0_signers(message: *mut Cms) -> *mut Stack;
    pub fn CMS_verify(
        message: *mut Cms,
        certificates: *mut Stack,
        store: *mut Store,
        data: *mut Bio,
        out: *mut Bio,
        flags: c_uint,
    ) -> c_int;
    pub fn CMS_encrypt(certificates: *mut Stack, data: *mut Bio, cipher: *const Cipher, flags: c_uint) -> *mut Cms;
    pub fn CMS_sign(
        certificate: *mut X509,
        key: *mut Pkey,
        others: *mut Stack,
        data: *mut Bio,
        flags: c_uint,
    ) -> *mut Cms;
    pub fn CMS_decrypt(
        message: *mut Cms,
        key: *mut Pkey,
        certificate: *mut X509,
        content: *mut Bio,
        out: *mut Bio,
        flags: c_uint,
    ) -> c_int;
    pub fn CMS_final(message: *mut Cms, data: *mut Bio, content: *mut Bio, flags: c_uint) -> c_int;
}
