//! The run over the rules: which are tried, in which order, and what matches lead to.

use crate::fetch::Fetched;
use crate::input::{Bytes, Input};
use crate::kind::{Shape, is_text};
use crate::output::{CONTINUE, Done, NO_DESCRIPTION, Output, Stop};
use crate::rule::{self, Rule, Rules};
use crate::state::State;
use std::ops::Range;
use std::rc::Rc;

/// How deeply rules may lead to the rest of a file, and to rules with names.
const MOST_INDIRECT: u16 = 50;
const MOST_NAMES: u16 = 50;

/// How rules are tried.
#[derive(Clone, Copy)]
struct How {
    /// The flag that tried rules must have: for binary files, or for texts.
    mode: u8,
    looks_text: bool,
    /// Are numbers read in the other order?
    flip: bool,
    /// Where the rules start to count.
    base: usize,
}

/// What has been done so far, which nested runs go on with.
struct Progress {
    indirect: u16,
    names: u16,
    printed: bool,
    needs_space: bool,
    is_first: bool,
}

/// What a run has found.
#[derive(Default)]
struct Found {
    /// Did something say something?
    said: bool,
    /// Did something match?
    matched: bool,
}

/// How a rule of the first level ended.
enum Entry {
    /// It does not match.
    Skipped,
    Matched,
    /// It said what is wanted, and nothing else is tried.
    Final,
    /// The run ends without a match.
    Failed,
}

/// Tries the rules of all sets. True: something matched and was written.
pub fn run(out: &mut Output, sets: &[Rc<Rules>], input: &Input<'_>, for_text: bool, looks_text: bool) -> Done<bool> {
    let mut state = State::new(out, sets, input.origin.mode);
    let mut progress = Progress { indirect: 0, names: 0, printed: false, needs_space: false, is_first: true };
    let mode = if for_text { rule::TEXT } else { rule::BINARY };
    let how = How { mode, looks_text, flip: false, base: 0 };
    let mut matched = false;
    for rules in sets {
        let said = state.try_rules(rules, rules.tried(), input, how, &mut progress, &mut Found::default())?;
        matched |= said;
        if said && !state.out.has(CONTINUE) {
            break;
        }
    }
    Ok(matched)
}

impl<'a> State<'a, '_> {
    fn try_rules(
        &mut self,
        rules: &'a Rules,
        range: Range<usize>,
        input: &Input<'a>,
        how: How,
        progress: &mut Progress,
        found: &mut Found,
    ) -> Done<bool> {
        self.enter(0);
        let all = &rules.all[range];
        let mut start = 0;
        while start < all.len() {
            let deeper = all[start + 1..].iter().position(|rule| rule.level == 0);
            let end = deeper.map_or(all.len(), |count| start + 1 + count);
            match self.try_entry(&all[start..end], input, how, progress, found)? {
                Entry::Skipped => {}
                Entry::Final => return Ok(true),
                Entry::Failed => return Ok(false),
                Entry::Matched => {
                    if progress.printed {
                        progress.is_first = false;
                    }
                    if found.matched {
                        if !self.out.has(CONTINUE) {
                            return Ok(found.said);
                        }
                        progress.printed = false;
                        progress.is_first = false;
                    }
                }
            }
            start = end;
        }
        Ok(found.said)
    }

    /// Is a rule for this kind of file?
    fn is_tried(&self, rule: &Rule, how: How) -> bool {
        let kind = rule.kind();
        if kind.shape == Shape::Name {
            return true;
        }
        let limited = rule.text_flags() & (rule::FOR_BINARY | rule::FOR_TEXT);
        let excluded = if how.looks_text { rule::FOR_BINARY } else { rule::FOR_TEXT };
        !(is_text(kind.shape) && limited == excluded) && rule.flags & how.mode == how.mode
    }

    /// Tries a rule of the first level and those below it.
    fn try_entry(
        &mut self,
        rules: &'a [Rule],
        input: &Input<'a>,
        how: How,
        progress: &mut Progress,
        found: &mut Found,
    ) -> Done<Entry> {
        let Some((rule, below)) = rules.split_first() else { return Ok(Entry::Skipped) };
        if !self.is_tried(rule, how) {
            return Ok(Entry::Skipped);
        }
        let Some(place) = self.place(rule, input, how.base, 0) else { return Ok(Entry::Skipped) };
        let mut bytes = place.unwrap_or_else(|| input.data.clone());
        self.line = rule.line;
        let matches = match self.read(rule, &bytes, input, 0, how, progress, found)? {
            true => self.matches(rule)?,
            false => rule.relation == b'!',
        };
        if !matches {
            return Ok(Entry::Skipped);
        }
        if self.annotate(rule, progress.is_first)? {
            *found = Found { said: true, matched: true };
            (progress.needs_space, progress.printed, progress.is_first) = (true, true, false);
            return Ok(Entry::Final);
        }
        if !rule.description.is_empty() {
            found.matched = true;
            if !self.out.has(NO_DESCRIPTION) {
                found.said = true;
                (progress.needs_space, progress.printed) = (true, true);
                self.separate(progress.is_first)?;
                self.describe(rule)?;
            }
        }
        let Some(end) = self.end_of_match(rule, bytes.len()) else { return Ok(Entry::Skipped) };
        self.level(0).end = end;
        let mut level = 1;
        self.enter(level);
        for rule in below {
            let at = usize::from(rule.level);
            if level < at {
                continue;
            }
            level = at;
            self.line = rule.line;
            match self.try_below(rule, &mut bytes, input, level, how, progress, found)? {
                Below::Nothing => {}
                Below::Deeper(next) => {
                    level = next;
                    self.enter(level);
                }
                Below::Ends(entry) => return Ok(entry),
            }
        }
        Ok(Entry::Matched)
    }

    fn try_below(
        &mut self,
        rule: &'a Rule,
        bytes: &mut Bytes<'a>,
        input: &Input<'a>,
        level: usize,
        how: How,
        progress: &mut Progress,
        found: &mut Found,
    ) -> Done<Below> {
        let Some(place) = self.place(rule, input, how.base, level) else { return Ok(Below::Ends(Entry::Skipped)) };
        if let Some(place) = place {
            *bytes = place;
        }
        if rule.flags & rule::RELATIVE != 0 {
            if level == 0 {
                return Ok(Below::Ends(Entry::Failed));
            }
            let end = self.level(level - 1).end as u32;
            self.offset = self.offset.wrapping_add(end);
        }
        if matches!(rule.condition, rule::ELSE | rule::ELSE_IF) && self.level(level).last_match {
            return Ok(Below::Nothing);
        }
        let matches = match self.read(rule, bytes, input, level, how, progress, found)? {
            true => self.matches(rule)?,
            false if rule.relation == b'!' => true,
            false => return Ok(Below::Nothing),
        };
        self.level(level).last_match = matches;
        if !matches {
            return Ok(Below::Nothing);
        }
        let shape = rule.kind().shape;
        let entry = self.level(level);
        if shape == Shape::Clear {
            entry.got_match = false;
        } else if !entry.got_match {
            entry.got_match = true;
        } else if shape == Shape::Default {
            return Ok(Below::Nothing);
        }
        if self.annotate(rule, progress.is_first)? {
            *found = Found { said: true, matched: true };
            (progress.needs_space, progress.printed) = (true, true);
            return Ok(Below::Ends(Entry::Final));
        }
        if !rule.description.is_empty() {
            found.matched = true;
            if !self.out.has(NO_DESCRIPTION) {
                found.said = true;
                self.continue_description(rule, progress)?;
            }
        }
        let Some(end) = self.end_of_match(rule, bytes.len()) else {
            if shape == Shape::Der {
                self.level(level).end = 0;
            }
            return Ok(Below::Deeper(level));
        };
        self.level(level).end = end;
        Ok(Below::Deeper(level + 1))
    }

    /// Writes what a rule below the first level says.
    fn continue_description(&mut self, rule: &Rule, progress: &mut Progress) -> Done<()> {
        if !progress.printed {
            progress.printed = true;
            self.separate(progress.is_first)?;
        }
        if progress.needs_space && rule.flags & rule::NO_SPACE == 0 {
            self.out.print(b" ")?;
        }
        self.describe(rule)?;
        progress.needs_space = true;
        Ok(())
    }

    /// Reads what a rule compares, or tries the rules that it leads to; false: there is nothing to compare.
    fn read(
        &mut self,
        rule: &'a Rule,
        bytes: &Bytes<'a>,
        input: &Input<'a>,
        level: usize,
        how: How,
        progress: &mut Progress,
        found: &mut Found,
    ) -> Done<bool> {
        if progress.indirect >= MOST_INDIRECT {
            let text = format!("indirect count ({}) exceeded", progress.indirect);
            self.out.error(0, text.as_bytes());
            return Err(Stop);
        }
        if progress.names >= MOST_NAMES {
            self.out.error(0, format!("name use count ({}) exceeded", progress.names).as_bytes());
            return Err(Stop);
        }
        match self.fetch(rule, bytes, how.base, level, how.flip)? {
            Fetched::Nothing => Ok(false),
            Fetched::Value => Ok(true),
            Fetched::Use(offset) => self.use_rules(rule, offset, input, how, progress, found),
            Fetched::Rest(offset) => {
                let matched = self.try_rest(rule, bytes, offset, input, how, progress)?;
                if matched {
                    *found = Found { said: true, matched: true };
                }
                Ok(matched)
            }
        }
    }

    /// Tries all rules with the rest of the file.
    fn try_rest(
        &mut self,
        rule: &Rule,
        bytes: &Bytes<'a>,
        offset: u32,
        input: &Input<'a>,
        how: How,
        progress: &mut Progress,
    ) -> Done<bool> {
        let (saved, saved_offset) = (self.out.save()?, std::mem::take(&mut self.offset));
        progress.indirect += 1;
        let rest = match bytes {
            Bytes::Borrowed(bytes) => Bytes::Borrowed(&bytes[offset as usize..]),
            Bytes::Shared(bytes) => Bytes::Shared(Rc::new(bytes[offset as usize..].to_vec())),
        };
        let rest = Input::new(rest, input.origin);
        let inner = How { mode: rule::BINARY, flip: false, base: 0, ..how };
        let mut result = Ok(false);
        for rules in self.sets {
            result = self.try_rules(rules, rules.tried(), &rest, inner, progress, &mut Found::default());
            if !matches!(result, Ok(false)) {
                break;
            }
        }
        let written = self.out.restore(saved)?;
        self.offset = saved_offset;
        if result? {
            if !self.out.has(NO_DESCRIPTION) {
                self.out.fill(&rule.description, crate::format::Value::Int(i64::from(offset)))?;
            }
            self.out.print(written.as_deref().unwrap_or(b"(null)"))?;
            return Ok(true);
        }
        Ok(false)
    }

    /// The rules of a name.
    fn named(&self, name: &[u8]) -> Option<(&'a Rules, Range<usize>)> {
        self.sets.iter().find_map(|rules| rules.named(name).map(|range| (&**rules, range)))
    }

    /// Tries the rules of a name at an offset.
    fn use_rules(
        &mut self,
        rule: &Rule,
        offset: u32,
        input: &Input<'a>,
        how: How,
        progress: &mut Progress,
        found: &mut Found,
    ) -> Done<bool> {
        let name = rule.text();
        let (name, turns) = name.strip_prefix(b"^").map_or((name, false), |name| (name, true));
        let Some((rules, range)) = self.named(name) else {
            self.out.error(0, &[b"cannot find entry `", name, b"'"].concat());
            return Err(Stop);
        };
        let (levels, end_offset) = (self.levels.clone(), self.end_offset);
        let needed_space = progress.needs_space;
        if rule.flags & rule::NO_SPACE != 0 {
            progress.needs_space = false;
        }
        let inner = How { flip: how.flip != turns, base: (offset as usize).wrapping_add(how.base), ..how };
        progress.names += 1;
        let mut used = Found { said: found.said, matched: false };
        let said = self.try_rules(rules, range, input, inner, progress, &mut used)?;
        progress.names -= 1;
        found.said = used.said;
        found.matched |= used.matched;
        self.levels = levels;
        if !said {
            progress.needs_space = needed_space;
        }
        self.offset = offset;
        self.end_offset = end_offset;
        self.set_number(u64::from(used.matched), 8);
        Ok(said || found.matched)
    }
}

/// How a rule below the first level ended.
enum Below {
    Nothing,
    /// It matched, and rules of this level are tried next.
    Deeper(usize),
    Ends(Entry),
}
