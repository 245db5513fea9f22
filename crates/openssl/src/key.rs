//! Asymmetric keys: reading and writing, generation, RSA's raw operations, and agreement on secrets.

use crate::handle::{KeyCtx, owner};
use crate::{Bio, Cipher, Outcome, passed, start, sys};
use std::ffi::{c_char, c_int, c_void};
use std::ptr;

owner!(
    /// A public or private key. A clone shares the object.
    pub Key(sys::Pkey),
    sys::EVP_PKEY_free
);

/// The kinds of keys that PHP names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    Rsa,
    Dsa,
    Dh,
    Ec,
    X25519,
    Ed25519,
    X448,
    Ed448,
}

const KINDS: [(KeyKind, i32); 8] = [
    (KeyKind::Rsa, 6),
    (KeyKind::Dsa, 116),
    (KeyKind::Dh, 28),
    (KeyKind::Ec, 408),
    (KeyKind::X25519, 1034),
    (KeyKind::Ed25519, 1087),
    (KeyKind::X448, 1035),
    (KeyKind::Ed448, 1088),
];

/// The id of keys of providers, which have no number of their own.
const PROVIDED: i32 = -1;
const NAMED_CURVE: i32 = 1;

impl KeyKind {
    pub(crate) fn nid(self) -> i32 {
        KINDS.iter().find(|(kind, _)| *kind == self).map_or(0, |(_, nid)| *nid)
    }
}

/// An operation of RSA on one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RsaWork {
    PrivateEncrypt,
    PrivateDecrypt,
    PublicEncrypt,
    PublicDecrypt,
}

impl Clone for Key {
    fn clone(&self) -> Key {
        // SAFETY: `self` owns a reference to the key, and the new owner gets one of its own.
        unsafe {
            sys::EVP_PKEY_up_ref(self.raw());
            Key(self.0)
        }
    }
}

struct Password<'a>(&'a [u8]);

unsafe extern "C" fn give_password(buffer: *mut c_char, size: c_int, _write: c_int, data: *mut c_void) -> c_int {
    // SAFETY: `data` is null or points to the password of the running call; the buffer has `size` bytes.
    unsafe {
        if data.is_null() {
            return -1;
        }
        let password = &*data.cast::<Password<'_>>();
        let count = password.0.len().min(size.max(0) as usize);
        ptr::copy_nonoverlapping(password.0.as_ptr(), buffer.cast::<u8>(), count);
        count as c_int
    }
}

impl Key {
    /// Reads a private key from PEM. An encrypted key cannot be read without a password, which is never asked for.
    pub fn read_private(bio: &Bio<'_>, password: Option<&[u8]>) -> Outcome<Key> {
        start();
        let password = password.map(Password);
        let data = password.as_ref().map_or(ptr::null_mut(), |password| ptr::from_ref(password).cast_mut().cast());
        // SAFETY: the password lives until the call has ended.
        unsafe { Key::own(sys::PEM_read_bio_PrivateKey(bio.raw(), ptr::null_mut(), Some(give_password), data)) }
    }

    /// Reads a public key from PEM.
    pub fn read_public(bio: &Bio<'_>) -> Outcome<Key> {
        start();
        // SAFETY: `bio` owns its object; the key that is read is new, and no password is asked for.
        unsafe { Key::own(sys::PEM_read_bio_PUBKEY(bio.raw(), ptr::null_mut(), None, ptr::null_mut())) }
    }

    /// Writes the public key as PEM.
    pub fn write_public(&self, bio: &Bio<'_>) -> Outcome<()> {
        // SAFETY: `PEM_write_bio_PUBKEY` borrows the objects that `self` and `bio` own.
        passed(unsafe { sys::PEM_write_bio_PUBKEY(bio.raw(), self.raw()) })
    }

    /// Writes the private key as PEM, encrypted if there is a cipher.
    pub fn write_private(&self, bio: &Bio<'_>, cipher: Option<Cipher>, password: &[u8]) -> Outcome<()> {
        let size = crate::length(password)?;
        let (cipher, password) = match cipher {
            Some(cipher) => (cipher.raw(), password.as_ptr()),
            None => (ptr::null(), ptr::null()),
        };
        // SAFETY: the size is that of the password, so that none is asked for; all handles own their objects.
        passed(unsafe {
            let callback = None;
            sys::PEM_write_bio_PrivateKey(bio.raw(), self.raw(), cipher, password, size, callback, ptr::null_mut())
        })
    }

    /// A key with the public part only.
    pub fn public_part(&self) -> Outcome<Key> {
        let bio = Bio::memory()?;
        self.write_public(&bio)?;
        Key::read_public(&bio)
    }

    /// The size of the key in bits.
    pub fn bits(&self) -> i32 {
        // SAFETY: `EVP_PKEY_get_bits` reads the object that `self` owns.
        unsafe { sys::EVP_PKEY_get_bits(self.raw()) }
    }

    /// The maximum of bytes of a signature or an encrypted block.
    pub fn size(&self) -> usize {
        // SAFETY: `EVP_PKEY_get_size` reads the object that `self` owns.
        unsafe { sys::EVP_PKEY_get_size(self.raw()) }.max(0) as usize
    }

    /// The kind of the key; `None` for kinds that PHP does not name.
    pub fn kind(&self) -> Option<KeyKind> {
        // SAFETY: `self` owns the key; the name of its type is a constant.
        let nid = unsafe {
            if sys::EVP_PKEY_get_id(self.raw()) != PROVIDED {
                sys::EVP_PKEY_get_base_id(self.raw())
            } else {
                let name = sys::EVP_PKEY_get0_type_name(self.raw());
                let nid = if name.is_null() { 0 } else { sys::OBJ_txt2nid(name) };
                if nid == 0 { 0 } else { sys::EVP_PKEY_type(nid) }
            }
        };
        KINDS.iter().find(|(_, number)| *number == nid).map(|(kind, _)| *kind)
    }

    /// Makes a new private key. `bits` counts for RSA, DSA and DH; `curve` is the number of the curve for EC.
    pub fn generate(kind: KeyKind, bits: i32, curve: i32) -> Outcome<Key> {
        start();
        // SAFETY: every context belongs to this call; the keys are references of the caller's own.
        unsafe {
            let mut context = KeyCtx::own(sys::EVP_PKEY_CTX_new_id(kind.nid(), ptr::null_mut()))?;
            let parameters;
            if kind != KeyKind::Rsa {
                let raw = context.raw();
                passed(sys::EVP_PKEY_paramgen_init(raw))?;
                match kind {
                    KeyKind::Dsa => passed(sys::EVP_PKEY_CTX_set_dsa_paramgen_bits(raw, bits))?,
                    KeyKind::Dh => passed(sys::EVP_PKEY_CTX_set_dh_paramgen_prime_len(raw, bits))?,
                    KeyKind::Ec => {
                        passed(sys::EVP_PKEY_CTX_set_ec_paramgen_curve_nid(raw, curve))?;
                        passed(sys::EVP_PKEY_CTX_set_ec_param_enc(raw, NAMED_CURVE))?;
                    }
                    _ => {}
                }
                let mut made = ptr::null_mut();
                passed(sys::EVP_PKEY_paramgen(raw, &mut made))?;
                parameters = Key::own(made)?;
                context = KeyCtx::own(sys::EVP_PKEY_CTX_new(parameters.raw(), ptr::null_mut()))?;
            }
            passed(sys::EVP_PKEY_keygen_init(context.raw()))?;
            if kind == KeyKind::Rsa {
                passed(sys::EVP_PKEY_CTX_set_rsa_keygen_bits(context.raw(), bits))?;
            }
            Key::from_context(&context)
        }
    }

    /// The key that an initialised context generates.
    pub(crate) fn from_context(context: &KeyCtx) -> Outcome<Key> {
        let mut made = ptr::null_mut();
        // SAFETY: `context` owns its object; the key is new.
        unsafe {
            passed(sys::EVP_PKEY_keygen(context.raw(), &mut made))?;
            Key::own(made)
        }
    }

    /// Runs one block through RSA.
    pub fn rsa(&self, work: RsaWork, data: &[u8], padding: i32) -> Outcome<Vec<u8>> {
        let (begin, run): (unsafe extern "C" fn(_) -> _, unsafe extern "C" fn(_, _, _, _, _) -> _) = match work {
            RsaWork::PrivateEncrypt => (sys::EVP_PKEY_sign_init, sys::EVP_PKEY_sign),
            RsaWork::PrivateDecrypt => (sys::EVP_PKEY_decrypt_init, sys::EVP_PKEY_decrypt),
            RsaWork::PublicEncrypt => (sys::EVP_PKEY_encrypt_init, sys::EVP_PKEY_encrypt),
            RsaWork::PublicDecrypt => (sys::EVP_PKEY_verify_recover_init, sys::EVP_PKEY_verify_recover),
        };
        // SAFETY: the first run asks for the size only, and the second writes at most that many bytes.
        unsafe {
            let context = KeyCtx::own(sys::EVP_PKEY_CTX_new(self.raw(), ptr::null_mut()))?;
            passed(begin(context.raw()))?;
            passed(sys::EVP_PKEY_CTX_set_rsa_padding(context.raw(), padding))?;
            let mut size = 0;
            passed(run(context.raw(), ptr::null_mut(), &mut size, data.as_ptr(), data.len()))?;
            let mut out = vec![0; size];
            passed(run(context.raw(), out.as_mut_ptr(), &mut size, data.as_ptr(), data.len()))?;
            out.truncate(size);
            Ok(out)
        }
    }

    /// The shared secret of this private key and another's public key. A size of 0 stands for the natural one.
    pub fn derive(&self, peer: &Key, size: usize) -> Outcome<Vec<u8>> {
        // SAFETY: the size is that of the buffer; without a buffer libcrypto gives the size that it needs.
        unsafe {
            let context = KeyCtx::own(sys::EVP_PKEY_CTX_new(self.raw(), ptr::null_mut()))?;
            passed(sys::EVP_PKEY_derive_init(context.raw()))?;
            passed(sys::EVP_PKEY_derive_set_peer(context.raw(), peer.raw()))?;
            let mut size = size;
            if size == 0 {
                passed(sys::EVP_PKEY_derive(context.raw(), ptr::null_mut(), &mut size))?;
            }
            let mut secret = vec![0; size];
            passed(sys::EVP_PKEY_derive(context.raw(), secret.as_mut_ptr(), &mut size))?;
            secret.truncate(size);
            Ok(secret)
        }
    }

    /// A public key with the parameters of this one, from its encoding.
    pub fn peer(&self, encoded: &[u8]) -> Outcome<Key> {
        // SAFETY: the key is new and takes copies; the size is that of the bytes.
        unsafe {
            let peer = Key::own(sys::EVP_PKEY_new())?;
            passed(sys::EVP_PKEY_copy_parameters(peer.raw(), self.raw()))?;
            passed(sys::EVP_PKEY_set1_encoded_public_key(peer.raw(), encoded.as_ptr(), encoded.len()))?;
            Ok(peer)
        }
    }
}
