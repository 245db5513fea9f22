//! The English words of dates.

use super::cursor::Cursor;

/// What a unit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Microsecond,
    Second,
    Minute,
    Hour,
    Day,
    Month,
    Year,
    /// A day of the week.
    Weekday,
    /// A working day.
    Workday,
}

/// Words for units: the word, the unit, and how many of it (or which weekday).
const UNITS: &[(&str, Unit, i64)] = &[
    ("ms", Unit::Microsecond, 1000),
    ("msec", Unit::Microsecond, 1000),
    ("msecs", Unit::Microsecond, 1000),
    ("millisecond", Unit::Microsecond, 1000),
    ("milliseconds", Unit::Microsecond, 1000),
    ("usec", Unit::Microsecond, 1),
    ("usecs", Unit::Microsecond, 1),
    ("microsecond", Unit::Microsecond, 1),
    ("microseconds", Unit::Microsecond, 1),
    ("µs", Unit::Microsecond, 1),
    ("µsec", Unit::Microsecond, 1),
    ("µsecs", Unit::Microsecond, 1),
    ("sec", Unit::Second, 1),
    ("secs", Unit::Second, 1),
    ("second", Unit::Second, 1),
    ("seconds", Unit::Second, 1),
    ("min", Unit::Minute, 1),
    ("mins", Unit::Minute, 1),
    ("minute", Unit::Minute, 1),
    ("minutes", Unit::Minute, 1),
    ("hour", Unit::Hour, 1),
    ("hours", Unit::Hour, 1),
    ("day", Unit::Day, 1),
    ("days", Unit::Day, 1),
    ("week", Unit::Day, 7),
    ("weeks", Unit::Day, 7),
    ("fortnight", Unit::Day, 14),
    ("fortnights", Unit::Day, 14),
    ("forthnight", Unit::Day, 14),
    ("forthnights", Unit::Day, 14),
    ("month", Unit::Month, 1),
    ("months", Unit::Month, 1),
    ("year", Unit::Year, 1),
    ("years", Unit::Year, 1),
    ("mondays", Unit::Weekday, 1),
    ("monday", Unit::Weekday, 1),
    ("mon", Unit::Weekday, 1),
    ("tuesdays", Unit::Weekday, 2),
    ("tuesday", Unit::Weekday, 2),
    ("tue", Unit::Weekday, 2),
    ("wednesdays", Unit::Weekday, 3),
    ("wednesday", Unit::Weekday, 3),
    ("wed", Unit::Weekday, 3),
    ("thursdays", Unit::Weekday, 4),
    ("thursday", Unit::Weekday, 4),
    ("thu", Unit::Weekday, 4),
    ("fridays", Unit::Weekday, 5),
    ("friday", Unit::Weekday, 5),
    ("fri", Unit::Weekday, 5),
    ("saturdays", Unit::Weekday, 6),
    ("saturday", Unit::Weekday, 6),
    ("sat", Unit::Weekday, 6),
    ("sundays", Unit::Weekday, 0),
    ("sunday", Unit::Weekday, 0),
    ("sun", Unit::Weekday, 0),
    ("weekday", Unit::Workday, 1),
    ("weekdays", Unit::Workday, 1),
];

/// Words for counts.
const ORDINALS: &[(&str, i64)] = &[
    ("first", 1),
    ("next", 1),
    ("second", 2),
    ("third", 3),
    ("fourth", 4),
    ("fifth", 5),
    ("sixth", 6),
    ("seventh", 7),
    ("eight", 8),
    ("eighth", 8),
    ("ninth", 9),
    ("tenth", 10),
    ("eleventh", 11),
    ("twelfth", 12),
    ("last", -1),
    ("previous", -1),
    ("this", 0),
];

const MONTHS: [(&str, &str, &str); 12] = [
    ("jan", "january", "i"),
    ("feb", "february", "ii"),
    ("mar", "march", "iii"),
    ("apr", "april", "iv"),
    ("may", "may", "v"),
    ("jun", "june", "vi"),
    ("jul", "july", "vii"),
    ("aug", "august", "viii"),
    ("sep", "september", "ix"),
    ("oct", "october", "x"),
    ("nov", "november", "xi"),
    ("dec", "december", "xii"),
];

fn same(word: &[u8], name: &str) -> bool {
    word.eq_ignore_ascii_case(name.as_bytes())
}

/// Reads a unit's word.
pub fn unit(cursor: &mut Cursor<'_>) -> Option<(Unit, i64)> {
    let word = cursor.take_while(|byte| !b"\0 ,\t;:/.-()".contains(&byte));
    UNITS.iter().find(|(name, ..)| same(word, name)).map(|&(_, unit, multiple)| (unit, multiple))
}

/// Reads a count's word after separators: the count, and whether it is `this`.
pub fn ordinal(cursor: &mut Cursor<'_>) -> (i64, bool) {
    cursor.take_while(|byte| b" \t-/".contains(&byte));
    let word = cursor.letters();
    let found = ORDINALS.iter().find(|(name, _)| same(word, name));
    found.map_or((0, false), |&(_, count)| (count, count == 0))
}

/// Reads a month's name; 0: there is none.
pub fn month(cursor: &mut Cursor<'_>) -> i64 {
    let word = cursor.letters();
    let matches =
        |&(short, long, roman): &(&str, &str, &str)| same(word, short) || same(word, long) || same(word, roman);
    match MONTHS.iter().position(matches) {
        Some(index) => index as i64 + 1,
        None if same(word, "sept") => 9,
        None => 0,
    }
}

/// Skips separators and reads a month's name; 0: there is none.
pub fn month_after_separators(cursor: &mut Cursor<'_>) -> i64 {
    cursor.take_while(|byte| b" \t-./".contains(&byte));
    month(cursor)
}
