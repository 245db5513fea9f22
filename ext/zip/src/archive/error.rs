//! The errors of archives: libzip's numbers and texts, which scripts see as `ZipArchive::$status` and in warnings.

use phlox_ext_standard_file::stream::plain::error_text;
use std::io;

/// What the second number of an error is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    Nothing,
    /// The system's `errno`.
    System,
    /// A number of zlib.
    Zlib,
    /// A number of [`DETAILS`], with the index of an entry above its eight bits.
    Detail,
}

/// Texts of the errors by number, and what their second number is.
const ERRORS: [(&str, Cause); 36] = [
    ("No error", Cause::Nothing),
    ("Multi-disk zip archives not supported", Cause::Nothing),
    ("Renaming temporary file failed", Cause::System),
    ("Closing zip archive failed", Cause::System),
    ("Seek error", Cause::System),
    ("Read error", Cause::System),
    ("Write error", Cause::System),
    ("CRC error", Cause::Nothing),
    ("Containing zip archive was closed", Cause::Nothing),
    ("No such file", Cause::Nothing),
    ("File already exists", Cause::Nothing),
    ("Can't open file", Cause::System),
    ("Failure to create temporary file", Cause::System),
    ("Zlib error", Cause::Zlib),
    ("Malloc failure", Cause::Nothing),
    ("Entry has been changed", Cause::Nothing),
    ("Compression method not supported", Cause::Nothing),
    ("Premature end of file", Cause::Nothing),
    ("Invalid argument", Cause::Nothing),
    ("Not a zip archive", Cause::Nothing),
    ("Internal error", Cause::Nothing),
    ("Zip archive inconsistent", Cause::Detail),
    ("Can't remove file", Cause::System),
    ("Entry has been deleted", Cause::Nothing),
    ("Encryption method not supported", Cause::Nothing),
    ("Read-only archive", Cause::Nothing),
    ("No password provided", Cause::Nothing),
    ("Wrong password provided", Cause::Nothing),
    ("Operation not supported", Cause::Nothing),
    ("Resource still in use", Cause::Nothing),
    ("Tell error", Cause::System),
    ("Compressed data invalid", Cause::Nothing),
    ("Operation cancelled", Cause::Nothing),
    ("Unexpected length of data", Cause::Nothing),
    ("Not allowed in torrentzip", Cause::Nothing),
    ("Possibly truncated or corrupted zip archive", Cause::Nothing),
];

/// What is inconsistent in an archive, by number, and whether it is about one entry.
const DETAILS: [(&str, bool); 26] = [
    ("no detail", false),
    ("central directory overlaps EOCD, or there is space between them", false),
    ("archive comment length incorrect", false),
    ("central directory length invalid", false),
    ("central header invalid", true),
    ("central directory count of entries is incorrect", false),
    ("local and central headers do not match", true),
    ("wrong EOCD length", false),
    ("EOCD64 overlaps EOCD, or there is space between them", false),
    ("EOCD64 magic incorrect", false),
    ("EOCD64 and EOCD do not match", false),
    ("invalid value in central directory", false),
    ("variable size fields overflow header", true),
    ("invalid UTF-8 in filename", true),
    ("invalid UTF-8 in comment", true),
    ("invalid Zip64 extra field", true),
    ("invalid WinZip AES extra field", true),
    ("garbage at end of extra fields", true),
    ("extra field length is invalid", true),
    ("file length in header doesn't match actual file length", true),
    ("compressed and uncompressed sizes don't match for stored file", true),
    ("local header and data descriptor do not match", true),
    ("EOCD64 and EOCD64 locator do not match", false),
    ("UTF-8 filename is ASCII and doesn't match filename", true),
    ("UTF-8 comment is ASCII and doesn't match comment", true),
    ("garbage at end of compressed data", false),
];

/// The kinds of errors, by libzip's numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Code {
    #[default]
    Ok = 0,
    MultiDisk = 1,
    Rename = 2,
    Seek = 4,
    Read = 5,
    Write = 6,
    Crc = 7,
    ZipClosed = 8,
    NoEntry = 9,
    Exists = 10,
    Open = 11,
    TmpOpen = 12,
    Zlib = 13,
    Memory = 14,
    Changed = 15,
    CompNotSupp = 16,
    Eof = 17,
    Invalid = 18,
    NoZip = 19,
    Internal = 20,
    Inconsistent = 21,
    Remove = 22,
    Deleted = 23,
    EncrNotSupp = 24,
    ReadOnly = 25,
    NoPassword = 26,
    WrongPassword = 27,
    OpNotSupp = 28,
    CompressedData = 31,
    Cancelled = 32,
    DataLength = 33,
    NotAllowed = 34,
    TruncatedZip = 35,
}

/// What is inconsistent, by libzip's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Detail {
    DirectoryOverlapsEnd = 1,
    CommentLength = 2,
    DirectoryEntry = 4,
    EntryCount = 5,
    HeaderMismatch = 6,
    EndLength = 7,
    End64OverlapsEnd = 8,
    End64Mismatch = 10,
    DirectoryValue = 11,
    VariableSize = 12,
    FilenameUtf8 = 13,
    CommentUtf8 = 14,
    Zip64Field = 15,
    AesField = 16,
    FieldGarbage = 17,
    FieldLength = 18,
    FileLength = 19,
    StoredSize = 20,
    DescriptorMismatch = 21,
    LocatorMismatch = 22,
    FilenameMismatch = 23,
    CommentMismatch = 24,
    DataGarbage = 25,
}

/// Indices from here on are not told.
const MOST_INDEX: i64 = 0x7f_ffff;

/// An error of an archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ZipError {
    pub code: Code,
    /// What the error's kind says: an `errno`, zlib's number, or a detail.
    pub cause: i64,
}

/// The result of work on an archive.
pub type Result<T> = std::result::Result<T, ZipError>;

impl From<Code> for ZipError {
    fn from(code: Code) -> ZipError {
        ZipError { code, cause: 0 }
    }
}

impl From<Detail> for ZipError {
    fn from(detail: Detail) -> ZipError {
        ZipError { code: Code::Inconsistent, cause: detail as i64 }
    }
}

impl ZipError {
    /// An error with what the system said.
    pub fn system(code: Code, error: &io::Error) -> ZipError {
        ZipError { code, cause: i64::from(error.raw_os_error().unwrap_or(0)) }
    }

    /// An error with a number of the system or of zlib.
    pub const fn with(code: Code, cause: i64) -> ZipError {
        ZipError { code, cause }
    }

    /// A position beyond what the system can seek to.
    pub const fn too_far() -> ZipError {
        const EFBIG: i64 = 27;
        ZipError { code: Code::Seek, cause: EFBIG }
    }

    /// An inconsistency of an entry; `None`: of one whose index is not known here.
    pub fn of_entry(detail: Detail, index: Option<usize>) -> ZipError {
        ZipError::from(detail).about(index.map_or(MOST_INDEX, |index| index as i64))
    }

    /// The error, about the entry with this index if it is an inconsistency.
    pub fn at_entry(self, index: usize) -> ZipError {
        if self.code == Code::Inconsistent { self.about(index as i64) } else { self }
    }

    fn about(self, index: i64) -> ZipError {
        ZipError { cause: index.min(MOST_INDEX) << 8 | self.cause & 0xff, ..self }
    }

    /// The number as scripts see it.
    pub fn number(self) -> i64 {
        i64::from(self.code as u8)
    }

    /// The text, as libzip words it.
    pub fn message(self) -> String {
        let (text, kind) = ERRORS[self.code as usize];
        let cause = match kind {
            Cause::Nothing => None,
            Cause::System if self.cause == 0 => Some("Success".to_owned()),
            Cause::System => Some(error_text(&io::Error::from_raw_os_error(self.cause as i32))),
            Cause::Zlib => Some(zlib_text(self.cause).to_owned()),
            Cause::Detail => detail_text(self.cause),
        };
        match cause {
            Some(cause) => format!("{text}: {cause}"),
            None => text.to_owned(),
        }
    }
}

fn detail_text(cause: i64) -> Option<String> {
    let index = cause >> 8;
    match DETAILS.get((cause & 0xff) as usize)? {
        _ if cause & 0xff == 0 => None,
        (text, true) if index < MOST_INDEX => Some(format!("entry {index}: {text}")),
        (text, _) => Some((*text).to_owned()),
    }
}

/// zlib's texts, by its numbers.
fn zlib_text(number: i64) -> &'static str {
    match number {
        2 => "need dictionary",
        1 => "stream end",
        -1 => "file error",
        -2 => "stream error",
        -3 => "data error",
        -4 => "insufficient memory",
        -5 => "buffer error",
        -6 => "incompatible version",
        _ => "",
    }
}
