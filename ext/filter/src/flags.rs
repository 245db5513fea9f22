//! The filters' numbers and flags.

use phlox_runtime::ConstValue::{self, Int};

pub const REQUIRE_ARRAY: i64 = 1 << 24;
pub const REQUIRE_SCALAR: i64 = 1 << 25;
pub const FORCE_ARRAY: i64 = 1 << 26;
pub const NULL_ON_FAILURE: i64 = 1 << 27;

pub const ALLOW_OCTAL: i64 = 1;
pub const ALLOW_HEX: i64 = 2;
pub const STRIP_LOW: i64 = 4;
pub const STRIP_HIGH: i64 = 8;
pub const ENCODE_LOW: i64 = 16;
pub const ENCODE_HIGH: i64 = 32;
pub const ENCODE_AMP: i64 = 64;
pub const NO_ENCODE_QUOTES: i64 = 128;
pub const EMPTY_STRING_NULL: i64 = 256;
pub const STRIP_BACKTICK: i64 = 512;
pub const ALLOW_FRACTION: i64 = 1 << 12;
pub const ALLOW_THOUSAND: i64 = 1 << 13;
pub const ALLOW_SCIENTIFIC: i64 = 1 << 14;
pub const PATH_REQUIRED: i64 = 1 << 18;
pub const QUERY_REQUIRED: i64 = 1 << 19;
/// Also hostnames of domains and Unicode in addresses of mail.
pub const IPV4: i64 = 1 << 20;
pub const IPV6: i64 = 1 << 21;
pub const NO_RES_RANGE: i64 = 1 << 22;
pub const NO_PRIV_RANGE: i64 = 1 << 23;
pub const GLOBAL_RANGE: i64 = 1 << 28;

/// Where the numbers of filters that validate, and of those that sanitize, begin.
pub const VALIDATE_ALL: i64 = 256;
pub const SANITIZE_ALL: i64 = 512;
pub const INT: i64 = 257;
pub const BOOL: i64 = 258;
pub const FLOAT: i64 = 259;
pub const REGEXP: i64 = 272;
pub const URL: i64 = 273;
pub const EMAIL: i64 = 274;
pub const IP: i64 = 275;
pub const MAC: i64 = 276;
pub const DOMAIN: i64 = 277;
pub const STRING: i64 = 513;
pub const ENCODED: i64 = 514;
pub const SPECIAL_CHARS: i64 = 515;
pub const UNSAFE_RAW: i64 = 516;
pub const SANITIZE_EMAIL: i64 = 517;
pub const SANITIZE_URL: i64 = 518;
pub const NUMBER_INT: i64 = 519;
pub const NUMBER_FLOAT: i64 = 520;
pub const FULL_SPECIAL_CHARS: i64 = 522;
pub const ADD_SLASHES: i64 = 523;
pub const CALLBACK: i64 = 1024;

/// Filters by name, in the order that `filter_list` gives.
pub const FILTERS: &[(&str, i64)] = &[
    ("int", INT),
    ("boolean", BOOL),
    ("float", FLOAT),
    ("validate_regexp", REGEXP),
    ("validate_domain", DOMAIN),
    ("validate_url", URL),
    ("validate_email", EMAIL),
    ("validate_ip", IP),
    ("validate_mac", MAC),
    ("string", STRING),
    ("stripped", STRING),
    ("encoded", ENCODED),
    ("special_chars", SPECIAL_CHARS),
    ("full_special_chars", FULL_SPECIAL_CHARS),
    ("unsafe_raw", UNSAFE_RAW),
    ("email", SANITIZE_EMAIL),
    ("url", SANITIZE_URL),
    ("number_int", NUMBER_INT),
    ("number_float", NUMBER_FLOAT),
    ("add_slashes", ADD_SLASHES),
    ("callback", CALLBACK),
];

pub const CONSTANTS: &[(&str, ConstValue)] = &[
    ("INPUT_POST", Int(0)),
    ("INPUT_GET", Int(1)),
    ("INPUT_COOKIE", Int(2)),
    ("INPUT_ENV", Int(4)),
    ("INPUT_SERVER", Int(5)),
    ("FILTER_FLAG_NONE", Int(0)),
    ("FILTER_REQUIRE_SCALAR", Int(REQUIRE_SCALAR)),
    ("FILTER_REQUIRE_ARRAY", Int(REQUIRE_ARRAY)),
    ("FILTER_FORCE_ARRAY", Int(FORCE_ARRAY)),
    ("FILTER_NULL_ON_FAILURE", Int(NULL_ON_FAILURE)),
    ("FILTER_VALIDATE_INT", Int(INT)),
    ("FILTER_VALIDATE_BOOLEAN", Int(BOOL)),
    ("FILTER_VALIDATE_BOOL", Int(BOOL)),
    ("FILTER_VALIDATE_FLOAT", Int(FLOAT)),
    ("FILTER_VALIDATE_REGEXP", Int(REGEXP)),
    ("FILTER_VALIDATE_DOMAIN", Int(DOMAIN)),
    ("FILTER_VALIDATE_URL", Int(URL)),
    ("FILTER_VALIDATE_EMAIL", Int(EMAIL)),
    ("FILTER_VALIDATE_IP", Int(IP)),
    ("FILTER_VALIDATE_MAC", Int(MAC)),
    ("FILTER_DEFAULT", Int(UNSAFE_RAW)),
    ("FILTER_UNSAFE_RAW", Int(UNSAFE_RAW)),
    ("FILTER_SANITIZE_STRING", Int(STRING)),
    ("FILTER_SANITIZE_STRIPPED", Int(STRING)),
    ("FILTER_SANITIZE_ENCODED", Int(ENCODED)),
    ("FILTER_SANITIZE_SPECIAL_CHARS", Int(SPECIAL_CHARS)),
    ("FILTER_SANITIZE_FULL_SPECIAL_CHARS", Int(FULL_SPECIAL_CHARS)),
    ("FILTER_SANITIZE_EMAIL", Int(SANITIZE_EMAIL)),
    ("FILTER_SANITIZE_URL", Int(SANITIZE_URL)),
    ("FILTER_SANITIZE_NUMBER_INT", Int(NUMBER_INT)),
    ("FILTER_SANITIZE_NUMBER_FLOAT", Int(NUMBER_FLOAT)),
    ("FILTER_SANITIZE_ADD_SLASHES", Int(ADD_SLASHES)),
    ("FILTER_CALLBACK", Int(CALLBACK)),
    ("FILTER_FLAG_ALLOW_OCTAL", Int(ALLOW_OCTAL)),
    ("FILTER_FLAG_ALLOW_HEX", Int(ALLOW_HEX)),
    ("FILTER_FLAG_STRIP_LOW", Int(STRIP_LOW)),
    ("FILTER_FLAG_STRIP_HIGH", Int(STRIP_HIGH)),
    ("FILTER_FLAG_STRIP_BACKTICK", Int(STRIP_BACKTICK)),
    ("FILTER_FLAG_ENCODE_LOW", Int(ENCODE_LOW)),
    ("FILTER_FLAG_ENCODE_HIGH", Int(ENCODE_HIGH)),
    ("FILTER_FLAG_ENCODE_AMP", Int(ENCODE_AMP)),
    ("FILTER_FLAG_NO_ENCODE_QUOTES", Int(NO_ENCODE_QUOTES)),
    ("FILTER_FLAG_EMPTY_STRING_NULL", Int(EMPTY_STRING_NULL)),
    ("FILTER_FLAG_ALLOW_FRACTION", Int(ALLOW_FRACTION)),
    ("FILTER_FLAG_ALLOW_THOUSAND", Int(ALLOW_THOUSAND)),
    ("FILTER_FLAG_ALLOW_SCIENTIFIC", Int(ALLOW_SCIENTIFIC)),
    ("FILTER_FLAG_PATH_REQUIRED", Int(PATH_REQUIRED)),
    ("FILTER_FLAG_QUERY_REQUIRED", Int(QUERY_REQUIRED)),
    ("FILTER_FLAG_IPV4", Int(IPV4)),
    ("FILTER_FLAG_IPV6", Int(IPV6)),
    ("FILTER_FLAG_NO_RES_RANGE", Int(NO_RES_RANGE)),
    ("FILTER_FLAG_NO_PRIV_RANGE", Int(NO_PRIV_RANGE)),
    ("FILTER_FLAG_GLOBAL_RANGE", Int(GLOBAL_RANGE)),
    ("FILTER_FLAG_HOSTNAME", Int(IPV4)),
    ("FILTER_FLAG_EMAIL_UNICODE", Int(IPV4)),
];
