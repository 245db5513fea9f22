//! Tokens to syntax tree, by recursive descent with one token of lookahead (rarely two).
//!
//! PHP's parser is an LALR(1) automaton, and its messages show that: after `unexpected A` it lists
//! what the automaton's state would accept, if that is at most four tokens. Each place that can
//! fail names these tokens. Where an expression could go on the list is too long, and stays empty.

mod arguments;
mod array;
mod class;
mod closure;
mod errors;
mod expr;
mod forms;
mod function;
mod interpolation;
mod modifiers;
mod new;
mod operand;
mod stmt;
mod toplevel;
mod types;

use crate::ast::{Bytes, Expr, ExprKind, ExprRef, Ident, Name, NameKind, Program, Span, Stmt};
use crate::diagnostic::Diagnostic;
use crate::lexer::{DocComment, Heredoc, LexError, Lexed, Lexer, Trivia, count_newlines};
use crate::token::{Token, TokenKind};
use crate::{ParseOptions, ParseResult};
use bumpalo::Bump;

/// How deep constructs may nest; guards the native stack of the parser and of everything that walks the tree.
pub(crate) const MAX_DEPTH: u32 = 10_000;

/// How long a chain like `a + b + c ...` may get: it is read without recursion, but makes a deep tree.
pub(crate) const MAX_CHAIN: u32 = 100_000;

/// Parsing ended; the diagnostic says why.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop;

pub(crate) type Parsed<T> = Result<T, Stop>;

pub(crate) struct Parser<'a> {
    arena: &'a Bump,
    src: &'a [u8],
    tokens: Vec<Token>,
    at: usize,
    /// The lookahead, `tokens[at]`.
    tok: Token,
    /// The token before it.
    last: Token,
    heredocs: Vec<Heredoc>,
    /// Index of the heredoc that starts next.
    next_heredoc: usize,
    doc_comments: Vec<DocComment>,
    next_doc_comment: usize,
    /// The last doc comment before the lookahead, if no declaration has taken it.
    doc_comment: Option<Bytes<'a>>,
    lex_error: Option<LexError>,
    diagnostics: Vec<Diagnostic>,
    /// Diagnostics of PHP's compiler about details that the tree does not record. They are reported only if the whole
    /// file can be parsed.
    compile_diagnostics: Vec<Diagnostic>,
    depth: u32,
    halt_offset: Option<u32>,
    multibyte: bool,
    /// Line of the last namespace's opening brace.
    namespace_line: u32,
    /// Index of the first token of the last argument.
    argument_start: Option<usize>,
    /// Stacks of finished list items; a list under construction is the top part of one.
    stmts: Vec<Stmt<'a>>,
    exprs: Vec<Expr<'a>>,
}

/// Parses a file; see [`crate::parse`].
pub(crate) fn parse<'a>(arena: &'a Bump, src: &'a [u8], options: &ParseOptions) -> ParseResult<'a> {
    let mut lexer = Lexer::new(src, options.short_open_tag, options.start_in_php, options.first_line, Trivia::Skip);
    lexer.skip_shebang();
    let lexed = lexer.run();
    let mut parser = Parser::new(arena, src, lexed);
    parser.multibyte = options.multibyte;
    let stmts = match parser.top_level() {
        Ok(stmts) => {
            parser.diagnostics.append(&mut parser.compile_diagnostics);
            stmts
        }
        Err(Stop) => &[],
    };
    let last_line = options.first_line + count_newlines(src.strip_suffix(b"\n").unwrap_or(src));
    let program = Program { stmts, halt_offset: parser.halt_offset, last_line };
    ParseResult { program, diagnostics: parser.diagnostics }
}

impl<'a> Parser<'a> {
    fn new(arena: &'a Bump, src: &'a [u8], lexed: Lexed) -> Parser<'a> {
        let first = lexed.tokens[0];
        let mut parser = Parser {
            arena,
            src,
            tokens: lexed.tokens,
            at: 0,
            tok: first,
            last: first,
            heredocs: lexed.heredocs,
            next_heredoc: 0,
            doc_comments: lexed.doc_comments,
            next_doc_comment: 0,
            doc_comment: None,
            lex_error: lexed.error,
            diagnostics: Vec::new(),
            compile_diagnostics: Vec::new(),
            depth: 0,
            halt_offset: None,
            multibyte: false,
            namespace_line: 0,
            argument_start: None,
            stmts: Vec::new(),
            exprs: Vec::new(),
        };
        parser.note_doc_comments();
        parser
    }

    // Tokens.

    fn is(&self, kind: TokenKind) -> bool {
        self.tok.kind == kind
    }

    /// The kind of the token `ahead` of the lookahead.
    fn peek(&self, ahead: usize) -> TokenKind {
        self.tokens.get(self.at + ahead).map_or(TokenKind::End, |token| token.kind)
    }

    /// Takes the lookahead.
    fn bump(&mut self) -> Token {
        self.last = self.tok;
        if let Some(&next) = self.tokens.get(self.at + 1) {
            self.at += 1;
            self.tok = next;
        }
        if self.tok.kind == TokenKind::RightBrace || self.next_doc_comment < self.doc_comments.len() {
            self.note_doc_comments();
        }
        self.last
    }

    fn note_doc_comments(&mut self) {
        while let Some(comment) = self.doc_comments.get(self.next_doc_comment) {
            if comment.before as usize > self.at {
                break;
            }
            self.doc_comment = Some(&self.src[comment.start as usize..comment.end as usize]);
            self.next_doc_comment += 1;
        }
        if self.tok.kind == TokenKind::RightBrace {
            self.doc_comment = None;
        }
    }

    /// The doc comment of a declaration; no later one gets it.
    fn take_doc_comment(&mut self) -> Option<Bytes<'a>> {
        self.doc_comment.take()
    }

    /// Takes the lookahead if it is a `kind`.
    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.is(kind);
        if found {
            self.bump();
        }
        found
    }

    /// Takes a `kind`, which is all that can stand here.
    fn expect(&mut self, kind: TokenKind) -> Parsed<Token> {
        if self.is(kind) { Ok(self.bump()) } else { Err(self.unexpected(&[kind])) }
    }

    /// Takes a `kind` after an expression that could also go on.
    fn expect_after_expr(&mut self, kind: TokenKind) -> Parsed<Token> {
        if self.is(kind) { Ok(self.bump()) } else { Err(self.unexpected(&[])) }
    }

    fn text(&self, token: Token) -> &'a [u8] {
        &self.src[token.start as usize..token.end as usize]
    }

    // Nodes.

    fn alloc<T: Copy>(&self, value: T) -> &'a T {
        self.arena.alloc(value)
    }

    fn slice<T: Copy>(&self, items: &[T]) -> &'a [T] {
        self.arena.alloc_slice_copy(items)
    }

    fn expr_node(&self, span: Span, kind: ExprKind<'a>) -> ExprRef<'a> {
        self.arena.alloc(Expr { span, kind })
    }

    /// The list of all expressions finished since the stack had `from` items.
    fn finish_exprs(&mut self, from: usize) -> &'a [Expr<'a>] {
        let list = self.arena.alloc_slice_copy(&self.exprs[from..]);
        self.exprs.truncate(from);
        list
    }

    fn finish_stmts(&mut self, from: usize) -> &'a [Stmt<'a>] {
        let list = self.arena.alloc_slice_copy(&self.stmts[from..]);
        self.stmts.truncate(from);
        list
    }

    /// From `start` to the end of the last token, on `line`.
    fn span(&self, start: u32, line: u32) -> Span {
        Span { start, end: self.last.end, line }
    }

    /// From the token `start` to the end of the last token.
    fn span_from(&self, start: Token) -> Span {
        self.span(start.start, start.line)
    }

    fn token_span(token: Token) -> Span {
        Span { start: token.start, end: token.end, line: token.line }
    }

    fn ident(&self, token: Token) -> Ident<'a> {
        Ident { span: Self::token_span(token), text: self.text(token) }
    }

    /// Takes the lookahead as an identifier, which may be a keyword.
    fn take_identifier(&mut self) -> Parsed<Ident<'a>> {
        let token = self.bump();
        if self.text(token) == b"<?=" {
            return Err(self.parse_error("Cannot use \"<?=\" as an identifier", token.line));
        }
        Ok(self.ident(token))
    }

    /// The name of a variable token, without its dollar sign.
    fn variable_ident(&self, token: Token) -> Ident<'a> {
        Ident { span: Self::token_span(token), text: &self.text(token)[1..] }
    }

    fn name(&self, token: Token) -> Name<'a> {
        let text = self.text(token);
        let (kind, text) = match token.kind {
            TokenKind::FullyQualifiedName => (NameKind::FullyQualified, &text[1..]),
            TokenKind::RelativeName => (NameKind::Relative, &text[b"namespace\\".len()..]),
            TokenKind::QualifiedName => (NameKind::Qualified, text),
            _ => (NameKind::Unqualified, text),
        };
        Name { span: Self::token_span(token), kind, text }
    }

    /// Counts a level of nesting; [`Parser::leave`] ends it.
    fn enter(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(self.too_deep()) } else { Ok(()) }
    }

    /// Counts a link of a chain.
    fn link(&mut self, length: &mut u32) -> Parsed<()> {
        *length += 1;
        if *length > MAX_CHAIN { Err(self.too_deep()) } else { Ok(()) }
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }
}
