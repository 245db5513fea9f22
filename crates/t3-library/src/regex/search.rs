//! Running a pattern's program.
//!
//! How far a match goes from a state and position does not depend on how they were reached (but for back references),
//! so each such pair is computed once; the groups are then found by walking the winning way again.

use foldhash::HashMap;

use super::program::{Class, Kind, MAX_GROUPS, Node, Regex, fold};

/// A match: byte offsets of the whole and of the groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The byte where the match begins.
    pub start: usize,
    /// The byte behind the match.
    pub end: usize,
    /// The capturing groups that took part in the match.
    pub groups: [Option<(usize, usize)>; MAX_GROUPS],
}

/// Branches tried before results are kept: short matches do without.
const FREE_BRANCHES: usize = 64;

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
    /// How many branches were tried.
    branches: usize,
    /// The branches that are being tried; empty between matches.
    pending: Vec<Pending>,
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

fn same(a: char, b: char, folding: bool) -> bool {
    a == b || folding && fold(a) == fold(b)
}

/// Whether a state that takes one character takes this one.
#[inline]
pub(super) fn takes(regex: &Regex, node: Node, c: char, folding: bool) -> bool {
    match node {
        Node::Char(wanted) => same(c, wanted, folding),
        Node::Any => true,
        Node::Class(number) => regex.classes.get(number as usize).is_some_and(|class| class.has(c, folding)),
        Node::Kind(Kind::Upper | Kind::Lower, wanted) if folding => (c.is_uppercase() || c.is_lowercase()) == wanted,
        Node::Kind(kind, wanted) => kind.has(c) == wanted,
        Node::WordChar(wanted) => is_word(c) == wanted,
        _ => false,
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
        let heads = self.heads(matcher.fold);
        let mut best: Option<Match> = None;
        let mut at = from;
        while at <= text.len() {
            if best.as_ref().is_some_and(|best| at > best.end) {
                break;
            }
            if let Some(heads) = heads {
                match heads.distance(&text.as_bytes()[at..]) {
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
}

impl<'a> Matcher<'a> {
    fn new(regex: &'a Regex, text: &'a str, case_sensitive: bool) -> Matcher<'a> {
        Matcher {
            regex,
            text,
            fold: !regex.case_sensitive.unwrap_or(case_sensitive),
            known: HashMap::default(),
            branches: 0,
            pending: Vec::new(),
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

    /// Where a state that is no branch leads from a position; `None` if it does not match.
    fn step(&mut self, node: Node, at: usize) -> Option<usize> {
        match node {
            Node::Char(_) | Node::Any | Node::Class(_) | Node::Kind(..) | Node::WordChar(_) => {
                let c = self.char_at(at)?;
                takes(self.regex, node, c, self.fold).then(|| at + c.len_utf8())
            }
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
                    let c = self.char_at(at).filter(|c| same(*c, wanted, self.fold))?;
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
        let mut pending = std::mem::take(&mut self.pending);
        let (mut state, mut pos) = (state, pos);
        let result = loop {
            let mut result = self.straight_on(&mut state, &mut pos, &mut pending);
            // Back to the last branch that has a way left.
            let done = loop {
                let Some(top) = pending.last_mut() else { break true };
                let Node::Split { second, shortest, .. } = self.regex.nodes[top.state as usize] else { break true };
                let longest = self.regex.longest && !shortest;
                match top.first {
                    // Nothing is longer than all of the text.
                    None if longest && result == Some(self.text.len()) => {}
                    None => {
                        top.first = Some(result);
                        state = second;
                        pos = top.pos;
                        break false;
                    }
                    Some(first) => result = better(first, result, longest).1,
                }
                if self.branches > FREE_BRANCHES {
                    self.known.insert((top.state, top.pos), result);
                }
                pending.pop();
            };
            if done {
                break result;
            }
        };
        pending.clear();
        self.pending = pending;
        result
    }

    /// Follows first ways to the end, a failure, or a branch whose result is known.
    fn straight_on(&mut self, state: &mut u32, pos: &mut usize, pending: &mut Vec<Pending>) -> Option<usize> {
        loop {
            let node = self.regex.nodes[*state as usize];
            match node {
                Node::Accept => return Some(*pos),
                Node::Split { first, repeats, .. } => {
                    // Coming here again without having moved on is no way to a match.
                    let mut here = pending.iter().rev().take_while(|other| other.pos == *pos);
                    if repeats && here.any(|other| other.state == *state) {
                        return None;
                    }
                    self.branches += 1;
                    if self.branches > FREE_BRANCHES
                        && let Some(known) = self.known.get(&(*state, *pos))
                    {
                        return *known;
                    }
                    pending.push(Pending { state: *state, pos: *pos, first: None });
                    *state = first;
                }
                node => {
                    *pos = self.step(node, *pos)?;
                    if matches!(node, Node::BehindEnd) {
                        return Some(*pos);
                    }
                    *state = self.regex.next[*state as usize];
                }
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
                Node::Split { first, second, shortest, .. } => {
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

    /// Finds what `reach` finds where groups matter on the way: every way is tried anew.
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
                Node::Split { first, second, shortest, .. } => {
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
