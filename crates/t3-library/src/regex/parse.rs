//! From a pattern's text to its program.

use super::program::{Class, Kind, MAX_GROUPS, Node, Regex};

/// Nesting of groups, as deep as the reference allows.
const MAX_NESTING: usize = 20;
/// Copies of a repeated part, all together.
const MAX_NODES: usize = 20_000;

#[derive(Debug, Clone)]
enum Tree {
    Empty,
    /// An empty group, which matches nothing in the reference.
    Never,
    Leaf(Node),
    Concat(Vec<Tree>),
    Alternatives(Vec<Tree>),
    Group(u8, Box<Tree>),
    Repeat {
        body: Box<Tree>,
        min: u32,
        max: Option<u32>,
        shortest: bool,
    },
    Assert {
        body: Box<Tree>,
        negative: bool,
        behind: bool,
    },
}

/// What an open parenthesis began.
enum Opening {
    Capture(u8),
    Plain,
    Assert { negative: bool, behind: bool },
}

struct Level {
    opening: Opening,
    alternatives: Vec<Tree>,
    current: Vec<Tree>,
}

struct Parser<'a> {
    chars: &'a [char],
    at: usize,
    groups: usize,
    classes: Vec<Class>,
    levels: Vec<Level>,
    case_sensitive: Option<bool>,
    longest: bool,
    first_begin: bool,
}

/// Names in angle brackets that stand for one character.
const NAMED: &[(&str, char)] = &[
    ("langle", '<'),
    ("rangle", '>'),
    ("vbar", '|'),
    ("caret", '^'),
    ("squote", '\''),
    ("dquote", '"'),
    ("star", '*'),
    ("question", '?'),
    ("percent", '%'),
    ("dot", '.'),
    ("period", '.'),
    ("plus", '+'),
    ("lsquare", '['),
    ("rsquare", ']'),
    ("lparen", '('),
    ("rparen", ')'),
    ("lbrace", '{'),
    ("rbrace", '}'),
    ("dollar", '$'),
    ("backslash", '\\'),
    ("return", '\r'),
    ("linefeed", '\n'),
    ("tab", '\t'),
    ("nul", '\0'),
    ("null", '\0'),
];

/// Names in angle brackets that stand for a kind of characters.
const KINDS: &[(&str, Kind)] = &[
    ("alpha", Kind::Alpha),
    ("digit", Kind::Digit),
    ("upper", Kind::Upper),
    ("lower", Kind::Lower),
    ("alphanum", Kind::AlphaNum),
    ("space", Kind::Space),
    ("punct", Kind::Punct),
    ("newline", Kind::Newline),
    ("vspace", Kind::VerticalSpace),
];

impl Regex {
    /// Compiles a pattern; `None` if its groups are nested too deep or it is too large.
    pub fn new(pattern: &str) -> Option<Regex> {
        let chars: Vec<char> = pattern.chars().collect();
        let mut parser = Parser {
            chars: &chars,
            at: 0,
            groups: 0,
            classes: Vec::new(),
            levels: vec![Level { opening: Opening::Plain, alternatives: Vec::new(), current: Vec::new() }],
            case_sensitive: None,
            longest: true,
            first_begin: true,
        };
        let tree = parser.parse()?;
        let mut regex = Regex {
            nodes: Vec::new(),
            next: Vec::new(),
            classes: parser.classes,
            start: 0,
            groups: parser.groups.min(MAX_GROUPS),
            case_sensitive: parser.case_sensitive,
            longest: parser.longest,
            first_begin: parser.first_begin,
            back_references: false,
            heads: Default::default(),
        };
        let accept = regex.push(Node::Accept, 0)?;
        regex.start = regex.generate(&tree, accept)?;
        regex.back_references = regex.nodes.iter().any(|node| matches!(node, Node::BackRef(_)));
        Some(regex)
    }

    fn push(&mut self, node: Node, next: u32) -> Option<u32> {
        if self.nodes.len() >= MAX_NODES {
            return None;
        }
        self.nodes.push(node);
        self.next.push(next);
        Some(self.nodes.len() as u32 - 1)
    }

    /// Emits the states of a tree that goes on at `next`; the first of them.
    fn generate(&mut self, tree: &Tree, next: u32) -> Option<u32> {
        match tree {
            Tree::Empty => Some(next),
            Tree::Never => {
                let start = self.push(Node::Accept, 0)?;
                self.push(Node::Assert { start, negative: true, behind: false }, next)
            }
            Tree::Leaf(node) => self.push(*node, next),
            Tree::Concat(parts) => {
                let mut next = next;
                for part in parts.iter().rev() {
                    next = self.generate(part, next)?;
                }
                Some(next)
            }
            Tree::Alternatives(parts) => {
                let (last, rest) = parts.split_last()?;
                let mut start = self.generate(last, next)?;
                for part in rest.iter().rev() {
                    let first = self.generate(part, next)?;
                    start = self.push(Node::Split { first, second: start, shortest: false, repeats: false }, 0)?;
                }
                Some(start)
            }
            Tree::Group(number, body) => {
                let end = self.push(Node::GroupEnd(*number), next)?;
                let body = self.generate(body, end)?;
                self.push(Node::GroupStart(*number), body)
            }
            Tree::Assert { body, negative, behind } => {
                let end = self.push(if *behind { Node::BehindEnd } else { Node::Accept }, 0)?;
                let start = self.generate(body, end)?;
                self.push(Node::Assert { start, negative: *negative, behind: *behind }, next)
            }
            Tree::Repeat { body, min, max, shortest } => self.repeat(body, *min, *max, *shortest, next),
        }
    }

    fn repeat(&mut self, body: &Tree, min: u32, max: Option<u32>, shortest: bool, next: u32) -> Option<u32> {
        let repeats = max.is_none();
        let split = |first: u32, second: u32| {
            if shortest {
                Node::Split { first: second, second: first, shortest, repeats }
            } else {
                Node::Split { first, second, shortest, repeats }
            }
        };
        let mut start = next;
        match max {
            None => {
                let head = self.push(Node::Empty, next)?;
                let first = self.generate(body, head)?;
                self.nodes[head as usize] = split(first, next);
                start = head;
            }
            Some(max) => {
                for _ in min..max {
                    let first = self.generate(body, start)?;
                    start = self.push(split(first, next), 0)?;
                }
            }
        }
        for _ in 0..min {
            start = self.generate(body, start)?;
        }
        Some(start)
    }
}

impl Parser<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn parse(&mut self) -> Option<Tree> {
        while let Some(c) = self.peek(0) {
            self.at += 1;
            self.item(c)?;
        }
        while self.levels.len() > 1 {
            self.close();
        }
        let level = self.levels.pop()?;
        Some(finish(level.alternatives, level.current))
    }

    fn add(&mut self, tree: Tree) {
        if let Some(level) = self.levels.last_mut() {
            level.current.push(tree);
        }
    }

    fn item(&mut self, c: char) -> Option<()> {
        let fresh = self.levels.last().is_some_and(|level| level.current.is_empty());
        match c {
            '^' if fresh => self.add(Tree::Leaf(Node::Begin)),
            '$' if matches!(self.peek(0), None | Some(')' | '|')) => self.add(Tree::Leaf(Node::End)),
            '(' => return self.open(),
            ')' if self.levels.len() > 1 => {
                let group = self.close_group();
                self.postfix(group);
            }
            ')' => {}
            '|' => {
                if let Some(level) = self.levels.last_mut() {
                    let current = std::mem::take(&mut level.current);
                    level.alternatives.push(concat(current));
                }
            }
            '<' => self.angle(),
            '%' => self.escape(),
            '.' => self.postfix(Tree::Leaf(Node::Any)),
            '[' => {
                let class = self.square();
                self.class(class);
            }
            c => self.postfix(Tree::Leaf(Node::Char(c))),
        }
        Some(())
    }

    fn open(&mut self) -> Option<()> {
        if self.levels.len() > MAX_NESTING {
            return None;
        }
        let (opening, skip) = match (self.peek(0), self.peek(1), self.peek(2)) {
            (Some('?'), Some(':'), _) => (Opening::Plain, 2),
            (Some('?'), Some('='), _) => (Opening::Assert { negative: false, behind: false }, 2),
            (Some('?'), Some('!'), _) => (Opening::Assert { negative: true, behind: false }, 2),
            (Some('?'), Some('<'), Some('=')) => (Opening::Assert { negative: false, behind: true }, 3),
            (Some('?'), Some('<'), Some('!')) => (Opening::Assert { negative: true, behind: true }, 3),
            _ => {
                self.groups += 1;
                (Opening::Capture((self.groups - 1).min(255) as u8), 0)
            }
        };
        self.at += skip;
        self.levels.push(Level { opening, alternatives: Vec::new(), current: Vec::new() });
        Some(())
    }

    fn close(&mut self) {
        let group = self.close_group();
        self.add(group);
    }

    fn close_group(&mut self) -> Tree {
        let Some(level) = self.levels.pop() else { return Tree::Empty };
        let body = match finish(level.alternatives, level.current) {
            Tree::Empty => Tree::Never,
            body => body,
        };
        match level.opening {
            Opening::Capture(number) => Tree::Group(number, Box::new(body)),
            Opening::Plain => body,
            Opening::Assert { negative, behind } => Tree::Assert { body: Box::new(body), negative, behind },
        }
    }

    fn class(&mut self, class: Class) {
        self.classes.push(class);
        let number = self.classes.len() as u32 - 1;
        self.postfix(Tree::Leaf(Node::Class(number)));
    }

    /// What stands behind `<`: a flag, a class, or just the character.
    fn angle(&mut self) {
        let rest: String = self.chars[self.at..].iter().take(12).collect::<String>().to_ascii_lowercase();
        let flags: [(&str, fn(&mut Self)); 8] = [
            ("fe>", |parser| parser.first_begin = false),
            ("firstend>", |parser| parser.first_begin = false),
            ("fb>", |parser| parser.first_begin = true),
            ("firstbegin>", |parser| parser.first_begin = true),
            ("max>", |parser| parser.longest = true),
            ("min>", |parser| parser.longest = false),
            ("case>", |parser| parser.case_sensitive = Some(true)),
            ("nocase>", |parser| parser.case_sensitive = Some(false)),
        ];
        for (name, set) in flags {
            if rest.starts_with(name) {
                set(self);
                self.at += name.len();
                return;
            }
        }
        match self.angle_class() {
            Some((node, end)) => {
                self.at = end;
                match node {
                    Ok(kind) => self.postfix(Tree::Leaf(Node::Kind(kind, true))),
                    Err(class) => self.class(class),
                }
            }
            None => self.postfix(Tree::Leaf(Node::Char('<'))),
        }
    }

    /// A class in angle brackets and the position behind it.
    fn angle_class(&self) -> Option<(Result<Kind, Class>, usize)> {
        let mut at = self.at;
        let mut class = Class::default();
        if self.chars.get(at) == Some(&'^') {
            class.exclusive = true;
            at += 1;
        }
        loop {
            let length = self.chars.get(at..)?.iter().position(|c| matches!(c, '>' | '|'))?;
            let part = &self.chars[at..at + length];
            let end = self.chars[at + length];
            match part {
                [c] => class.ranges.push((*c, *c)),
                [low, '-', high] => class.ranges.push((*low, *high)),
                _ => {
                    let name: String = part.iter().collect::<String>().to_ascii_lowercase();
                    if let Some((_, c)) = NAMED.iter().find(|row| row.0 == name) {
                        class.ranges.push((*c, *c));
                    } else {
                        let (_, kind) = KINDS.iter().find(|row| row.0 == name)?;
                        let alone = class.ranges.is_empty() && class.kinds.is_empty() && !class.exclusive;
                        if alone && end == '>' {
                            return Some((Ok(*kind), at + length + 1));
                        }
                        class.kinds.push(*kind);
                    }
                }
            }
            at += length + 1;
            if end == '>' {
                return Some((Err(class), at));
            }
        }
    }

    fn escape(&mut self) {
        // A percent sign at the end stands for nothing.
        let Some(c) = self.peek(0) else { return };
        self.at += 1;
        let node = match c {
            '1'..='9' => Node::BackRef(c as u8 - b'1'),
            '<' => return self.add(Tree::Leaf(Node::WordBegin)),
            '>' => return self.add(Tree::Leaf(Node::WordEnd)),
            'b' => return self.add(Tree::Leaf(Node::Boundary(true))),
            'B' => return self.add(Tree::Leaf(Node::Boundary(false))),
            'w' => Node::WordChar(true),
            'W' => Node::WordChar(false),
            's' => Node::Kind(Kind::Space, true),
            'S' => Node::Kind(Kind::Space, false),
            'd' => Node::Kind(Kind::Digit, true),
            'D' => Node::Kind(Kind::Digit, false),
            'v' => Node::Kind(Kind::VerticalSpace, true),
            'V' => Node::Kind(Kind::VerticalSpace, false),
            c => Node::Char(c),
        };
        self.postfix(Tree::Leaf(node));
    }

    /// A class in square brackets, up to and with the closing one.
    fn square(&mut self) -> Class {
        let mut class = Class::default();
        if self.peek(0) == Some('^') {
            class.exclusive = true;
            self.at += 1;
        }
        for c in [']', '-'] {
            if self.peek(0) == Some(c) {
                class.ranges.push((c, c));
                self.at += 1;
            }
        }
        while let Some(c) = self.peek(0) {
            self.at += 1;
            if c == ']' {
                break;
            }
            if self.peek(0) != Some('-') {
                class.ranges.push((c, c));
                continue;
            }
            self.at += 1;
            if let Some(other) = self.peek(0) {
                self.at += 1;
                class.ranges.push((c.min(other), c.max(other)));
            }
        }
        class
    }

    /// Closures and repetition counts behind an item; only the first has effect.
    fn postfix(&mut self, tree: Tree) {
        let tree = match self.peek(0) {
            Some(c @ ('*' | '+' | '?')) => {
                self.at += 1;
                let shortest = self.peek(0) == Some('?');
                let (min, max) = match c {
                    '*' => (0, None),
                    '+' => (1, None),
                    _ => (0, Some(1)),
                };
                self.skip_closures();
                Tree::Repeat { body: Box::new(tree), min, max, shortest }
            }
            Some('{') => {
                self.at += 1;
                let (min, max) = self.bounds();
                let shortest = self.peek(0) == Some('?');
                self.skip_closures();
                Tree::Repeat { body: Box::new(tree), min, max, shortest }
            }
            _ => tree,
        };
        self.add(tree);
    }

    fn bounds(&mut self) -> (u32, Option<u32>) {
        let min = self.number();
        let max = if self.peek(0) == Some(',') {
            self.at += 1;
            self.number()
        } else {
            min
        };
        while let Some(c) = self.peek(0) {
            self.at += 1;
            if c == '}' {
                break;
            }
        }
        (min.unwrap_or(0), max.map(|max| max.max(min.unwrap_or(0))))
    }

    fn number(&mut self) -> Option<u32> {
        let mut value = None;
        while let Some(digit) = self.peek(0).and_then(|c| c.to_digit(10)) {
            value = Some(value.unwrap_or(0u32).saturating_mul(10).saturating_add(digit));
            self.at += 1;
        }
        value
    }

    fn skip_closures(&mut self) {
        while let Some(c) = self.peek(0) {
            match c {
                '*' | '+' | '?' => self.at += 1,
                '{' => {
                    while let Some(c) = self.peek(0) {
                        self.at += 1;
                        if c == '}' {
                            break;
                        }
                    }
                }
                _ => break,
            }
        }
    }
}

fn concat(mut parts: Vec<Tree>) -> Tree {
    match parts.len() {
        0 => Tree::Empty,
        1 => parts.remove(0),
        _ => Tree::Concat(parts),
    }
}

/// All alternatives; empty ones count for nothing.
fn finish(mut alternatives: Vec<Tree>, current: Vec<Tree>) -> Tree {
    alternatives.push(concat(current));
    alternatives.retain(|part| !matches!(part, Tree::Empty));
    match alternatives.len() {
        0 => Tree::Empty,
        1 => alternatives.remove(0),
        _ => Tree::Alternatives(alternatives),
    }
}
