//! Comparing what was read with what a rule wants.

use crate::der;
use crate::kind::Shape;
use crate::output::{Done, Stop};
use crate::pattern;
use crate::rule::{self, LONGEST, Rule};
use crate::scan::is_space;
use crate::state::State;

/// Blanks that one blank of a rule stands for at most.
const MOST_BLANKS: usize = 2049;

/// The difference between a rule's text and the file's at the first place where they differ; 0: they are equal.
fn difference(wanted: &[u8], there: &[u8], limit: usize, flags: u32) -> i64 {
    let byte = |at: usize| there.get(at).copied().unwrap_or(0);
    let compare = |there: u8, wanted: u8| i64::from(there) - i64::from(wanted);
    if flags == 0 {
        let differs = wanted.iter().enumerate().find(|(at, wanted)| byte(*at) != **wanted);
        return differs.map_or(0, |(at, wanted)| compare(byte(at), *wanted));
    }
    let blanks = flags & (rule::COMPACT | rule::COMPACT_OPTIONAL) != 0;
    let end = if blanks { limit } else { wanted.len() };
    let (mut at, mut place) = (0, 0);
    // A blank of the rule counts once, however many there are in the file.
    for _ in 0..wanted.len() {
        if at >= end {
            return 1;
        }
        let want = wanted.get(place).copied().unwrap_or(0);
        place += 1;
        if flags & rule::FOLD_LOWER != 0 && want.is_ascii_lowercase() {
            let difference = compare(byte(at).to_ascii_lowercase(), want);
            at += 1;
            if difference != 0 {
                return difference;
            }
        } else if flags & rule::FOLD_UPPER != 0 && want.is_ascii_uppercase() {
            let difference = compare(byte(at).to_ascii_uppercase(), want);
            at += 1;
            if difference != 0 {
                return difference;
            }
        } else if flags & rule::COMPACT != 0 && is_space(want) {
            at += 1;
            if !is_space(byte(at - 1)) {
                return 1;
            }
            if !is_space(wanted.get(place).copied().unwrap_or(0)) {
                at += (at..end).take(MOST_BLANKS - 1).take_while(|&at| is_space(byte(at))).count();
            }
        } else if flags & rule::COMPACT_OPTIONAL != 0 && is_space(want) {
            at += (at..end).take_while(|&at| is_space(byte(at))).count();
        } else {
            let difference = compare(byte(at), want);
            at += 1;
            if difference != 0 {
                return difference;
            }
        }
    }
    let is_in_word = flags & rule::WHOLE_WORD != 0 && byte(at) != 0 && !is_space(byte(at));
    i64::from(is_in_word)
}

impl State<'_, '_> {
    /// Does what was read match the rule?
    pub fn matches(&mut self, rule: &Rule) -> Done<bool> {
        let kind = rule.kind();
        let mut wanted = rule.number();
        let there = match kind.shape {
            Shape::Int | Shape::Date(_) | Shape::DosDate | Shape::DosTime | Shape::Offset => self.number(kind.size),
            Shape::Float => {
                let (there, wanted) = (f32::from_le_bytes(self.bytes()), f32::from_le_bytes(rule.bytes()));
                return self.compare_floats(rule, f64::from(there), f64::from(wanted), "float");
            }
            Shape::Double => {
                let (there, wanted) = (f64::from_le_bytes(self.bytes()), f64::from_le_bytes(rule.bytes()));
                return self.compare_floats(rule, there, wanted, "double");
            }
            Shape::Use => return Ok(self.number(8) != 0),
            Shape::Name | Shape::Indirect => return Ok(true),
            Shape::Der => return Ok(self.compare_der(rule)),
            Shape::Search if !self.search.is_set => return Ok(false),
            shape => {
                wanted = 0;
                match shape {
                    Shape::Default | Shape::Clear => 0,
                    Shape::String | Shape::Pascal | Shape::Octal => {
                        difference(&rule.pattern(), &self.value, LONGEST, rule.text_flags()) as u64
                    }
                    Shape::Wide => difference(&rule.pattern(), &self.value, LONGEST, 0) as u64,
                    Shape::Search => u64::from(!self.search(rule)),
                    Shape::Regex => u64::from(!self.find_pattern(rule)?),
                    Shape::Guid => match rule.bytes::<16>().cmp(&self.bytes::<16>()) {
                        std::cmp::Ordering::Less => u64::MAX,
                        std::cmp::Ordering::Equal => 0,
                        std::cmp::Ordering::Greater => 1,
                    },
                    _ => {
                        self.error(&format!("invalid type {} in magiccheck()", rule.kind));
                        return Err(Stop);
                    }
                }
            }
        };
        self.relate(rule, sign_extended(rule, there), wanted)
    }

    fn relate(&mut self, rule: &Rule, there: u64, wanted: u64) -> Done<bool> {
        let unsigned = rule.flags & rule::UNSIGNED != 0;
        Ok(match rule.relation {
            b'x' => true,
            b'!' => there != wanted,
            b'=' => there == wanted,
            b'>' if unsigned => there > wanted,
            b'>' => there as i64 > wanted as i64,
            b'<' if unsigned => there < wanted,
            b'<' => (there as i64) < wanted as i64,
            b'&' => there & wanted == wanted,
            b'^' => there & wanted != wanted,
            other => {
                self.error(&format!("cannot happen: invalid relation `{}'", other as char));
                return Err(Stop);
            }
        })
    }

    fn compare_floats(&mut self, rule: &Rule, there: f64, wanted: f64, name: &str) -> Done<bool> {
        Ok(match rule.relation {
            b'x' => true,
            b'!' => there != wanted,
            b'=' => there == wanted,
            b'>' => there > wanted,
            b'<' => there < wanted,
            other => {
                self.error(&format!("cannot happen with {name}: invalid relation `{}'", other as char));
                return Err(Stop);
            }
        })
    }

    fn compare_der(&mut self, rule: &Rule) -> bool {
        let Some(contents) = der::compare(self.search.region(), rule.text()) else { return false };
        if let Some(text) = contents {
            let length = text.len().min(LONGEST - 1);
            self.value[..length].copy_from_slice(&text[..length]);
            self.value[length] = 0;
        }
        true
    }

    /// Searches for a text.
    fn search(&mut self, rule: &Rule) -> bool {
        let (pattern, flags) = (rule.pattern(), rule.text_flags());
        let region = self.search.region();
        let range = rule.range() as usize;
        let found = if !pattern.is_empty() && flags == 0 {
            let end = if range == 0 { region.len() } else { region.len().min(range + pattern.len()) };
            memchr::memmem::find(&region[..end], &pattern)
        } else {
            let last = region.len().checked_sub(pattern.len());
            let places = last.map_or(0..0, |last| 0..last + 1);
            let places = if range == 0 { places } else { places.start..places.end.min(range) };
            let mut places = places;
            places.find(|&at| difference(&pattern, &region[at..], region.len() - at, flags) == 0)
        };
        if let Some(at) = found {
            let length = region.len();
            self.search.offset += at;
            self.search.matched = length - at;
        }
        // A range of no places finds nothing, and does not say so.
        found.is_some()
    }

    fn find_pattern(&mut self, rule: &Rule) -> Done<bool> {
        let folds = rule.text_flags() & (rule::FOLD_LOWER | rule::FOLD_UPPER) != 0;
        let found = pattern::find(&rule.pattern(), folds, self.search.region()).map_err(|()| Stop)?;
        if let Some((start, end)) = found {
            self.search.start += start;
            self.search.offset += start;
            self.search.matched = end - start;
        }
        Ok(found.is_some())
    }
}

/// A number with its sign in all bits above it, unless the rule compares unsigned numbers.
pub fn sign_extended(rule: &Rule, number: u64) -> u64 {
    let kind = rule.kind();
    let size = match kind.shape {
        // Times of DOS have 16 bits, and are extended from 32.
        Shape::DosDate | Shape::DosTime | Shape::Float => 4,
        Shape::Int | Shape::Date(_) => kind.size,
        _ => 8,
    };
    if rule.flags & rule::UNSIGNED != 0 || size >= 8 {
        return number;
    }
    let shift = 64 - 8 * size as u32;
    ((number << shift) as i64 >> shift) as u64
}
