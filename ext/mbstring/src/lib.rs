//! The `mbstring` extension: texts in any encoding, character by character.
#![forbid(unsafe_code)]

mod case;
mod convert;
mod detect;
pub mod encoding;
mod http;
mod kana;
mod mail;
mod mime;
mod numeric_entity;
mod regex;
mod settings;
mod source;
mod state;
mod text;
mod width;

use phlox_runtime::Extension;
use phlox_runtime::extension::{IniAccess, IniDef};

const fn setting(name: &'static str, default: Option<&'static str>) -> IniDef {
    IniDef { name, default, access: IniAccess::All }
}

pub static EXTENSION: Extension = Extension {
    name: "mbstring",
    functions: &[
        settings::FUNCTIONS,
        text::FUNCTIONS,
        case::FUNCTIONS,
        convert::FUNCTIONS,
        numeric_entity::FUNCTIONS,
        mime::FUNCTIONS,
        kana::FUNCTIONS,
        http::FUNCTIONS,
        regex::FUNCTIONS,
        mail::FUNCTIONS,
    ],
    classes: &[],
    constants: &[case::CONSTANTS],
    ini: &[
        setting("mbstring.language", Some("neutral")),
        setting("mbstring.detect_order", None),
        setting("mbstring.http_input", None),
        setting("mbstring.http_output", None),
        setting("mbstring.internal_encoding", None),
        setting("mbstring.substitute_character", None),
        IniDef { name: "mbstring.encoding_translation", default: Some("0"), access: IniAccess::PerDir },
        setting("mbstring.http_output_conv_mimetypes", Some("^(text/|application/xhtml\\+xml)")),
        setting("mbstring.strict_detection", Some("0")),
        setting("mbstring.regex_stack_limit", Some("100000")),
        setting("mbstring.regex_retry_limit", Some("1000000")),
    ],
    startup: Some(settings::startup),
    shutdown: None,
};
