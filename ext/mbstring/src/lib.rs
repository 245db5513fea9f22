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
        &state::LANGUAGE.def,
        &state::DETECT_ORDER.def,
        &state::HTTP_INPUT.def,
        &state::HTTP_OUTPUT.def,
        &state::INTERNAL_ENCODING.def,
        &state::SUBSTITUTE_CHARACTER.def,
        &settings::ENCODING_TRANSLATION.def,
        &http::OUTPUT_CONV_MIMETYPES.def,
        &state::STRICT_DETECTION.def,
        &regex::STACK_LIMIT.def,
        &regex::RETRY_LIMIT.def,
    ],
    startup: Some(settings::startup),
    shutdown: None,
};
