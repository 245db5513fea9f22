//! `range`

use phlox_runtime::room::require_room;
use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, PhpStr, Val, View, number};

pub const FUNCTIONS: &[FnDef] =
    &[FnDef::new("range(string|int|float $start, string|int|float $end, int|float $step = 1): array", range)
        .fast_path(|args| {
            let step = match args.get(2) {
                None => 1,
                Some(step) => u32::try_from(step.as_int()?).ok().filter(|&step| step > 0)?,
            };
            let (start, end) = (args.first()?.as_int()?, args.get(1)?.as_int()?);
            let span = start.abs_diff(end);
            let plausible = start == end || u64::from(step) <= span && span / u64::from(step) < MAX_SIZE - 1;
            plausible.then(|| steps(start, end, step.into()))
        })];

/// The longest array that Zend makes.
const MAX_SIZE: u64 = 0x4000_0000;

/// How a bound of the range can be read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    Int,
    Double,
    /// A string that is no number.
    Text,
    /// One digit, which is a number or a character depending on the other bound.
    Digit,
}

struct End {
    reading: Reading,
    int: i64,
    double: f64,
    /// First byte of a text.
    byte: u8,
}

impl End {
    fn is_text(&self) -> bool {
        matches!(self.reading, Reading::Text | Reading::Digit)
    }
}

struct Step {
    int: i64,
    double: f64,
    is_double: bool,
    negative: bool,
}

fn check_finite(call: &Call<'_>, index: usize, value: f64) -> PhpResult<()> {
    if value.is_infinite() {
        return Err(call.value_error(index, "must be a finite number, INF provided"));
    }
    if value.is_nan() {
        return Err(call.value_error(index, "must be a finite number, NAN provided"));
    }
    Ok(())
}

fn read_step(call: &Call<'_>) -> PhpResult<Step> {
    let value = call.arg(2);
    let step = match value.view() {
        View::Double(step) => {
            check_finite(call, 2, step)?;
            let size = step.abs();
            let int = number::double_to_int(size);
            Step { int, double: size, is_double: int as f64 != size, negative: step < 0.0 }
        }
        _ => {
            let step = call.int(2);
            if step == i64::MIN {
                return Err(call.value_error(2, &format!("must be greater than {step}")));
            }
            Step { int: step.abs(), double: step.abs() as f64, is_double: false, negative: step < 0 }
        }
    };
    if step.double == 0.0 {
        return Err(call.value_error(2, "cannot be 0"));
    }
    Ok(step)
}

fn read_end(call: &Call<'_>, index: usize) -> PhpResult<End> {
    let value = call.arg(index);
    let name = if index == 0 { "start" } else { "end" };
    let number = |reading, int, double, byte| End { reading, int, double, byte };
    match value.view() {
        View::Int(i) => Ok(number(Reading::Int, i, i as f64, 0)),
        View::Double(d) => {
            check_finite(call, index, d)?;
            Ok(number(Reading::Double, 0, d, 0))
        }
        View::Str(text) => {
            let Some(&byte) = text.first() else {
                call.warning(&format!("Argument #{} (${name}) must not be empty, casted to 0", index + 1))?;
                return Ok(number(Reading::Int, 0, 0.0, 0));
            };
            match number::numeric(text) {
                Some(number::Number::Int(i)) => {
                    let reading = if text.len() == 1 { Reading::Digit } else { Reading::Int };
                    Ok(number(reading, i, i as f64, byte))
                }
                Some(number::Number::Double(d)) => {
                    check_finite(call, index, d)?;
                    Ok(number(Reading::Double, 0, d, byte))
                }
                None => {
                    if text.len() != 1 {
                        let rest = "must be a single byte, subsequent bytes are ignored";
                        call.warning(&format!("Argument #{} (${name}) {rest}", index + 1))?;
                    }
                    Ok(number(Reading::Text, 0, 0.0, byte))
                }
            }
        }
        _ => Ok(number(Reading::Int, 0, 0.0, 0)),
    }
}

fn range(call: &mut Call<'_>) -> PhpResult<Val> {
    let step = read_step(call)?;
    let mut start = read_end(call, 0)?;
    let mut end = read_end(call, 1)?;
    if start.is_text() || end.is_text() {
        if !start.is_text() {
            if end.reading != Reading::Digit {
                call.warning(
                    "Argument #1 ($start) must be a single byte string if argument #2 ($end) is a single byte string, \
                     argument #2 ($end) converted to 0",
                )?;
            }
            end.reading = Reading::Int;
        } else if !end.is_text() {
            if start.reading != Reading::Digit {
                call.warning(
                    "Argument #2 ($end) must be a single byte string if argument #1 ($start) is a single byte string, \
                     argument #1 ($start) converted to 0",
                )?;
            }
            start.reading = Reading::Int;
        } else if step.is_double {
            if start.reading == Reading::Text || end.reading == Reading::Text {
                call.warning(
                    "Argument #3 ($step) must be of type int when generating an array of characters, \
                     inputs converted to 0",
                )?;
            }
            start.reading = Reading::Int;
            end.reading = Reading::Int;
        } else {
            return characters(call, start.byte, end.byte, &step);
        }
    }
    if start.reading == Reading::Double || end.reading == Reading::Double || step.is_double {
        doubles(call, start.double, end.double, &step)
    } else {
        integers(call, start.int, end.int, &step)
    }
}

fn boundary_error(call: &Call<'_>) -> PhpResult<Val> {
    let text = "must be less than the range spanned by argument #1 ($start) and argument #2 ($end)";
    Err(call.value_error(2, text))
}

fn check_direction(call: &Call<'_>, increasing: bool, step: &Step) -> PhpResult<()> {
    if increasing && step.negative {
        return Err(call.value_error(2, "must be greater than 0 for increasing ranges"));
    }
    Ok(())
}

fn characters(call: &Call<'_>, start: u8, end: u8, step: &Step) -> PhpResult<Val> {
    check_direction(call, end > start, step)?;
    let span = start.abs_diff(end) as i64;
    if start != end && span < step.int {
        return boundary_error(call);
    }
    let count = span / step.int;
    let signed = if end > start { step.int } else { -step.int };
    let bytes = (0..=count).map(|index| PhpStr::new(&[(start as i64 + index * signed) as u8]).into());
    Ok(PhpArr::list(count as usize + 1, bytes).into())
}

fn too_large(call: &Call<'_>, start: String, end: String, step: String) -> PhpResult<Val> {
    let text = format!("The supplied range exceeds the maximum array size: start={start} end={end} step={step}");
    Err(call.vm.throw_value_error(text.as_bytes()))
}

fn integers(call: &Call<'_>, start: i64, end: i64, step: &Step) -> PhpResult<Val> {
    check_direction(call, end > start, step)?;
    if start == end {
        return Ok(PhpArr::from_vec(vec![Val::int(start)]).into());
    }
    let (span, step_size) = (start.abs_diff(end), step.int as u64);
    if span < step_size {
        return boundary_error(call);
    }
    let last = span / step_size;
    if last >= MAX_SIZE - 1 {
        let (low, high) = (start.min(end), start.max(end));
        return too_large(call, low.to_string(), high.to_string(), step.int.to_string());
    }
    Ok(steps(start, end, step_size))
}

/// The integers from `start` to `end` in steps of a size.
fn steps(start: i64, end: i64, step: u64) -> Val {
    let last = start.abs_diff(end) / step;
    let value = |index: u64| {
        let offset = (index * step) as i64;
        Val::int(if end > start { start.wrapping_add(offset) } else { start.wrapping_sub(offset) })
    };
    PhpArr::list(last as usize + 1, (0..=last).map(value)).into()
}

fn doubles(call: &Call<'_>, start: f64, end: f64, step: &Step) -> PhpResult<Val> {
    check_direction(call, end > start, step)?;
    if start == end {
        return Ok(PhpArr::from_vec(vec![Val::double(start)]).into());
    }
    let span = (start - end).abs();
    if span < step.double {
        return boundary_error(call);
    }
    let size = span / step.double + 1.0;
    if size >= MAX_SIZE as f64 {
        let text = |value: f64| format!("{value:.1}");
        return too_large(call, text(start.min(end)), text(start.max(end)), text(step.double));
    }
    let size = size.round() as u64;
    require_room((size as usize).saturating_mul(size_of::<Val>()));
    let mut values = Vec::with_capacity(size as usize);
    for index in 0..size {
        let offset = index as f64 * step.double;
        let value = if end > start { start + offset } else { start - offset };
        if (end > start && value > end) || (end < start && value < end) {
            break;
        }
        values.push(Val::double(value));
    }
    Ok(PhpArr::from_vec(values).into())
}
