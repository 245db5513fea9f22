//! Classes, constants, type checks and static variables.

use crate::machine::Machine;
use phlox_hhbc::{ClassId, Hoisted, LocalId, StrId, SwitchTable};
use phlox_runtime::closure;
use phlox_runtime::strmap::lower_str;
use phlox_runtime::{ClassExt, ClassRef, Frame, LinkedUnit, PhpResult, PhpStr, Val, View, coerce, convert, link};
use std::rc::Rc;

impl Machine<'_> {
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

    pub fn define_constant(&mut self, name: &PhpStr) -> PhpResult<()> {
        let value = self.pop();
        if !self.vm.define_constant(name, value) {
            self.vm.warning(&[b"Constant ", &name[..], b" already defined"].concat())?;
        }
        Ok(())
    }

    pub fn class_constant(&mut self, frame: &Frame, name: &PhpStr) -> PhpResult<()> {
        let class = self.pop_class();
        let value = link::constant(self.vm, &class, name, frame.scope())?;
        self.push(value);
        Ok(())
    }

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

    pub fn push_self(&mut self, frame: &Frame) -> PhpResult<()> {
        match frame.scope() {
            Some(class) => {
                self.push(Val::class(class.clone()));
                Ok(())
            }
            None => Err(self.no_scope(frame, "self")),
        }
    }

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

    pub fn push_late_bound(&mut self, frame: &Frame) -> PhpResult<()> {
        match frame.static_class.as_ref().or(frame.scope()) {
            Some(class) => {
                self.push(Val::class(class.clone()));
                Ok(())
            }
            None => Err(self.no_scope(frame, "static")),
        }
    }

    fn no_scope(&self, frame: &Frame, word: &str) -> phlox_runtime::Throw {
        let text = match names_class(frame) {
            true => format!("Cannot use \"{word}\" in the global scope"),
            false => format!("Cannot access \"{word}\" when no class scope is active"),
        };
        self.vm.throw_error(text.as_bytes())
    }

    /// DefCls: nothing to do when loading the unit declared the class already.
    pub fn define_class(&mut self, unit: &Rc<LinkedUnit>, id: ClassId) -> PhpResult<()> {
        let early = unit.unit.hoisted.contains(&Hoisted::Class(id));
        if !early || self.is_declared(unit, id).is_none() {
            link::declare_class(self.vm, unit, id, None)?;
        }
        Ok(())
    }

    fn is_declared(&self, unit: &Rc<LinkedUnit>, id: ClassId) -> Option<ClassRef> {
        let name = unit.str(unit.unit.classes[id.index()].name);
        let class = self.vm.classes.borrow().get(&lower_str(name)).cloned()?;
        (Rc::ptr_eq(&class.class().unit, unit) && class.class().id == id).then_some(class)
    }

    pub fn anonymous_class(&mut self, unit: &Rc<LinkedUnit>, id: ClassId) -> PhpResult<ClassRef> {
        match self.is_declared(unit, id) {
            Some(class) => Ok(class),
            None => link::declare_class(self.vm, unit, id, None),
        }
    }

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

    fn verify_variadic(&mut self, frame: &Frame, index: usize, ty: &phlox_runtime::TypeSpec) -> PhpResult<()> {
        let strict = self.vm.caller_is_strict();
        let slot = frame.local(index);
        let Some(rest) = slot.get_deref().into_arr() else { return Ok(()) };
        let mut checked = rest.clone();
        for (position, (key, value)) in rest.iter().enumerate() {
            let mut value = value.deref();
            if coerce::quick_match(ty, &value) {
                continue;
            }
            coerce::user_argument(self.vm, &frame.func, index + position, ty, &mut value, strict)?;
            drop(checked.assign(key, value));
        }
        slot.set(checked.into());
        Ok(())
    }

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

    /// StaticLoc, and StaticLocInit with the value to initialise the variable with.
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

/// Is the class reference being made for `::class`?
fn names_class(frame: &Frame) -> bool {
    let next = frame.func.code().code.get(frame.pc.get() as usize + 1);
    matches!(next, Some(phlox_hhbc::Instr::NameA {}))
}
