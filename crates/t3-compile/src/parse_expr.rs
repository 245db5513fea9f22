//! Expressions: tokens to trees.

use phlox_t3_vm::code::inst::{BinOp, CmpOp, UnOp};
use phlox_t3_vm::value::Value;

use super::ast::{Arg, Chooser, Definition, Expr, Prop, Stmt};
use super::lex::{Piece, Token};
use super::parse::{Parse, Parser};

/// Operators of two operands by how strongly they bind, the weakest first.
enum Infix {
    Binary(BinOp),
    Compare(CmpOp),
}

const LEVELS: &[&[(&str, Infix)]] = &[
    &[("|", Infix::Binary(BinOp::Or))],
    &[("^", Infix::Binary(BinOp::Xor))],
    &[("&", Infix::Binary(BinOp::And))],
    &[("==", Infix::Compare(CmpOp::Eq)), ("!=", Infix::Compare(CmpOp::Ne))],
    &[
        ("<", Infix::Compare(CmpOp::Lt)),
        ("<=", Infix::Compare(CmpOp::Le)),
        (">", Infix::Compare(CmpOp::Gt)),
        (">=", Infix::Compare(CmpOp::Ge)),
    ],
    &[("<<", Infix::Binary(BinOp::Shl)), (">>", Infix::Binary(BinOp::Ashr)), (">>>", Infix::Binary(BinOp::Lshr))],
    &[("+", Infix::Binary(BinOp::Add)), ("-", Infix::Binary(BinOp::Sub))],
    &[("*", Infix::Binary(BinOp::Mul)), ("/", Infix::Binary(BinOp::Div)), ("%", Infix::Binary(BinOp::Mod))],
];
/// The level at which `is in` and `not in` stand.
const EQUALITY: usize = 3;

/// Assignments that compute.
const UPDATES: &[(&str, BinOp)] = &[
    ("+=", BinOp::Add),
    ("-=", BinOp::Sub),
    ("*=", BinOp::Mul),
    ("/=", BinOp::Div),
    ("%=", BinOp::Mod),
    ("&=", BinOp::And),
    ("|=", BinOp::Or),
    ("^=", BinOp::Xor),
    ("<<=", BinOp::Shl),
    (">>=", BinOp::Ashr),
    (">>>=", BinOp::Lshr),
];

/// How `<<one of>>` lists end, with what the library's chooser calls that.
const ONE_OF_ENDS: &[(&str, &str)] = &[
    ("purely at random", "rand"),
    ("then purely at random", "seq,rand"),
    ("at random", "rand-norpt"),
    ("then at random", "seq,rand-norpt"),
    ("sticky random", "rand,stop"),
    ("as decreasingly likely outcomes", "rand-wt"),
    ("shuffled", "shuffle"),
    ("then shuffled", "seq,shuffle"),
    ("half shuffled", "shuffle2"),
    ("then half shuffled", "seq,shuffle2"),
    ("cycling", "seq"),
    ("stopping", "seq,stop"),
];

/// What ends a run of pieces.
#[derive(Debug, PartialEq)]
enum Ending {
    Whole,
    /// `<<else>>`, with the tokens after it.
    Else(Vec<Token>),
    End,
    Or,
    /// The end of `<<one of>>`, with the chooser's attributes.
    Chosen(&'static str),
}

/// The words of a token list, if it is nothing but words.
fn words(tokens: &[Token]) -> Option<String> {
    let words: Option<Vec<&str>> = tokens
        .iter()
        .map(|token| match token {
            Token::Name(name) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    words.map(|words| words.join(" "))
}

impl Parser<'_> {
    /// An expression with commas.
    pub fn expression(&mut self) -> Parse<Expr> {
        let mut value = self.assignment()?;
        while self.take(",") {
            let next = self.assignment()?;
            value = Expr::Sequence(Box::new(value), Box::new(next));
        }
        Ok(value)
    }

    /// An expression without commas at its top.
    pub fn assignment(&mut self) -> Parse<Expr> {
        self.deeper(|parser| {
            let target = parser.choice()?;
            if parser.take("=") {
                let value = parser.assignment()?;
                return parser.assigned(target, |target| Expr::Assign(target, Box::new(value)));
            }
            let Some(Token::Mark(mark)) = parser.peek() else { return Ok(target) };
            let Some((_, op)) = UPDATES.iter().find(|row| row.0 == *mark) else { return Ok(target) };
            parser.next();
            let value = parser.assignment()?;
            parser.assigned(target, |target| Expr::Update(*op, target, Box::new(value)))
        })
    }

    fn assigned(&self, target: Expr, make: impl FnOnce(Box<Expr>) -> Expr) -> Parse<Expr> {
        match &target {
            Expr::Local(_) | Expr::Outer(..) | Expr::Index(..) => Ok(make(Box::new(target))),
            Expr::Member(_, _, args) if args.is_empty() => Ok(make(Box::new(target))),
            _ => Err("error: invalid assignment: not a variable, property or element".to_owned()),
        }
    }

    fn choice(&mut self) -> Parse<Expr> {
        let condition = self.if_nil()?;
        if !self.take("?") {
            return Ok(condition);
        }
        let then = self.assignment()?;
        self.want(":")?;
        let otherwise = self.assignment()?;
        Ok(Expr::Choose(Box::new(condition), Box::new(then), Box::new(otherwise)))
    }

    fn if_nil(&mut self) -> Parse<Expr> {
        let mut value = self.or()?;
        while self.take("??") {
            let other = self.or()?;
            value = Expr::IfNil(Box::new(value), Box::new(other));
        }
        Ok(value)
    }

    fn or(&mut self) -> Parse<Expr> {
        let mut value = self.and()?;
        while self.take("||") {
            value = Expr::Or(Box::new(value), Box::new(self.and()?));
        }
        Ok(value)
    }

    fn and(&mut self) -> Parse<Expr> {
        let mut value = self.infix(0)?;
        while self.take("&&") {
            value = Expr::And(Box::new(value), Box::new(self.infix(0)?));
        }
        Ok(value)
    }

    fn infix(&mut self, level: usize) -> Parse<Expr> {
        let Some(operators) = LEVELS.get(level) else { return self.prefix() };
        let mut left = self.infix(level + 1)?;
        loop {
            if level == EQUALITY
                && let Some(wanted) = self.membership()
            {
                self.want("(")?;
                let items = self.list_until(")")?;
                left = Expr::In(Box::new(left), items, wanted);
                continue;
            }
            let Some(Token::Mark(mark)) = self.peek() else { return Ok(left) };
            let Some((_, operator)) = operators.iter().find(|row| row.0 == *mark) else { return Ok(left) };
            self.next();
            let right = self.infix(level + 1)?;
            left = match operator {
                Infix::Binary(op) => Expr::Binary(*op, Box::new(left), Box::new(right)),
                Infix::Compare(op) => Expr::Compare(*op, Box::new(left), Box::new(right)),
            };
        }
    }

    /// `is in` or `not in`, taken; whether being among the items is wanted.
    fn membership(&mut self) -> Option<bool> {
        let wanted = self.is_word("is");
        if !wanted && !self.is_word("not") {
            return None;
        }
        if !matches!(self.peek_second(), Some(Token::Name(word)) if word == "in") {
            return None;
        }
        self.next();
        self.next();
        Some(wanted)
    }

    fn prefix(&mut self) -> Parse<Expr> {
        self.deeper(|parser| {
            if parser.take("!") {
                return Ok(Expr::Unary(UnOp::Not, Box::new(parser.prefix()?)));
            }
            if parser.take("~") {
                return Ok(Expr::Unary(UnOp::BitNot, Box::new(parser.prefix()?)));
            }
            if parser.take("+") {
                return parser.prefix();
            }
            if parser.take("-") {
                return Ok(match parser.prefix()? {
                    Expr::Const(Value::Int(number)) => Expr::Const(Value::Int(number.wrapping_neg())),
                    Expr::Real(text) => Expr::Real(format!("-{text}")),
                    value => Expr::Unary(UnOp::Neg, Box::new(value)),
                });
            }
            for (mark, op) in [("++", BinOp::Add), ("--", BinOp::Sub)] {
                if parser.take(mark) {
                    let target = parser.prefix()?;
                    let one = Box::new(Expr::Const(Value::Int(1)));
                    return parser.assigned(target, |target| Expr::Update(op, target, one));
                }
            }
            if parser.take("&") {
                return parser.address();
            }
            let transient = parser.is_word("transient");
            if parser.is_word("new") || transient && parser.peek_second().is_some() {
                return parser.new_object();
            }
            let value = parser.primary()?;
            parser.postfix(value)
        })
    }

    /// `&name`: a property or function as a value.
    fn address(&mut self) -> Parse<Expr> {
        let name = self.want_name()?;
        if let Some(var) = self.variable(&name) {
            return Ok(Expr::Local(var));
        }
        match self.names.symbol(&name) {
            Some(value @ (Value::Prop(_) | Value::Func(_) | Value::Builtin(..))) => Ok(Expr::Symbol(value)),
            Some(_) => Err(format!("error: \"{name}\" has no address")),
            None => Err(format!("error: undefined symbol \"{name}\"")),
        }
    }

    fn new_object(&mut self) -> Parse<Expr> {
        self.take_word("new");
        let transient = self.take_word("transient");
        if self.is_word("function") || self.is_word("method") {
            let is_method = self.is_word("method");
            self.next();
            return Ok(Expr::Function(self.function_after_new(is_method)?));
        }
        let mut class = self.primary()?;
        while self.take(".") {
            class = self.member(class)?;
        }
        let args = if self.take("(") { self.arguments()? } else { Vec::new() };
        self.postfix(Expr::New { class: Box::new(class), args, transient })
    }

    fn postfix(&mut self, value: Expr) -> Parse<Expr> {
        let mut value = value;
        loop {
            if self.take(".") {
                value = self.member(value)?;
            } else if self.take("[") {
                let index = self.expression()?;
                self.want("]")?;
                value = Expr::Index(Box::new(value), Box::new(index));
            } else if self.take("(") {
                let args = self.arguments()?;
                value = Expr::Call(Box::new(value), args);
            } else if self.is("++") || self.is("--") {
                let op = if self.is("++") { BinOp::Add } else { BinOp::Sub };
                self.next();
                value = self.assigned(value, |target| Expr::PostUpdate(op, target))?;
            } else {
                return Ok(value);
            }
        }
    }

    /// What follows a dot.
    fn member(&mut self, object: Expr) -> Parse<Expr> {
        let prop = self.member_prop()?;
        let args = if self.take("(") { self.arguments()? } else { Vec::new() };
        Ok(Expr::Member(Some(Box::new(object)), prop, args))
    }

    fn member_prop(&mut self) -> Parse<Prop> {
        if self.take("(") {
            let prop = self.expression()?;
            self.want(")")?;
            return Ok(Prop::Computed(Box::new(prop)));
        }
        let name = self.want_name()?;
        if let Some(var) = self.variable(&name) {
            return Ok(Prop::Computed(Box::new(Expr::Local(var))));
        }
        Ok(Prop::Named(self.property(&name)?))
    }

    /// Arguments after an opening parenthesis, with the closing one.
    fn arguments(&mut self) -> Parse<Vec<Arg>> {
        let mut args = Vec::new();
        while !self.take(")") {
            let name = match (self.peek(), self.peek_second()) {
                (Some(Token::Name(name)), Some(Token::Mark(":"))) => {
                    let name = name.clone();
                    self.next();
                    self.next();
                    Some(name)
                }
                _ => None,
            };
            let value = self.assignment()?;
            let spread = self.take("...");
            args.push(Arg { name, value, spread });
            if !self.take(",") {
                self.want(")")?;
                break;
            }
        }
        Ok(args)
    }

    fn list_until(&mut self, end: &str) -> Parse<Vec<Expr>> {
        let mut items = Vec::new();
        while !self.take(end) {
            items.push(self.assignment()?);
            if !self.take(",") {
                self.want(end)?;
                break;
            }
        }
        Ok(items)
    }

    fn primary(&mut self) -> Parse<Expr> {
        match self.next() {
            Some(Token::Int(number)) => Ok(Expr::Const(Value::Int(number))),
            Some(Token::Real(text)) => Ok(Expr::Real(text)),
            Some(Token::Single(pieces)) => self.text(pieces, false),
            Some(Token::Double(pieces)) => self.text(pieces, true),
            Some(Token::Pattern(text)) => Ok(Expr::Pattern(text)),
            Some(Token::Mark("(")) => {
                let value = self.expression()?;
                self.want(")")?;
                Ok(value)
            }
            Some(Token::Mark("[")) => self.list(),
            Some(Token::Mark("{")) => self.short_function(),
            Some(Token::Name(name)) => self.word(&name),
            _ => self.unexpected(),
        }
    }

    fn list(&mut self) -> Parse<Expr> {
        let (mut items, mut pairs, mut default) = (Vec::new(), Vec::new(), None);
        while !self.take("]") {
            if self.take("*") {
                self.want("->")?;
                default = Some(Box::new(self.assignment()?));
            } else {
                let item = self.assignment()?;
                if self.take("->") {
                    pairs.push((item, self.assignment()?));
                } else {
                    items.push(item);
                }
            }
            if !self.take(",") {
                self.want("]")?;
                break;
            }
        }
        if pairs.is_empty() && default.is_none() {
            return Ok(Expr::List(items));
        }
        if !items.is_empty() {
            return Err("error: an element of a lookup table has no \"->\"".to_owned());
        }
        Ok(Expr::Table(pairs, default))
    }

    /// `{x, y: expression}` after its brace.
    fn short_function(&mut self) -> Parse<Expr> {
        let number = self.function(false, |parser| {
            parser.parameters(":")?;
            parser.want(":")?;
            let value = parser.expression()?;
            parser.take(";");
            parser.want("}")?;
            Ok(vec![Stmt::Return(Some(value))])
        })?;
        Ok(Expr::Function(number))
    }

    fn word(&mut self, name: &str) -> Parse<Expr> {
        let context = |parser: &mut Self, element| {
            parser.use_context();
            Ok(Expr::Context(element))
        };
        match name {
            "nil" => Ok(Expr::Const(Value::Nil)),
            "true" => Ok(Expr::Const(Value::True)),
            "self" => {
                self.use_context();
                Ok(Expr::This)
            }
            "targetprop" => context(self, 1),
            "targetobj" => context(self, 2),
            "definingobj" => context(self, 3),
            "invokee" => Ok(Expr::Context(4)),
            "argcount" => Ok(Expr::ArgCount),
            "function" | "method" if self.is("(") => Ok(Expr::Function(self.function_after_keyword(name == "method")?)),
            "defined" if self.is("(") => self.defined(),
            "__objref" if self.is("(") => self.object_reference(),
            "inherited" => self.inherited(),
            "delegated" => self.delegated(),
            "object" if self.is(":") || self.is("{") => self.object(),
            name => self.name(name),
        }
    }

    /// A variable, a variable of a given frame, a global symbol, or a property of self.
    pub fn name(&mut self, name: &str) -> Parse<Expr> {
        if let Some(var) = self.variable(name) {
            return Ok(Expr::Local(var));
        }
        if let Some(frame) = self.names.frame_with(name) {
            return Ok(Expr::Outer(frame, name.to_owned()));
        }
        match self.names.symbol(name) {
            Some(Value::Prop(prop)) => {
                self.use_context();
                let args = if self.take("(") { self.arguments()? } else { Vec::new() };
                Ok(Expr::Member(None, Prop::Named(prop), args))
            }
            Some(value) => Ok(Expr::Symbol(value)),
            None => Err(format!("error: undefined symbol \"{name}\"")),
        }
    }

    /// `defined(name)`: whether there is such a symbol.
    fn defined(&mut self) -> Parse<Expr> {
        self.want("(")?;
        let name = self.want_name()?;
        self.want(")")?;
        let known = self.variable(&name).is_some() || self.names.symbol(&name).is_some();
        Ok(Expr::Const(Value::truth(known)))
    }

    /// `__objref(name, mode)`: the object with a name, or nil; the mode `error` wants it to be there.
    fn object_reference(&mut self) -> Parse<Expr> {
        self.want("(")?;
        let name = self.want_name()?;
        let strict = self.take(",") && self.want_name()? == "error";
        self.want(")")?;
        match self.names.symbol(&name) {
            Some(value @ Value::Obj(_)) => Ok(Expr::Symbol(value)),
            _ if strict => Err(format!("error: \"{name}\" is not an object")),
            _ => Ok(Expr::Const(Value::Nil)),
        }
    }

    fn inherited(&mut self) -> Parse<Expr> {
        self.use_context();
        let mut class = None;
        if let Some(Token::Name(name)) = self.peek().cloned()
            && let Some(value @ Value::Obj(_)) = self.names.symbol(&name)
        {
            self.next();
            class = Some(value);
        }
        let prop = if self.take(".") { Some(self.member_prop()?) } else { None };
        let args = if self.take("(") { self.arguments()? } else { Vec::new() };
        Ok(Expr::Inherited(class, prop, args))
    }

    fn delegated(&mut self) -> Parse<Expr> {
        self.use_context();
        let object = self.primary()?;
        let prop = if self.take(".") { Some(self.member_prop()?) } else { None };
        let args = if self.take("(") { self.arguments()? } else { Vec::new() };
        Ok(Expr::Delegated(Box::new(object), prop, args))
    }

    // ---- objects

    fn object(&mut self) -> Parse<Expr> {
        let supers = if self.take(":") { self.classes()? } else { Vec::new() };
        self.object_body(supers)
    }

    /// Names of superclasses.
    fn classes(&mut self) -> Parse<Vec<Value>> {
        let mut supers = Vec::new();
        loop {
            let name = self.want_name()?;
            if name != "object" {
                supers.push(match self.names.symbol(&name) {
                    Some(value @ Value::Obj(_)) => value,
                    _ => return Err(format!("error: \"{name}\" is not a class")),
                });
            }
            if !self.take(",") {
                return Ok(supers);
            }
        }
    }

    fn object_body(&mut self, supers: Vec<Value>) -> Parse<Expr> {
        self.want("{")?;
        let mut definitions = Vec::new();
        while !self.take("}") {
            let name = self.want_name()?;
            let prop = self.property(&name)?;
            definitions.push(self.definition(prop)?);
            self.take(";");
        }
        Ok(Expr::Object(supers, definitions))
    }

    fn definition(&mut self, prop: u16) -> Parse<Definition> {
        if self.take(":") {
            // An object of its own as the value.
            let supers = self.classes()?;
            return Ok(Definition::Value(prop, self.deeper(|parser| parser.object_body(supers))?));
        }
        if self.take("=") {
            if self.take_word("static") {
                return Ok(Definition::Value(prop, self.assignment()?));
            }
            let start = self.mark();
            // A value that turns out to be code has used the self of its object, not the one around it.
            let context: Vec<bool> = self.functions.iter().map(|function| function.uses_context).collect();
            if let Ok(value) = self.assignment()
                && is_constant(&value)
            {
                return Ok(Definition::Value(prop, value));
            }
            self.back_to(start);
            self.functions.iter_mut().zip(context).for_each(|(function, before)| function.uses_context = before);
            let number = self.function(true, |parser| Ok(vec![Stmt::Return(Some(parser.assignment()?))]))?;
            return Ok(Definition::Method(prop, number));
        }
        let number = self.function(true, |parser| {
            if parser.take("(") {
                parser.parameters(")")?;
                parser.want(")")?;
            }
            parser.want("{")?;
            parser.statements()
        })?;
        Ok(Definition::Method(prop, number))
    }

    // ---- strings

    fn text(&mut self, pieces: Vec<Piece>, says: bool) -> Parse<Expr> {
        if let [Piece::Text(text)] = &pieces[..] {
            let text = Expr::Text(text.clone());
            return Ok(if says { Expr::Say(vec![text]) } else { text });
        }
        let mut pieces = pieces.into_iter();
        match self.pieces(&mut pieces, says)? {
            (value, Ending::Whole) => Ok(value),
            _ => Err("error: \"<<else>>\", \"<<or>>\" or \"<<end>>\" stands alone".to_owned()),
        }
    }

    /// Pieces up to one that ends them.
    fn pieces(&mut self, rest: &mut dyn Iterator<Item = Piece>, says: bool) -> Parse<(Expr, Ending)> {
        let mut items = Vec::new();
        let mut ending = Ending::Whole;
        while let Some(piece) = rest.next() {
            let tokens = match piece {
                Piece::Text(text) => {
                    if !text.is_empty() {
                        items.push(Expr::Text(text));
                    }
                    continue;
                }
                Piece::Code(tokens) => tokens,
            };
            let phrase = words(&tokens).unwrap_or_default();
            let first = match tokens.first() {
                Some(Token::Name(name)) => name.as_str(),
                _ => "",
            };
            match first {
                "if" | "unless" => items.push(self.embedded_if(rest, tokens, says)?),
                "one" if phrase == "one of" => items.push(self.one_of(rest, says)?),
                "or" if phrase == "or" => ending = Ending::Or,
                "end" if phrase == "end" => ending = Ending::End,
                "else" => ending = Ending::Else(tokens[1..].to_vec()),
                _ => match ONE_OF_ENDS.iter().find(|row| row.0 == phrase) {
                    Some((_, attributes)) => ending = Ending::Chosen(attributes),
                    None => items.push(self.with_tokens(tokens, Self::expression)?),
                },
            }
            if ending != Ending::Whole {
                break;
            }
        }
        Ok((if says { Expr::Say(items) } else { Expr::Concat(items) }, ending))
    }

    fn embedded_if(&mut self, rest: &mut dyn Iterator<Item = Piece>, tokens: Vec<Token>, says: bool) -> Parse<Expr> {
        let unless = matches!(tokens.first(), Some(Token::Name(word)) if word == "unless");
        let condition = self.with_tokens(tokens[1..].to_vec(), Self::expression)?;
        let condition = if unless { Expr::Unary(UnOp::Not, Box::new(condition)) } else { condition };
        let (then, ending) = self.pieces(rest, says)?;
        let otherwise = match ending {
            Ending::Else(tokens) if matches!(tokens.first(), Some(Token::Name(word)) if word == "if" || word == "unless") => {
                self.deeper(|parser| parser.embedded_if(rest, tokens, says))?
            }
            Ending::Else(_) => self.pieces(rest, says)?.0,
            _ if says => Expr::Say(Vec::new()),
            _ => Expr::Concat(Vec::new()),
        };
        Ok(Expr::Choose(Box::new(condition), Box::new(then), Box::new(otherwise)))
    }

    fn chooser(&mut self, way: &str) -> Parse<Chooser> {
        let class = match self.names.symbol("OneOfIndexGen") {
            Some(class @ Value::Obj(_)) => class,
            _ => return Err("error: undefined symbol \"OneOfIndexGen\"".to_owned()),
        };
        Ok(Chooser {
            class,
            count: self.property("numItems")?,
            attributes: self.property("listAttrs")?,
            next: self.property("getNextIndex")?,
            way: way.to_owned(),
        })
    }

    fn one_of(&mut self, rest: &mut dyn Iterator<Item = Piece>, says: bool) -> Parse<Expr> {
        let mut items = Vec::new();
        loop {
            let (item, ending) = self.pieces(rest, says)?;
            items.push(item);
            match ending {
                Ending::Or => {}
                Ending::Chosen(way) => return Ok(Expr::OneOf(self.chooser(way)?, items)),
                _ => return Ok(Expr::OneOf(self.chooser("rand")?, items)),
            }
        }
    }
}

/// Whether a property can have the value itself instead of code that computes it.
fn is_constant(value: &Expr) -> bool {
    match value {
        Expr::Const(_) | Expr::Text(_) | Expr::Real(_) | Expr::Symbol(_) => true,
        Expr::List(items) => items.iter().all(is_constant),
        Expr::Unary(_, a) => is_constant(a),
        Expr::Binary(_, a, b) => is_constant(a) && is_constant(b),
        _ => false,
    }
}
