//! Classes, properties and class constants.

use super::functions::{Listed, function, visibility};
use super::{put, values};
use crate::class_constants;
use crate::classes::{is_abstract, is_shown, ordered_properties};
use crate::modifiers;
use crate::properties;
use crate::subject::is_tacit;
use phlox_hhbc::{Attrs, ClassKind};
use phlox_runtime::{
    ClassConst, ClassExt, ClassRef, Func, ObjExt, PhpObj, PhpResult, PhpStr, PropInfo, Val, View, Vm, convert, link,
};
use std::rc::Rc;

/// A class; with `object`, also its dynamic properties.
pub fn class(vm: &Vm, text: &mut Vec<u8>, class: &ClassRef, object: Option<&PhpObj>, indent: &str) -> PhpResult<()> {
    let inner = format!("{indent}    ");
    head(vm, text, class, object.is_some(), indent)?;
    let target = class.class();
    let count = target.constants.len().to_string();
    put!(text, "\n", indent, "  - Constants [", &count, "] {\n");
    for row in target.constants.values() {
        constant(vm, text, row, &inner)?;
    }
    put!(text, indent, "  }\n");
    let (statics, instance): (Vec<_>, Vec<_>) = ordered_properties(class)
        .into_iter()
        .map(|(_, info)| info)
        .filter(|info| is_shown(class, info))
        .partition(|info| info.is_static());
    property_list(vm, text, "Static properties", &statics, indent)?;
    let own = |func: &&Rc<Func>| !func.is_private() || func.scope.get().is_some_and(|scope| scope.id() == class.id());
    let (static_methods, methods): (Vec<_>, Vec<_>) =
        target.methods.values().filter(own).filter(|func| !is_tacit(func)).partition(|func| func.is_static());
    method_list(vm, text, "Static methods", &static_methods, class, indent)?;
    property_list(vm, text, "Properties", &instance, indent)?;
    if let Some(object) = object {
        dynamic_properties(vm, text, object, indent)?;
    }
    method_list(vm, text, "Methods", &methods, class, indent)?;
    put!(text, indent, "}\n");
    Ok(())
}

fn head(vm: &Vm, text: &mut Vec<u8>, class: &ClassRef, of_object: bool, indent: &str) -> PhpResult<()> {
    let target = class.class();
    let def = &target.unit.unit.classes[target.id.index()];
    if let Some(comment) = def.doc_comment {
        put!(text, indent, target.unit.str(comment), "\n");
    }
    let kind = match target.kind {
        _ if of_object => "Object of class",
        ClassKind::Interface => "Interface",
        ClassKind::Trait => "Trait",
        ClassKind::Class | ClassKind::Enum => "Class",
    };
    put!(text, indent, kind, " [ ");
    if target.is_internal() {
        put!(text, "<internal:", target.unit.extension, "> ");
    } else {
        put!(text, "<user> ");
    }
    let traversable = vm.require_class(b"Traversable")?;
    // Properties of builtin classes have hooks in this engine only.
    let hooked = !target.is_internal() && target.props.values().any(|info| info.has_hooks() && !info.is_static());
    if hooked || target.is_a(&traversable) && target.kind != ClassKind::Interface {
        put!(text, "<iterateable> ");
    }
    match target.kind {
        ClassKind::Interface => put!(text, "interface "),
        ClassKind::Trait => put!(text, "trait "),
        ClassKind::Class | ClassKind::Enum => {
            let is_final = modifiers::of_class(target) & modifiers::FINAL != 0;
            put!(text, if is_abstract(class) { "abstract " } else { "" }, if is_final { "final " } else { "" });
            put!(text, if target.attrs.has(Attrs::READONLY) { "readonly " } else { "" }, "class ");
        }
    }
    put!(text, &target.name);
    if let Some(parent) = &target.parent {
        put!(text, " extends ", &parent.class().name);
    }
    for (position, interface) in target.interfaces.iter().enumerate() {
        let word = match (position, target.is_interface()) {
            (0, true) => " extends ",
            (0, false) => " implements ",
            _ => ", ",
        };
        put!(text, word, &interface.class().name);
    }
    put!(text, " ] {\n");
    if !target.is_internal() {
        let lines = format!(" {}-{}\n", def.line_start, def.line_end);
        put!(text, indent, "  @@ ", &target.unit.filename, &lines);
    }
    Ok(())
}

fn property_list(vm: &Vm, text: &mut Vec<u8>, title: &str, all: &[&Rc<PropInfo>], indent: &str) -> PhpResult<()> {
    let (count, inner) = (all.len().to_string(), format!("{indent}    "));
    put!(text, "\n", indent, "  - ", title, " [", &count, "] {\n");
    for info in all {
        property(vm, text, Some(info), &info.name, &inner)?;
    }
    put!(text, indent, "  }\n");
    Ok(())
}

fn method_list(
    vm: &Vm,
    text: &mut Vec<u8>,
    title: &str,
    all: &[&Rc<Func>],
    class: &ClassRef,
    indent: &str,
) -> PhpResult<()> {
    let (count, inner) = (all.len().to_string(), format!("{indent}    "));
    put!(text, "\n", indent, "  - ", title, " [", &count, "] {");
    for func in all {
        put!(text, "\n");
        let listed = Listed { name: &func.name, scope: Some(class), of_closure: false };
        function(vm, text, func, listed, &inner)?;
    }
    put!(text, if all.is_empty() { "\n" } else { "" }, indent, "  }\n");
    Ok(())
}

fn dynamic_properties(vm: &Vm, text: &mut Vec<u8>, object: &PhpObj, indent: &str) -> PhpResult<()> {
    let table = object.dynamic().unwrap_or_default();
    // A private property of a parent with this name hides the dynamic one.
    let known = |name: &PhpStr| {
        let mut classes =
            std::iter::successors(Some(object.class()), |class| class.parent.as_ref().map(|parent| parent.class()));
        classes.any(|class| class.props.contains_key(name))
    };
    let names: Vec<PhpStr> = table.keys().map(convert::property_name).filter(|name| !known(name)).collect();
    let (count, inner) = (names.len().to_string(), format!("{indent}    "));
    put!(text, "\n", indent, "  - Dynamic properties [", &count, "] {\n");
    for name in &names {
        property(vm, text, None, name, &inner)?;
    }
    put!(text, indent, "  }\n");
    Ok(())
}

/// A property's line; without `info`, a dynamic one's.
pub fn property(vm: &Vm, text: &mut Vec<u8>, info: Option<&PropInfo>, name: &PhpStr, indent: &str) -> PhpResult<()> {
    let Some(info) = info else {
        put!(text, indent, "Property [ <dynamic> public $", name, " ]\n");
        return Ok(());
    };
    if let Some(comment) = properties::definition(info).and_then(|row| row.doc_comment) {
        put!(text, indent, info.unit.str(comment), "\n");
    }
    let bits = modifiers::of_property(info);
    put!(text, indent, "Property [ ");
    let before = [(modifiers::ABSTRACT, "abstract "), (modifiers::FINAL, "final ")];
    let after = [
        (modifiers::PRIVATE_SET, "private(set) "),
        (modifiers::PROTECTED_SET, "protected(set) "),
        (modifiers::STATIC, "static "),
        (modifiers::READONLY, "readonly "),
    ];
    for (_, word) in before.iter().filter(|(bit, _)| bits & bit != 0) {
        put!(text, word);
    }
    put!(text, visibility(bits));
    for (_, word) in after.iter().filter(|(bit, _)| bits & bit != 0) {
        put!(text, word);
    }
    if let Some(ty) = &info.ty {
        put!(text, &ty.display, " ");
    }
    put!(text, "$", name);
    if !info.is_virtual() {
        match info.default {
            Some(init) => {
                let value = vm.evaluate_init(&info.unit, init, info.class.get())?;
                put!(text, " = ");
                values::value(vm, text, &value);
            }
            None if info.ty.is_none() => put!(text, " = NULL"),
            None => {}
        }
    }
    put!(text, " ]\n");
    Ok(())
}

/// A class constant's line.
pub fn constant(vm: &Vm, text: &mut Vec<u8>, constant: &Rc<ClassConst>, indent: &str) -> PhpResult<()> {
    let value: Val = link::constant_value(vm, constant)?;
    if let Some(comment) = class_constants::definition(constant).and_then(|row| row.doc_comment) {
        put!(text, indent, constant.unit.str(comment), "\n");
    }
    let bits = modifiers::of_member(constant.attrs);
    let word = if bits & modifiers::FINAL != 0 { "final " } else { "" };
    let kind = convert::type_or_class_name(&value);
    let ty = constant.ty.as_ref().map_or(kind.as_bytes(), |ty| ty.display.as_bytes());
    put!(text, indent, "Constant [ ", word, visibility(bits), ty, " ", &constant.name, " ] { ");
    match value.view() {
        View::Arr(_) => put!(text, "Array"),
        View::Obj(_) => put!(text, "Object"),
        _ => put!(text, &convert::to_str(vm, &value)?),
    }
    put!(text, " }\n");
    Ok(())
}
