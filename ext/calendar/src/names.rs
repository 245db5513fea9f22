//! Names of days and months, and Hebrew numbers.

use crate::conversion::{Calendar, is_jewish_leap};

pub const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

const ROMAN: [&str; 13] = [
    "",
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

const JEWISH: [&str; 14] = [
    "", "Tishri", "Heshvan", "Kislev", "Tevet", "Shevat", "Adar I", "Adar II", "Nisan", "Iyyar", "Sivan", "Tammuz",
    "Av", "Elul",
];

const FRENCH: [&str; 14] = [
    "",
    "Vendemiaire",
    "Brumaire",
    "Frimaire",
    "Nivose",
    "Pluviose",
    "Ventose",
    "Germinal",
    "Floreal",
    "Prairial",
    "Messidor",
    "Thermidor",
    "Fructidor",
    "Extra",
];

const HEBREW: [&str; 14] =
    ["", "תשרי", "חשון", "כסלו", "טבת", "שבט", "אדר א'", "אדר ב'", "ניסן", "אייר", "סיון", "תמוז", "אב", "אלול"];

/// The letters that stand for 1 to 9, 10 to 90 and 100 to 400.
const LETTERS: [&str; 23] =
    ["", "א", "ב", "ג", "ד", "ה", "ו", "ז", "ח", "ט", "י", "כ", "ל", "מ", "נ", "ס", "ע", "פ", "צ", "ק", "ר", "ש", "ת"];

impl Calendar {
    pub fn months(self) -> &'static [&'static str] {
        match self {
            Calendar::Gregorian | Calendar::Julian => &ROMAN,
            Calendar::Jewish => &JEWISH,
            Calendar::French => &FRENCH,
        }
    }

    pub fn month(self, year: i64, month: i64) -> &'static str {
        match (self, month) {
            (Calendar::Jewish, _) if year <= 0 => "",
            (Calendar::Jewish, 7) if !is_jewish_leap(year) => "Adar",
            _ => self.months().get(month as usize).copied().unwrap_or(""),
        }
    }

    pub fn short_month(self, year: i64, month: i64) -> &'static str {
        let name = self.month(year, month);
        match self {
            Calendar::Gregorian | Calendar::Julian => name.get(..3).unwrap_or(name),
            _ => name,
        }
    }
}

pub fn hebrew_month(year: i64, month: i64) -> &'static str {
    match month {
        7 if !is_jewish_leap(year) => "אדר",
        _ => HEBREW.get(month as usize).copied().unwrap_or(""),
    }
}

pub const ADD_THOUSANDS_GERESH: i64 = 2;
pub const ADD_THOUSANDS: i64 = 4;
pub const ADD_GERSHAYIM: i64 = 8;

/// A number below 10000 in Hebrew letters.
pub fn hebrew_number(number: i64, flags: i64) -> String {
    let mut text = String::new();
    let mut rest = number as usize;
    if rest >= 1000 {
        text.push_str(LETTERS[rest / 1000 % 10]);
        if flags & ADD_THOUSANDS_GERESH != 0 {
            text.push('\'');
        }
        if flags & ADD_THOUSANDS != 0 {
            text.push_str(" אלפים ");
        }
        rest %= 1000;
    }
    let mut letters = Vec::new();
    while rest >= 400 {
        letters.push(LETTERS[22]);
        rest -= 400;
    }
    if rest >= 100 {
        letters.push(LETTERS[18 + rest / 100]);
        rest %= 100;
    }
    if rest == 15 || rest == 16 {
        // Written as 9 and 6 or 7: the usual letters would be a name of God.
        letters.extend([LETTERS[9], LETTERS[rest - 9]]);
    } else {
        if rest >= 10 {
            letters.push(LETTERS[9 + rest / 10]);
        }
        if !rest.is_multiple_of(10) {
            letters.push(LETTERS[rest % 10]);
        }
    }
    if flags & ADD_GERSHAYIM != 0 {
        match letters.len() {
            0 => {}
            1 => letters.push("'"),
            count => letters.insert(count - 1, "\""),
        }
    }
    text.extend(letters);
    text
}

/// ISO-8859-8, in which the letters stand in the order of Unicode.
pub fn iso_8859_8(text: &str) -> Vec<u8> {
    let byte = |character: char| match character as u32 {
        code @ 0x5D0..=0x5EA => (code - 0x5D0 + 0xE0) as u8,
        code => code as u8,
    };
    text.chars().map(byte).collect()
}
