//! Closures and arrow functions.

use phlox_hhbc::*;
use phlox_syntax::ast::*;

use super::functions::{Body, FunctionSpec};
use super::show;
use crate::emitter::{Emit, Emitter, FuncKind};
use crate::expr::is_superglobal;
use crate::expr::walk::mentioned_variables;

impl<'a> Emitter<'a> {
    /// Compiles the body of a closure or arrow function and pushes the closure object.
    pub fn closure(&mut self, closure: &'a Closure<'a>) -> Emit {
        let line = self.fb.line;
        let name = self.closure_name(closure.span.line);
        let (kind, body) = match closure.body {
            ClosureBody::Block(stmts) => (FuncKind::Closure, Body::Block(stmts)),
            ClosureBody::Arrow(e) => (FuncKind::Arrow, Body::Value(e)),
        };
        self.check_uses(closure)?;
        let lines = (closure.span.line, closure.end_line);
        let mut spec = FunctionSpec::new(kind, &name, closure.sig, body, lines);
        spec.flags = FuncFlags::CLOSURE;
        if closure.is_static {
            spec.flags |= FuncFlags::STATIC;
        }
        if let ClosureBody::Arrow(e) = closure.body {
            spec.flags |= FuncFlags::ARROW;
            mentioned_variables(e, &mut spec.implicit_uses);
            spec.implicit_uses.retain(|name| closure.sig.params.iter().all(|p| p.name.text != *name));
        }
        spec.uses = closure.uses;
        spec.attributes = closure.attributes;
        spec.doc_comment = closure.doc_comment;
        let implicit = spec.implicit_uses.clone();
        let func = self.function(spec)?;

        self.fb.line = line;
        for name in &implicit {
            let local = self.local(name);
            self.emit(Instr::CUGetL { local });
        }
        for captured in closure.uses {
            let local = self.local(captured.name.text);
            self.fb.line = captured.name.span.line;
            self.emit(if captured.by_ref { Instr::VGetL { local } } else { Instr::CGetL { local } });
        }
        let captures = (implicit.len() + closure.uses.len()) as u32;
        self.emit(Instr::CreateCl { captures, func });
        Ok(())
    }

    /// `{closure:WHERE:LINE}`
    fn closure_name(&self, line: u32) -> Vec<u8> {
        let mut name = b"{closure:".to_vec();
        match self.ctx.kind {
            _ if self.ctx.name.is_empty() => name.extend_from_slice(self.filename),
            FuncKind::Closure | FuncKind::Arrow => name.extend_from_slice(&self.ctx.name),
            _ => {
                if let Some(class) = &self.class {
                    name.extend_from_slice(&class.name);
                    name.extend_from_slice(b"::");
                }
                name.extend_from_slice(&self.ctx.name);
                name.extend_from_slice(b"()");
            }
        }
        name.extend_from_slice(format!(":{line}}}").as_bytes());
        name
    }

    fn check_uses(&mut self, closure: &'a Closure<'a>) -> Emit {
        for (i, captured) in closure.uses.iter().enumerate() {
            let name = captured.name.text;
            if name == b"this" {
                return self.fatal("Cannot use $this as lexical variable");
            }
            if is_superglobal(name) {
                return self.fatal("Cannot use auto-global as lexical variable");
            }
            if closure.uses[..i].iter().any(|other| other.name.text == name) {
                return self.fatal(format!("Cannot use variable ${} twice", show(name)));
            }
            self.fb.line = captured.name.span.line;
        }
        Ok(())
    }

    /// Declares the closure's locals that captured values are stored in.
    pub fn captured_locals(&mut self, spec: &FunctionSpec<'a>) -> Emit {
        for name in &spec.implicit_uses {
            let local = self.local(name);
            self.fb.func.captures.push((local, false));
        }
        for captured in spec.uses {
            let name = self.str(captured.name.text);
            if self.fb.find_named(name).is_some() {
                let shown = show(captured.name.text);
                return self.fatal(format!("Cannot use lexical variable ${shown} as a parameter name"));
            }
            self.fb.line = captured.name.span.line;
            let local = self.fb.named(name);
            self.fb.func.captures.push((local, captured.by_ref));
            self.ctx.statics.push(name);
            self.ctx.assigned.add(captured.name.text);
        }
        Ok(())
    }
}
