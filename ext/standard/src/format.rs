//! `printf` and its family, `number_format`.

use phlox_runtime::number::{Digits, digits, general_format};
use phlox_runtime::{Call, FnDef, Level, PhpResult, PhpStr, StrBuilder, Throw, Thrown, Val, View, Vm, convert, number};
use std::fmt::Write;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("sprintf(string $format, mixed ...$values): string", sprintf)
        .fast_path(|args| format_plain(args.first()?.as_str()?, &args[1..])),
    FnDef::new("vsprintf(string $format, array $values): string", vsprintf)
        .fast_path(|args| format_plain(args.first()?.as_str()?, args.get(1)?.as_arr()?.as_list()?)),
    FnDef::new("printf(string $format, mixed ...$values): int", printf),
    FnDef::new("vprintf(string $format, array $values): int", vprintf),
    FnDef::new(
        "number_format(#[number] float $num, int $decimals = 0, ?string $decimal_separator = \".\", ?string $thousands_separator = \",\"): string",
        number_format,
    )
    .fast_path(|args| {
        let decimals = match args.get(1) {
            None => 0,
            Some(decimals) => decimals.as_int()?,
        };
        let point: &[u8] = match args.get(2) {
            None => b".",
            Some(point) => point.as_str()?,
        };
        let separator: &[u8] = match args.get(3) {
            None => b",",
            Some(separator) => separator.as_str()?,
        };
        formatted(args.first()?, decimals, point, separator)
    }),
];

/// Where too few arguments are reported.
#[derive(Clone, Copy)]
enum Missing {
    /// Throws an ArgumentCountError, which counts this many parameters before the values.
    Count(usize),
    /// Throws a ValueError, because the values came in an array.
    Array,
}

/// Formats with the arguments from parameter `first` on; the format is the parameter before.
pub fn format_arguments(call: &Call<'_>, first: usize) -> PhpResult<StrBuilder> {
    let format = call.str(first - 1);
    let mut out = StrBuilder::new();
    Formatter::new(call.vm, Some(call), &format, call.rest(first), Missing::Count(first), &mut out).run()?;
    Ok(out)
}

/// Formats with the array at parameter `index`; the format is the parameter before.
pub fn format_array(call: &Call<'_>, index: usize) -> PhpResult<StrBuilder> {
    let format = call.str(index - 1);
    let args: Vec<Val> = call.arr(index).values().map(Val::deref).collect();
    let mut out = StrBuilder::new();
    Formatter::new(call.vm, Some(call), &format, &args, Missing::Array, &mut out).run()?;
    Ok(out)
}

/// Fast path: formats arguments whose conversion runs no PHP code. `None` if a conversion might, or if an error is to be
/// raised.
fn format_plain(format: &[u8], args: &[Val]) -> Option<Val> {
    let plain = |value: &Val| matches!(value.view(), View::Int(_) | View::Str(_) | View::Double(_) | View::Bool(_));
    if !args.iter().all(plain) {
        return None;
    }
    let mut out = StrBuilder::new();
    Formatter::new(Vm::current()?, None, format, args, Missing::Array, &mut out).run().ok()?;
    Some(out.finish().into())
}

fn sprintf(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(format_arguments(call, 1)?.into())
}

fn vsprintf(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(format_array(call, 1)?.into())
}

fn printf(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = format_arguments(call, 1)?;
    call.vm.echo(&text);
    Ok(Val::int(text.len() as i64))
}

fn vprintf(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = format_array(call, 1)?;
    call.vm.echo(&text);
    Ok(Val::int(text.len() as i64))
}

/// Most digits after the point that a float conversion writes.
const FLOAT_PRECISION_MAX: i64 = 53;
const FLOAT_PRECISION: i64 = 6;
const INT_MAX: i64 = i32::MAX as i64;

/// One `%` directive.
struct Directive {
    padding: u8,
    left: bool,
    plus: bool,
    width: usize,
    /// The number after the point, if there is one.
    precision: Option<i64>,
}

struct Formatter<'a, 'c> {
    vm: &'a Vm,
    /// The call in whose name errors are raised. `None`: errors are not raised, only returned.
    call: Option<&'a Call<'c>>,
    format: &'a [u8],
    at: usize,
    args: &'a [Val],
    next_arg: usize,
    missing: Missing,
    /// The highest argument that a directive asked for and that was not passed.
    absent: Option<usize>,
    /// The output, which is borrowed so that it need not be moved.
    out: &'a mut StrBuilder,
}

impl<'a, 'c> Formatter<'a, 'c> {
    fn new(
        vm: &'a Vm,
        call: Option<&'a Call<'c>>,
        format: &'a [u8],
        args: &'a [Val],
        missing: Missing,
        out: &'a mut StrBuilder,
    ) -> Formatter<'a, 'c> {
        Formatter { vm, call, format, at: 0, args, next_arg: 0, missing, absent: None, out }
    }

    /// The byte at the cursor; 0 at the end.
    fn peek(&self) -> u8 {
        self.format.get(self.at).copied().unwrap_or(0)
    }

    #[cold]
    fn error<T>(&self, message: &str) -> PhpResult<T> {
        self.fail(|call| call.vm.throw_value_error(message.as_bytes()))
    }

    fn fail<T>(&self, complain: impl FnOnce(&Call<'_>) -> Throw) -> PhpResult<T> {
        Err(self.call.map_or(Throw::Fatal, complain))
    }

    fn run(mut self) -> PhpResult<()> {
        while let Some(percent) = self.format[self.at..].iter().position(|&byte| byte == b'%') {
            self.out.extend_from_slice(&self.format[self.at..self.at + percent]);
            self.at += percent + 1;
            if self.peek() == b'%' {
                self.out.push(b'%');
                self.at += 1;
            } else {
                self.directive()?;
            }
        }
        self.out.extend_from_slice(&self.format[self.at..]);
        let Some(absent) = self.absent else { return Ok(()) };
        match self.missing {
            Missing::Array => {
                let given = self.args.len();
                self.error(&format!("The arguments array must contain {} items, {given} given", absent + 1))
            }
            Missing::Count(before) => {
                let (needed, given) = (absent + 1 + before, self.args.len() + before);
                let text = format!("{needed} arguments are required, {given} given");
                self.fail(|call| call.vm.throw(Thrown::ArgumentCountError, text.as_bytes()))
            }
        }
    }

    /// Digits at the cursor; `None`: more than an int holds.
    fn number(&mut self) -> Option<i64> {
        let digits = self.format[self.at..].iter().take_while(|b| b.is_ascii_digit()).count();
        let text = std::str::from_utf8(&self.format[self.at..self.at + digits]).unwrap_or("");
        self.at += digits;
        text.parse().ok().filter(|&number: &i64| number < INT_MAX)
    }

    /// `2$`: the zero-based number of an explicitly chosen argument.
    fn chosen_argument(&mut self) -> PhpResult<Option<usize>> {
        let digits = self.format[self.at..].iter().take_while(|b| b.is_ascii_digit()).count();
        if self.format.get(self.at + digits) != Some(&b'$') {
            return Ok(None);
        }
        match self.number() {
            Some(number) if number > 0 => {
                self.at += 1;
                Ok(Some(number as usize - 1))
            }
            _ => self.error(&format!("Argument number specifier must be greater than zero and less than {INT_MAX}")),
        }
    }

    fn take_argument(&mut self, chosen: Option<usize>) -> Option<&'a Val> {
        let index = chosen.unwrap_or_else(|| {
            self.next_arg += 1;
            self.next_arg - 1
        });
        if index >= self.args.len() {
            self.absent = self.absent.max(Some(index));
        }
        self.args.get(index)
    }

    /// The argument of `*`.
    fn star(&mut self, what: &str, least: i64) -> PhpResult<Option<i64>> {
        self.at += 1;
        let chosen = self.chosen_argument()?;
        let Some(value) = self.take_argument(chosen) else { return Ok(None) };
        match value.deref().as_int() {
            None => self.error(&format!("{what} must be an integer")),
            Some(number) if number < least || number > INT_MAX => {
                self.error(&format!("{what} must be between {least} and {INT_MAX}"))
            }
            Some(number) => Ok(Some(number)),
        }
    }

    fn directive(&mut self) -> PhpResult<()> {
        let mut spec = Directive { padding: b' ', left: false, plus: false, width: 0, precision: None };
        let mut chosen = None;
        if !self.peek().is_ascii_alphabetic() {
            chosen = self.chosen_argument()?;
            self.modifiers(&mut spec)?;
            // A missing width or precision is reported at the end, so the directive may write anything.
            if self.peek() == b'*' {
                let Some(width) = self.star("Width", 0)? else { return Ok(()) };
                spec.width = width as usize;
            } else if self.peek().is_ascii_digit() {
                match self.number() {
                    Some(width) => spec.width = width as usize,
                    None => return self.error(&format!("Width must be between 0 and {INT_MAX}")),
                }
            }
            if self.peek() == b'.' {
                self.at += 1;
                if self.peek() == b'*' {
                    let Some(precision) = self.star("Precision", -1)? else { return Ok(()) };
                    spec.precision = Some(precision);
                } else if self.peek().is_ascii_digit() {
                    spec.precision = self.number();
                    if spec.precision.is_none() {
                        return self.error(&format!("Precision must be between 0 and {INT_MAX}"));
                    }
                }
            }
        }
        if self.peek() == b'l' {
            self.at += 1;
        }
        let Some(value) = self.take_argument(chosen) else { return Ok(()) };
        if spec.precision == Some(-1) && !matches!(self.peek(), b'g' | b'G' | b'h' | b'H') {
            return self.error("Precision -1 is only supported for %g, %G, %h and %H");
        }
        self.convert(&spec, value)?;
        self.at += 1;
        Ok(())
    }

    fn modifiers(&mut self, spec: &mut Directive) -> PhpResult<()> {
        loop {
            match self.peek() {
                pad @ (b' ' | b'0') => spec.padding = pad,
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b'\'' => {
                    self.at += 1;
                    if self.at >= self.format.len() {
                        return self.error("Missing padding character");
                    }
                    spec.padding = self.peek();
                }
                _ => return Ok(()),
            }
            self.at += 1;
        }
    }

    fn convert(&mut self, spec: &Directive, value: &Val) -> PhpResult<()> {
        let vm = self.vm;
        let kind = self.peek();
        match kind {
            b's' => {
                let converted;
                let text: &[u8] = match value.as_str() {
                    Some(text) => text,
                    None => {
                        converted = convert::to_str(vm, value)?;
                        &converted
                    }
                };
                let shown = spec.precision.map_or(text.len(), |most| text.len().min(most as usize));
                self.pad(spec, &text[..shown], false)
            }
            b'd' => {
                let number = convert::to_int(vm, value)?;
                let mut buffer = [0; 20];
                let digits = convert::int_digits(number, &mut buffer);
                if spec.plus && number >= 0 {
                    return self.integer(spec, &[b"+", digits].concat(), true);
                }
                self.integer(spec, digits, number < 0)
            }
            b'u' => {
                let number = convert::to_int(vm, value)? as u64;
                self.integer(spec, number.to_string().as_bytes(), false)
            }
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'h' | b'H' => {
                let number = convert::to_double(vm, value)?;
                self.double(spec, number, kind)
            }
            b'c' => {
                self.out.push(convert::to_int(vm, value)? as u8);
                Ok(())
            }
            b'o' | b'x' | b'X' | b'b' => {
                let number = convert::to_int(vm, value)? as u64;
                let (bits, letters) = match kind {
                    b'o' => (3, b"01234567".as_slice()),
                    b'x' => (4, b"0123456789abcdef".as_slice()),
                    b'X' => (4, b"0123456789ABCDEF".as_slice()),
                    _ => (1, b"01".as_slice()),
                };
                let mut buffer = [0; 64];
                let text = power_digits(number, bits, letters, &mut buffer);
                // PHP writes no digit at all when there is a precision.
                self.pad(spec, if spec.precision.is_some() { b"" } else { text }, false)
            }
            b'%' => {
                self.out.push(b'%');
                Ok(())
            }
            0 if self.at >= self.format.len() => self.error("Missing format specifier at end of string"),
            other => {
                let text = [b"Unknown format specifier \"", &[other][..], b"\""].concat();
                self.fail(|call| call.vm.throw_value_error(phlox_runtime::until_nul(&text)))
            }
        }
    }

    /// Integers are never padded with zeros on the right.
    fn integer(&mut self, spec: &Directive, text: &[u8], signed: bool) -> PhpResult<()> {
        let padding = if spec.left && spec.padding == b'0' { b' ' } else { spec.padding };
        self.pad(&Directive { padding, ..*spec }, text, signed)
    }

    fn double(&mut self, spec: &Directive, number: f64, kind: u8) -> PhpResult<()> {
        let mut precision = spec.precision.unwrap_or(FLOAT_PRECISION);
        if precision > FLOAT_PRECISION_MAX {
            let text = format!(
                "Requested precision of {precision} digits was truncated to PHP maximum of {FLOAT_PRECISION_MAX} digits"
            );
            match self.call {
                Some(call) => call.raise(Level::Notice, text.as_bytes())?,
                None => return self.fail(|_| Throw::Fatal),
            }
            precision = FLOAT_PRECISION_MAX;
        }
        // NAN and infinity ignore the width, and positive infinity has no sign.
        if !number.is_finite() {
            let text: &[u8] = match number {
                f64::INFINITY => b"INF",
                f64::NEG_INFINITY => b"-INF",
                _ => b"NaN",
            };
            return self.pad(&Directive { width: 0, ..*spec }, text, false);
        }
        let magnitude = number.abs();
        // Negative zero keeps its sign only with %g and its relatives.
        let negative = number < 0.0 || number.is_sign_negative() && !matches!(kind, b'e' | b'E' | b'f' | b'F');
        let significant = if precision == 0 { 1 } else { precision };
        let body = match kind {
            b'e' | b'E' => scientific(magnitude, precision as usize, kind),
            b'f' | b'F' => fixed(magnitude, precision as usize),
            b'g' | b'h' => general_format(magnitude, significant, b'.', b'e'),
            _ => general_format(magnitude, significant, b'.', b'E'),
        };
        let sign = match (negative, spec.plus) {
            (true, _) => b'-',
            (false, true) => b'+',
            (false, false) => return self.pad(spec, &body, false),
        };
        self.pad(spec, &[&[sign], &body[..]].concat(), true)
    }

    /// Fills up to the width; zeros go between the sign and the digits.
    fn pad(&mut self, spec: &Directive, text: &[u8], signed: bool) -> PhpResult<()> {
        if spec.width <= text.len() {
            self.out.extend_from_slice(text);
            return Ok(());
        }
        let fill = spec.width - text.len();
        if self.out.len().saturating_add(spec.width) > INT_MAX as usize {
            return self.fail(|call| call.vm.fatal(format!("Field width {} is too long", spec.width).as_bytes()));
        }
        if spec.left {
            self.out.extend_from_slice(text);
            self.out.push_times(spec.padding, fill);
            return Ok(());
        }
        let (sign, rest) =
            if signed && spec.padding == b'0' && !text.is_empty() { text.split_at(1) } else { (&[][..], text) };
        self.out.extend_from_slice(sign);
        self.out.push_times(spec.padding, fill);
        self.out.extend_from_slice(rest);
        Ok(())
    }
}

/// The digits of a number in a base that is a power of two.
pub fn power_digits<'a>(number: u64, bits: u32, letters: &[u8], buffer: &'a mut [u8; 64]) -> &'a [u8] {
    let mut rest = number;
    let mut first = buffer.len();
    while first == buffer.len() || rest != 0 {
        first -= 1;
        buffer[first] = letters[(rest & ((1 << bits) - 1)) as usize];
        rest >>= bits;
    }
    &buffer[first..]
}

/// A number with so many digits behind the point.
fn fixed(magnitude: f64, precision: usize) -> StrBuilder {
    let mut text = StrBuilder::new();
    // Writing into memory does not fail.
    let _ = write!(text, "{magnitude:.precision$}");
    text
}

/// `1.500000e+3`: the exponent has as many digits as it needs.
fn scientific(magnitude: f64, precision: usize, exponent_char: u8) -> StrBuilder {
    let Digits { digits, point } = digits(magnitude, Some(precision + 1));
    let mut text = StrBuilder::new();
    text.push(digits[0]);
    if precision > 0 {
        text.push(b'.');
        text.extend_from_slice(&digits[1..]);
        text.push_times(b'0', (precision + 1).saturating_sub(digits.len()));
    }
    let exponent = if magnitude == 0.0 { 0 } else { point - 1 };
    text.push(exponent_char);
    text.push(if exponent < 0 { b'-' } else { b'+' });
    text.extend_from_slice(convert::int_digits(exponent.unsigned_abs().into(), &mut [0; 20]));
    text
}

fn number_format(call: &mut Call<'_>) -> PhpResult<Val> {
    let point = call.opt_str(2).unwrap_or_else(|| PhpStr::new(b"."));
    let separator = call.opt_str(3).unwrap_or_else(|| PhpStr::new(b","));
    let number = call.arg(0);
    Ok(formatted(&number, call.int(1), &point, &separator).unwrap_or(Val::NULL))
}

/// Zeros behind the point that `number_format` writes at most.
const ZEROS: i64 = 10_000;

/// `number_format` of an integer or a float; `None`: the value is neither.
fn formatted(value: &Val, decimals: i64, point: &[u8], separator: &[u8]) -> Option<Val> {
    let decimals = decimals.clamp(i32::MIN.into(), i32::MAX.into());
    if let (Some(int), true) = (value.as_int(), decimals >= 0) {
        let mut buffer = [0; 20];
        let digits = convert::int_digits(int, &mut buffer);
        let digits = digits.strip_prefix(b"-").unwrap_or(digits);
        return Some(group(int < 0, digits, Fraction::Zeros(decimals.min(ZEROS) as usize), point, separator));
    }
    // A whole float in the range of integers is rounded exactly, too.
    let whole = value.as_double().filter(|&d| decimals < 0 && number::is_int_compatible(d)).map(number::double_to_int);
    if let Some(int) = value.as_int().or(whole) {
        let digits = round_to_tens(int, decimals.unsigned_abs().min(20) as u32).to_string();
        return Some(group(int < 0 && digits != "0", digits.as_bytes(), Fraction::Zeros(0), point, separator));
    }
    let rounded = crate::math::round_half_up(value.as_double()?, decimals as i32);
    if !rounded.is_finite() {
        // Infinity has no sign here.
        return Some(if rounded.is_nan() { "nan" } else { "inf" }.into());
    }
    if let Some(text) = short_decimal(rounded, decimals, point, separator) {
        return Some(text);
    }
    // PHP computes this many digits; further ones are zeros.
    const DIGITS: i64 = 500;
    let mut text = fixed(rounded.abs(), decimals.clamp(0, DIGITS) as usize);
    text.push_times(b'0', (decimals - DIGITS).clamp(0, ZEROS) as usize);
    let whole = text.iter().position(|&byte| byte == b'.').unwrap_or(text.len());
    let fraction = text.get(whole + 1..).unwrap_or_default();
    let is_zero = text.iter().all(|b| matches!(b, b'0' | b'.'));
    Some(group(rounded < 0.0 && !is_zero, &text[..whole], Fraction::Digits(fraction), point, separator))
}

/// Formats a rounded number that is the float nearest to a decimal of few digits. `None` if it is not, or is too large
/// to tell.
fn short_decimal(rounded: f64, decimals: i64, point: &[u8], separator: &[u8]) -> Option<Val> {
    /// Integers below this are all floats.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    const MOST: i64 = 15;
    if !(0..=MOST).contains(&decimals) {
        return None;
    }
    let unit = 10u64.pow(decimals as u32);
    let scaled = (rounded.abs() * unit as f64).round();
    // A quotient of two exact numbers is the float nearest to the decimal.
    if scaled >= EXACT || scaled / unit as f64 != rounded.abs() {
        return None;
    }
    let scaled = scaled as u64;
    let (mut whole, mut fraction) = ([0; 20], [b'0'; MOST as usize]);
    let whole = convert::int_digits((scaled / unit) as i64, &mut whole);
    let mut rest = scaled % unit;
    for digit in fraction[..decimals as usize].iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    let fraction = Fraction::Digits(&fraction[..decimals as usize]);
    Some(group(rounded < 0.0 && scaled != 0, whole, fraction, point, separator))
}

/// The magnitude of an integer rounded half up to a multiple of a power of ten.
fn round_to_tens(int: i64, power: u32) -> u128 {
    let unit = 10u128.pow(power);
    (u128::from(int.unsigned_abs()) + unit / 2) / unit * unit
}

/// What stands behind the point.
enum Fraction<'a> {
    Digits(&'a [u8]),
    Zeros(usize),
}

/// Puts separators between groups of three digits.
fn group(negative: bool, whole: &[u8], fraction: Fraction<'_>, point: &[u8], separator: &[u8]) -> Val {
    let mut text = StrBuilder::new();
    if negative {
        text.push(b'-');
    }
    let first = match whole.len() % 3 {
        0 => whole.len().min(3),
        rest => rest,
    };
    text.extend_from_slice(&whole[..first]);
    for digits in whole[first..].chunks(3) {
        text.extend_from_slice(separator);
        text.extend_from_slice(digits);
    }
    match fraction {
        Fraction::Digits([]) | Fraction::Zeros(0) => {}
        Fraction::Digits(digits) => {
            text.extend_from_slice(point);
            text.extend_from_slice(digits);
        }
        Fraction::Zeros(count) => {
            text.extend_from_slice(point);
            text.push_times(b'0', count);
        }
    }
    text.into()
}
