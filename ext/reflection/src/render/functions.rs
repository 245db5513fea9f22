//! Functions, methods and parameters.

use super::{put, values};
use crate::modifiers;
use crate::subject::{hides_defaults, is_internal, lists_nothing};
use phlox_hhbc::FuncFlags;
use phlox_runtime::strmap::lower_str;
use phlox_runtime::{ClassExt, ClassRef, Func, PhpResult, PhpStr, Vm, link};

/// How a function is shown.
pub struct Listed<'a> {
    pub name: &'a PhpStr,
    /// The class that lists it.
    pub scope: Option<&'a ClassRef>,
    /// It was reached through a Closure object.
    pub of_closure: bool,
}

/// A function or method.
pub fn function(vm: &Vm, text: &mut Vec<u8>, func: &Func, listed: Listed<'_>, indent: &str) -> PhpResult<()> {
    let Listed { name, scope, of_closure } = listed;
    let (code, internal) = (func.code(), is_internal(func));
    if let Some(comment) = code.doc_comment.filter(|_| !internal) {
        put!(text, indent, func.unit.str(comment), "\n");
    }
    let own_class = func.scope.get();
    let kind = match (func.is_closure() || of_closure, own_class) {
        (true, _) => "Closure",
        (false, Some(_)) => "Method",
        (false, None) => "Function",
    };
    put!(text, indent, kind, " [ ", if internal { "<internal" } else { "<user" });
    if func.has(FuncFlags::DEPRECATED) {
        put!(text, ", deprecated");
    }
    if let Some(extension) = crate::functions::extension(func).filter(|_| internal) {
        put!(text, ":", extension);
    }
    inheritance(text, func, scope);
    if own_class.is_some() && func.name.eq_ignore_ascii_case(b"__construct") {
        put!(text, ", ctor");
    }
    put!(text, "> ");
    let bits = modifiers::of_method(func);
    for (bit, word) in
        [(modifiers::ABSTRACT, "abstract "), (modifiers::FINAL, "final "), (modifiers::STATIC, "static ")]
    {
        put!(text, if bits & bit != 0 { word } else { "" });
    }
    if own_class.is_some() {
        put!(text, visibility(bits), "method ");
    } else {
        put!(text, "function ");
    }
    put!(text, if func.returns_by_ref() { "&" } else { "" }, name, " ] {\n");
    if !internal {
        let lines = format!(" {} - {}\n", code.line_start, code.line_end);
        put!(text, indent, "  @@ ", &func.unit.filename, &lines);
    }
    if (func.is_closure() || of_closure) && !internal {
        bound_variables(text, func, indent);
    }
    parameters(vm, text, func, indent)?;
    if let Some(ty) = &func.return_type {
        let word = if link::has_tentative_return_type(func) { "Tentative return" } else { "Return" };
        put!(text, "  ", indent, "- ", word, " [ ", &ty.display, " ]\n");
    }
    put!(text, indent, "}\n");
    Ok(())
}

/// Where the method comes from, what it overrides and what declared it first.
fn inheritance(text: &mut Vec<u8>, func: &Func, scope: Option<&ClassRef>) {
    if let (Some(scope), Some(own)) = (scope, func.scope.get()) {
        if own.id() != scope.id() {
            put!(text, ", inherits ", &own.class().name);
        } else if let Some(parent) = &own.class().parent {
            let overridden = parent.class().method(&lower_str(&func.name));
            let overridden = overridden.filter(|method| !method.is_private()).and_then(|method| method.scope.get());
            if let Some(class) = overridden.filter(|class| class.id() != own.id()) {
                put!(text, ", overwrites ", &class.class().name);
            }
        }
    }
    let prototype = func.prototype.borrow();
    if let Some(class) = prototype.as_ref().and_then(|prototype| prototype.scope.get()) {
        put!(text, ", prototype ", &class.class().name);
    }
}

/// The visibility word of a member.
pub fn visibility(bits: i64) -> &'static str {
    match bits {
        _ if bits & modifiers::PRIVATE != 0 => "private ",
        _ if bits & modifiers::PROTECTED != 0 => "protected ",
        _ => "public ",
    }
}

fn bound_variables(text: &mut Vec<u8>, func: &Func, indent: &str) {
    let code = func.code();
    let captured = code.captures.iter().filter_map(|(local, _)| code.locals.get(local.index()).copied().flatten());
    let names: Vec<_> = captured.chain(code.statics.iter().map(|(name, _)| *name)).collect();
    if names.is_empty() {
        return;
    }
    let count = names.len().to_string();
    put!(text, "\n", indent, "  - Bound Variables [", &count, "] {\n");
    for (index, name) in names.into_iter().enumerate() {
        let number = index.to_string();
        put!(text, indent, "      Variable #", &number, " [ $", func.unit.str(name), " ]\n");
    }
    put!(text, indent, "  }\n");
}

fn parameters(vm: &Vm, text: &mut Vec<u8>, func: &Func, indent: &str) -> PhpResult<()> {
    if lists_nothing(func) {
        return Ok(());
    }
    let count = func.params.len().to_string();
    put!(text, "\n", indent, "  - Parameters [", &count, "] {\n");
    for index in 0..func.params.len() {
        put!(text, indent, "    ");
        parameter(vm, text, func, index)?;
        put!(text, "\n");
    }
    put!(text, indent, "  }\n");
    Ok(())
}

/// One parameter, without indentation or line end. Defaults of a closure's `__invoke`, which counts as builtin, are not known.
pub fn parameter(vm: &Vm, text: &mut Vec<u8>, func: &Func, index: usize) -> PhpResult<()> {
    let Some(param) = func.params.get(index) else { return Ok(()) };
    let optional = index >= func.required;
    let number = index.to_string();
    put!(text, "Parameter #", &number, " [ ", if optional { "<optional> " } else { "<required> " });
    if let Some(ty) = func.declared_type(index) {
        put!(text, &ty.display, " ");
    }
    put!(text, if param.by_ref { "&" } else { "" }, if param.variadic { "..." } else { "" }, "$", &param.name);
    if optional && !param.variadic {
        if hides_defaults(func) {
            put!(text, " = <default>");
        } else if func.unit.internal {
            put!(text, " = ", &phlox_runtime::link::builtin_default_text(vm, func, index));
        } else if let Some(init) = param.default {
            put!(text, " = ");
            let source = func.code().params.get(index).and_then(|row| row.default_text);
            values::default(vm, text, &func.unit, init, source);
        }
    }
    put!(text, " ]");
    Ok(())
}
