//! What programs of the T3 machine compute with and that needs no machine: regular expressions, decimal and random
//! numbers, calendars and time zones, character sets, rules for comparing words.
#![forbid(unsafe_code)]

pub mod bignum;
pub mod bignum_format;
pub mod calendar;
pub mod case;
pub mod charset;
pub mod checksum;
pub mod comparator;
pub mod date_format;
pub mod date_parse;
pub mod days;
pub mod digest;
pub mod random;
pub mod random_text;
pub mod regex;
pub mod roman;
pub mod zone;
pub mod zone_rules;
