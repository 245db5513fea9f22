//! Roman numerals.

/// A number in Roman letters, if it is in their range.
pub fn roman(number: i64) -> Option<String> {
    const LETTERS: [(i64, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let mut left = Some(number).filter(|number| (1..5000).contains(number))?;
    let mut out = String::new();
    for (value, letters) in LETTERS {
        while left >= value {
            out.push_str(letters);
            left -= value;
        }
    }
    Some(out)
}
