//! Function bodies: what functions, methods, closures and hooks have in common, and function declarations.

use std::rc::Rc;

use phlox_hhbc::*;
use phlox_syntax::ast::{self, *};
use phlox_syntax::diagnostic::Severity;

use super::attributes::{Target as AttributeTarget, has_attribute};
use super::show;
use super::types::CompiledType;
use crate::emitter::{Emit, Emitter, FuncContext, FuncKind, HookContext, ReturnType};
use crate::expr::walk::{Code, yields};

/// What a function executes.
#[derive(Clone, Copy)]
pub(crate) enum Body<'a> {
    Block(&'a [Stmt<'a>]),
    /// Returns the expression's value.
    Value(&'a Expr<'a>),
    /// `set => expr` of a hook: assigns to the property.
    SetProperty(&'a Expr<'a>),
    None,
}

/// A function about to be compiled.
pub(crate) struct FunctionSpec<'a> {
    pub kind: FuncKind,
    /// As the unit records it and `__FUNCTION__` gives it.
    pub name: Rc<[u8]>,
    /// `__METHOD__`
    pub method: Rc<[u8]>,
    pub flags: u32,
    pub sig: FunctionSig<'a>,
    pub uses: &'a [ClosureUse<'a>],
    /// What an arrow function captures.
    pub implicit_uses: Vec<&'a [u8]>,
    pub body: Body<'a>,
    pub attributes: &'a [AttributeGroup<'a>],
    pub doc_comment: Option<Bytes<'a>>,
    pub line_start: u32,
    pub line_end: u32,
    pub hook: Option<HookContext>,
    /// A return type that the source does not write (`__toString`, `set` hooks).
    pub implied_return: Option<u32>,
    /// A `set` hook without a parameter list: the property's type, if it has one.
    pub value_param: Option<Option<&'a Type<'a>>>,
}

impl<'a> FunctionSpec<'a> {
    /// A specification without flags and captured variables; `lines` are the first and the last line of the
    /// declaration.
    pub fn new(kind: FuncKind, name: &[u8], sig: FunctionSig<'a>, body: Body<'a>, lines: (u32, u32)) -> Self {
        FunctionSpec {
            kind,
            name: Rc::from(name),
            method: Rc::from(name),
            flags: 0,
            sig,
            uses: &[],
            implicit_uses: Vec::new(),
            body,
            attributes: &[],
            doc_comment: None,
            line_start: lines.0,
            line_end: lines.1,
            hook: None,
            implied_return: None,
            value_param: None,
        }
    }

    fn yields(&self) -> bool {
        match self.body {
            Body::Block(stmts) => yields(Code::Stmts(stmts)),
            Body::Value(e) | Body::SetProperty(e) => yields(Code::Expr(e)),
            Body::None => false,
        }
    }
}

impl<'a> Emitter<'a> {
    /// Compiles a function into the unit.
    pub fn function(&mut self, spec: FunctionSpec<'a>) -> Emit<FuncId> {
        let id = self.unit.reserve_func();
        let func = self.new_func(spec.flags);
        let ctx = FuncContext {
            kind: spec.kind,
            name: spec.name.clone(),
            method: spec.method.clone(),
            by_ref: spec.sig.by_ref_return,
            hook: spec.hook.clone(),
            property: spec.hook.as_ref().map(|hook| hook.property.clone()),
            body: match spec.body {
                Body::Block(stmts) => stmts,
                _ => &[],
            },
            ..FuncContext::default()
        };
        let outer_fb = std::mem::take(&mut self.fb);
        let outer_ctx = std::mem::replace(&mut self.ctx, ctx);
        self.fb.func = func;
        self.fb.line = spec.line_start;
        let result = self.function_inner(&spec);
        let line = self.fb.line;
        let fb = std::mem::replace(&mut self.fb, outer_fb);
        self.ctx = outer_ctx;
        if let Err(fatal) = result {
            self.fb.line = line;
            return Err(fatal);
        }
        let mut func = fb.finish();
        if spec.flags & FuncFlags::NO_BODY != 0 {
            without_body(&mut func);
        }
        self.unit.set_func(id, func);
        Ok(id)
    }

    fn function_inner(&mut self, spec: &FunctionSpec<'a>) -> Emit {
        let name = self.str(&spec.name);
        let doc_comment = spec.doc_comment.map(|d| self.str(d));
        let func = &mut self.fb.func;
        func.name = name;
        func.doc_comment = doc_comment;
        func.line_start = spec.line_start;
        func.line_end = spec.line_end;
        if spec.sig.by_ref_return {
            func.flags.set(FuncFlags::BY_REF_RETURN);
        }
        let target = match spec.kind {
            FuncKind::Method | FuncKind::Hook => AttributeTarget::METHOD,
            _ => AttributeTarget::FUNCTION,
        };
        let attributes = self.attributes(spec.attributes, target, AttributeTarget::NONE)?;
        if has_attribute(self, &attributes, b"deprecated") {
            self.set_flag(FuncFlags::DEPRECATED);
        }
        self.fb.func.attributes = attributes;
        self.fb.line = spec.line_start;

        let return_type = self.return_type(spec)?;
        match spec.value_param {
            Some(ty) => self.value_param(ty)?,
            None => self.params(spec)?,
        }
        if spec.yields() {
            self.begin_generator(return_type.as_ref())?;
        }
        self.captured_locals(spec)?;
        match spec.body {
            Body::Block(stmts) => self.stmts(stmts)?,
            Body::Value(e) if self.is_never() => self.discard(e)?,
            Body::Value(e) => self.return_stmt(Some(e))?,
            Body::SetProperty(e) => self.set_hook_body(e)?,
            Body::None => {}
        }
        self.fb.line = spec.line_end;
        if self.fb.falls_through() {
            self.implicit_return();
        }
        Ok(())
    }

    fn is_never(&self) -> bool {
        self.ctx.return_type.is_some_and(|ty| ty.mask & TypeMask::NEVER != 0)
    }

    fn return_type(&mut self, spec: &FunctionSpec<'a>) -> Emit<Option<CompiledType>> {
        let compiled = match (&spec.sig.return_type, spec.implied_return) {
            (Some(ty), _) => self.compile_type(ty)?,
            (None, Some(mask)) => CompiledType { mask, classes: Vec::new() },
            (None, None) => return Ok(None),
        };
        self.fb.func.return_type = Some(self.type_id(&compiled));
        self.ctx.return_type = Some(ReturnType { mask: compiled.mask });
        if compiled.has(TypeMask::VOID) && spec.sig.by_ref_return && spec.sig.return_type.is_some() {
            let name = self.shown_function();
            let message = format!("{name}(): Returning by reference from a void function is deprecated");
            self.report(Severity::Deprecated, message);
        }
        Ok(Some(compiled))
    }

    /// `f` or `C::f` for messages about the function being compiled.
    pub fn shown_function(&self) -> String {
        match (&self.class, self.ctx.kind) {
            (Some(class), FuncKind::Method | FuncKind::Hook) => {
                format!("{}::{}", show(&class.name), show(&self.ctx.name))
            }
            _ => show(&self.ctx.name),
        }
    }

    fn begin_generator(&mut self, return_type: Option<&CompiledType>) -> Emit {
        if let Some(ty) = return_type {
            let fits = |name: &[u8]| {
                [b"Generator".as_slice(), b"Iterator", b"Traversable"].iter().any(|n| name.eq_ignore_ascii_case(n))
            };
            let valid = ty.has(TypeMask::OBJECT | TypeMask::MIXED)
                || ty.classes.iter().any(|names| matches!(names.as_slice(), [one] if fits(one)));
            if !valid {
                let shown = show(&ty.display());
                return self.fatal(format!("Generator return type must be a supertype of Generator, {shown} given"));
            }
        }
        self.ctx.generator = true;
        self.set_flag(FuncFlags::GENERATOR);
        self.emit(Instr::CreateCont {});
        Ok(())
    }

    // ---- declarations

    fn function_spec(&mut self, decl: &'a FunctionDecl<'a>) -> Emit<FunctionSpec<'a>> {
        let full = self.names.declared(decl.name.text);
        if let Some(imported) = self.names.imported(UseKind::Function, decl.name.text)
            && !imported.eq_ignore_ascii_case(&full)
        {
            let message = format!("Cannot redeclare function {}() (previously declared as local import)", show(&full));
            return self.fatal(message);
        }
        if full.eq_ignore_ascii_case(b"__autoload") {
            return self.fatal("__autoload() is no longer supported, use spl_autoload_register() instead");
        }
        // Only the engine's own declarations, which have no file name, may declare `assert()`.
        if decl.name.text.eq_ignore_ascii_case(b"assert") && !self.filename.is_empty() {
            return self
                .fatal("Defining a custom assert() function is not allowed, as the function has special semantics");
        }
        self.seen.add(UseKind::Function, &full, decl.span.line);
        let lines = (decl.span.line, decl.end_line);
        let mut spec = FunctionSpec::new(FuncKind::Function, &full, decl.sig, Body::Block(decl.body), lines);
        spec.attributes = decl.attributes;
        spec.doc_comment = decl.doc_comment;
        Ok(spec)
    }

    /// Compiles a function declared by a statement. One inside a method does not belong to the method's class.
    fn free_function(&mut self, spec: FunctionSpec<'a>) -> Emit<FuncId> {
        let class = self.class.take();
        let result = self.function(spec);
        self.class = class;
        result
    }

    /// An unconditional function, known before anything runs.
    pub fn hoisted_function(&mut self, decl: &'a FunctionDecl<'a>) -> Emit {
        let spec = self.function_spec(decl)?;
        let name = spec.name.clone();
        let id = self.free_function(spec)?;
        let key = name.to_ascii_lowercase();
        if let Some(&line) = self.seen.hoisted_functions.get(&key) {
            let (name, file) = (show(&name), show(self.filename));
            let message = format!("Cannot redeclare function {name}() (previously declared in {file}:{line})");
            return self.fatal_at(decl.span.line, message);
        }
        self.seen.hoisted_functions.insert(key, decl.span.line);
        self.unit.unit.hoisted.push(Hoisted::Func(id));
        Ok(())
    }

    /// A function that comes into being when control reaches it.
    pub fn nested_function(&mut self, decl: &'a FunctionDecl<'a>) -> Emit {
        let line = self.fb.line;
        let spec = self.function_spec(decl)?;
        let func = self.free_function(spec)?;
        self.fb.line = line;
        self.emit(Instr::DefFunc { func });
        Ok(())
    }
}

/// Removes the code of an abstract function; what describes the function stays.
fn without_body(func: &mut Func) {
    func.code.clear();
    func.lines.clear();
    func.vectors.clear();
    func.switches.clear();
    func.dv_entries.clear();
    func.eh.clear();
    func.fpi.clear();
    func.funclets.clear();
    func.main_entry = phlox_hhbc::Target(0);
    func.max_stack = 0;
}

/// Member modifiers as function flags.
pub(crate) fn method_flags(modifiers: ast::Modifiers) -> u32 {
    let mut flags = 0;
    for (modifier, flag) in [
        (Modifiers::STATIC, FuncFlags::STATIC),
        (Modifiers::ABSTRACT, FuncFlags::ABSTRACT),
        (Modifiers::FINAL, FuncFlags::FINAL),
    ] {
        if modifiers.contains(modifier) {
            flags |= flag;
        }
    }
    flags
        | if modifiers.contains(Modifiers::PRIVATE) {
            FuncFlags::PRIVATE
        } else if modifiers.contains(Modifiers::PROTECTED) {
            FuncFlags::PROTECTED
        } else {
            FuncFlags::PUBLIC
        }
}
