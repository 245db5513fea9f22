//! Builtin classes are declared by PHP stubs: each compiles to one class, each native method that it declares has a body, and each
//! body belongs to a method that it declares.

use phlox_emit::{EmitOptions, emit};
use phlox_engine::WORKER_EXTENSIONS;
use phlox_hhbc::{ClassKind, FuncFlags};
use phlox_runtime::NativeClass;
use phlox_runtime::func::is_empty_body;
use phlox_syntax::{ParseOptions, parse};
use std::collections::BTreeSet;

/// What is wrong with the stub of a class.
fn faults(class: &NativeClass) -> Vec<String> {
    if class.decl.starts_with("= ") {
        return Vec::new();
    }
    let source = class.source();
    let arena = bumpalo::Bump::new();
    let parsed = parse(&arena, source.as_bytes(), &ParseOptions::default());
    let options = EmitOptions { filename: b"", is_eval: false, assertions: true, knows_builtins: false };
    let result = emit(&parsed.program, source.as_bytes(), &options);
    let said: Vec<_> =
        parsed.diagnostics.iter().chain(&result.diagnostics).map(|d| String::from_utf8_lossy(&d.message)).collect();
    let unit = &result.unit;
    let Some(declared) = unit.classes.last().filter(|_| !result.failed()) else {
        return vec![format!("its stub does not compile: {said:?}")];
    };
    let mut faults = Vec::new();
    let hooks = declared.properties.iter().flat_map(|prop| prop.get_hook.into_iter().chain(prop.set_hook));
    let mut names = BTreeSet::new();
    for id in declared.methods.iter().copied().chain(hooks) {
        let func = &unit.funcs[id.0 as usize];
        let name = String::from_utf8_lossy(unit.str(func.name)).to_ascii_lowercase();
        let is_native = class.methods.iter().any(|(native, _)| native.eq_ignore_ascii_case(&name));
        let is_declared_only = func.flags.has(FuncFlags::ABSTRACT) || declared.kind == ClassKind::Interface;
        if !is_native && !is_declared_only && is_empty_body(func) {
            faults.push(format!("{name}() has no body"));
        }
        names.insert(name);
    }
    let undeclared = class.methods.iter().filter(|(name, _)| !names.contains(&name.to_ascii_lowercase()));
    faults.extend(undeclared.map(|(name, _)| format!("there is a body for {name}(), which its stub does not declare")));
    faults
}

#[test]
fn every_method_has_a_body() {
    let mut all = Vec::new();
    for class in WORKER_EXTENSIONS.iter().flat_map(|extension| extension.classes.iter().copied().flatten()) {
        all.extend(faults(class).into_iter().map(|fault| format!("{}: {fault}", class.name)));
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}
