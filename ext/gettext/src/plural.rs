//! The expressions that choose among plural forms: C's operators on the number `n`.

/// How deep parentheses and operators may lie in each other.
const DEEPEST: u32 = 100;

#[derive(Debug)]
enum Node {
    Count,
    Number(u64),
    Not(Box<Node>),
    Binary(&'static str, Box<Node>, Box<Node>),
    Choice(Box<Node>, Box<Node>, Box<Node>),
}

/// How the forms of a catalog are chosen.
#[derive(Debug)]
pub struct Plural {
    node: Node,
    forms: u64,
}

/// Operators from those that bind loosely on.
const LEVELS: [&[&str]; 6] = [&["||"], &["&&"], &["==", "!="], &["<=", ">=", "<", ">"], &["+", "-"], &["*", "/", "%"]];

struct Parser<'t> {
    rest: &'t [u8],
    depth: u32,
}

impl Parser<'_> {
    fn takes(&mut self, text: &str) -> bool {
        self.rest = self.rest.trim_ascii_start();
        match self.rest.strip_prefix(text.as_bytes()) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn choice(&mut self) -> Option<Node> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut node = self.binary(0)?;
        if self.takes("?") {
            let first = self.choice()?;
            if !self.takes(":") {
                return None;
            }
            node = Node::Choice(Box::new(node), Box::new(first), Box::new(self.choice()?));
        }
        self.depth -= 1;
        Some(node)
    }

    fn binary(&mut self, level: usize) -> Option<Node> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut node = self.binary(level + 1)?;
        while let Some(operator) = operators.iter().find(|operator| self.takes(operator)) {
            self.depth += 1;
            node = Node::Binary(operator, Box::new(node), Box::new(self.binary(level + 1)?));
            if self.depth > DEEPEST {
                return None;
            }
        }
        Some(node)
    }

    fn unary(&mut self) -> Option<Node> {
        if self.takes("!") {
            self.depth += 1;
            return if self.depth > DEEPEST { None } else { Some(Node::Not(Box::new(self.unary()?))) };
        }
        if self.takes("(") {
            let node = self.choice()?;
            return self.takes(")").then_some(node);
        }
        if self.takes("n") {
            return Some(Node::Count);
        }
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        let wrap = |sum: u64, byte: &u8| sum.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
        (digits > 0).then(|| Node::Number(number.iter().fold(0, wrap)))
    }
}

fn value(node: &Node, count: u64) -> u64 {
    match node {
        Node::Count => count,
        Node::Number(number) => *number,
        Node::Not(inner) => (value(inner, count) == 0).into(),
        Node::Choice(condition, first, second) => {
            value(if value(condition, count) != 0 { first } else { second }, count)
        }
        Node::Binary("||", first, second) => (value(first, count) != 0 || value(second, count) != 0).into(),
        Node::Binary("&&", first, second) => (value(first, count) != 0 && value(second, count) != 0).into(),
        Node::Binary(operator, first, second) => {
            let (first, second) = (value(first, count), value(second, count));
            match *operator {
                "==" => (first == second).into(),
                "!=" => (first != second).into(),
                "<" => (first < second).into(),
                ">" => (first > second).into(),
                "<=" => (first <= second).into(),
                ">=" => (first >= second).into(),
                "+" => first.wrapping_add(second),
                "-" => first.wrapping_sub(second),
                "*" => first.wrapping_mul(second),
                // The C library ends the process if the divisor is zero.
                "/" => first.checked_div(second).unwrap_or(0),
                _ => first.checked_rem(second).unwrap_or(0),
            }
        }
    }
}

fn behind<'t>(text: &'t [u8], name: &[u8]) -> Option<&'t [u8]> {
    let at = text.windows(name.len()).position(|window| window == name)?;
    Some(&text[at + name.len()..])
}

impl Plural {
    /// What the header of a catalog says; without it there is one form for one thing and one for all other numbers.
    pub fn of_header(header: &[u8]) -> Plural {
        Plural::parse(header).unwrap_or_else(|| {
            let node = Node::Binary("!=", Box::new(Node::Count), Box::new(Node::Number(1)));
            Plural { node, forms: 2 }
        })
    }

    fn parse(header: &[u8]) -> Option<Plural> {
        let expression = behind(header, b"plural=")?;
        let forms = behind(header, b"nplurals=")?.trim_ascii_start();
        let digits = forms.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let forms = std::str::from_utf8(&forms[..digits]).ok()?.parse().ok()?;
        let mut parser = Parser { rest: expression, depth: 0 };
        let node = parser.choice()?;
        // What ends the expression is its line or a semicolon.
        let is_whole = matches!(parser.rest.iter().find(|byte| !b" \t".contains(byte)), None | Some(b';' | b'\n' | 0));
        is_whole.then_some(Plural { node, forms })
    }

    /// The number of the form for a count; one that there is not counts as the first.
    pub fn form(&self, count: u64) -> u64 {
        Some(value(&self.node, count)).filter(|&form| form < self.forms).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(expression: &str, counts: &[u64]) -> Vec<u64> {
        let plural = Plural::of_header(format!("Plural-Forms: nplurals=4; plural={expression};\n").as_bytes());
        counts.iter().map(|&count| plural.form(count)).collect()
    }

    #[test]
    fn expressions_choose() {
        let polish = "(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2)";
        assert_eq!(forms(polish, &[1, 2, 5, 12, 22, 25]), [0, 1, 2, 2, 1, 2]);
        assert_eq!(forms("!n", &[0, 1]), [1, 0]);
        assert_eq!(forms("n", &[3, 4]), [3, 0]);
        assert_eq!(forms("1 / n", &[0]), [0]);
        assert_eq!(forms("n >", &[1, 2]), [0, 1]);
        assert_eq!(forms(&"(".repeat(5000), &[1, 2]), [0, 1]);
        assert_eq!(forms(&format!("n{}", "+n".repeat(5000)), &[1, 2]), [0, 1]);
        assert_eq!(forms(&"!".repeat(100_000), &[1, 2]), [0, 1]);
    }
}
