//! Owners of libcrypto's objects.

use crate::sys;
use std::marker::PhantomData;
use std::ptr::NonNull;

/// Declares a type that owns an object of libcrypto and frees it once.
macro_rules! owner {
    ($(#[$doc:meta])* $visibility:vis $name:ident($raw:ty), $free:path) => {
        $(#[$doc])*
        $visibility struct $name(std::ptr::NonNull<$raw>);

        impl $name {
            /// Takes over what a call returned. Null is a failure.
            ///
            /// # Safety
            /// The pointer is null, or nothing else frees it.
            #[allow(dead_code)]
            pub(crate) unsafe fn own(raw: *mut $raw) -> crate::Outcome<$name> {
                std::ptr::NonNull::new(raw).map($name).ok_or(crate::Failed)
            }

            #[allow(dead_code)]
            pub(crate) fn raw(&self) -> *mut $raw {
                self.0.as_ptr()
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: this value owns the object, which is freed only here.
                unsafe { $free(self.0.as_ptr()) };
            }
        }
    };
}

pub(crate) use owner;

owner!(pub(crate) Number(sys::BigNum), sys::BN_free);
owner!(pub(crate) NumberCtx(sys::BnCtx), sys::BN_CTX_free);
owner!(pub(crate) KeyCtx(sys::PkeyCtx), sys::EVP_PKEY_CTX_free);
owner!(pub(crate) Params(sys::Param), sys::OSSL_PARAM_free);
owner!(pub(crate) ParamBuilder(sys::ParamBuilder), sys::OSSL_PARAM_BLD_free);
owner!(pub(crate) Group(sys::EcGroup), sys::EC_GROUP_free);
owner!(pub(crate) Point(sys::EcPoint), sys::EC_POINT_free);

impl Number {
    /// The unsigned number that the bytes are, the highest first.
    pub(crate) fn of(bytes: &[u8]) -> Option<Number> {
        let size = crate::length(bytes).ok()?;
        // SAFETY: the size is that of the bytes; the number is new.
        unsafe { Number::own(sys::BN_bin2bn(bytes.as_ptr(), size, std::ptr::null_mut())) }.ok()
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        // SAFETY: the buffer has as many bytes as the number.
        unsafe {
            let mut bytes = vec![0; (sys::BN_num_bits(self.raw()).max(0) as usize).div_ceil(8)];
            sys::BN_bn2bin(self.raw(), bytes.as_mut_ptr());
            bytes
        }
    }
}

/// A stack that is owned, with items that are borrowed.
pub(crate) struct Items<'a>(NonNull<sys::Stack>, PhantomData<&'a ()>);

impl<'a> Items<'a> {
    /// # Safety
    /// The pointer is null, or a stack that nothing else frees and whose items live for `'a`.
    pub(crate) unsafe fn own(raw: *mut sys::Stack) -> Option<Items<'a>> {
        NonNull::new(raw).map(|raw| Items(raw, PhantomData))
    }

    pub(crate) fn raw(&self) -> *mut sys::Stack {
        self.0.as_ptr()
    }
}

impl Drop for Items<'_> {
    fn drop(&mut self) {
        // SAFETY: this value owns the stack, which is freed only here; the items stay.
        unsafe { sys::OPENSSL_sk_free(self.raw()) };
    }
}
