//! Member instructions: their member vectors and stack values are turned into steps of the runtime's walk.

use crate::machine::Machine;
use phlox_hhbc::{Base, IncDec, Instr, LocalId, Member, MemberVector, SetOp};
use phlox_runtime::members::{self, Action, Input, Place, Step};
use phlox_runtime::{ClassRef, Frame, PhpResult, PhpStr, Slot, Val, convert};

/// The inputs of a member vector, which were taken off the stack.
struct Inputs {
    /// Keys and names that were on the stack, in order.
    cells: std::vec::IntoIter<Val>,
    /// The base's value or name.
    base: Val,
    class: Option<ClassRef>,
}

impl Machine<'_> {
    /// Pops the inputs of a member vector.
    fn path_inputs(&mut self, vector: &MemberVector) -> Inputs {
        let class = (vector.base == Base::S).then(|| self.pop_class());
        let cells = vector.members.iter().filter(|m| matches!(m, Member::EC | Member::PC)).count();
        let at = self.stack.len() - cells;
        let cells = self.stack.split_off(at).into_iter();
        let base = match vector.base {
            Base::N | Base::G | Base::S | Base::C | Base::R => self.pop(),
            Base::L(_) | Base::H => Val::NULL,
        };
        Inputs { cells, base, class }
    }

    /// The value of a local; the walk raises the warning if it is undefined and needed.
    fn local_input(frame: &Frame, local: LocalId) -> Input {
        let value = frame.local(local.index()).get_deref();
        if value.is_undef() { Input::Undefined(Self::local_name(frame, local)) } else { Input::Value(value) }
    }

    /// The value on the stack. The instruction before has put an undefined local there as it is.
    fn pop_input(&mut self, frame: &Frame) -> Input {
        let value = self.pop();
        let before = (frame.pc.get() as usize).checked_sub(1).and_then(|at| frame.func.code().code.get(at));
        match before {
            Some(&Instr::CUGetL { local }) if value.is_undef() => Input::Undefined(Self::local_name(frame, local)),
            _ => Input::Value(value),
        }
    }

    /// The step of a member. A local is read here, after the steps before.
    fn step_of(&mut self, frame: &Frame, member: Member, inputs: &mut Inputs) -> PhpResult<Step> {
        Ok(match member {
            Member::EC => Step::Elem(inputs.cells.next().unwrap_or(Val::NULL).into()),
            Member::EL(local) => Step::Elem(Self::local_input(frame, local)),
            Member::ET(key) => Step::Elem(Val::from(frame.func.unit.str(key)).into()),
            Member::EI(key) => Step::Elem(Val::int(key).into()),
            Member::PC => Step::Prop(self.property_name(inputs.cells.next().unwrap_or(Val::NULL))?),
            Member::PL(local) => {
                let name = self.read_local(frame, local)?;
                Step::Prop(self.property_name(name)?)
            }
            Member::PT(name) => Step::Prop(frame.func.unit.str(name).clone()),
            Member::W => Step::New,
        })
    }

    /// All steps of a vector, for an access that is made after all keys were read.
    fn steps_of(&mut self, frame: &Frame, vector: &MemberVector, inputs: &mut Inputs) -> PhpResult<Vec<Step>> {
        vector.members.iter().map(|&member| self.step_of(frame, member, inputs)).collect()
    }

    fn property_name(&mut self, name: Val) -> PhpResult<PhpStr> {
        convert::to_str(self.vm, &name)
    }

    fn this_value(&mut self, frame: &Frame) -> PhpResult<Val> {
        match &frame.this {
            Some(this) => Ok(this.into()),
            None => Err(self.vm.throw_error(b"Using $this when not in object context")),
        }
    }

    /// The value of the base, for a read.
    fn base_value(&mut self, frame: &Frame, base: Base, inputs: &Inputs, quiet: bool) -> PhpResult<Val> {
        match base {
            Base::L(local) if quiet => Ok(frame.local(local.index()).get_deref().or_null()),
            Base::L(local) => self.read_local(frame, local),
            Base::C | Base::R => Ok(inputs.base.deref()),
            Base::H if quiet => Ok(frame.this.as_ref().map_or(Val::NULL, Val::from)),
            Base::H => self.this_value(frame),
            Base::N => {
                self.push(inputs.base.clone());
                self.get_named(frame, !quiet)?;
                Ok(self.pop())
            }
            Base::G => {
                self.push(inputs.base.clone());
                self.get_global(!quiet)?;
                Ok(self.pop())
            }
            Base::S => {
                let name = self.property_name(inputs.base.clone())?;
                let Some(class) = &inputs.class else { return Ok(Val::NULL) };
                match self.find_static(frame, class, &name, quiet)? {
                    Some((info, property)) => phlox_runtime::statics::read(self.vm, &info, &property, quiet),
                    None => Ok(Val::NULL),
                }
            }
        }
    }

    /// Reads what a vector leads to (CGetM).
    pub fn path_read(&mut self, frame: &Frame, vector: &MemberVector) -> PhpResult<()> {
        let mut inputs = self.path_inputs(vector);
        let mut current = self.base_value(frame, vector.base, &inputs, false)?;
        for &member in &vector.members {
            let step = self.step_of(frame, member, &mut inputs)?;
            current = members::read(self.vm, current, &[step], Self::access(frame))?;
        }
        self.push(current);
        Ok(())
    }

    /// Reads what a vector leads to without warnings (CGetQuietM).
    pub fn path_read_quiet(&mut self, frame: &Frame, vector: &MemberVector) -> PhpResult<()> {
        let mut inputs = self.path_inputs(vector);
        let current = self.base_value(frame, vector.base, &inputs, true)?;
        let value = self.walk_quietly(frame, &vector.members, &mut inputs, current)?;
        self.push(value);
        Ok(())
    }

    /// Walks along members without warnings, as `??` does.
    fn walk_quietly(
        &mut self,
        frame: &Frame,
        members: &[Member],
        inputs: &mut Inputs,
        mut current: Val,
    ) -> PhpResult<Val> {
        for &member in members {
            let step = self.step_of(frame, member, inputs)?;
            current = members::read_quiet(self.vm, current, &[step], Self::access(frame))?;
        }
        Ok(current)
    }

    /// Reads what a vector leads to for destructuring (CGetListM).
    pub fn path_read_list(&mut self, frame: &Frame, vector: &MemberVector) -> PhpResult<()> {
        let mut inputs = self.path_inputs(vector);
        let base = self.base_value(frame, vector.base, &inputs, false)?;
        let steps = self.steps_of(frame, vector, &mut inputs)?;
        let value = members::read_list(self.vm, base, &steps, Self::access(frame))?;
        self.push(value);
        Ok(())
    }

    /// Executes `isset` or `empty` of what a vector leads to.
    pub fn path_isset(&mut self, frame: &Frame, vector: &MemberVector, empty: bool) -> PhpResult<()> {
        let mut inputs = self.path_inputs(vector);
        let base = self.base_value(frame, vector.base, &inputs, true)?;
        let (before, last) = vector.members.split_at(vector.members.len().saturating_sub(1));
        let container = self.walk_quietly(frame, before, &mut inputs, base)?;
        let last: PhpResult<Vec<Step>> = last.iter().map(|&member| self.step_of(frame, member, &mut inputs)).collect();
        let set = members::isset(self.vm, container, &last?, Self::access(frame), empty)?;
        self.push(Val::bool(set != empty));
        Ok(())
    }

    /// The object in the base, a local, if the warning about an undefined name may run code that changes the local.
    fn held_object(frame: &Frame, vector: &MemberVector) -> Option<Val> {
        let Base::L(base) = vector.base else { return None };
        let is_undef = |member: &Member| matches!(*member, Member::PL(local) if frame.local(local.index()).is_undef());
        if !vector.members.iter().any(is_undef) {
            return None;
        }
        Some(frame.local(base.index()).get_deref()).filter(|value| value.as_obj().is_some())
    }

    /// Walks to the end of a vector and does the action there.
    fn path_apply(
        &mut self,
        frame: &Frame,
        vector: &MemberVector,
        held: Option<Val>,
        mut inputs: Inputs,
        action: Action,
    ) -> PhpResult<Val> {
        let steps = self.steps_of(frame, vector, &mut inputs)?;
        let access = Self::access(frame);
        let reads = matches!(action, Action::SetOp(..) | Action::IncDec(_));
        let place = match vector.base {
            Base::L(_) if held.is_some() => Place::Temp(Slot::new(held.unwrap_or(Val::NULL))),
            Base::L(local) => Place::Slot(frame.local(local.index())),
            Base::H => Place::Temp(Slot::new(self.this_value(frame)?)),
            Base::C | Base::R => Place::Temp(Slot::new(inputs.base.clone())),
            Base::N => {
                let name = self.property_name(inputs.base.clone())?;
                if name.as_bytes() == b"this" {
                    Place::Temp(Slot::new(self.this_value(frame)?))
                } else {
                    Place::Shared(Self::symbols(frame).slot(&name))
                }
            }
            Base::G => {
                let name = self.property_name(inputs.base.clone())?;
                Place::Shared(self.vm.globals.slot(&name))
            }
            Base::S => {
                let name = self.property_name(inputs.base.clone())?;
                let Some(class) = &inputs.class else { return Ok(Val::NULL) };
                match self.find_static(frame, class, &name, false)? {
                    Some((info, property)) => {
                        phlox_runtime::statics::check_modifiable(self.vm, &info, &property, reads)?;
                        Place::Static(info, property)
                    }
                    None => return Ok(Val::NULL),
                }
            }
        };
        members::apply(self.vm, place, &steps, action, access)
    }

    /// Raises the warning about an undefined base, if the operation `reads` it.
    fn warn_undefined_base(&mut self, frame: &Frame, vector: &MemberVector, reads: bool) -> PhpResult<()> {
        if let Base::L(local) = vector.base
            && reads
            && frame.local(local.index()).is_undef()
        {
            self.read_local(frame, local)?;
        }
        Ok(())
    }

    /// Makes a reference to what a vector leads to (VGetM).
    pub fn path_ref(&mut self, frame: &Frame, vector: &MemberVector) -> PhpResult<()> {
        let held = Self::held_object(frame, vector);
        let inputs = self.path_inputs(vector);
        let reference = self.path_apply(frame, vector, held, inputs, Action::MakeRef)?;
        self.push_boxed(reference);
        Ok(())
    }

    /// Assigns to what a vector leads to (SetM).
    pub fn path_set(&mut self, frame: &Frame, vector: &MemberVector) -> PhpResult<()> {
        let value = self.pop_input(frame);
        let held = Self::held_object(frame, vector);
        let inputs = self.path_inputs(vector);
        let result = self.path_apply(frame, vector, held, inputs, Action::Set(value))?;
        self.push(result);
        Ok(())
    }

    /// Executes `OP=` of what a vector leads to (SetOpM).
    pub fn path_set_op(&mut self, frame: &Frame, op: SetOp, vector: &MemberVector) -> PhpResult<()> {
        let operand = self.pop_input(frame);
        self.warn_undefined_base(frame, vector, true)?;
        let held = Self::held_object(frame, vector);
        let inputs = self.path_inputs(vector);
        let result = self.path_apply(frame, vector, held, inputs, Action::SetOp(op, operand))?;
        self.push(result);
        Ok(())
    }

    /// Executes `++` or `--` of what a vector leads to (IncDecM).
    pub fn path_inc_dec(&mut self, frame: &Frame, op: IncDec, vector: &MemberVector) -> PhpResult<()> {
        self.warn_undefined_base(frame, vector, true)?;
        let held = Self::held_object(frame, vector);
        let inputs = self.path_inputs(vector);
        let result = self.path_apply(frame, vector, held, inputs, Action::IncDec(op))?;
        self.push(result);
        Ok(())
    }

    /// Binds what a vector leads to to a reference (BindM).
    pub fn path_bind(&mut self, frame: &Frame, vector: &MemberVector) -> PhpResult<()> {
        let value = self.pop();
        let inputs = self.path_inputs(vector);
        if let Some(reference) = value.as_ref() {
            self.path_apply(frame, vector, None, inputs, Action::Bind(reference.clone()))?;
        }
        self.push(value);
        Ok(())
    }

    /// Unsets what a vector leads to (UnsetM).
    pub fn path_unset(&mut self, frame: &Frame, vector: &MemberVector) -> PhpResult<()> {
        // Unsetting a property of an undefined variable does not read it; unsetting elements, or anything further in, does.
        let is_property = matches!(vector.members[..], [Member::PC | Member::PL(_) | Member::PT(_)]);
        self.warn_undefined_base(frame, vector, !is_property)?;
        let inputs = self.path_inputs(vector);
        self.path_apply(frame, vector, None, inputs, Action::Unset)?;
        Ok(())
    }
}
