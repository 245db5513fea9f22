//! `strftime` and `gmstrftime`, in the C locale.

use crate::calendar::Civil;
use crate::format::{MONTHS, WEEKDAYS};
use crate::moment::{Moment, now};
use crate::zone::Zone;
use phlox_runtime::{Call, FnDef, PhpResult, Val};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "#[\\Deprecated(since: \"8.1\", message: \"use IntlDateFormatter::format() instead\")] strftime(string $format, ?int $timestamp = null): string|false",
        strftime,
    ),
    FnDef::new(
        "#[\\Deprecated(since: \"8.1\", message: \"use IntlDateFormatter::format() instead\")] gmstrftime(string $format, ?int $timestamp = null): string|false",
        gmstrftime,
    ),
];

fn strftime(call: &mut Call<'_>) -> PhpResult<Val> {
    run(call, Zone::default(call.vm))
}

fn gmstrftime(call: &mut Call<'_>) -> PhpResult<Val> {
    run(call, Zone::utc())
}

fn run(call: &Call<'_>, zone: Zone) -> PhpResult<Val> {
    let moment = Moment::at(call.opt_int(1).unwrap_or_else(|| now().0), zone);
    let text = render(&call.str(0), &moment);
    Ok(if text.is_empty() { Val::FALSE } else { text.into() })
}

fn render(pattern: &[u8], moment: &Moment) -> Vec<u8> {
    let mut text = Vec::new();
    let mut symbols = pattern.iter();
    while let Some(&symbol) = symbols.next() {
        if symbol != b'%' {
            text.push(symbol);
            continue;
        }
        match symbols.next() {
            Some(&symbol) => text.extend_from_slice(&field(symbol, moment)),
            None => text.push(b'%'),
        }
    }
    text
}

fn field(symbol: u8, moment: &Moment) -> Vec<u8> {
    let civil = &moment.civil;
    let Civil { year, month, day, hour, minute, second } = *civil;
    let weekday = WEEKDAYS[civil.weekday() as usize];
    let month_name = MONTHS[(month - 1).clamp(0, 11) as usize];
    let twelve = (hour + 11) % 12 + 1;
    let composed = |pattern: &[u8]| render(pattern, moment);
    // Weeks that begin on Sunday or on Monday; days before the first one are in week 0.
    let week_from = |first: i64| (civil.day_of_year() + 7 - (civil.weekday() - first).rem_euclid(7)) / 7;
    let text = match symbol {
        b'a' => weekday[..3].to_owned(),
        b'A' => weekday.to_owned(),
        b'b' | b'h' => month_name[..3].to_owned(),
        b'B' => month_name.to_owned(),
        b'c' => return composed(b"%a %b %e %H:%M:%S %Y"),
        b'C' => format!("{:02}", year.div_euclid(100)),
        b'd' => format!("{day:02}"),
        b'D' | b'x' => return composed(b"%m/%d/%y"),
        b'e' => format!("{day:2}"),
        b'F' => return composed(b"%Y-%m-%d"),
        b'g' => format!("{:02}", civil.iso_week().0.rem_euclid(100)),
        b'G' => civil.iso_week().0.to_string(),
        b'H' => format!("{hour:02}"),
        b'I' => format!("{twelve:02}"),
        b'j' => format!("{:03}", civil.day_of_year() + 1),
        b'k' => format!("{hour:2}"),
        b'l' => format!("{twelve:2}"),
        b'm' => format!("{month:02}"),
        b'M' => format!("{minute:02}"),
        b'n' => "\n".to_owned(),
        b'p' => if hour < 12 { "AM" } else { "PM" }.to_owned(),
        b'P' => if hour < 12 { "am" } else { "pm" }.to_owned(),
        b'r' => return composed(b"%I:%M:%S %p"),
        b'R' => return composed(b"%H:%M"),
        b's' => moment.timestamp.to_string(),
        b'S' => format!("{second:02}"),
        b't' => "\t".to_owned(),
        b'T' | b'X' => return composed(b"%H:%M:%S"),
        b'u' => ((civil.weekday() + 6) % 7 + 1).to_string(),
        b'U' => format!("{:02}", week_from(0)),
        b'V' => format!("{:02}", civil.iso_week().1),
        b'w' => civil.weekday().to_string(),
        b'W' => format!("{:02}", week_from(1)),
        b'y' => format!("{:02}", year.rem_euclid(100)),
        b'Y' => year.to_string(),
        b'z' => return crate::format::format(b"O", moment),
        b'Z' => moment.offset().abbreviation.to_string(),
        b'%' => "%".to_owned(),
        other => return vec![b'%', other],
    };
    text.into_bytes()
}
