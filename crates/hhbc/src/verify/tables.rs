//! Metadata: every id of every table is in range, and what refers to functions and types suits them.

use super::{Fault, Rule, VerifyError};
use crate::ids::*;
use crate::unit::*;
use std::collections::HashSet;

/// Most iterators of a function; an [`IterId`] has sixteen bits.
const MAX_ITERS: u32 = 1 << 16;

/// Checks the unit's own tables; [`check_func`] does those of a function.
pub fn check(unit: &Unit) -> Result<(), VerifyError> {
    check_unit(unit).map_err(|fault| VerifyError { rule: fault.rule, func: None, at: None, message: fault.message })
}

fn check_unit(unit: &Unit) -> Result<(), Fault> {
    let tables = Tables { unit };
    let sizes = [unit.strings.len(), unit.arrays.len(), unit.types.len(), unit.funcs.len(), unit.classes.len()];
    if sizes.iter().any(|&size| size >= i32::MAX as usize) {
        return Err(Fault::general(Rule::X2, "a table has more than 2^31 - 2 rows"));
    }
    for (index, array) in unit.arrays.iter().enumerate() {
        tables.array(index, array)?;
    }
    for (index, ty) in unit.types.iter().enumerate() {
        tables.type_constraint(index, ty)?;
    }
    match unit.funcs.first() {
        None => return Err(Fault::general(Rule::X2, "there is no pseudo-main")),
        Some(main) if !main.params.is_empty() || main.flags.has(FuncFlags::NO_BODY) => {
            return Err(Fault::general(Rule::X2, "the pseudo-main has parameters or no body"));
        }
        Some(_) => {}
    }
    for (index, class) in unit.classes.iter().enumerate() {
        tables.class(class).map_err(|fault| in_class(unit, index, class, fault))?;
    }
    unit.notices.iter().try_for_each(|notice| tables.str(notice.message, "notice"))?;
    unit.hoisted.iter().try_for_each(|hoisted| match *hoisted {
        Hoisted::Func(id) => tables.body(id, "hoisted function"),
        Hoisted::Class(id) => tables.class_id(id, "hoisted class"),
    })
}

fn in_class(unit: &Unit, index: usize, class: &ClassDef, fault: Fault) -> Fault {
    let name = String::from_utf8_lossy(unit.str(class.name));
    Fault { message: format!("class {name} (c{index}): {}", fault.message), ..fault }
}

/// Checks a function's metadata, its code apart.
pub fn check_func(unit: &Unit, func: &Func) -> Result<(), Fault> {
    let tables = Tables { unit };
    tables.str(func.name, "name")?;
    tables.opt(func.class, |id| tables.class_id(id, "class"))?;
    tables.opt(func.return_type, |id| tables.ty(id, "return type"))?;
    tables.opt(func.doc_comment, |id| tables.str(id, "doc comment"))?;
    tables.attributes(&func.attributes)?;
    if func.num_iters > MAX_ITERS {
        return Err(Fault::general(Rule::X2, format!("{} iterators are more than {MAX_ITERS}", func.num_iters)));
    }
    for (index, param) in func.params.iter().enumerate() {
        tables.param(func, index, param)?;
    }
    if func.flags.has(FuncFlags::VARIADIC) != func.params.last().is_some_and(|param| param.variadic) {
        return Err(Fault::general(Rule::X2, "a function is variadic if its last parameter is"));
    }
    for name in func.locals.iter().flatten() {
        tables.str(*name, "name of a local")?;
    }
    for (name, value) in &func.statics {
        tables.str(*name, "name of a static variable")?;
        tables.opt(*value, |value| tables.init(value))?;
    }
    for (local, _) in &func.captures {
        if local.index() >= func.locals.len() {
            return Err(Fault::general(Rule::X2, format!("captured local {local:?} is out of range")));
        }
    }
    Ok(())
}

struct Tables<'u> {
    unit: &'u Unit,
}

impl Tables<'_> {
    fn in_range(&self, index: usize, len: usize, id: &dyn std::fmt::Debug, what: &str) -> Result<(), Fault> {
        if index < len {
            return Ok(());
        }
        Err(Fault::general(Rule::X2, format!("{what} {id:?} is out of range")))
    }

    fn opt<T>(&self, id: Option<T>, check: impl Fn(T) -> Result<(), Fault>) -> Result<(), Fault> {
        id.map_or(Ok(()), check)
    }

    fn str(&self, id: StrId, what: &str) -> Result<(), Fault> {
        self.in_range(id.index(), self.unit.strings.len(), &id, what)
    }

    fn strs(&self, ids: &[StrId], what: &str) -> Result<(), Fault> {
        ids.iter().try_for_each(|&id| self.str(id, what))
    }

    fn ty(&self, id: TypeId, what: &str) -> Result<(), Fault> {
        self.in_range(id.index(), self.unit.types.len(), &id, what)
    }

    fn func(&self, id: FuncId, what: &str) -> Result<(), Fault> {
        self.in_range(id.index(), self.unit.funcs.len(), &id, what)
    }

    /// A function that can be run or declared.
    fn body(&self, id: FuncId, what: &str) -> Result<(), Fault> {
        self.func(id, what)?;
        if self.unit.funcs[id.index()].flags.has(FuncFlags::NO_BODY) {
            return Err(Fault::general(Rule::X2, format!("{what} {id:?} has no body")));
        }
        Ok(())
    }

    /// A property hook: `get` takes nothing, `set` the value.
    fn hook(&self, id: FuncId, params: usize) -> Result<(), Fault> {
        self.func(id, "hook")?;
        if self.unit.funcs[id.index()].params.len() != params {
            return Err(Fault::general(Rule::X2, format!("hook {id:?} does not have {params} parameters")));
        }
        Ok(())
    }

    fn class_id(&self, id: ClassId, what: &str) -> Result<(), Fault> {
        self.in_range(id.index(), self.unit.classes.len(), &id, what)
    }

    fn literal(&self, literal: Literal) -> Result<(), Fault> {
        match literal {
            Literal::Null | Literal::Bool(_) | Literal::Int(_) | Literal::Double(_) => Ok(()),
            Literal::Str(id) => self.str(id, "string"),
            Literal::Array(id) => self.in_range(id.index(), self.unit.arrays.len(), &id, "array"),
        }
    }

    /// A thunk is called with no arguments.
    fn init(&self, init: Init) -> Result<(), Fault> {
        match init {
            Init::Literal(literal) => self.literal(literal),
            Init::Thunk(id) => {
                self.func(id, "thunk")?;
                let func = &self.unit.funcs[id.index()];
                let callable = func.params.is_empty() && !func.flags.has(FuncFlags::NO_BODY | FuncFlags::GENERATOR);
                if callable { Ok(()) } else { Err(Fault::general(Rule::X2, format!("{id:?} cannot be a thunk"))) }
            }
        }
    }

    /// Keys are unique and normalised. An array may hold only arrays that come before it, so that none holds itself.
    fn array(&self, index: usize, array: &ScalarArray) -> Result<(), Fault> {
        let mut keys = HashSet::with_capacity(array.entries.len());
        for &(key, value) in &array.entries {
            if let Key::Str(id) = key {
                self.str(id, "array key")?;
                if is_integer_like(self.unit.str(id)) {
                    let message = format!("array a{index} has a key {id:?} that would be an int");
                    return Err(Fault::general(Rule::X2, message));
                }
            }
            let bytes = match key {
                Key::Int(_) => None,
                Key::Str(id) => Some(self.unit.str(id)),
            };
            if !keys.insert(bytes.ok_or(key)) {
                return Err(Fault::general(Rule::X2, format!("array a{index} has the key {key:?} twice")));
            }
            match value {
                Literal::Array(inner) if inner.index() >= index => {
                    let message = format!("array a{index} holds {inner:?}, which does not come before it");
                    return Err(Fault::general(Rule::X2, message));
                }
                value => self.literal(value)?,
            }
        }
        Ok(())
    }

    fn type_constraint(&self, index: usize, ty: &TypeConstraint) -> Result<(), Fault> {
        let fault = |message: &str| Err(Fault::general(Rule::X12, format!("type t{index} {message}")));
        if ty.mask >= TypeMask::MIXED << 1 {
            return fault("has unknown mask bits");
        }
        if ty.mask == 0 && ty.classes.is_empty() {
            return fault("allows no value");
        }
        if ty.classes.iter().any(Vec::is_empty) {
            return fault("has an empty intersection");
        }
        self.str(ty.display, "displayed type")?;
        ty.classes.iter().try_for_each(|names| self.strs(names, "class of a type"))
    }

    fn attributes(&self, attributes: &[Attribute]) -> Result<(), Fault> {
        for attribute in attributes {
            self.str(attribute.name, "attribute")?;
            for argument in &attribute.args {
                self.opt(argument.name, |id| self.str(id, "attribute argument"))?;
                self.init(argument.value)?;
                self.opt(argument.text, |id| self.str(id, "attribute argument"))?;
            }
        }
        Ok(())
    }

    /// Parameters are the first locals, named, and only the last one may be variadic.
    fn param(&self, func: &Func, index: usize, param: &Param) -> Result<(), Fault> {
        self.str(param.name, "parameter name")?;
        self.opt(param.ty, |id| self.ty(id, "parameter type"))?;
        self.opt(param.default, |value| self.init(value))?;
        self.opt(param.default_text, |id| self.str(id, "default"))?;
        self.attributes(&param.attributes)?;
        if !matches!(func.locals.get(index), Some(Some(_))) {
            return Err(Fault::general(Rule::X2, format!("parameter {index} has no named local")));
        }
        if param.variadic && index + 1 != func.params.len() {
            return Err(Fault::general(Rule::X2, format!("parameter {index} is variadic but not last")));
        }
        Ok(())
    }

    fn class(&self, class: &ClassDef) -> Result<(), Fault> {
        self.str(class.name, "name")?;
        self.opt(class.parent, |id| self.str(id, "parent"))?;
        self.strs(&class.interfaces, "interface")?;
        self.strs(&class.traits, "trait")?;
        class.trait_rules.iter().try_for_each(|rule| self.trait_rule(rule))?;
        self.opt(class.enum_type, |id| self.ty(id, "enum type"))?;
        self.opt(class.doc_comment, |id| self.str(id, "doc comment"))?;
        self.attributes(&class.attributes)?;
        class.constants.iter().try_for_each(|constant| self.constant(constant))?;
        class.properties.iter().try_for_each(|property| self.property(property))?;
        class.methods.iter().try_for_each(|&id| self.func(id, "method"))
    }

    fn trait_rule(&self, rule: &TraitRule) -> Result<(), Fault> {
        match rule {
            TraitRule::InsteadOf { trait_name, method, excluded } => {
                self.strs(&[*trait_name, *method], "trait rule")?;
                self.strs(excluded, "excluded trait")
            }
            TraitRule::Alias { trait_name, method, attrs: _, alias } => {
                self.opt(*trait_name, |id| self.str(id, "trait rule"))?;
                self.str(*method, "trait rule")?;
                self.opt(*alias, |id| self.str(id, "alias"))
            }
        }
    }

    fn constant(&self, constant: &ConstDef) -> Result<(), Fault> {
        self.str(constant.name, "constant name")?;
        self.opt(constant.ty, |id| self.ty(id, "constant type"))?;
        self.opt(constant.doc_comment, |id| self.str(id, "doc comment"))?;
        self.attributes(&constant.attributes)?;
        self.init(constant.value)
    }

    fn property(&self, property: &PropDef) -> Result<(), Fault> {
        self.str(property.name, "property name")?;
        self.opt(property.ty, |id| self.ty(id, "property type"))?;
        self.opt(property.default, |value| self.init(value))?;
        self.opt(property.get_hook, |id| self.hook(id, 0))?;
        self.opt(property.set_hook, |id| self.hook(id, 1))?;
        self.opt(property.doc_comment, |id| self.str(id, "doc comment"))?;
        self.attributes(&property.attributes)
    }
}

/// Whether PHP turns an array key of these bytes into an int: canonical decimal in range.
pub fn is_integer_like(key: &[u8]) -> bool {
    let digits = key.strip_prefix(b"-").unwrap_or(key);
    let canonical = match digits {
        [] | [b'0', _, ..] => false,
        [b'0'] => digits.len() == key.len(),
        _ => digits.len() <= 19 && digits.iter().all(u8::is_ascii_digit),
    };
    canonical && std::str::from_utf8(key).is_ok_and(|text| text.parse::<i64>().is_ok())
}
