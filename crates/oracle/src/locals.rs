//! Variables: locals, variables by name, globals, static properties; boxing.

use crate::machine::Machine;
use phlox_hhbc::{IncDec, LocalId, RefNotice, SetOp, StrId};
use phlox_runtime::props::store;
use phlox_runtime::{
    ClassRef, Frame, Kind, PhpArr, PhpResult, PhpStr, Slot, StaticProp, SymbolTable, Val, VarSlot, convert, link,
    members, variables,
};
use std::rc::Rc;

impl Machine<'_> {
    /// Pushes a reference: the value if it is one, or a new one that holds the value.
    pub fn push_boxed(&mut self, mut value: Val) {
        let reference = value.make_ref();
        self.push(reference.into());
    }

    /// Boxes the value on the stack (BoxRNotice); raises a notice if it is no reference.
    pub fn box_with_notice(&mut self, kind: RefNotice) -> PhpResult<()> {
        let value = self.pop();
        if !value.is_ref() {
            let text: &[u8] = match kind {
                RefNotice::Assign => b"Only variables should be assigned by reference",
                RefNotice::Return => b"Only variable references should be returned by reference",
                RefNotice::Destructure => b"Attempting to set reference to non referenceable value",
                RefNotice::Yield => b"Only variable references should be yielded by reference",
            };
            self.vm.notice(text)?;
        }
        self.push_boxed(value);
        Ok(())
    }

    /// The name of a local; empty if it has none.
    pub fn local_name(frame: &Frame, local: LocalId) -> PhpStr {
        let name = frame.func.code().locals.get(local.index()).copied().flatten();
        name.map_or_else(PhpStr::empty, |id: StrId| frame.func.unit.str(id).clone())
    }

    /// The value of a local; an undefined one raises a warning and gives null.
    pub fn read_local(&mut self, frame: &Frame, local: LocalId) -> PhpResult<Val> {
        let value = frame.local(local.index()).get_deref();
        if value.is_undef() {
            self.vm.undefined_variable(&Self::local_name(frame, local))?;
            return Ok(Val::NULL);
        }
        Ok(value)
    }

    /// Assigns to a slot, through its reference if it is boxed.
    pub fn assign(&mut self, frame: &Frame, slot: &Slot, value: Val) -> PhpResult<()> {
        variables::assign(self.vm, frame.func.strict_types(), slot, value)
    }

    /// Assigns the value on the stack to a local and leaves the stored value there (SetL).
    pub fn set_local_keep(&mut self, frame: &Frame, local: LocalId) -> PhpResult<()> {
        let slot = frame.local(local.index());
        if slot.kind() != Kind::Ref {
            let value = self.top().clone();
            slot.set(value);
            return Ok(());
        }
        let value = self.pop();
        let value = match slot.as_ref() {
            // The result is what was stored, whatever a destructor of the old value does to the variable.
            Some(reference) => {
                let value =
                    phlox_runtime::coerce::reference_value(self.vm, &reference, value, frame.func.strict_types())?;
                reference.set(value.clone());
                value
            }
            None => {
                slot.set(value.clone());
                value
            }
        };
        self.push(value);
        Ok(())
    }

    /// Executes `$local OP= value` (SetOpL).
    pub fn set_op_local(&mut self, frame: &Frame, local: LocalId, op: SetOp) -> PhpResult<()> {
        let operand = self.pop();
        let slot = frame.local(local.index());
        if slot.is_undef() {
            self.vm.undefined_variable(&Self::local_name(frame, local))?;
        }
        let result = self.set_op_slot(frame, slot, op, &operand)?;
        self.push(result);
        Ok(())
    }

    /// Executes `++` or `--` of a local (IncDecL).
    pub fn inc_dec_local(&mut self, frame: &Frame, local: LocalId, op: IncDec) -> PhpResult<()> {
        let slot = frame.local(local.index());
        if let Some(int) = slot.as_int() {
            let next = match op {
                IncDec::PreInc | IncDec::PostInc => int.checked_add(1),
                IncDec::PreDec | IncDec::PostDec => int.checked_sub(1),
            };
            if let Some(next) = next {
                slot.set_int(next);
                self.push(Val::int(if matches!(op, IncDec::PreInc | IncDec::PreDec) { next } else { int }));
                return Ok(());
            }
        }
        if slot.is_undef() {
            self.vm.undefined_variable(&Self::local_name(frame, local))?;
        }
        self.inc_dec_slot(frame, slot, op)
    }

    fn set_op_slot(&mut self, frame: &Frame, slot: &Slot, op: SetOp, operand: &Val) -> PhpResult<Val> {
        variables::set_op(self.vm, frame.func.strict_types(), slot, op, operand)
    }

    fn inc_dec_slot(&mut self, frame: &Frame, slot: &Slot, op: IncDec) -> PhpResult<()> {
        let value = variables::inc_dec(self.vm, frame.func.strict_types(), slot, op)?;
        self.push(value);
        Ok(())
    }

    // ---- variables by name

    fn pop_name(&mut self) -> PhpResult<PhpStr> {
        let name = self.pop();
        convert::to_str(self.vm, &name)
    }

    /// The symbol table of a frame, for variables by name.
    pub fn symbols(frame: &Frame) -> Rc<SymbolTable> {
        frame.symbols.get_or_init(|| Rc::new(SymbolTable::default())).clone()
    }

    /// The variable of a name, `$this` included. `create`: it is made if it does not exist.
    fn named_slot(&mut self, frame: &Frame, name: &PhpStr, create: bool) -> PhpResult<Option<Rc<VarSlot>>> {
        if name.as_bytes() == b"this" {
            if create {
                return Err(self.vm.throw_error(b"Cannot re-assign $this"));
            }
            return Ok(frame.this.as_ref().map(|this| Rc::new(VarSlot::new(this.into()))));
        }
        let table = Self::symbols(frame);
        Ok(if create { Some(table.slot(name)) } else { table.find(name) })
    }

    /// Reads a variable by name (CGetN).
    pub fn get_named(&mut self, frame: &Frame, warn: bool) -> PhpResult<()> {
        let name = self.pop_name()?;
        let slot = self.named_slot(frame, &name, false)?;
        self.push_variable(slot, &name, warn)
    }

    fn push_variable(&mut self, slot: Option<Rc<VarSlot>>, name: &PhpStr, warn: bool) -> PhpResult<()> {
        let value = match slot {
            Some(slot) => slot.get_deref(),
            None => {
                if warn {
                    self.vm.undefined_variable(name)?;
                }
                Val::NULL
            }
        };
        self.push(value);
        Ok(())
    }

    fn create_named(&mut self, frame: &Frame, name: &PhpStr) -> PhpResult<Rc<VarSlot>> {
        let slot = self.named_slot(frame, name, true)?;
        Ok(slot.unwrap_or_default())
    }

    /// Makes a reference to a variable by name (VGetN).
    pub fn ref_named(&mut self, frame: &Frame) -> PhpResult<()> {
        let name = self.pop_name()?;
        let reference = self.create_named(frame, &name)?.make_ref();
        self.push(reference.into());
        Ok(())
    }

    /// Executes `isset` or `empty` of a variable by name.
    pub fn isset_named(&mut self, frame: &Frame, empty: bool) -> PhpResult<()> {
        let name = self.pop_name()?;
        let slot = self.named_slot(frame, &name, false)?;
        self.push_isset(slot, empty);
        Ok(())
    }

    fn push_isset(&mut self, slot: Option<Rc<VarSlot>>, empty: bool) {
        let value = slot.map_or(Val::NULL, |slot| slot.get_deref());
        self.push(Val::bool(if empty { !convert::to_bool(&value) } else { !value.is_null() }));
    }

    /// Assigns to a variable by name (SetN).
    pub fn set_named(&mut self, frame: &Frame) -> PhpResult<()> {
        let value = self.pop();
        let name = self.pop_name()?;
        let slot = self.create_named(frame, &name)?;
        self.assign(frame, &slot, value.clone())?;
        self.push(value);
        Ok(())
    }

    /// Executes `$$name OP= value` (SetOpN).
    pub fn set_op_named(&mut self, frame: &Frame, op: SetOp) -> PhpResult<()> {
        let operand = self.pop();
        let name = self.pop_name()?;
        let slot = self.create_named(frame, &name)?;
        if slot.is_undef() {
            self.vm.undefined_variable(&name)?;
        }
        let result = self.set_op_slot(frame, &slot, op, &operand)?;
        self.push(result);
        Ok(())
    }

    /// Executes `++` or `--` of a variable by name (IncDecN).
    pub fn inc_dec_named(&mut self, frame: &Frame, op: IncDec) -> PhpResult<()> {
        let name = self.pop_name()?;
        let slot = self.create_named(frame, &name)?;
        if slot.is_undef() {
            self.vm.undefined_variable(&name)?;
        }
        self.inc_dec_slot(frame, &slot, op)
    }

    /// Binds a variable by name to a reference (BindN).
    pub fn bind_named(&mut self, frame: &Frame) -> PhpResult<()> {
        let reference = self.pop();
        let name = self.pop_name()?;
        self.create_named(frame, &name)?.set(reference.clone());
        self.push(reference);
        Ok(())
    }

    /// Unsets a variable by name (UnsetN).
    pub fn unset_named(&mut self, frame: &Frame) -> PhpResult<()> {
        let name = self.pop_name()?;
        if name.as_bytes() == b"this" {
            return Err(self.vm.throw_error(b"Cannot unset $this"));
        }
        Self::symbols(frame).unset(&name);
        Ok(())
    }

    // ---- globals

    /// Reads a global variable (CGetG).
    pub fn get_global(&mut self, warn: bool) -> PhpResult<()> {
        let name = self.pop_name()?;
        match self.vm.globals.find(&name) {
            Some(slot) => self.push(slot.get_deref()),
            None => {
                if warn {
                    self.vm.warning(&[b"Undefined global variable $", &name[..]].concat())?;
                }
                self.push(Val::NULL);
            }
        }
        Ok(())
    }

    /// Makes a reference to a global variable (VGetG).
    pub fn ref_global(&mut self) -> PhpResult<()> {
        let name = self.pop_name()?;
        let reference = self.vm.globals.slot(&name).make_ref();
        self.push(reference.into());
        Ok(())
    }

    /// Executes `isset` or `empty` of a global variable.
    pub fn isset_global(&mut self, empty: bool) -> PhpResult<()> {
        let name = self.pop_name()?;
        let slot = self.vm.globals.find(&name);
        self.push_isset(slot, empty);
        Ok(())
    }

    /// Assigns to a global variable (SetG).
    pub fn set_global(&mut self) -> PhpResult<()> {
        let value = self.pop();
        let name = self.pop_name()?;
        store(self.vm, &self.vm.globals.slot(&name), value.clone(), false)?;
        self.push(value);
        Ok(())
    }

    /// Executes `OP=` of a global variable (SetOpG).
    pub fn set_op_global(&mut self, frame: &Frame, op: SetOp) -> PhpResult<()> {
        let operand = self.pop();
        let name = self.pop_name()?;
        let slot = self.vm.globals.slot(&name);
        if slot.is_undef() {
            self.vm.warning(&[b"Undefined global variable $", &name[..]].concat())?;
        }
        let result = self.set_op_slot(frame, &slot, op, &operand)?;
        self.push(result);
        Ok(())
    }

    /// Executes `++` or `--` of a global variable (IncDecG).
    pub fn inc_dec_global(&mut self, frame: &Frame, op: IncDec) -> PhpResult<()> {
        let name = self.pop_name()?;
        let slot = self.vm.globals.slot(&name);
        if slot.is_undef() {
            self.vm.warning(&[b"Undefined global variable $", &name[..]].concat())?;
        }
        self.inc_dec_slot(frame, &slot, op)
    }

    /// Binds a global variable to a reference (BindG).
    pub fn bind_global(&mut self) -> PhpResult<()> {
        let reference = self.pop();
        let name = self.pop_name()?;
        self.vm.globals.slot(&name).set(reference.clone());
        self.push(reference);
        Ok(())
    }

    /// Unsets a global variable (UnsetG).
    pub fn unset_global(&mut self) -> PhpResult<()> {
        let name = self.pop_name()?;
        self.vm.globals.unset(&name);
        Ok(())
    }

    /// Pushes `$GLOBALS` as a value.
    pub fn push_globals(&mut self) {
        let mut array = PhpArr::new();
        for (name, slot) in self.vm.globals.defined() {
            let value = slot.get();
            let value = if value.as_ref().is_some_and(|r| r.refcount() <= 2) { value.deref() } else { value };
            array.insert(phlox_runtime::Key::from_str(&name), value);
        }
        self.push(array.into());
    }

    // ---- static properties

    /// Pops the name and the class of a static property, and finds it.
    fn pop_static(
        &mut self,
        frame: &Frame,
        quiet: bool,
    ) -> PhpResult<Option<(Rc<phlox_runtime::PropInfo>, Rc<StaticProp>)>> {
        let class = self.pop_class();
        let name = self.pop_name()?;
        self.find_static(frame, &class, &name, quiet)
    }

    /// The static property with this name. `None`: it cannot be read, and `quiet` is set; otherwise that is an error.
    pub fn find_static(
        &mut self,
        frame: &Frame,
        class: &ClassRef,
        name: &PhpStr,
        quiet: bool,
    ) -> PhpResult<Option<(Rc<phlox_runtime::PropInfo>, Rc<StaticProp>)>> {
        let Some(info) = phlox_runtime::statics::find(self.vm, class, name, frame.scope(), quiet)? else {
            return Ok(None);
        };
        let property = link::static_prop(self.vm, class, &info)?;
        if property.slot.is_undef() && info.ty.is_some() && quiet {
            return Ok(None);
        }
        Ok(Some((info, property)))
    }

    /// Pops the name and the class of a static property, and finds it; the error is that it does not exist.
    fn require_static(&mut self, frame: &Frame) -> PhpResult<(Rc<phlox_runtime::PropInfo>, Rc<StaticProp>)> {
        match self.pop_static(frame, false)? {
            Some(found) => Ok(found),
            None => Err(self.vm.throw_error(b"Access to undeclared static property")),
        }
    }

    /// Reads a static property (CGetS).
    pub fn get_static(&mut self, frame: &Frame, warn: bool) -> PhpResult<()> {
        let found = self.pop_static(frame, !warn)?;
        let value = match found {
            Some((info, property)) => phlox_runtime::statics::read(self.vm, &info, &property, !warn)?,
            None => Val::NULL,
        };
        self.push(value);
        Ok(())
    }

    /// Makes a reference to a static property (VGetS).
    pub fn ref_static(&mut self, frame: &Frame) -> PhpResult<()> {
        let (info, property) = self.require_static(frame)?;
        let reference = phlox_runtime::statics::make_ref(self.vm, &info, &property)?;
        self.push(reference.into());
        Ok(())
    }

    /// Executes `isset` or `empty` of a static property.
    pub fn isset_static(&mut self, frame: &Frame, empty: bool) -> PhpResult<()> {
        let value = self.pop_static(frame, true)?.map_or(Val::NULL, |(_, property)| property.slot.get_deref());
        self.push(Val::bool(if empty { !convert::to_bool(&value) } else { !value.is_null() }));
        Ok(())
    }

    /// Assigns to a static property (SetS).
    pub fn set_static(&mut self, frame: &Frame) -> PhpResult<()> {
        let value = self.pop();
        let (info, property) = self.require_static(frame)?;
        let value = phlox_runtime::statics::write(self.vm, &info, &property, value, Self::access(frame))?;
        self.push(value);
        Ok(())
    }

    /// Executes `OP=` of a static property (SetOpS).
    pub fn set_op_static(&mut self, frame: &Frame, op: SetOp) -> PhpResult<()> {
        let operand = self.pop();
        let (info, property) = self.require_static(frame)?;
        let change = (op, &operand);
        let result = phlox_runtime::statics::set_op(self.vm, &info, &property, change, Self::access(frame))?;
        self.push(result);
        Ok(())
    }

    /// Executes `++` or `--` of a static property (IncDecS).
    pub fn inc_dec_static(&mut self, frame: &Frame, op: IncDec) -> PhpResult<()> {
        let (info, property) = self.require_static(frame)?;
        let current = phlox_runtime::statics::read(self.vm, &info, &property, false)?;
        let next = members::step_value(self.vm, op, &current)?;
        let increment = matches!(op, IncDec::PreInc | IncDec::PostInc);
        match property.slot.as_ref() {
            Some(reference) => {
                phlox_runtime::coerce::check_reference_inc_dec(self.vm, &reference, &current, &next)?;
            }
            None => phlox_runtime::coerce::check_inc_dec_overflow(self.vm, &info, &current, &next, increment)?,
        }
        let stored = phlox_runtime::statics::write(self.vm, &info, &property, next, Self::access(frame))?;
        self.push(if matches!(op, IncDec::PreInc | IncDec::PreDec) { stored } else { current });
        Ok(())
    }

    /// Binds a static property to a reference (BindS).
    pub fn bind_static(&mut self, frame: &Frame) -> PhpResult<()> {
        let reference = self.pop();
        let (info, property) = self.require_static(frame)?;
        if let Some(reference) = reference.as_ref() {
            phlox_runtime::statics::bind(self.vm, &info, &property, reference.clone(), Self::access(frame))?;
        }
        self.push(reference);
        Ok(())
    }
}
