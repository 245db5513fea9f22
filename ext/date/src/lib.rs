//! The `date` extension's functions on timestamps. The classes (`DateTime` and its kin) and `strtotime` are not
//! here yet.
#![forbid(unsafe_code)]

mod calendar;
mod format;
mod zone;

use phlox_runtime::extension::{IniAccess, IniDef};
use phlox_runtime::{ConstValue, Extension};

const CONSTANTS: &[(&str, ConstValue)] = &[
    ("DATE_ATOM", ConstValue::Str("Y-m-d\\TH:i:sP")),
    ("DATE_COOKIE", ConstValue::Str("l, d-M-Y H:i:s T")),
    ("DATE_ISO8601", ConstValue::Str("Y-m-d\\TH:i:sO")),
    ("DATE_ISO8601_EXPANDED", ConstValue::Str("X-m-d\\TH:i:sP")),
    ("DATE_RFC822", ConstValue::Str("D, d M y H:i:s O")),
    ("DATE_RFC850", ConstValue::Str("l, d-M-y H:i:s T")),
    ("DATE_RFC1036", ConstValue::Str("D, d M y H:i:s O")),
    ("DATE_RFC1123", ConstValue::Str("D, d M Y H:i:s O")),
    ("DATE_RFC7231", ConstValue::Str("D, d M Y H:i:s \\G\\M\\T")),
    ("DATE_RFC2822", ConstValue::Str("D, d M Y H:i:s O")),
    ("DATE_RFC3339", ConstValue::Str("Y-m-d\\TH:i:sP")),
    ("DATE_RFC3339_EXTENDED", ConstValue::Str("Y-m-d\\TH:i:s.vP")),
    ("DATE_RSS", ConstValue::Str("D, d M Y H:i:s O")),
    ("DATE_W3C", ConstValue::Str("Y-m-d\\TH:i:sP")),
];

pub static EXTENSION: Extension = Extension {
    name: "date",
    functions: &[calendar::FUNCTIONS, format::FUNCTIONS, zone::FUNCTIONS],
    classes: &[],
    constants: &[CONSTANTS],
    ini: &[IniDef { name: "date.timezone", default: Some("UTC"), access: IniAccess::All }],
    startup: None,
    shutdown: None,
};
