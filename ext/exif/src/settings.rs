//! The settings: from and to which encodings texts in images are converted.

use phlox_ext_mbstring::encoding;
use phlox_runtime::PhpResult;
use phlox_runtime::ini::{IniAccess, IniChange, IniDef, IniString};

/// The encoding of texts that an image says to be Unicode.
pub static ENCODE_UNICODE: IniString =
    IniString::new("exif.encode_unicode", "ISO-8859-15", IniAccess::All).guard(known);
pub static DECODE_UNICODE_MOTOROLA: IniString =
    IniString::new("exif.decode_unicode_motorola", "UCS-2BE", IniAccess::All).guard(known);
pub static DECODE_UNICODE_INTEL: IniString =
    IniString::new("exif.decode_unicode_intel", "UCS-2LE", IniAccess::All).guard(known);
/// The encoding of texts that an image says to be Japanese. Without one they stay what they are.
pub static ENCODE_JIS: IniString = IniString::new("exif.encode_jis", "", IniAccess::All).guard(known);
pub static DECODE_JIS_MOTOROLA: IniString =
    IniString::new("exif.decode_jis_motorola", "JIS", IniAccess::All).guard(known);
pub static DECODE_JIS_INTEL: IniString = IniString::new("exif.decode_jis_intel", "JIS", IniAccess::All).guard(known);

/// The settings, in PHP's order.
pub const SETTINGS: &[&IniDef] = &[
    &ENCODE_UNICODE.def,
    &DECODE_UNICODE_MOTOROLA.def,
    &DECODE_UNICODE_INTEL.def,
    &ENCODE_JIS.def,
    &DECODE_JIS_MOTOROLA.def,
    &DECODE_JIS_INTEL.def,
];

/// Refuses lists of encodings with one that is not known. An empty text is no list.
fn known(change: &IniChange<'_>) -> PhpResult<bool> {
    let text = change.text();
    if text.is_empty() {
        return Ok(true);
    }
    let mut is_known = true;
    for name in text.split(|&byte| byte == b',').map(|name| name.trim_ascii()) {
        if encoding::find(name).is_none() && !name.eq_ignore_ascii_case(b"auto") {
            is_known = false;
            warn(change, b"INI setting contains invalid encoding \"", name, b"\"")?;
        }
    }
    if !is_known {
        warn(change, b"Illegal encoding ignored: '", text, b"'")?;
    }
    Ok(is_known)
}

fn warn(change: &IniChange<'_>, before: &[u8], name: &[u8], behind: &[u8]) -> PhpResult<()> {
    change.vm.warning(&[change.prefix.as_bytes(), before, name, behind].concat())
}
