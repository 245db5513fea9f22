//! Mutants of PHP programs: other operators, constants, variables and arguments, statements that go, come twice or change places, and
//! statements that are put into loops, functions, generators and `try`.

use phlox_fuzz_programs::Rng;
use phlox_syntax::token::{TokenKind, tokenize};
use phlox_syntax::{ParseOptions, parse};
use std::path::{Path, PathBuf};

/// Changes to a program at most.
const MOST_CHANGES: usize = 4;
/// How often the parser may refuse a mutant before the seed is given up.
const ATTEMPTS: usize = 40;

/// Operators that may stand for each other.
const OPERATORS: &[&[&str]] = &[
    &["+", "-", "*", "/", "%", "**", ".", "|", "^", "<<", ">>", "??"],
    &["<", "<=", ">", ">=", "==", "!=", "===", "!==", "<=>"],
    &["+=", "-=", "*=", ".=", "%=", "|=", "^=", "<<=", "??=", "**=", "/="],
    &["&&", "||", "??"],
    &["++", "--"],
    &["(int)", "(float)", "(string)", "(array)", "(bool)", "(object)"],
    &["break", "continue"],
    &["->", "?->"],
];
const INTEGERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "-1",
    "7",
    "63",
    "64",
    "65",
    "100",
    "255",
    "1000",
    "2147483647",
    "4294967296",
    "9223372036854775807",
    "(-9223372036854775807 - 1)",
    "1.5",
    "'3'",
    "null",
    "true",
    "NAN",
    "[]",
    "-0.0",
];
const TEXTS: &[&str] =
    &["''", "'0'", "'a'", "'12'", "'1e3'", "'abc'", "\"\\0\"", "5", "null", "[1]", "str_repeat('ab', 200)"];

/// The programs in the folders of a folder, in order.
pub fn programs(tests: &Path) -> Vec<PathBuf> {
    let entries = |folder: &Path| {
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect::<Vec<_>>()
    };
    let mut files: Vec<PathBuf> = entries(tests).iter().flat_map(|folder| entries(folder)).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "php"));
    files.sort();
    files
}

/// A token: what it is, and its text.
type Piece = (TokenKind, String);

/// A program that differs from `source` in a few places and still parses. `None`: none was found for this seed.
pub fn mutant(source: &str, seed: u64) -> Option<String> {
    let pieces: Vec<Piece> = tokenize(source.as_bytes(), true)
        .iter()
        .filter_map(|token| Some((token.kind, source.get(token.start as usize..token.end as usize)?.to_owned())))
        .collect();
    let mut rng = Rng::new(seed);
    (0..ATTEMPTS).find_map(|_| {
        let mut mutant = Mutant { pieces: pieces.clone(), rng: &mut rng, names: 0 };
        for _ in 0..1 + mutant.rng.below(MOST_CHANGES) {
            mutant.change();
        }
        let text: String = mutant.pieces.iter().map(|(_, text)| text.as_str()).collect();
        (text != source && parses(&text)).then_some(text)
    })
}

fn parses(text: &str) -> bool {
    let arena = bumpalo::Bump::new();
    let result = parse(&arena, text.as_bytes(), &ParseOptions::default());
    !result.diagnostics.iter().any(|diagnostic| diagnostic.severity.is_error())
}

struct Mutant<'a> {
    pieces: Vec<Piece>,
    rng: &'a mut Rng,
    /// Names that were given to new variables.
    names: usize,
}

impl Mutant<'_> {
    fn change(&mut self) {
        match self.rng.below(20) {
            0..=3 => self.other_operator(),
            4..=6 => self.other_constant(),
            7..=8 => self.other_variable(),
            9 => self.other_name(),
            10 => self.other_arguments(),
            11 => self.without_statement(),
            12 => self.moved_statement(),
            13..=15 => self.wrapped_statement(),
            16..=17 => self.wrapped_body(),
            18 => self.by_reference(),
            _ => self.twice(),
        }
    }

    /// A place among those for which a question is answered with yes.
    fn place(&mut self, is_one: impl Fn(&Piece) -> bool) -> Option<usize> {
        let places: Vec<usize> = (0..self.pieces.len()).filter(|&at| is_one(&self.pieces[at])).collect();
        (!places.is_empty()).then(|| places[self.rng.below(places.len())])
    }

    fn text(&self, at: usize) -> &str {
        self.pieces.get(at).map_or("", |(_, text)| text)
    }

    fn other_operator(&mut self) {
        let row = |text: &str| OPERATORS.iter().find(|row| row.contains(&text));
        let Some(at) = self.place(|(_, text)| row(text).is_some()) else { return };
        if let Some(row) = row(self.text(at)) {
            self.pieces[at].1 = self.rng.pick(row).to_owned();
        }
    }

    fn other_constant(&mut self) {
        use TokenKind::{FloatLiteral, IntLiteral, QuotedString};
        let Some(at) = self.place(|(kind, _)| matches!(kind, IntLiteral | FloatLiteral | QuotedString)) else { return };
        let list = match self.pieces[at].0 {
            QuotedString => TEXTS,
            _ => INTEGERS,
        };
        let new = self.rng.pick(list).to_owned();
        self.pieces[at].1 = match self.rng.chance(25) {
            // One that the program has in another place.
            true => self
                .place(|(kind, _)| matches!(kind, IntLiteral | QuotedString))
                .map_or(new, |at| self.text(at).to_owned()),
            false => new,
        };
    }

    fn other_variable(&mut self) {
        let is_one = |(kind, text): &Piece| *kind == TokenKind::Variable && text != "$this";
        if let (Some(at), Some(other)) = (self.place(is_one), self.place(is_one)) {
            self.pieces[at].1 = self.text(other).to_owned();
        }
    }

    /// Another name that is called.
    fn other_name(&mut self) {
        let called: Vec<usize> = (0..self.pieces.len().saturating_sub(1))
            .filter(|&at| self.pieces[at].0 == TokenKind::Identifier && self.text(at + 1) == "(")
            .collect();
        if called.len() > 1 {
            let (at, other) = (called[self.rng.below(called.len())], called[self.rng.below(called.len())]);
            self.pieces[at].1 = self.text(other).to_owned();
        }
    }

    /// Two neighbours between parentheses or brackets change places, or one goes.
    fn other_arguments(&mut self) {
        let Some(comma) = self.place(|(_, text)| text == ",") else { return };
        let (start, end) = (self.edge(comma, -1), self.edge(comma, 1));
        let (Some(start), Some(end)) = (start, end) else { return };
        let (first, second) = (self.pieces[start + 1..comma].to_vec(), self.pieces[comma + 1..end].to_vec());
        let comma = self.pieces[comma].clone();
        let new: Vec<Piece> = match self.rng.below(4) {
            0 => first,
            1 => second,
            _ => second.into_iter().chain([comma]).chain(first).collect(),
        };
        self.pieces.splice(start + 1..end, new);
    }

    /// The nearest comma or parenthesis on the same level in a direction.
    fn edge(&self, from: usize, step: isize) -> Option<usize> {
        let (opens, closes) = if step > 0 { ("([{", ")]}") } else { (")]}", "([{") };
        let mut depth = 0;
        let mut at = from.checked_add_signed(step)?;
        loop {
            let text = self.pieces.get(at)?.1.as_str();
            if text.len() == 1 && opens.contains(text) {
                depth += 1;
            } else if text.len() == 1 && closes.contains(text) || text == ";" {
                depth -= 1;
            }
            if depth < 0 || depth == 0 && text == "," {
                return Some(at);
            }
            at = at.checked_add_signed(step)?;
        }
    }

    /// The pieces of a plain statement, its semicolon included.
    fn statement(&mut self) -> Option<std::ops::Range<usize>> {
        let mut found = Vec::new();
        let mut start = None;
        for (at, (kind, text)) in self.pieces.iter().enumerate() {
            match text.as_str() {
                ";" => {
                    if let Some(start) = start.take() {
                        found.push(start..at + 1);
                    }
                    start = Some(at + 1);
                }
                "{" | "}" => start = Some(at + 1),
                _ if matches!(
                    kind,
                    TokenKind::Case | TokenKind::Default | TokenKind::InlineHtml | TokenKind::CloseTag
                ) =>
                {
                    start = None;
                }
                _ => {}
            }
        }
        (!found.is_empty()).then(|| found.swap_remove(self.rng.below(found.len())))
    }

    fn without_statement(&mut self) {
        if let Some(range) = self.statement() {
            self.pieces.drain(range);
        }
    }

    fn moved_statement(&mut self) {
        let (Some(from), Some(to)) = (self.statement(), self.statement()) else { return };
        let taken = self.pieces[from].to_vec();
        self.pieces.splice(to.start..to.start, taken);
    }

    fn twice(&mut self) {
        let Some(range) = self.statement() else { return };
        let taken = self.pieces[range.clone()].to_vec();
        self.pieces.splice(range.start..range.start, taken);
    }

    fn by_reference(&mut self) {
        let is_one = |(kind, text): &Piece| *kind == TokenKind::Variable && text != "$this";
        if let Some(at) = self.place(is_one) {
            let name = self.text(at).to_owned();
            let bind = self.rng.pick(&["$m_ref = &X; X", "&X", "X[0]", "(clone (object) X)", "...X"]);
            self.pieces[at].1 = bind.replace('X', &name);
        }
    }

    fn wrapped_statement(&mut self) {
        let Some(range) = self.statement() else { return };
        let code: String = self.pieces[range.clone()].iter().map(|(_, text)| text.as_str()).collect();
        let mut variables: Vec<&str> = self.pieces[range.clone()]
            .iter()
            .filter(|(kind, text)| *kind == TokenKind::Variable && text != "$this")
            .map(|(_, text)| text.as_str())
            .collect();
        variables.sort_unstable();
        variables.dedup();
        let list = |mark: &str| variables.iter().map(|name| format!("{mark}{name}")).collect::<Vec<_>>().join(", ");
        let bound = match variables.is_empty() {
            true => String::new(),
            false => format!(" use ({})", list(if self.rng.chance(60) { "&" } else { "" })),
        };
        let arguments = list("");
        let wrapped = self.wrap(&code, &bound, &arguments);
        self.pieces.splice(range, [(TokenKind::InlineHtml, wrapped)]);
    }

    fn wrap(&mut self, code: &str, bound: &str, arguments: &str) -> String {
        self.names += 1;
        let m = format!("$m{}", self.names);
        let many = self.rng.pick(&["3", "5", "70", "200"]).to_owned();
        match self.rng.below(14) {
            0 | 1 => format!(" for ({m} = 0; {m} < {many}; ++{m}) {{ {code} }} "),
            2 => format!(" foreach (range(1, {many}) as {m} => {m}v) {{ {code} }} "),
            3 => format!(" try {{ {code} }} finally {{ {m} = 1; }} "),
            4 => format!(
                " try {{ {code} }} catch (Throwable {m}) {{ echo get_class({m}), {m}->getMessage(), \"\\n\"; }} "
            ),
            5 => format!(" (function (){bound} {{ {code} }})(); "),
            6 => format!(" foreach ((function (){bound} {{ yield 1; {code} yield 2; }})() as {m}) {{ echo {m}; }} "),
            7 => format!(" {m} = function (){bound} {{ {code} }}; for ({m}i = 0; {m}i < {many}; ++{m}i) {{ {m}(); }} "),
            8 => format!(" (function ({arguments}) {{ {code} }})({arguments}); "),
            9 => format!(
                " for ({m} = 0; {m} < {many}; ++{m}) {{ try {{ if ({m} % 3 === 1) {{ continue; }} {code} }} finally {{ {m}f = {m}; }} }} "
            ),
            10 => format!(" {m} = {many}; do {{ {code} }} while (--{m} > 0); "),
            11 => format!(
                " {m} = new Fiber(function (){bound} {{ Fiber::suspend(1); {code} }}); {m}->start(); {m}->resume(); "
            ),
            12 => format!(" if ({m} ?? true) {{ {code} }} else {{ {code} }} "),
            _ => format!(" {m} = 0; while (true) {{ if (++{m} > {many}) {{ break; }} {code} }} unset({m}); "),
        }
    }

    /// The body of a function does all of it in a loop, or in `try`.
    fn wrapped_body(&mut self) {
        let Some(at) = self.place(|(kind, _)| *kind == TokenKind::Function) else { return };
        let Some(open) = (at..self.pieces.len()).find(|&at| matches!(self.text(at), "{" | ";")) else { return };
        if self.text(open) != "{" {
            return;
        }
        let Some(close) = self.closing(open) else { return };
        self.names += 1;
        let m = format!("$m{}", self.names);
        let (before, after) = match self.rng.below(6) {
            0 => (format!("{{ for ({m} = 0; {m} < 3; ++{m}) {{ "), " } }".to_owned()),
            1 => ("{ try { ".to_owned(), format!(" }} finally {{ {m} = func_get_args(); }} }}")),
            2 => ("{ try { ".to_owned(), format!(" }} catch (Exception {m}) {{ throw new Error('m', 1, {m}); }} }}")),
            3 => (format!("{{ static {m} = 0; if (++{m} > 60) {{ return null; }} "), " }".to_owned()),
            4 => (format!("{{ foreach ([1, 2] as {m} => {m}v) {{ "), " } }".to_owned()),
            _ => (format!("{{ {m} = get_defined_vars(); extract({m}); "), " }".to_owned()),
        };
        self.pieces[close].1 = after;
        self.pieces[open].1 = before;
    }

    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0;
        (open..self.pieces.len()).find(|&at| {
            match self.pieces[at].0 {
                TokenKind::LeftBrace | TokenKind::CurlyOpen | TokenKind::DollarBrace => depth += 1,
                TokenKind::RightBrace => depth -= 1,
                _ => {}
            }
            depth == 0
        })
    }
}

#[cfg(test)]
mod tests {
    const PROGRAM: &str = "<?php function f($a, $b) { $c = $a + 1; return $c . $b; } echo f(1, 'x'), \"\\n\";";

    #[test]
    fn mutants_differ_and_parse() {
        let mutants: Vec<String> = (0..50).filter_map(|seed| super::mutant(PROGRAM, seed)).collect();
        assert!(mutants.len() > 40);
        assert!(mutants.iter().all(|mutant| mutant != PROGRAM && super::parses(mutant)));
        assert_eq!(super::mutant(PROGRAM, 3), super::mutant(PROGRAM, 3));
    }
}
