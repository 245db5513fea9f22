//! Running a pattern's program.
//!
//! How far a match goes from a state and position does not depend on how they were reached (but for back references),
//! so each such pair is computed once; the groups are then found by walking the winning way again.

use foldhash::HashMap;

use super::{Class, Kind, MAX_GROUPS, Node, Regex, fold};

/// A match: byte offsets of the whole and of the groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Match {
    pub start: usize,
    pub end: usize,
    pub groups: [Option<(usize, usize)>; MAX_GROUPS],
}

/// Steps of a pattern with back references before it counts as not matching.
const MAX_STEPS: usize = 2_000_000;

/// Where a branch stands whose ways are being tried.
struct Pending {
    state: u32,
    pos: usize,
    first: Option<Option<usize>>,
}

/// A pattern at work on a text.
struct Matcher<'a> {
    regex: &'a Regex,
    text: &'a str,
    fold: bool,
    /// How far the match goes from branches that were tried.
    known: HashMap<(u32, usize), Option<usize>>,
    /// Where a look-behind must end.
    behind: usize,
    /// Groups, for back references.
    groups: [Option<(usize, usize)>; MAX_GROUPS],
    starts: [usize; MAX_GROUPS],
    steps: usize,
}

impl Class {
    fn has(&self, c: char, folding: bool) -> bool {
        let within = |c: char| self.ranges.iter().any(|(low, high)| *low <= c && c <= *high);
        let found = within(c)
            || self.kinds.iter().any(|kind| kind.has(c))
            || folding
                && (within(fold(c))
                    || c.to_uppercase().next().is_some_and(within)
                    || self.ranges.iter().any(|(low, high)| low == high && fold(*low) == fold(c)));
        found != self.exclusive
    }
}

fn is_word(c: char) -> bool {
    Kind::AlphaNum.has(c)
}

impl Regex {
    /// Matches at exactly one position.
    pub fn match_at(&self, text: &str, at: usize, case_sensitive: bool) -> Option<Match> {
        Matcher::new(self, text, case_sensitive).match_at(at)
    }

    /// The first match from a position on; with `<FirstEnd>`, the one that ends first.
    pub fn search(&self, text: &str, from: usize, case_sensitive: bool) -> Option<Match> {
        let mut matcher = Matcher::new(self, text, case_sensitive);
        let first_char = self.literal_start(matcher.fold);
        let mut best: Option<Match> = None;
        let mut at = from;
        while at <= text.len() {
            if best.as_ref().is_some_and(|best| at > best.end) {
                break;
            }
            if let Some(c) = first_char {
                match text[at..].find(c) {
                    Some(skip) => at += skip,
                    None => break,
                }
            }
            if let Some(found) = matcher.match_at(at) {
                if self.first_begin {
                    return Some(found);
                }
                let better =
                    best.as_ref().is_none_or(|best| found.end < best.end || found.end == best.end && !self.longest);
                if better {
                    best = Some(found);
                }
            }
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
        best
    }

    /// The last match that ends at or before a position: starts are tried backwards.
    pub fn search_back(&self, text: &str, before: usize, case_sensitive: bool) -> Option<Match> {
        // A match may not reach beyond the position.
        let text = text.get(..before)?;
        let mut matcher = Matcher::new(self, text, case_sensitive);
        let mut best: Option<Match> = None;
        let starts = text.char_indices().map(|(at, _)| at).chain([text.len()]);
        for at in starts.collect::<Vec<_>>().into_iter().rev() {
            let Some(found) = matcher.match_at(at) else { continue };
            if !self.first_begin {
                return Some(found);
            }
            let better = best.as_ref().is_none_or(|best| found.end > best.end || found.end == best.end && self.longest);
            if better {
                best = Some(found);
            }
        }
        best
    }

    /// The character that every match begins with, if there is one.
    fn literal_start(&self, folding: bool) -> Option<char> {
        let mut state = self.start;
        for _ in 0..8 {
            match self.nodes.get(state as usize)? {
                Node::Char(c) if !folding => return Some(*c),
                Node::GroupStart(_) | Node::Empty => state = self.next[state as usize],
                _ => return None,
            }
        }
        None
    }
}

impl<'a> Matcher<'a> {
    fn new(regex: &'a Regex, text: &'a str, case_sensitive: bool) -> Matcher<'a> {
        Matcher {
            regex,
            text,
            fold: !regex.case_sensitive.unwrap_or(case_sensitive),
            known: HashMap::default(),
            behind: 0,
            groups: [None; MAX_GROUPS],
            starts: [0; MAX_GROUPS],
            steps: 0,
        }
    }

    fn match_at(&mut self, at: usize) -> Option<Match> {
        self.groups = [None; MAX_GROUPS];
        if self.regex.back_references {
            self.steps = 0;
            let end = self.explore(self.regex.start, at, 0)?;
            return Some(Match { start: at, end, groups: self.groups });
        }
        let end = self.reach(self.regex.start, at)?;
        if self.regex.groups > 0 {
            self.trace(at);
        }
        Some(Match { start: at, end, groups: self.groups })
    }

    fn char_at(&self, at: usize) -> Option<char> {
        let byte = *self.text.as_bytes().get(at)?;
        if byte < 0x80 { Some(byte as char) } else { self.text[at..].chars().next() }
    }

    fn char_before(&self, at: usize) -> Option<char> {
        self.text[..at].chars().next_back()
    }

    fn same(&self, a: char, b: char) -> bool {
        a == b || self.fold && fold(a) == fold(b)
    }

    /// Where a state that is no branch leads from a position; `None` if it does not match.
    fn step(&mut self, node: Node, at: usize) -> Option<usize> {
        let taken = |c: char| at + c.len_utf8();
        match node {
            Node::Char(wanted) => self.char_at(at).filter(|c| self.same(*c, wanted)).map(taken),
            Node::Any => self.char_at(at).map(taken),
            Node::Class(number) => {
                let class = self.regex.classes.get(number as usize)?;
                self.char_at(at).filter(|c| class.has(*c, self.fold)).map(taken)
            }
            Node::Kind(kind, wanted) => self.char_at(at).filter(|c| self.is_kind(kind, *c) == wanted).map(taken),
            Node::WordChar(wanted) => self.char_at(at).filter(|c| is_word(*c) == wanted).map(taken),
            Node::Begin => (at == 0).then_some(at),
            Node::End => (at == self.text.len()).then_some(at),
            Node::WordBegin | Node::WordEnd | Node::Boundary(_) => {
                let before = self.char_before(at).is_some_and(is_word);
                let after = self.char_at(at).is_some_and(is_word);
                let holds = match node {
                    Node::WordBegin => !before && after,
                    Node::WordEnd => before && !after,
                    Node::Boundary(wanted) => (before != after) == wanted,
                    _ => false,
                };
                holds.then_some(at)
            }
            Node::GroupStart(_) | Node::GroupEnd(_) | Node::Empty => Some(at),
            Node::BackRef(number) => {
                let (start, end) = self.groups.get(number as usize).copied().flatten()?;
                let mut at = at;
                for wanted in self.text[start..end].chars() {
                    let c = self.char_at(at).filter(|c| self.same(*c, wanted))?;
                    at += c.len_utf8();
                }
                Some(at)
            }
            Node::Assert { start, negative, behind } => {
                let found = if behind { self.ends_here(start, at) } else { self.sub_match(start, at, 0) };
                (found != negative).then_some(at)
            }
            Node::BehindEnd => (at == self.behind).then_some(at),
            Node::Split { .. } | Node::Accept => Some(at),
        }
    }

    fn is_kind(&self, kind: Kind, c: char) -> bool {
        match kind {
            Kind::Upper | Kind::Lower if self.fold => c.is_uppercase() || c.is_lowercase(),
            kind => kind.has(c),
        }
    }

    /// Whether a sub-program matches from a position; its own matcher keeps the positions of a look-behind apart.
    fn sub_match(&mut self, start: u32, at: usize, behind: usize) -> bool {
        let mut sub = Matcher { behind, groups: self.groups, ..Matcher::new(self.regex, self.text, !self.fold) };
        sub.fold = self.fold;
        sub.reach(start, at).is_some()
    }

    fn ends_here(&mut self, start: u32, at: usize) -> bool {
        let mut from = at;
        loop {
            if self.sub_match(start, from, at) {
                return true;
            }
            match self.char_before(from) {
                Some(c) => from -= c.len_utf8(),
                None => return false,
            }
        }
    }

    /// How far a match goes from a state and position.
    fn reach(&mut self, state: u32, pos: usize) -> Option<usize> {
        let mut pending: Vec<Pending> = Vec::new();
        let (mut state, mut pos) = (state, pos);
        loop {
            // Straight on to a branch, the end or a failure.
            let mut result = loop {
                let node = self.regex.nodes[state as usize];
                match node {
                    Node::Accept => break Some(pos),
                    Node::Split { first, .. } => {
                        if let Some(known) = self.known.get(&(state, pos)) {
                            break *known;
                        }
                        // Coming here again without having moved on is no way to a match.
                        self.known.insert((state, pos), None);
                        pending.push(Pending { state, pos, first: None });
                        state = first;
                    }
                    node => match self.step(node, pos) {
                        Some(next) if matches!(node, Node::BehindEnd) => break Some(next),
                        Some(next) => {
                            pos = next;
                            state = self.regex.next[state as usize];
                        }
                        None => break None,
                    },
                }
            };
            // Back to the last branch that has a way left.
            loop {
                let Some(top) = pending.last_mut() else { return result };
                let Node::Split { second, shortest, .. } = self.regex.nodes[top.state as usize] else { return result };
                let longest = self.regex.longest && !shortest;
                match top.first {
                    // Nothing is longer than all of the text.
                    None if longest && result == Some(self.text.len()) => {}
                    None => {
                        top.first = Some(result);
                        state = second;
                        pos = top.pos;
                        break;
                    }
                    Some(first) => result = better(first, result, longest).1,
                }
                self.known.insert((top.state, top.pos), result);
                pending.pop();
            }
        }
    }

    /// Walks the winning way and notes the groups.
    fn trace(&mut self, start: usize) {
        let (mut state, mut pos) = (self.regex.start, start);
        let mut budget = 4 * (self.text.len() + 1) * self.regex.nodes.len().min(64) + 1000;
        loop {
            budget -= 1;
            let node = self.regex.nodes[state as usize];
            match node {
                Node::Accept => return,
                _ if budget == 0 => return,
                Node::Split { first, second, shortest } => {
                    let ways = (self.reach(first, pos), self.reach(second, pos));
                    let longest = self.regex.longest && !shortest;
                    state = if better(ways.0, ways.1, longest).0 { first } else { second };
                    continue;
                }
                Node::GroupStart(number) => {
                    if let Some(start) = self.starts.get_mut(number as usize) {
                        *start = pos;
                    }
                }
                Node::GroupEnd(number) => {
                    if let (Some(start), Some(group)) =
                        (self.starts.get(number as usize), self.groups.get_mut(number as usize))
                    {
                        *group = Some((*start, pos));
                    }
                }
                _ => {}
            }
            match self.step(node, pos) {
                Some(next) => pos = next,
                None => return,
            }
            state = self.regex.next[state as usize];
        }
    }

    /// The same as `reach` where groups matter on the way: every way is tried anew.
    fn explore(&mut self, state: u32, pos: usize, depth: usize) -> Option<usize> {
        let (mut state, mut pos) = (state, pos);
        loop {
            self.steps += 1;
            if self.steps > MAX_STEPS || depth > 5_000 {
                return None;
            }
            let node = self.regex.nodes[state as usize];
            match node {
                Node::Accept => return Some(pos),
                Node::Split { first, second, shortest } => {
                    let before = (self.groups, self.starts);
                    let one = self.explore(first, pos, depth + 1);
                    let after = self.groups;
                    (self.groups, self.starts) = before;
                    let two = self.explore(second, pos, depth + 1);
                    let (first_wins, result) = better(one, two, self.regex.longest && !shortest);
                    if first_wins {
                        self.groups = after;
                    }
                    return result;
                }
                Node::GroupStart(number) => {
                    if let Some(start) = self.starts.get_mut(number as usize) {
                        *start = pos;
                    }
                }
                Node::GroupEnd(number) => {
                    if let (Some(start), Some(group)) =
                        (self.starts.get(number as usize), self.groups.get_mut(number as usize))
                    {
                        *group = Some((*start, pos));
                    }
                }
                _ => {}
            }
            pos = self.step(node, pos)?;
            state = self.regex.next[state as usize];
        }
    }
}

/// The better of two ways, and whether it is the first.
fn better(first: Option<usize>, second: Option<usize>, longest: bool) -> (bool, Option<usize>) {
    let first_wins = match (first, second) {
        (Some(one), Some(two)) => {
            if longest {
                one >= two
            } else {
                one <= two
            }
        }
        (Some(_), None) => true,
        (None, _) => false,
    };
    (first_wins, if first_wins { first } else { second })
}
