//! The extension "standard": output and variable functions, strings, numbers, URLs, serialisation.
//!
//! Each file declares its functions (`FUNCTIONS`, the PHP declarations word for word) next to their bodies.
//! Arrays, files and streams are other crates.
#![forbid(unsafe_code)]

pub mod about;
pub mod assertion;
pub mod browscap;
pub mod format;
pub mod hash;
pub mod highlight;
pub mod html;
pub mod image;
pub mod iptc;
pub mod langinfo;
pub mod locale;
pub mod math;
pub mod net;
pub mod pack;
pub mod password;
pub mod request;
pub mod rewriter;
pub mod serialize;
pub mod services;
pub mod stream_format;
pub mod strings;
pub mod strptime;
pub mod url;
pub mod variables;

use phlox_ext_standard_array::FUNCTIONS as ARRAY_FUNCTIONS;
use phlox_ext_standard_file::{self as file, FUNCTIONS as FILE_FUNCTIONS};
use phlox_runtime::{ConstValue, Extension, FnDef};
pub use strings::compare::CORE_FUNCTIONS;

const CONSTANTS: &[(&str, ConstValue)] = &[
    ("STR_PAD_LEFT", ConstValue::Int(0)),
    ("STR_PAD_RIGHT", ConstValue::Int(1)),
    ("STR_PAD_BOTH", ConstValue::Int(2)),
    ("LC_CTYPE", ConstValue::Int(0)),
    ("LC_NUMERIC", ConstValue::Int(1)),
    ("LC_TIME", ConstValue::Int(2)),
    ("LC_COLLATE", ConstValue::Int(3)),
    ("LC_MONETARY", ConstValue::Int(4)),
    ("LC_MESSAGES", ConstValue::Int(5)),
    ("LC_ALL", ConstValue::Int(6)),
];

/// The functions of this crate.
const OWN_FUNCTIONS: [&[FnDef]; 34] = [
    highlight::FUNCTIONS,
    variables::FUNCTIONS,
    format::FUNCTIONS,
    math::FUNCTIONS,
    strings::case::FUNCTIONS,
    strings::words::FUNCTIONS,
    strings::search::FUNCTIONS,
    strings::replace::FUNCTIONS,
    strings::compare::FUNCTIONS,
    strings::escape::FUNCTIONS,
    serialize::FUNCTIONS,
    html::FUNCTIONS,
    url::FUNCTIONS,
    hash::FUNCTIONS,
    pack::FUNCTIONS,
    strings::tags::FUNCTIONS,
    locale::FUNCTIONS,
    strings::scan::FUNCTIONS,
    strings::sequence::FUNCTIONS,
    net::FUNCTIONS,
    assertion::FUNCTIONS,
    image::FUNCTIONS,
    password::FUNCTIONS,
    strings::shuffle::FUNCTIONS,
    stream_format::FUNCTIONS,
    request::FUNCTIONS,
    rewriter::FUNCTIONS,
    iptc::FUNCTIONS,
    about::FUNCTIONS,
    browscap::FUNCTIONS,
    strptime::FUNCTIONS,
    strings::hebrew::FUNCTIONS,
    langinfo::FUNCTIONS,
    services::FUNCTIONS,
];

/// All functions of the extension "standard", which is spread over several crates.
static FUNCTIONS: [&[FnDef]; OWN_FUNCTIONS.len() + ARRAY_FUNCTIONS.len() + FILE_FUNCTIONS.len()] =
    concat(&[&OWN_FUNCTIONS, ARRAY_FUNCTIONS, FILE_FUNCTIONS]);

const fn concat<const N: usize>(lists: &[&[&'static [FnDef]]]) -> [&'static [FnDef]; N] {
    let mut all: [&[FnDef]; N] = [&[]; N];
    let (mut list, mut filled) = (0, 0);
    while list < lists.len() {
        let mut at = 0;
        while at < lists[list].len() {
            all[filled] = lists[list][at];
            filled += 1;
            at += 1;
        }
        list += 1;
    }
    all
}

pub static EXTENSION: Extension = Extension {
    name: "standard",
    functions: &FUNCTIONS,
    classes: &[
        math::CLASSES,
        serialize::CLASSES,
        assertion::CLASSES,
        file::directory::CLASSES,
        file::user_filters::CLASSES,
    ],
    constants: &[
        CONSTANTS,
        about::CONSTANTS,
        math::CONSTANTS,
        assertion::CONSTANTS,
        image::CONSTANTS,
        password::CONSTANTS,
        password::argon::CONSTANTS,
        html::CONSTANTS,
        url::CONSTANTS,
        phlox_ext_standard_array::CONSTANTS,
        file::constants::FILES,
        file::constants::STREAMS,
        file::constants::SETTINGS,
        file::dns::CONSTANTS,
        file::info::CONSTANTS,
        file::syslog::CONSTANTS,
        &langinfo::CONSTANTS,
    ],
    ini: &[
        &serialize::UNSERIALIZE_MAX_DEPTH.def,
        &file::http_client::USER_AGENT.def,
        &file::http_client::FROM.def,
        &file::sockets::DEFAULT_SOCKET_TIMEOUT.def,
        &file::stream::open::AUTO_DETECT_LINE_ENDINGS.def,
        &assertion::ACTIVE.def,
        &assertion::BAIL.def,
        &assertion::WARNING.def,
        &assertion::CALLBACK.def,
        &assertion::EXCEPTION.def,
        &rewriter::SESSION_TAGS.def,
        &rewriter::SESSION_HOSTS.def,
        &rewriter::TAGS.def,
        &rewriter::HOSTS.def,
    ],
    startup: Some(startup),
    shutdown: Some(file::sapi::clean_up),
};

fn startup(vm: &phlox_runtime::Vm) {
    file::startup(vm);
}
