//! Formats of packed bytes: letters with repeat counts and modifiers, groups in parentheses (their arguments one after
//! another) or brackets (their arguments in a list), literal bytes, and counts stored before what they count.

use phlox_t3_vm::error::{self, Run, error_int};

/// How often an item or group is repeated, or how wide a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Count {
    /// Nothing was written.
    Unsaid,
    /// As often as there is something left.
    All,
    Fixed(usize),
}

/// A letter with its modifiers; also what is written behind a group.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub code: char,
    /// The bytes of `"text"` and `{hex}`.
    pub literal: Vec<char>,
    pub count: Count,
    /// The count is a limit, not a demand.
    pub up_to: bool,
    /// The count of wide characters or digits is in bytes.
    pub in_bytes: bool,
    /// `<` or `>`, if written.
    endian: Option<bool>,
    pub big_endian: bool,
    pub bang: bool,
    /// `~`: numbers that fit are integers.
    pub tilde: bool,
    /// `%`: numbers that do not fit are cut.
    pub cut: bool,
    pub question: bool,
    /// `0`: a zero ends the text.
    pub zero: bool,
    /// The place in the format, from one.
    pub at: usize,
}

/// A part of a format.
#[derive(Debug)]
pub(super) enum Node {
    Item(Item),
    Group(Group),
    /// A count and what it counts.
    Counted(Item, Box<Node>),
}

/// A group; its modifiers count for everything inside.
#[derive(Debug)]
pub(super) struct Group {
    pub mods: Item,
    /// `[ ]`: the arguments are in a list.
    pub list: bool,
    pub nodes: Vec<Node>,
}

/// Groups in groups.
const MAX_DEPTH: usize = 100;

impl Item {
    fn new(code: char, at: usize) -> Item {
        Item {
            code,
            literal: Vec::new(),
            count: Count::Unsaid,
            up_to: false,
            in_bytes: false,
            endian: None,
            big_endian: false,
            bang: false,
            tilde: false,
            cut: false,
            question: false,
            zero: false,
            at,
        }
    }

    /// The number of repetitions, one if none was written.
    pub fn times(&self) -> usize {
        if let Count::Fixed(count) = self.count { count } else { 1 }
    }

    /// Whether the item is a text, whose count is its width.
    pub fn is_text(&self) -> bool {
        "aAbuUwWhH".contains(self.code)
    }

    /// Whether the count repeats the item.
    pub fn is_repeated(&self) -> bool {
        !self.is_text() && !"xX@".contains(self.code)
    }

    /// Whether an argument belongs to the item.
    pub fn takes_argument(&self) -> bool {
        !"xX@\"{".contains(self.code)
    }

    /// What fills a text up.
    pub fn padding(&self) -> u8 {
        if "AUW".contains(self.code) { b' ' } else { 0 }
    }

    /// What the count of a text is in bytes.
    pub fn width(&self) -> usize {
        match self.code {
            'w' | 'W' if !self.in_bytes => self.times().saturating_mul(2),
            'h' | 'H' if !self.in_bytes => self.times().div_ceil(2),
            _ => self.times(),
        }
    }

    /// Bytes of a number.
    pub fn size(&self) -> usize {
        match self.code {
            's' | 'S' => 2,
            'l' | 'L' | 'f' => 4,
            'q' | 'Q' | 'd' => 8,
            _ => 1,
        }
    }

    fn inherit(&mut self, outer: &Item) {
        self.big_endian = self.endian.unwrap_or(outer.big_endian);
        self.tilde |= outer.tilde;
        self.cut |= outer.cut;
    }
}

struct Parser {
    chars: Vec<char>,
    at: usize,
}

/// Reads a format.
pub(super) fn parse(format: &str) -> Run<Group> {
    let mut parser = Parser { chars: format.chars().collect(), at: 0 };
    let nodes = parser.nodes(0)?;
    if parser.peek().is_some() {
        return Err(parser.wrong());
    }
    let mut root = Group { mods: Item::new('(', 1), list: false, nodes };
    inherit(&mut root.nodes, &root.mods);
    Ok(root)
}

fn inherit(nodes: &mut [Node], outer: &Item) {
    for node in nodes {
        match node {
            Node::Item(item) => item.inherit(outer),
            Node::Group(group) => {
                group.mods.inherit(outer);
                inherit(&mut group.nodes, &group.mods);
            }
            Node::Counted(item, node) => {
                item.inherit(outer);
                inherit(std::slice::from_mut(node), outer);
            }
        }
    }
}

impl Parser {
    fn wrong(&self) -> error::Throw {
        error_int(error::PACK_PARSE, self.at as i32 + 1)
    }

    /// The next character behind white space.
    fn peek(&mut self) -> Option<char> {
        while self.chars.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.chars.get(self.at).copied()
    }

    fn nodes(&mut self, depth: usize) -> Run<Vec<Node>> {
        let mut nodes = Vec::new();
        while let Some(c) = self.peek() {
            if matches!(c, ')' | ']') {
                break;
            }
            let node = match self.node(depth)? {
                Node::Item(count) if self.peek() == Some('/') => {
                    self.at += 1;
                    Node::Counted(count, Box::new(self.node(depth)?))
                }
                node => node,
            };
            nodes.push(node);
        }
        Ok(nodes)
    }

    fn node(&mut self, depth: usize) -> Run<Node> {
        let Some(c) = self.peek() else { return Err(self.wrong()) };
        if !matches!(c, '(' | '[') {
            return self.item().map(Node::Item);
        }
        let mut mods = Item::new(c, self.at + 1);
        self.at += 1;
        if depth == MAX_DEPTH {
            return Err(self.wrong());
        }
        let nodes = self.nodes(depth + 1)?;
        if self.peek() != Some(if c == '(' { ')' } else { ']' }) {
            return Err(self.wrong());
        }
        self.at += 1;
        self.modifiers(&mut mods)?;
        Ok(Node::Group(Group { mods, list: c == '[', nodes }))
    }

    fn item(&mut self) -> Run<Item> {
        let code = self.peek().filter(|code| "aAbuUwWhHcCsSlLqQkfdxX@\"{".contains(*code));
        let Some(code) = code else { return Err(self.wrong()) };
        let mut item = Item::new(code, self.at + 1);
        self.at += 1;
        match code {
            '"' => item.literal = self.quoted()?,
            '{' => item.literal = self.hex()?,
            _ => {}
        }
        self.modifiers(&mut item)?;
        Ok(item)
    }

    fn quoted(&mut self) -> Run<Vec<char>> {
        let mut literal = Vec::new();
        loop {
            let Some(c) = self.chars.get(self.at).copied() else { return Err(self.wrong()) };
            self.at += 1;
            if c == '"' {
                if self.chars.get(self.at) != Some(&'"') {
                    return Ok(literal);
                }
                self.at += 1;
            }
            literal.push(c);
        }
    }

    fn hex(&mut self) -> Run<Vec<char>> {
        let mut digits = Vec::new();
        loop {
            match self.peek() {
                Some('}') => break,
                Some(c) if c.is_ascii_hexdigit() => digits.push(c.to_digit(16).unwrap_or(0) as u8),
                _ => return Err(self.wrong()),
            }
            self.at += 1;
        }
        self.at += 1;
        Ok(digits.chunks(2).map(|pair| char::from(pair[0] << 4 | pair.get(1).copied().unwrap_or(0))).collect())
    }

    fn modifiers(&mut self, item: &mut Item) -> Run<()> {
        while let Some(c) = self.peek() {
            match c {
                '<' => item.endian = Some(false),
                '>' => item.endian = Some(true),
                '0' if "auwhH([".contains(item.code) => item.zero = true,
                '0' => return Err(self.wrong()),
                '1'..='9' => {
                    item.up_to |= item.count == Count::All;
                    item.count = Count::Fixed(self.number()?);
                    continue;
                }
                ':' => {
                    self.at += 1;
                    item.count = Count::Fixed(match self.peek() {
                        Some('c' | 'C') => 1,
                        // One would be right for most of these; the reference says two.
                        Some('a' | 'A' | 'b' | 'u' | 'U' | 'h' | 'H' | 'k' | 'w' | 'W' | 's' | 'S') => 2,
                        Some('l' | 'L' | 'f') => 4,
                        Some('q' | 'Q' | 'd') => 8,
                        _ => return Err(self.wrong()),
                    });
                }
                '*' => match item.count {
                    Count::Fixed(_) => item.up_to = true,
                    _ if "xX@".contains(item.code) => item.count = Count::Fixed(0),
                    _ => item.count = Count::All,
                },
                '!' if "wWhH".contains(item.code) => item.in_bytes = true,
                '!' => item.bang = true,
                '~' => item.tilde = true,
                '?' => item.question = true,
                '%' => item.cut = true,
                _ => break,
            }
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Run<usize> {
        let wrong = self.wrong();
        let mut number = 0i32;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            self.at += 1;
            let next = number.checked_mul(10).and_then(|number| number.checked_add(digit as i32));
            let Some(next) = next else { return Err(wrong) };
            number = next;
        }
        Ok(number as usize)
    }
}

/// Bytes to the next multiple of an item's count.
pub(super) fn after(at: usize, item: &Item) -> usize {
    at.checked_next_multiple_of(item.times()).map_or(0, |next| next - at)
}

/// Bytes since the last multiple of an item's count.
pub(super) fn before(at: usize, item: &Item) -> usize {
    at.checked_rem(item.times()).unwrap_or(0)
}
