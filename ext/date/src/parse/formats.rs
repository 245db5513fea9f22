//! The forms that a part of a date can have in free text, as regular expressions. The longest match at a place wins; of
//! equal ones the first row.

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};
use std::cell::RefCell;

/// The forms that parts of a text can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Yesterday,
    Now,
    Noon,
    Midnight,
    Tomorrow,
    Timestamp,
    FractionalTimestamp,
    EdgeOfMonth,
    BackOrFrontOf,
    WeekdayOf,
    Time12,
    TimeMssql,
    Time24,
    TimeWithoutColon,
    TimeWithSecondsWithoutColon,
    American,
    IsoDate,
    IsoDateShortYear,
    IsoDateLongYear,
    YearAndMonth,
    GnuDate,
    DayMonthNameYear,
    PointedDate,
    PointedDateShortYear,
    MonthNameYear,
    YearMonthName,
    MonthNameDay,
    DayMonthName,
    DateWithoutSeparators,
    DateAndTime,
    DayOfYear,
    IsoWeekDay,
    IsoWeek,
    PostgresMonthFirst,
    PostgresYearFirst,
    CommonLog,
    Year,
    Ago,
    DayName,
    RelativeWeek,
    RelativeText,
    MonthName,
    TimeZone,
    MonthDayTime12,
    MonthDayTime24,
    Relative,
    Separator,
    EndOfLine,
    Anything,
}

/// Parts of the expressions below, each using those before it.
const PARTS: &[(&str, &str)] = &[
    ("space", r"(?:[ \t]+|(?:\xC2\xA0)+|(?:\xE2\x80\xAF)+)"),
    ("frac", r"\.[0-9]+"),
    ("hour24", r"(?:[01]?[0-9]|2[0-4])"),
    ("hour24lz", r"(?:[01][0-9]|2[0-4])"),
    ("hour12", r"(?:0?[1-9]|1[0-2])"),
    ("minute", r"(?:[0-5]?[0-9])"),
    ("minutelz", r"(?:[0-5][0-9])"),
    ("second", r"(?:[0-5]?[0-9]|60)"),
    ("secondlz", r"(?:[0-5][0-9]|60)"),
    ("meridian", r"(?:[AaPp]\.?[Mm]\.?[\x00\t ])"),
    ("tz", r"(?:\(?[A-Za-z]{1,6}\)?|[A-Z][a-z]+(?:[_/-][A-Za-z]+)+)"),
    (
        "tzcorrection",
        r"(?:(?:GMT)?[+-](?:<hour24>(?::?<minute>)?|<hour24lz><minutelz><secondlz>|<hour24lz>:<minutelz>:<secondlz>))",
    ),
    ("daysuf", r"(?:st|nd|rd|th)"),
    ("month", r"(?:0?[0-9]|1[0-2])"),
    ("day", r"(?:(?:[0-2]?[0-9]|3[01])<daysuf>?)"),
    ("year", r"[0-9]{1,4}"),
    ("year2", r"[0-9]{2}"),
    ("year4", r"[0-9]{4}"),
    ("dayofyear", r"(?:00[1-9]|0[1-9][0-9]|[12][0-9][0-9]|3[0-5][0-9]|36[0-6])"),
    ("weekofyear", r"(?:0[1-9]|[1-4][0-9]|5[0-3])"),
    ("monthlz", r"(?:0[0-9]|1[0-2])"),
    ("daylz", r"(?:0[0-9]|[12][0-9]|3[01])"),
    ("dayname", r"(?i:(?:sun|mon|tues|wednes|thurs|fri|satur)days?|sun|mon|tue|wed|thu|fri|sat)"),
    ("daytext", r"(?:<dayname>|(?i:weekdays?))"),
    ("monthfull", r"(?i:january|february|march|april|may|june|july|august|september|october|november|december)"),
    ("monthabbr", r"(?i:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)"),
    ("monthtext", r"(?:<monthfull>|<monthabbr>|I|II|III|IV|V|VI|VII|VIII|IX|X|XI|XII)"),
    ("timetail12", r"<space>?<meridian>"),
    ("timeshort12", r"<hour12>[:.]<minutelz><timetail12>"),
    ("timelong12", r"<hour12>[:.]<minute>[:.]<secondlz><timetail12>"),
    ("timeshort24", r"[Tt]?<hour24>[:.]<minute>"),
    ("timelong24", r"[Tt]?<hour24>[:.]<minute>[:.]<second>"),
    ("timezoned", r"[Tt]?<hour24>[:.]<minute>[:.]<secondlz><space>?(?:<tzcorrection>|<tz>)"),
    ("datenoyear", r"<monthtext>[ .\t-]*<day>(?:[,.stndrh\t ]+|\x00)"),
    ("count", r"(?i:first|second|third|fourth|fifth|sixth|seventh|eighth?|ninth|tenth|eleventh|twelfth)"),
    ("which", r"(?i:next|last|previous|this)"),
    (
        "unit",
        r"(?:(?i:ms|\xC2\xB5s|(?:msec|millisecond|\xC2\xB5sec|microsecond|usec|sec|second|min|minute|hour|day|fortnight|forthnight|month|year)s?|weeks)|<daytext>)",
    ),
];

/// The forms, in order of preference.
const FORMS: &[(Form, &[&str])] = &[
    (Form::Yesterday, &["(?i:yesterday)"]),
    (Form::Now, &["(?i:now)"]),
    (Form::Noon, &["(?i:noon)"]),
    (Form::Midnight, &["(?i:midnight|today)"]),
    (Form::Tomorrow, &["(?i:tomorrow)"]),
    (Form::Timestamp, &["@-?[0-9]+"]),
    (Form::FractionalTimestamp, &[r"@-?[0-9]+\.[0-9]{0,6}"]),
    (Form::EdgeOfMonth, &["(?i:(?:first|last) day of)"]),
    (Form::BackOrFrontOf, &["(?i:(?:back|front) of )<hour24>(?:<timetail12>)?"]),
    (Form::WeekdayOf, &["(?:<count>|<which>)<space><dayname><space>(?i:of)"]),
    (Form::Time12, &["<hour12><timetail12>", "<timeshort12>", "<timelong12>"]),
    (Form::TimeMssql, &["<hour12>:<minutelz>:<secondlz>[:.][0-9]+<meridian>"]),
    (Form::Time24, &["[Tt]<hour24>", "<timeshort24>", "<timelong24>", "<timelong24><frac>"]),
    (Form::TimeWithoutColon, &["[Tt]?<hour24lz><minutelz>"]),
    (Form::TimeWithSecondsWithoutColon, &["[Tt]?<hour24lz><minutelz><secondlz>"]),
    (Form::American, &["<month>/<day>", "<month>/<day>/<year>"]),
    (Form::IsoDate, &["[+-]?<year4>-<monthlz>-<daylz>", "<year4>/<monthlz>/<daylz>/?", "<year4>/<month>/<day>"]),
    (Form::IsoDateShortYear, &["<year2>-<monthlz>-<daylz>"]),
    (Form::IsoDateLongYear, &["[+-][0-9]{5,19}-<monthlz>-<daylz>"]),
    (Form::YearAndMonth, &["<year4>-<month>"]),
    (Form::GnuDate, &["<year>-<month>-<day>"]),
    (Form::DayMonthNameYear, &[r"<day>[ \t.-]*<monthtext>[ \t.-]*<year>"]),
    (Form::PointedDate, &[r"<day>[.\t-]<month>[.-]<year4>"]),
    (Form::PointedDateShortYear, &[r"<day>[.\t]<month>\.<year2>"]),
    (Form::MonthNameYear, &[r"<monthtext>[ .\t-]*<year4>"]),
    (Form::YearMonthName, &[r"<year4>[ .\t-]*<monthtext>"]),
    (Form::MonthNameDay, &[r"<monthtext>[ .\t-]*<day>[,.stndrh\t ]+<year>", "<datenoyear>"]),
    (Form::DayMonthName, &[r"<day>[ .\t-]*<monthtext>"]),
    (Form::DateWithoutSeparators, &["<year4><monthlz><daylz>"]),
    (
        Form::DateAndTime,
        &[
            "<year4><monthlz><daylz>T<hour24>:<minutelz>:<secondlz>",
            "<year4><monthlz><daylz>[Tt]<hour24><minutelz><secondlz>",
            "<year4>-<monthlz>-<daylz>T<hour24lz>:<minutelz>:<secondlz><frac><tzcorrection>?",
            "<year4>-<month>-<day>T<hour24>:<minute>:<second>",
            "<year4>:<monthlz>:<daylz> <hour24lz>:<minutelz>:<secondlz>",
        ],
    ),
    (Form::DayOfYear, &["<year4>[.-]?<dayofyear>"]),
    (Form::IsoWeekDay, &["<year4>-?W<weekofyear>-?[0-7]"]),
    (Form::IsoWeek, &["<year4>-?W<weekofyear>"]),
    (Form::PostgresMonthFirst, &["<monthabbr>-<daylz>-<year>"]),
    (Form::PostgresYearFirst, &["<year>-<monthabbr>-<daylz>"]),
    (Form::CommonLog, &["<day>/<monthabbr>/<year4>:<hour24lz>:<minutelz>:<secondlz><space><tzcorrection>"]),
    (Form::Year, &["<year4>"]),
    (Form::Ago, &["(?i:ago)"]),
    (Form::DayName, &["<daytext>"]),
    (Form::RelativeWeek, &["<which><space>(?i:week)"]),
    (Form::RelativeText, &["(?:<count>|<which>)<space><unit>"]),
    (Form::MonthName, &["<monthfull>", "<monthabbr>"]),
    (Form::TimeZone, &["<tzcorrection>", "<tz>"]),
    (Form::MonthDayTime12, &["<datenoyear><timeshort12>", "<datenoyear><timelong12>"]),
    (Form::MonthDayTime24, &["<datenoyear><timeshort24>", "<datenoyear><timelong24>", "<datenoyear><timezoned>"]),
    (Form::Relative, &[r"[+-]*[ \t]*[0-9]{1,13}<space>?(?:<unit>|(?i:week))"]),
    (Form::Separator, &["[.,]", "<space>"]),
    (Form::EndOfLine, &[r"\x00", r"\n"]),
    (Form::Anything, &[r"[\x00-\xFF]"]),
];

/// Puts the parts into an expression.
fn expand(expression: &str) -> String {
    let mut text = expression.to_owned();
    for (name, part) in PARTS.iter().rev() {
        text = text.replace(&format!("<{name}>"), part);
    }
    text
}

struct Recognizer {
    automaton: DFA,
    cache: Cache,
    /// The form of each pattern.
    forms: Vec<Form>,
}

impl Recognizer {
    fn build() -> Option<Recognizer> {
        let rows =
            FORMS.iter().flat_map(|(form, expressions)| expressions.iter().map(move |text| (*form, expand(text))));
        let (forms, patterns): (Vec<Form>, Vec<String>) = rows.unzip();
        let automaton = DFA::builder()
            .configure(DFA::config().match_kind(MatchKind::All))
            .syntax(syntax::Config::new().unicode(false).utf8(false))
            .thompson(thompson::Config::new().utf8(false))
            .build_many(&patterns)
            .ok()?;
        let cache = automaton.create_cache();
        Some(Recognizer { automaton, cache, forms })
    }
}

thread_local! {
    static RECOGNIZER: RefCell<Option<Recognizer>> = RefCell::new(Recognizer::build());
}

/// The form of the part at the start of a text, and its length.
pub fn recognize(text: &[u8]) -> Option<(Form, usize)> {
    RECOGNIZER.with_borrow_mut(|recognizer| {
        let Recognizer { automaton, cache, forms } = recognizer.as_mut()?;
        let input = Input::new(text).anchored(Anchored::Yes);
        let found = automaton.try_search_fwd(cache, &input).ok()??;
        Some((forms[found.pattern().as_usize()], found.offset()))
    })
}

#[cfg(test)]
mod tests {
    use super::{Form, recognize};

    #[test]
    fn the_longest_form_wins_and_then_the_first() {
        let cases = [
            ("2024-02-29 10:00", Form::IsoDate, 10),
            ("2024-02-29T10:00:00", Form::DateAndTime, 19),
            ("10:00:00 Europe/Berlin", Form::Time24, 8),
            ("first monday of", Form::WeekdayOf, 15),
            ("+1 week 2 days", Form::Relative, 7),
            ("next week", Form::RelativeWeek, 9),
            ("now", Form::Now, 3),
            ("2010", Form::TimeWithoutColon, 4),
            ("$", Form::Anything, 1),
        ];
        for (text, form, length) in cases {
            assert_eq!(recognize(text.as_bytes()), Some((form, length)), "{text}");
        }
    }
}
