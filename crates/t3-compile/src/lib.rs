//! The compiler for source that a program hands to `DynamicFunc`: TADS 3 functions and expressions to T3 code.
//!
//! `lex.rs` makes tokens, `parse.rs` and `parse_expr.rs` a tree (`ast.rs`) in which every name is resolved, `emit.rs` and
//! `emit_expr.rs` the bytes that an image would have. The code goes behind a mark in the address space of its own
//! ([`phlox_t3_vm::code::DYNAMIC`]) and is translated like an image's.
#![forbid(unsafe_code)]

mod ast;
mod emit;
mod emit_expr;
mod lex;
mod parse;
mod parse_expr;

use std::rc::Rc;

use phlox_t3_vm::code::DYNAMIC;
use phlox_t3_vm::error::Run;
use phlox_t3_vm::objects::Obj;
use phlox_t3_vm::objects::dynamic::Extent;
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::Vm;

/// What a source may refer to.
struct Environment<'v> {
    vm: &'v mut Vm,
    symbols: Value,
    macros: Value,
    frames: Vec<Value>,
}

impl Environment<'_> {
    fn entry(&mut self, table: Value, name: &str) -> Option<Value> {
        let key = self.vm.heap.new_text(name);
        self.vm.lookup_table(table)?.get(&self.vm.heap, key)
    }
}

impl parse::Names for Environment<'_> {
    fn symbol(&mut self, name: &str) -> Option<Value> {
        self.entry(self.symbols, name)
    }

    fn macro_definition(&mut self, name: &str) -> Option<(String, Vec<String>, bool)> {
        let definition = self.entry(self.macros, name)?;
        let items = self.vm.heap.sequence(definition)?.to_vec();
        let text = self.vm.heap.text(*items.first()?)?.to_string();
        let parameters = self.vm.heap.sequence(*items.get(1)?)?.to_vec();
        let parameters: Vec<String> =
            parameters.iter().filter_map(|name| self.vm.heap.text(*name).map(|name| name.to_string())).collect();
        let takes_arguments = matches!(items.get(2), Some(Value::Int(flags)) if flags & 1 != 0);
        Some((text, parameters, takes_arguments))
    }

    fn frame_with(&mut self, name: &str) -> Option<Value> {
        self.frames.iter().copied().find(|frame| self.vm.frame_has(*frame, name))
    }
}

/// A function's index, the objects that its code refers to and where that is, or the messages of the compiler.
pub type Compiled = Result<(u32, Vec<Value>, Extent), String>;

/// Compiles a source with a symbol table, frames (one or a list), and a macro table. Objects that are made on the way
/// stay in `Vm::rooted`.
pub fn compile(vm: &mut Vm, source: &str, [symbols, locals, macros]: [Value; 3]) -> Run<Compiled> {
    let frames: Vec<Value> = match vm.list_like(locals)? {
        Some(items) => items,
        None => vec![locals],
    };
    let is_frame = |value: &Value| matches!(value, Value::Obj(id) if matches!(vm.heap.get(*id), Obj::FrameDesc(_)));
    let frames: Vec<Value> = frames.into_iter().filter(is_frame).collect();
    let context = match frames.first() {
        Some(frame) => Some(vm.frame_context(*frame)?).filter(|context| *context != Value::Nil),
        None => None,
    };
    vm.rooted.extend(context);
    let mut environment = Environment { vm, symbols, macros, frames };
    let unit = match parse::parse(source, &mut environment) {
        Ok(unit) => unit,
        Err(message) => return Ok(Err(message)),
    };
    let base = vm.code.dynamic.len();
    let mut emitter = emit::Emitter {
        vm,
        unit: &unit,
        context,
        literals: Vec::new(),
        body: emit::Body::default(),
        number: 0,
        error: None,
    };
    let code = emitter.all(base);
    if let Some(message) = emitter.error {
        return Ok(Err(message));
    }
    let literals = emitter.literals;
    vm.code.literals.extend(&literals);
    Rc::make_mut(&mut vm.code.dynamic).extend(&code.bytes);
    for (start, variables) in code.starts.iter().zip(code.variables) {
        vm.code.dynamic_variables.insert((base + start) as u32 | DYNAMIC, variables);
    }
    let extent = Extent { start: base, length: code.bytes.len(), objects: code.objects, functions: code.functions };
    Ok(Ok((vm.heap.function(base as u32 | DYNAMIC), literals, extent)))
}
