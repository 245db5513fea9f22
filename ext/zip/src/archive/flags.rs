//! Bits that calls take, by libzip's numbers.

/// Names are compared without regard to case.
pub const NOCASE: u32 = 1;
/// Folders in names are not compared.
pub const NODIR: u32 = 2;
/// Data is read as it is in the archive.
pub const COMPRESSED: u32 = 4;
/// What the archive had when it was opened.
pub const UNCHANGED: u32 = 8;
/// Data is read as it is in the archive, without decrypting it.
pub const ENCRYPTED: u32 = 32;
pub const ENC_RAW: u32 = 64;
pub const ENC_STRICT: u32 = 128;
pub const ENC_UTF_8: u32 = 2048;
pub const ENC_CP437: u32 = 4096;
/// An entry with the name is replaced.
pub const OVERWRITE: u32 = 8192;

/// What archives are opened with.
pub mod open {
    pub const CREATE: u32 = 1;
    pub const EXCL: u32 = 2;
    pub const CHECKCONS: u32 = 4;
    pub const TRUNCATE: u32 = 8;
    pub const RDONLY: u32 = 16;
}

/// Properties of archives.
pub mod archive {
    pub const RDONLY: u32 = 2;
    pub const IS_TORRENTZIP: u32 = 4;
    pub const WANT_TORRENTZIP: u32 = 8;
    pub const KEEP_EMPTY: u32 = 16;
}
