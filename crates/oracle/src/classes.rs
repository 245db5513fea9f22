//! Class references, constants, type checks, static variables and switches.

use crate::machine::Machine;
use phlox_hhbc::{ClassId, Hoisted, LocalId, StrId, SwitchTable};
use phlox_runtime::closure;
use phlox_runtime::strmap::lower_literal;
use phlox_runtime::{ClassExt, ClassRef, Frame, Key, LinkedUnit, PhpResult, PhpStr, Val, View, coerce, convert, link};
use std::rc::Rc;

impl Machine<'_> {
    /// The value of a constant, or of the one named by `fallback` if it is not defined.
    pub fn constant(&mut self, name: &PhpStr, fallback: Option<&PhpStr>) -> PhpResult<Val> {
        let vm = self.vm;
        let find = |name: &PhpStr| vm.find_constant(name).map(|value| (name.clone(), value));
        match find(name).or_else(|| fallback.and_then(find)) {
            Some((found, value)) => {
                vm.check_constant_deprecation(&found)?;
                Ok(value)
            }
            None => Err(vm.throw_error(&[b"Undefined constant \"", phlox_runtime::until_nul(name), b"\""].concat())),
        }
    }

    /// Defines a constant with the value on the stack; raises a warning if there is one already.
    pub fn define_constant(&mut self, name: &PhpStr) -> PhpResult<()> {
        let value = self.pop();
        if !self.vm.define_constant(name, value) {
            self.vm.warning(&[b"Constant ", &name[..], b" already defined"].concat())?;
        }
        Ok(())
    }

    /// Reads a constant of the class on the stack (ClsCns).
    pub fn class_constant(&mut self, frame: &Frame, name: &PhpStr) -> PhpResult<()> {
        let class = self.pop_class();
        let value = link::constant(self.vm, &class, name, frame.scope())?;
        self.push(value);
        Ok(())
    }

    /// Reads a constant, whose name is a value, of the class on the stack (ClsCnsC).
    pub fn class_constant_computed(&mut self, frame: &Frame) -> PhpResult<()> {
        let class = self.pop_class();
        let name = self.pop().into_deref();
        let View::Str(name) = name.view() else {
            let text = format!("Cannot use value of type {} as class constant name", convert::value_name(&name));
            return Err(self.vm.throw_type_error(text.as_bytes()));
        };
        if name.eq_ignore_ascii_case(b"class") {
            self.push((&class.class().name).into());
            return Ok(());
        }
        let value = link::constant(self.vm, &class, name, frame.scope())?;
        self.push(value);
        Ok(())
    }

    /// Pushes the class of the code, `self`.
    pub fn push_self(&mut self, frame: &Frame) -> PhpResult<()> {
        match frame.scope() {
            Some(class) => {
                self.push(Val::class(class.clone()));
                Ok(())
            }
            None => Err(self.no_scope(frame, "self")),
        }
    }

    /// Pushes the parent of the code's class, `parent`.
    pub fn push_parent(&mut self, frame: &Frame) -> PhpResult<()> {
        let Some(class) = frame.scope() else {
            return Err(self.no_scope(frame, "parent"));
        };
        match &class.class().parent {
            Some(parent) => {
                self.push(Val::class(parent.clone()));
                Ok(())
            }
            None => {
                let verb = if names_class(frame) { "use" } else { "access" };
                let text = format!("Cannot {verb} \"parent\" when current class scope has no parent");
                Err(self.vm.throw_error(text.as_bytes()))
            }
        }
    }

    /// Pushes the late static binding class, `static`.
    pub fn push_late_bound(&mut self, frame: &Frame) -> PhpResult<()> {
        match frame.static_class.as_ref().or(frame.scope()) {
            Some(class) => {
                self.push(Val::class(class.clone()));
                Ok(())
            }
            None => Err(self.no_scope(frame, "static")),
        }
    }

    /// The error of a class reference `word` in code without a class scope.
    fn no_scope(&self, frame: &Frame, word: &str) -> phlox_runtime::Throw {
        let text = match names_class(frame) {
            true => format!("Cannot use \"{word}\" in the global scope"),
            false => format!("Cannot access \"{word}\" when no class scope is active"),
        };
        self.vm.throw_error(text.as_bytes())
    }

    /// DefCls: declares a class, unless loading the unit has declared it already.
    pub fn define_class(&mut self, unit: &Rc<LinkedUnit>, id: ClassId) -> PhpResult<()> {
        let early = unit.unit.hoisted.contains(&Hoisted::Class(id)) || self.vm.is_preloaded_class(unit, id);
        if !early || self.is_declared(unit, id).is_none() {
            link::declare_class(self.vm, unit, id, None)?;
        }
        Ok(())
    }

    /// The class of a unit's row, if it is declared under its name.
    fn is_declared(&self, unit: &Rc<LinkedUnit>, id: ClassId) -> Option<ClassRef> {
        let name = unit.str(unit.unit.classes[id.index()].name);
        let class = self.vm.classes.borrow().get(&lower_literal(name)).cloned()?;
        (Rc::ptr_eq(&class.class().unit, unit) && class.class().id == id).then_some(class)
    }

    /// The class of a `new class` expression, which is declared on first use.
    pub fn anonymous_class(&mut self, unit: &Rc<LinkedUnit>, id: ClassId) -> PhpResult<ClassRef> {
        match self.is_declared(unit, id) {
            Some(class) => Ok(class),
            None => link::declare_class(self.vm, unit, id, None),
        }
    }

    /// Verifies that an argument is of its parameter's type, and converts it if the type asks for that.
    pub fn verify_param(&mut self, frame: &Frame, param: LocalId) -> PhpResult<()> {
        let index = param.index();
        let Some(ty) = frame.func.params.get(index).and_then(|p| p.ty.clone()) else { return Ok(()) };
        let slot = frame.local(index);
        if frame.func.params[index].variadic {
            return self.verify_variadic(frame, index, &ty);
        }
        let mut value = slot.get_deref();
        if coerce::quick_match(&ty, &value) {
            return Ok(());
        }
        let strict = self.vm.caller_is_strict();
        coerce::user_argument(self.vm, &frame.func, index, &ty, &mut value, strict)?;
        match slot.as_ref() {
            Some(reference) => reference.set(value),
            None => slot.set(value),
        }
        Ok(())
    }

    /// Verifies that all rest arguments are of the variadic parameter's type, and converts them if the type asks for that.
    fn verify_variadic(&mut self, frame: &Frame, index: usize, ty: &phlox_runtime::TypeSpec) -> PhpResult<()> {
        let strict = self.vm.caller_is_strict();
        let slot = frame.local(index);
        let Some(rest) = slot.get_deref().into_arr() else { return Ok(()) };
        let mut checked = rest.clone();
        // Arguments with names all have the number behind the last one without.
        let mut position = 0;
        for (key, value) in rest.iter() {
            let number = index + position;
            position += usize::from(matches!(key, Key::Int(_)));
            let mut value = value.deref();
            if coerce::quick_match(ty, &value) {
                continue;
            }
            coerce::user_argument(self.vm, &frame.func, number, ty, &mut value, strict)?;
            drop(checked.assign(key, value));
        }
        slot.set(checked.into());
        Ok(())
    }

    /// Verifies that the value on the stack is of the function's return type, and converts it if the type asks for that.
    pub fn verify_return(&mut self, frame: &Rc<Frame>) -> PhpResult<()> {
        let Some(ty) = frame.func.return_type.clone() else { return Ok(()) };
        let value = self.pop();
        if coerce::quick_match(&ty, &value) {
            self.push(value);
            return Ok(());
        }
        let by_ref = value.as_ref().cloned();
        let plain = value.into_deref();
        let checked = coerce::return_value(self.vm, &frame.func, &ty, plain)?;
        match by_ref {
            Some(reference) => {
                reference.set(checked);
                self.push(reference.into());
            }
            None => self.push(checked),
        }
        Ok(())
    }

    /// StaticLoc, and StaticLocInit with the initial value. Binds a local to a static variable; false: the variable has to be
    /// initialised first.
    pub fn static_local(&mut self, frame: &Rc<Frame>, local: LocalId, name: StrId, init: Option<Val>) -> bool {
        let statics = frame.statics.get_or_init(|| closure::static_vars(&frame.func, frame.closure.as_ref())).clone();
        let index = frame.func.code().statics.iter().position(|(known, _)| *known == name);
        let Some((slot, initialized)) = index.and_then(|index| statics.vars.get(index)) else { return true };
        match init {
            Some(value) if !initialized.replace(true) => drop(slot.set(value)),
            None if !initialized.get() => return false,
            _ => {}
        }
        let reference = slot.make_ref();
        frame.local(local.index()).set(reference.into());
        true
    }

    /// The position that a switch goes to for the value on the stack.
    pub fn switch_target(&mut self, frame: &Frame, table: &SwitchTable) -> u32 {
        let value = self.pop();
        match table {
            SwitchTable::Int { cases, default } => {
                let Some(int) = value.as_int() else { return default.0 };
                let found = cases.iter().find(|(case, _)| *case == int);
                found.map_or(default.0, |(_, target)| target.0)
            }
            SwitchTable::Str { cases, default } => {
                let Some(text) = value.as_str() else { return default.0 };
                let found = cases.iter().find(|(case, _)| frame.func.unit.str(*case) == text);
                found.map_or(default.0, |(_, target)| target.0)
            }
        }
    }
}

/// Whether the class reference is being made for `::class`.
fn names_class(frame: &Frame) -> bool {
    let next = frame.func.code().code.get(frame.pc.get() as usize + 1);
    matches!(next, Some(phlox_hhbc::Instr::NameA {}))
}
