//! `printf` and its family, `number_format`.

use phlox_runtime::number::{Digits, digits, general_format};
use phlox_runtime::{Call, FnDef, Level, PhpResult, PhpStr, Thrown, Val, convert, number};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("sprintf(string $format, mixed ...$values): string", sprintf),
    FnDef::new("vsprintf(string $format, array $values): string", vsprintf),
    FnDef::new("printf(string $format, mixed ...$values): int", printf),
    FnDef::new("vprintf(string $format, array $values): int", vprintf),
    FnDef::new(
        "number_format(int|float $num, int $decimals = 0, ?string $decimal_separator = \".\", ?string $thousands_separator = \",\"): string",
        number_format,
    ),
];

/// Where too few arguments are reported.
#[derive(Clone, Copy)]
enum Missing {
    /// As an ArgumentCountError that counts this many parameters before the values.
    Count(usize),
    /// As a ValueError: the values came in an array.
    Array,
}

/// Formats with the arguments from parameter `first` on; the format is the parameter before.
pub fn format_arguments(call: &Call<'_>, first: usize) -> PhpResult<Vec<u8>> {
    let format = call.str(first - 1);
    Formatter::new(call, &format, call.rest(first).to_vec(), Missing::Count(first)).run()
}

/// Formats with the array at parameter `index`; the format is the parameter before.
pub fn format_array(call: &Call<'_>, index: usize) -> PhpResult<Vec<u8>> {
    let format = call.str(index - 1);
    let args = call.arr(index).values().map(Val::deref).collect();
    Formatter::new(call, &format, args, Missing::Array).run()
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
    /// Given after a point.
    precision: Option<i64>,
}

struct Formatter<'a, 'c> {
    call: &'a Call<'c>,
    format: &'a [u8],
    at: usize,
    args: Vec<Val>,
    next_arg: usize,
    missing: Missing,
    /// Highest argument that was asked for and is not there.
    absent: Option<usize>,
    out: Vec<u8>,
}

impl<'a, 'c> Formatter<'a, 'c> {
    fn new(call: &'a Call<'c>, format: &'a [u8], args: Vec<Val>, missing: Missing) -> Formatter<'a, 'c> {
        Formatter { call, format, at: 0, args, next_arg: 0, missing, absent: None, out: Vec::new() }
    }

    /// The byte at the cursor; 0 at the end.
    fn peek(&self) -> u8 {
        self.format.get(self.at).copied().unwrap_or(0)
    }

    fn error<T>(&self, message: &str) -> PhpResult<T> {
        Err(self.call.vm.throw_value_error(message.as_bytes()))
    }

    fn run(mut self) -> PhpResult<Vec<u8>> {
        while let Some(percent) = memchr::memchr(b'%', &self.format[self.at..]) {
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
        let Some(absent) = self.absent else { return Ok(self.out) };
        match self.missing {
            Missing::Array => {
                let given = self.args.len();
                self.error(&format!("The arguments array must contain {} items, {given} given", absent + 1))
            }
            Missing::Count(before) => {
                let (needed, given) = (absent + 1 + before, self.args.len() + before);
                let text = format!("{needed} arguments are required, {given} given");
                Err(self.call.vm.throw(Thrown::ArgumentCountError, text.as_bytes()))
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

    fn take_argument(&mut self, chosen: Option<usize>) -> Option<Val> {
        let index = chosen.unwrap_or_else(|| {
            self.next_arg += 1;
            self.next_arg - 1
        });
        if index >= self.args.len() {
            self.absent = self.absent.max(Some(index));
        }
        self.args.get(index).cloned()
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
            // A missing width or precision is reported at the end; what the directive writes no longer matters.
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
        self.convert(&spec, &value)?;
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
        let vm = self.call.vm;
        let kind = self.peek();
        match kind {
            b's' => {
                let text = convert::to_str(vm, value)?;
                let shown = spec.precision.map_or(text.len(), |most| text.len().min(most as usize));
                self.pad(spec, &text[..shown], false)
            }
            b'd' => {
                let number = convert::to_int(vm, value)?;
                let sign = if spec.plus && number >= 0 { "+" } else { "" };
                self.integer(spec, format!("{sign}{number}").as_bytes(), number < 0 || spec.plus)
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
                let text = match kind {
                    b'o' => format!("{number:o}"),
                    b'x' => format!("{number:x}"),
                    b'X' => format!("{number:X}"),
                    _ => format!("{number:b}"),
                };
                // PHP writes no digit at all when there is a precision.
                let shown = if spec.precision.is_some() { "" } else { &text };
                self.pad(spec, shown.as_bytes(), false)
            }
            b'%' => {
                self.out.push(b'%');
                Ok(())
            }
            0 if self.at >= self.format.len() => self.error("Missing format specifier at end of string"),
            other => {
                let text = [b"Unknown format specifier \"", &[other][..], b"\""].concat();
                Err(vm.throw_value_error(&text))
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
            self.call.raise(Level::Notice, text.as_bytes())?;
            precision = FLOAT_PRECISION_MAX;
        }
        if number.is_nan() {
            return self.pad(spec, b"NaN", false);
        }
        if number.is_infinite() {
            let text: &[u8] = if number < 0.0 { b"-INF" } else { b"INF" };
            return self.pad(spec, text, number < 0.0);
        }
        let magnitude = number.abs();
        // Negative zero keeps its sign only with %g and its relatives.
        let negative = number < 0.0 || number.is_sign_negative() && !matches!(kind, b'e' | b'E' | b'f' | b'F');
        let significant = if precision == 0 { 1 } else { precision };
        let body = match kind {
            b'e' | b'E' => scientific(magnitude, precision as usize, kind),
            b'f' | b'F' => format!("{magnitude:.*}", precision as usize).into_bytes(),
            b'g' | b'h' => general_format(magnitude, significant, b'.', b'e'),
            _ => general_format(magnitude, significant, b'.', b'E'),
        };
        let sign: &[u8] = match (negative, spec.plus) {
            (true, _) => b"-",
            (false, true) => b"+",
            (false, false) => b"",
        };
        self.pad(spec, &[sign, &body].concat(), negative || spec.plus)
    }

    /// Fills up to the width; zeros go between the sign and the digits.
    fn pad(&mut self, spec: &Directive, text: &[u8], signed: bool) -> PhpResult<()> {
        let fill = spec.width.saturating_sub(text.len());
        if self.out.len().saturating_add(spec.width) > INT_MAX as usize {
            return Err(self.call.vm.fatal(format!("Field width {} is too long", spec.width).as_bytes()));
        }
        if spec.left {
            self.out.extend_from_slice(text);
            self.out.extend(std::iter::repeat_n(spec.padding, fill));
            return Ok(());
        }
        let (sign, rest) =
            if signed && spec.padding == b'0' && !text.is_empty() { text.split_at(1) } else { (&[][..], text) };
        self.out.extend_from_slice(sign);
        self.out.extend(std::iter::repeat_n(spec.padding, fill));
        self.out.extend_from_slice(rest);
        Ok(())
    }
}

/// `1.500000e+3`: the exponent has as many digits as it needs.
fn scientific(magnitude: f64, precision: usize, exponent_char: u8) -> Vec<u8> {
    let Digits { mut digits, point } = digits(magnitude, Some(precision + 1));
    digits.resize(precision + 1, b'0');
    let mut text = vec![digits[0]];
    if precision > 0 {
        text.push(b'.');
        text.extend_from_slice(&digits[1..]);
    }
    let exponent = if magnitude == 0.0 { 0 } else { point - 1 };
    text.push(exponent_char);
    text.push(if exponent < 0 { b'-' } else { b'+' });
    text.extend_from_slice(exponent.unsigned_abs().to_string().as_bytes());
    text
}

fn number_format(call: &mut Call<'_>) -> PhpResult<Val> {
    let decimals = call.int(1).clamp(i32::MIN.into(), i32::MAX.into());
    let point = call.opt_str(2).unwrap_or_else(|| PhpStr::new(b"."));
    let separator = call.opt_str(3).unwrap_or_else(|| PhpStr::new(b","));
    let value = call.arg(0);
    if let (Some(int), true) = (value.as_int(), decimals >= 0) {
        let digits = int.unsigned_abs().to_string();
        let fraction = vec![b'0'; decimals.min(10_000) as usize];
        return Ok(group(int < 0, digits.as_bytes(), &fraction, &point, &separator).into());
    }
    // A whole float in the range of integers is rounded exactly, too.
    let whole = value.as_double().filter(|&d| decimals < 0 && number::is_int_compatible(d)).map(number::double_to_int);
    if let Some(int) = value.as_int().or(whole) {
        let digits = round_to_tens(int, decimals.unsigned_abs().min(20) as u32).to_string();
        return Ok(group(int < 0 && digits != "0", digits.as_bytes(), b"", &point, &separator).into());
    }
    let rounded = crate::math::round_half_up(call.double(0), decimals as i32);
    if !rounded.is_finite() {
        let text = if rounded.is_nan() {
            "nan"
        } else if rounded > 0.0 {
            "inf"
        } else {
            "-inf"
        };
        return Ok(text.into());
    }
    let text = format!("{:.*}", decimals.clamp(0, 500) as usize, rounded.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let is_zero = text.bytes().all(|b| matches!(b, b'0' | b'.'));
    Ok(group(rounded < 0.0 && !is_zero, whole.as_bytes(), fraction.as_bytes(), &point, &separator).into())
}

/// The magnitude of an integer rounded half up to a multiple of a power of ten.
fn round_to_tens(int: i64, power: u32) -> u128 {
    let unit = 10u128.pow(power);
    (u128::from(int.unsigned_abs()) + unit / 2) / unit * unit
}

/// Puts separators between groups of three digits.
fn group(negative: bool, whole: &[u8], fraction: &[u8], point: &[u8], separator: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(whole.len() * 2 + fraction.len() + 2);
    if negative {
        text.push(b'-');
    }
    for (index, digit) in whole.iter().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.extend_from_slice(separator);
        }
        text.push(*digit);
    }
    if !fraction.is_empty() {
        text.extend_from_slice(point);
        text.extend_from_slice(fraction);
    }
    text
}
