//! The intrinsic classes: a module each for what its methods do.

pub(crate) mod bignum;
pub(crate) mod bytearray;
pub(crate) mod charset;
pub(crate) mod comparator;
pub(crate) mod date;
pub(crate) mod dictionary;
pub(crate) mod dynamic;
pub(crate) mod file;
pub(crate) mod filename;
pub(crate) mod frame;
pub(crate) mod grammar;
pub(crate) mod grammar_parse;
pub(crate) mod iter;
pub(crate) mod list;
pub(crate) mod lookup;
pub(crate) mod pattern;
pub(crate) mod root;
pub(crate) mod seq;
pub(crate) mod strbuf;
pub(crate) mod string;
pub(crate) mod string_find;
pub(crate) mod string_html;
pub(crate) mod tads;
pub(crate) mod vector;
pub(crate) mod zone;
