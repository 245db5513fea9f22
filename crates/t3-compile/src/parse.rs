//! Tokens to trees: functions, statements and names. Expressions are in `parse_expr.rs`.

use foldhash::HashMap;
use phlox_t3_vm::value::Value;

use super::ast::{Expr, Function, Param, ParamKind, Source, Stmt, Var, Variable};
use super::lex::{Piece, Token, expansion, tokens};

/// What the parser asks about names that the source does not declare.
pub(super) trait Names {
    /// The value of a global symbol.
    fn symbol(&mut self, name: &str) -> Option<Value>;
    /// A macro's expansion and parameters; no parameter list is not an empty one.
    fn macro_definition(&mut self, name: &str) -> Option<(String, Vec<String>, bool)>;
    /// The frame that has a variable.
    fn frame_with(&mut self, name: &str) -> Option<Value>;
}

/// The result of parsing something: an error is the compiler's message.
pub(super) type Parse<T> = Result<T, String>;

/// Expressions and statements in each other this deep are refused.
const MAX_DEPTH: usize = 200;
/// Macros in macros likewise.
const MAX_EXPANSION: usize = 40;
/// Tokens after expansion.
const MAX_TOKENS: usize = 200_000;

/// A parse in progress.
pub(super) struct Parser<'a> {
    pub names: &'a mut dyn Names,
    tokens: Vec<Token>,
    at: usize,
    pub functions: Vec<Function>,
    pub variables: Vec<Variable>,
    /// Scopes from the outside in, each with its function.
    scopes: Vec<(usize, HashMap<String, Var>)>,
    pub current: usize,
    /// Errors that do not stop the parser.
    errors: Vec<String>,
    depth: usize,
}

/// A compilation unit as a tree.
pub(super) struct Unit {
    pub functions: Vec<Function>,
    pub variables: Vec<Variable>,
}

/// Parses a source: a function, a method, or an expression, which becomes a function without parameters.
pub(super) fn parse(source: &str, names: &mut dyn Names) -> Parse<Unit> {
    let tokens = expand(tokens(source)?, names, 0)?;
    let mut parser = Parser {
        names,
        tokens,
        at: 0,
        functions: Vec::new(),
        variables: Vec::new(),
        scopes: Vec::new(),
        current: 0,
        errors: Vec::new(),
        depth: 0,
    };
    parser.unit()?;
    if !parser.errors.is_empty() {
        return Err(parser.errors.join("\n"));
    }
    Ok(Unit { functions: parser.functions, variables: parser.variables })
}

/// Replaces macros by their expansions, in strings too.
fn expand(tokens: Vec<Token>, names: &mut dyn Names, depth: usize) -> Parse<Vec<Token>> {
    if depth > MAX_EXPANSION {
        return Err("error: macros are nested too deeply".to_owned());
    }
    let mut out: Vec<Token> = Vec::new();
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        if out.len() > MAX_TOKENS {
            return Err("error: the source is too long".to_owned());
        }
        let name = match token {
            Token::Name(name) => name,
            Token::Single(pieces) => {
                out.push(Token::Single(expand_pieces(pieces, names, depth)?));
                continue;
            }
            Token::Double(pieces) => {
                out.push(Token::Double(expand_pieces(pieces, names, depth)?));
                continue;
            }
            other => {
                out.push(other);
                continue;
            }
        };
        let Some((text, parameters, takes_arguments)) = names.macro_definition(&name) else {
            out.push(Token::Name(name));
            continue;
        };
        let mut arguments = Vec::new();
        if takes_arguments {
            if rest.peek() != Some(&Token::Mark("(")) {
                out.push(Token::Name(name));
                continue;
            }
            rest.next();
            arguments = macro_arguments(&mut rest)?;
        }
        let body = expansion(&text, &parameters)?;
        let filled = substitute(body, &parameters, &arguments);
        // A macro that names itself stays as it is.
        let own = |token: &Token| matches!(token, Token::Name(own) if *own == name);
        if filled.iter().any(own) {
            out.extend(filled);
        } else {
            out.extend(expand(filled, names, depth + 1)?);
        }
    }
    Ok(out)
}

fn expand_pieces(pieces: Vec<Piece>, names: &mut dyn Names, depth: usize) -> Parse<Vec<Piece>> {
    let expanded = pieces.into_iter().map(|piece| {
        Ok(match piece {
            Piece::Code(tokens) => Piece::Code(expand(tokens, names, depth + 1)?),
            text => text,
        })
    });
    expanded.collect()
}

/// The arguments of a macro up to its closing parenthesis.
fn macro_arguments(rest: &mut impl Iterator<Item = Token>) -> Parse<Vec<Vec<Token>>> {
    let mut arguments = vec![Vec::new()];
    let mut open = 0usize;
    for token in rest {
        match &token {
            Token::Mark("(" | "[" | "{") => open += 1,
            Token::Mark(")") if open == 0 => return Ok(arguments),
            Token::Mark(")" | "]" | "}") => open = open.saturating_sub(1),
            Token::Mark(",") if open == 0 => {
                arguments.push(Vec::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = arguments.last_mut() {
            last.push(token);
        }
    }
    Err("error: macro arguments are not ended".to_owned())
}

fn substitute(body: Vec<Token>, parameters: &[String], arguments: &[Vec<Token>]) -> Vec<Token> {
    let mut out = Vec::new();
    let pieces = |pieces: Vec<Piece>| {
        let filled = pieces.into_iter().map(|piece| match piece {
            Piece::Code(tokens) => Piece::Code(substitute(tokens, parameters, arguments)),
            text => text,
        });
        filled.collect()
    };
    for token in body {
        match token {
            Token::Name(name) => match parameters.iter().position(|parameter| *parameter == name) {
                Some(at) => out.extend(arguments.get(at).cloned().unwrap_or_default()),
                None => out.push(Token::Name(name)),
            },
            Token::Single(parts) => out.push(Token::Single(pieces(parts))),
            Token::Double(parts) => out.push(Token::Double(pieces(parts))),
            other => out.push(other),
        }
    }
    out
}

impl Parser<'_> {
    // ---- tokens

    /// The next token.
    pub fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    /// The token after the next.
    pub fn peek_second(&self) -> Option<&Token> {
        self.tokens.get(self.at + 1)
    }

    /// Takes the next token.
    pub fn next(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }

    /// Whether the next token is this mark.
    pub fn is(&self, mark: &str) -> bool {
        matches!(self.peek(), Some(Token::Mark(found)) if *found == mark)
    }

    /// Whether the next token is this word.
    pub fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Name(found)) if found == word)
    }

    /// Takes the next token if it is this mark.
    pub fn take(&mut self, mark: &str) -> bool {
        let found = self.is(mark);
        self.at += usize::from(found);
        found
    }

    /// Takes the next token if it is this word.
    pub fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    /// Takes this mark, or fails.
    pub fn want(&mut self, mark: &str) -> Parse<()> {
        if self.take(mark) { Ok(()) } else { Err(format!("error: expected \"{mark}\"{}", self.found())) }
    }

    fn found(&self) -> String {
        match self.peek() {
            None => ", but found the end of the source".to_owned(),
            Some(Token::Name(name)) => format!(", but found \"{name}\""),
            Some(Token::Mark(mark)) => format!(", but found \"{mark}\""),
            Some(_) => String::new(),
        }
    }

    /// Takes a name, or fails.
    pub fn want_name(&mut self) -> Parse<String> {
        match self.peek() {
            Some(Token::Name(name)) => {
                let name = name.clone();
                self.at += 1;
                Ok(name)
            }
            _ => Err(format!("error: expected a name{}", self.found())),
        }
    }

    /// The error for the next token, which cannot stand here.
    pub fn unexpected<T>(&self) -> Parse<T> {
        Err(format!("error: expected an expression{}", self.found()))
    }

    /// The place in the tokens, to come back to.
    pub fn mark(&self) -> usize {
        self.at
    }

    /// Goes back to a token.
    pub fn back_to(&mut self, mark: usize) {
        self.at = mark;
    }

    /// Parses other tokens, those of an embedded expression, with the same names.
    pub fn with_tokens<T>(&mut self, tokens: Vec<Token>, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        let outer = std::mem::replace(&mut self.tokens, tokens);
        let at = std::mem::take(&mut self.at);
        let result = parse(self).and_then(|result| match self.peek() {
            None => Ok(result),
            Some(_) => Err(format!("error: expected the end of the embedded expression{}", self.found())),
        });
        (self.tokens, self.at) = (outer, at);
        result
    }

    /// Guards against sources that are nested too deeply for the native stack.
    pub fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("error: the source is nested too deeply".to_owned());
        }
        let result = parse(self);
        self.depth -= 1;
        result
    }

    // ---- names

    /// Declares a local variable.
    pub fn declare(&mut self, name: &str) -> Var {
        self.variables.push(Variable { name: name.to_owned(), function: self.current, captured: false });
        let var = self.variables.len() - 1;
        if let Some((_, names)) = self.scopes.last_mut() {
            names.insert(name.to_owned(), var);
        }
        var
    }

    /// Parses something whose declarations end with it.
    pub fn scoped<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        self.scopes.push((self.current, HashMap::default()));
        let result = parse(self);
        self.scopes.pop();
        result
    }

    /// The variable with a name. One of a function around this one becomes a captured variable, here and in the
    /// functions between.
    pub fn variable(&mut self, name: &str) -> Option<Var> {
        let var = self.scopes.iter().rev().find_map(|(_, names)| names.get(name)).copied()?;
        let owner = self.variables[var].function;
        let mut function = self.current;
        while function != owner {
            self.variables[var].captured = true;
            if !self.functions[function].captures.contains(&var) {
                self.functions[function].captures.push(var);
            }
            function = self.functions[function].parent?;
        }
        Some(var)
    }

    /// The current function uses self; those around it must hand it on.
    pub fn use_context(&mut self) {
        let mut next = Some(self.current);
        while let Some(function) = next {
            self.functions[function].uses_context = true;
            if self.functions[function].is_method {
                return;
            }
            next = self.functions[function].parent;
        }
    }

    /// The property with a name, or an error if there is none.
    pub fn property(&mut self, name: &str) -> Parse<u16> {
        match self.names.symbol(name) {
            Some(Value::Prop(prop)) => Ok(prop),
            Some(_) => Err(format!("error: \"{name}\" is not a property")),
            None => Err(format!("error: undefined symbol \"{name}\"")),
        }
    }

    // ---- functions

    fn unit(&mut self) -> Parse<()> {
        let is_method = self.is_word("method");
        if (is_method || self.is_word("function")) && self.peek_second() == Some(&Token::Mark("(")) {
            self.at += 1;
            self.function_after_keyword(is_method)?;
        } else {
            self.function(false, |parser| {
                let value = parser.expression()?;
                parser.take(";");
                Ok(vec![Stmt::Return(Some(value))])
            })?;
        }
        // What comes after it is not looked at, as in the reference.
        Ok(())
    }

    /// A function whose parameters and body follow in parentheses and braces; its number.
    pub fn function_after_keyword(&mut self, is_method: bool) -> Parse<usize> {
        self.function(is_method, |parser| {
            parser.want("(")?;
            parser.parameters(")")?;
            parser.want(")")?;
            parser.want("{")?;
            parser.statements()
        })
    }

    /// `new function` may leave its parentheses out.
    pub fn function_after_new(&mut self, is_method: bool) -> Parse<usize> {
        if self.take("{") {
            return self.function(is_method, Self::statements);
        }
        self.function_after_keyword(is_method)
    }

    /// Parses a function, whose body `body` parses; the number of the function.
    pub fn function(&mut self, is_method: bool, body: impl FnOnce(&mut Self) -> Parse<Vec<Stmt>>) -> Parse<usize> {
        let parent = (!self.functions.is_empty()).then_some(self.current);
        self.functions.push(Function { is_method, parent, ..Function::default() });
        let number = self.functions.len() - 1;
        let outer = std::mem::replace(&mut self.current, number);
        let parsed = self.deeper(|parser| parser.scoped(body))?;
        self.functions[number].body = parsed;
        self.current = outer;
        Ok(number)
    }

    /// Parameters up to a mark, which stays.
    pub fn parameters(&mut self, end: &str) -> Parse<()> {
        let mut seen: Vec<String> = Vec::new();
        while !self.is(end) {
            if self.take("...") {
                self.functions[self.current].open = true;
                break;
            }
            let rest = self.take("[");
            let mut name = self.want_name()?;
            // A type before the name is for the library's multi-methods only.
            if let Some(Token::Name(_)) = self.peek() {
                name = self.want_name()?;
            }
            if seen.contains(&name) {
                self.errors.push(format!("error: formal parameter \"{name}\" defined more than once"));
            }
            let var = self.declare(&name);
            let mut kind = ParamKind::Required;
            let mut default = None;
            if rest {
                self.want("]")?;
                kind = ParamKind::Rest;
                self.functions[self.current].open = true;
            } else {
                // Where a colon ends the list, only a second one or a comma after it makes a named parameter.
                let ends = end == ":" && !matches!(self.peek_second(), Some(Token::Mark(":" | "," | "=")));
                if !ends && self.take(":") {
                    kind = ParamKind::Named(name.clone());
                }
                let optional = self.take("?");
                if self.take("=") {
                    default = Some(self.assignment()?);
                } else if self.is(":") && self.peek_second() == Some(&Token::Mark("=")) {
                    self.at += 2;
                    default = Some(self.assignment()?);
                    kind = if kind == ParamKind::Required { ParamKind::Named(name.clone()) } else { kind };
                } else if optional {
                    default = Some(Expr::Const(Value::Nil));
                }
                if default.is_some() && kind == ParamKind::Required {
                    kind = ParamKind::Optional;
                }
            }
            seen.push(name);
            self.functions[self.current].params.push(Param { var, kind, default });
            if !self.take(",") {
                break;
            }
        }
        Ok(())
    }

    // ---- statements

    /// Statements up to and with a closing brace.
    pub fn statements(&mut self) -> Parse<Vec<Stmt>> {
        let mut out = Vec::new();
        while !self.take("}") {
            if self.peek().is_none() {
                return Err("error: expected \"}\", but found the end of the source".to_owned());
            }
            self.statement(&mut out)?;
        }
        Ok(out)
    }

    fn one(&mut self) -> Parse<Stmt> {
        self.deeper(|parser| {
            let mut out = Vec::new();
            parser.statement(&mut out)?;
            Ok(if out.len() == 1 { out.remove(0) } else { Stmt::Block(out) })
        })
    }

    fn boxed(&mut self) -> Parse<Box<Stmt>> {
        self.one().map(Box::new)
    }

    fn condition(&mut self) -> Parse<Expr> {
        self.want("(")?;
        let condition = self.expression()?;
        self.want(")")?;
        Ok(condition)
    }

    fn statement(&mut self, out: &mut Vec<Stmt>) -> Parse<()> {
        if self.take(";") {
            return Ok(());
        }
        if self.take("{") {
            out.push(Stmt::Block(self.deeper(|parser| parser.scoped(Self::statements))?));
            return Ok(());
        }
        let label = self.label();
        out.extend(label.clone().map(Stmt::Label));
        let word = match self.peek() {
            Some(Token::Name(name)) => name.clone(),
            _ => String::new(),
        };
        match word.as_str() {
            "local" => {
                self.at += 1;
                self.declarations(out)?;
                self.want(";")?;
            }
            "if" => {
                self.at += 1;
                let condition = self.condition()?;
                let then = self.boxed()?;
                let otherwise = if self.take_word("else") { Some(self.boxed()?) } else { None };
                out.push(Stmt::If(condition, then, otherwise));
            }
            "while" => {
                self.at += 1;
                let condition = self.condition()?;
                out.push(Stmt::While(label, condition, self.boxed()?));
            }
            "do" => out.push(self.do_while(label)?),
            "for" | "foreach" => {
                self.at += 1;
                out.push(self.deeper(|parser| parser.scoped(|parser| parser.for_loop(label)))?);
            }
            "switch" => {
                self.at += 1;
                out.push(self.deeper(|parser| parser.scoped(|parser| parser.switch(label)))?);
            }
            "return" | "break" | "continue" | "goto" | "throw" => out.push(self.transfer(&word)?),
            "try" => {
                self.at += 1;
                out.push(self.try_statement()?);
            }
            _ => {
                let value = self.expression()?;
                // A string displays itself and needs no semicolon before a brace.
                if !self.is("}") {
                    self.want(";")?;
                }
                out.push(Stmt::Expr(value));
            }
        }
        Ok(())
    }

    /// The label before a statement.
    fn label(&mut self) -> Option<String> {
        match (self.peek(), self.peek_second()) {
            (Some(Token::Name(name)), Some(Token::Mark(":"))) if !matches!(name.as_str(), "case" | "default") => {
                let name = name.clone();
                self.at += 2;
                Some(name)
            }
            _ => None,
        }
    }

    /// A statement that begins with a word that leaves the place where it stands.
    fn transfer(&mut self, word: &str) -> Parse<Stmt> {
        self.at += 1;
        match word {
            "return" => {
                let value = if self.is(";") { None } else { Some(self.expression()?) };
                self.want(";")?;
                Ok(Stmt::Return(value))
            }
            "break" | "continue" => {
                let target = if self.is(";") { None } else { Some(self.want_name()?) };
                self.want(";")?;
                Ok(if word == "break" { Stmt::Break(target) } else { Stmt::Continue(target) })
            }
            "goto" => {
                let name = self.want_name()?;
                self.want(";")?;
                Ok(Stmt::Goto(name))
            }
            _ => {
                let value = self.expression()?;
                self.want(";")?;
                Ok(Stmt::Throw(value))
            }
        }
    }

    fn do_while(&mut self, label: Option<String>) -> Parse<Stmt> {
        self.at += 1;
        let body = self.boxed()?;
        if !self.take_word("while") {
            return Err(format!("error: expected \"while\"{}", self.found()));
        }
        let condition = self.condition()?;
        self.want(";")?;
        Ok(Stmt::DoWhile(label, body, condition))
    }

    fn declarations(&mut self, out: &mut Vec<Stmt>) -> Parse<()> {
        loop {
            let name = self.want_name()?;
            let value = if self.take("=") { Some(self.assignment()?) } else { None };
            let var = self.declare(&name);
            out.push(Stmt::Declare(var, value));
            if !self.take(",") {
                return Ok(());
            }
        }
    }

    fn for_loop(&mut self, label: Option<String>) -> Parse<Stmt> {
        self.want("(")?;
        let start = self.at;
        let declares = self.take_word("local");
        if let Some(Token::Name(name)) = self.peek().cloned()
            && matches!(self.peek_second(), Some(Token::Name(word)) if word == "in")
        {
            self.at += 2;
            let source = self.loop_source()?;
            self.want(")")?;
            let declared = declares.then(|| self.declare(&name));
            let target = match declared {
                Some(var) => Expr::Local(var),
                None => self.name(&name)?,
            };
            return Ok(Stmt::ForIn { label, target, declared, source, body: self.boxed()? });
        }
        self.at = start;
        let mut init = Vec::new();
        while !self.take(";") {
            if self.take_word("local") {
                let name = self.want_name()?;
                self.want("=")?;
                let value = self.assignment()?;
                let var = self.declare(&name);
                init.push(Stmt::Declare(var, Some(value)));
            } else {
                init.push(Stmt::Expr(self.assignment()?));
            }
            if !self.take(",") {
                self.want(";")?;
                break;
            }
        }
        let condition = if self.is(";") { None } else { Some(self.expression()?) };
        self.want(";")?;
        let mut update = Vec::new();
        if !self.is(")") {
            update.push(self.expression()?);
        }
        self.want(")")?;
        Ok(Stmt::For { label, init, condition, update, body: self.boxed()? })
    }

    fn loop_source(&mut self) -> Parse<Source> {
        let first = self.assignment()?;
        if !self.take("..") {
            return Ok(Source::Each(first));
        }
        let last = self.assignment()?;
        let step = if self.take_word("step") { Some(self.assignment()?) } else { None };
        Ok(Source::Range(first, last, step))
    }

    fn switch(&mut self, label: Option<String>) -> Parse<Stmt> {
        let value = self.condition()?;
        self.want("{")?;
        let mut cases: Vec<(Option<Expr>, Vec<Stmt>)> = Vec::new();
        while !self.take("}") {
            if self.take_word("case") {
                cases.push((Some(self.expression()?), Vec::new()));
                self.want(":")?;
            } else if self.is_word("default") && self.peek_second() == Some(&Token::Mark(":")) {
                self.at += 2;
                cases.push((None, Vec::new()));
            } else {
                let mut body = Vec::new();
                self.statement(&mut body)?;
                match cases.last_mut() {
                    Some((_, statements)) => statements.extend(body),
                    None => return Err(format!("error: expected \"case\"{}", self.found())),
                }
            }
        }
        Ok(Stmt::Switch(label, value, cases))
    }

    fn try_statement(&mut self) -> Parse<Stmt> {
        let body = self.boxed()?;
        let mut catches = Vec::new();
        while self.take_word("catch") {
            self.want("(")?;
            let class = self.want_name()?;
            let class = match self.names.symbol(&class) {
                Some(value @ Value::Obj(_)) => value,
                _ => return Err(format!("error: \"{class}\" is not a class")),
            };
            let name = self.want_name()?;
            self.want(")")?;
            let (var, body) = self.scoped(|parser| {
                let var = parser.declare(&name);
                Ok((var, parser.one()?))
            })?;
            catches.push((class, var, body));
        }
        let finally = if self.take_word("finally") { Some(self.boxed()?) } else { None };
        Ok(Stmt::Try { body, catches, finally })
    }
}
