//! Decimal numbers as text.

use crate::bignum::{BigNum, Special};

/// formatString: a sign also before positive numbers.
const SIGN: i32 = 0x01;

/// Exponent form always.
const EXPONENT: i32 = 0x02;

/// A sign before the exponent too.
const EXPONENT_SIGN: i32 = 0x04;

/// A zero before the decimal point.
const LEADING_ZERO: i32 = 0x08;

/// A decimal point always.
const POINT: i32 = 0x10;

/// Separators between thousands.
const COMMAS: i32 = 0x20;

/// A blank before positive numbers.
const POSITIVE_SPACE: i32 = 0x40;

/// Points and commas change places.
const EURO: i32 = 0x80;

/// The shorter of the two forms.
const COMPACT: i32 = 0x100;

/// The limit counts significant digits only.
const SIGNIFICANT: i32 = 0x200;

/// Zeros at the end stay.
const KEEP_ZEROS: i32 = 0x400;

/// How to write a number; -1 leaves a choice open.
pub struct Format {
    /// The most digits.
    pub max_digits: i64,
    /// The flags that programs give to `formatString`.
    pub flags: i32,
    /// Places before the decimal point.
    pub whole_places: i64,
    /// Digits after the decimal point.
    pub fraction_digits: i64,
    /// Digits of the exponent.
    pub exponent_digits: i64,
    /// What fills the places before the number, over and over.
    pub lead_fill: String,
}

impl Format {
    /// Up to so many digits, nothing special.
    pub fn plain(max_digits: i64) -> Format {
        Format {
            max_digits,
            flags: 0,
            whole_places: -1,
            fraction_digits: -1,
            exponent_digits: -1,
            lead_fill: " ".to_owned(),
        }
    }
}

/// Whether a number is written with an exponent.
fn is_exponential(number: &BigNum, format: &Format) -> bool {
    let plain = round_for(number, format, false);
    let exponential = format.flags & EXPONENT != 0
        || format.max_digits >= 0
            && (plain.scale().max(0) + format.fraction_digits.max(0) > format.max_digits
                || number.scale() < -format.max_digits * 2)
        || format.flags & COMPACT != 0 && !(-4..=format.max_digits.max(1)).contains(&(number.scale() - 1));
    exponential && (!number.is_zero() || format.flags & EXPONENT != 0)
}

/// The text of a number.
pub fn format(number: &BigNum, format: &Format) -> String {
    let exponential = is_exponential(number, format);
    let (shown, exponent) = if exponential {
        let exponent = if number.is_zero() { 0 } else { number.scale() - 1 };
        (BigNum { exponent: number.exponent - exponent, ..number.clone() }, exponent)
    } else {
        (number.clone(), 0)
    };
    let rounded = round_for(&shown, format, exponential);
    // Rounding up may have given one more digit before the point.
    let (rounded, exponent) = if exponential && rounded.scale() > 1 {
        (BigNum { exponent: rounded.exponent - 1, ..rounded }, exponent + 1)
    } else {
        (rounded, exponent)
    };
    let (whole, mut fraction) = split_digits(&rounded);
    if format.fraction_digits >= 0 {
        while (fraction.len() as i64) < format.fraction_digits {
            fraction.push('0');
        }
    } else if format.flags & KEEP_ZEROS != 0 && format.max_digits >= 0 {
        while ((whole.len() + fraction.len()) as i64) < format.max_digits {
            fraction.push('0');
        }
    }
    let mut out = sign_text(number, &rounded, format.flags).to_owned();
    let mut body = whole;
    if body.is_empty() && (format.flags & LEADING_ZERO != 0 || fraction.is_empty() || exponential) {
        body.push('0');
    }
    if format.flags & COMMAS != 0 {
        body = with_commas(&body, if format.flags & EURO != 0 { '.' } else { ',' });
    }
    let commas = if format.flags & COMMAS != 0 { (format.whole_places - 1).max(0) / 3 } else { 0 };
    let width = format.whole_places + commas - body.chars().count() as i64;
    let fill: String = format.lead_fill.chars().cycle().take(width.clamp(0, 10_000) as usize).collect();
    out = if format.lead_fill == " " { format!("{fill}{out}") } else { format!("{out}{fill}") };
    out.push_str(&body);
    if !fraction.is_empty() || format.flags & POINT != 0 {
        out.push(if format.flags & EURO != 0 { ',' } else { '.' });
        out.push_str(&fraction);
    }
    if exponential {
        let sign = if exponent < 0 {
            "-"
        } else if format.flags & EXPONENT_SIGN != 0 {
            "+"
        } else {
            ""
        };
        let digits = format.exponent_digits.clamp(0, 20) as usize;
        out.push_str(&format!("e{sign}{:0digits$}", exponent.abs()));
    }
    out
}

fn round_for(number: &BigNum, format: &Format, exponential: bool) -> BigNum {
    let mut number = number.clone();
    if format.max_digits >= 0 {
        let significant = format.flags & SIGNIFICANT != 0 || exponential || number.scale() > 0;
        number = if significant {
            let places = format.max_digits - number.scale();
            number.round_to(places)
        } else {
            number.round_to(format.max_digits)
        };
    }
    if format.fraction_digits >= 0 {
        number = number.round_to(format.fraction_digits);
    }
    number
}

/// Digits before and behind the point.
fn split_digits(number: &BigNum) -> (String, String) {
    if number.is_zero() {
        return (String::new(), String::new());
    }
    let digits = number.digits();
    let scale = digits.len() as i64 + number.exponent;
    if scale <= 0 {
        return (String::new(), "0".repeat((-scale) as usize) + &digits);
    }
    if scale as usize >= digits.len() {
        return (format!("{digits}{}", "0".repeat(scale as usize - digits.len())), String::new());
    }
    let (whole, fraction) = digits.split_at(scale as usize);
    (whole.to_owned(), fraction.to_owned())
}

fn sign_text(number: &BigNum, rounded: &BigNum, flags: i32) -> &'static str {
    if number.is_negative() && !rounded.is_zero() {
        "-"
    } else if flags & SIGN != 0 {
        "+"
    } else if flags & POSITIVE_SPACE != 0 {
        " "
    } else {
        ""
    }
}

fn with_commas(digits: &str, comma: char) -> String {
    let mut out = String::new();
    for (at, c) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(comma);
        }
        out.push(c);
    }
    out
}

impl BigNum {
    /// The usual text: as many digits as there are, in exponent form if that would be very long.
    pub fn display(&self) -> String {
        match self.special {
            Special::NotANumber => return "1.#NAN".to_owned(),
            Special::Infinite => return if self.is_negative() { "-1.#INF" } else { "1.#INF" }.to_owned(),
            Special::Finite => {}
        }
        format(self, &Format::plain(100))
    }
}
