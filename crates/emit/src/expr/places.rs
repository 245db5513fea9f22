//! Places: where a variable expression leads once its stack inputs are there, and the last step on it.

use phlox_hhbc::*;

use crate::builder::Label;
use crate::emitter::{Emit, Emitter};
use crate::names::SpecialClass;

/// The class of a static property.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ClassOperand {
    Name(StrId),
    Special(SpecialClass),
    /// A local that holds a class name or an object.
    Local(LocalId),
    /// An unnamed local that holds a class name or an object; using it releases it.
    Temp(LocalId),
}

/// Where a variable expression leads. Stack inputs are already pushed, except a class reference.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    Local(LocalId),
    This,
    /// `$GLOBALS` as a whole.
    Globals,
    /// The variable whose name is on the stack.
    Named,
    /// The global whose name is on the stack.
    Global,
    /// The static property whose name is on the stack.
    Static(ClassOperand),
    /// A cell on the stack.
    Cell,
    /// A call's result on the stack.
    Ret,
    Member {
        base: Base,
        members: Vec<Member>,
        class: Option<ClassOperand>,
    },
}

/// A place and the label that a null receiver of `?->` jumps to.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    pub place: Place,
    pub short: Option<Label>,
}

impl Place {
    /// The place as the start of a member vector.
    pub fn into_base(self) -> (Base, Vec<Member>, Option<ClassOperand>) {
        let base = match self {
            Place::Local(local) => Base::L(local),
            Place::This => Base::H,
            Place::Named => Base::N,
            Place::Global => Base::G,
            Place::Static(class) => return (Base::S, Vec::with_capacity(2), Some(class)),
            Place::Cell | Place::Globals => Base::C,
            Place::Ret => Base::R,
            Place::Member { base, members, class } => return (base, members, class),
        };
        (base, Vec::with_capacity(2), None)
    }
}

impl<'a> Emitter<'a> {
    /// Pushes the class of a static property.
    pub fn push_class_operand(&mut self, class: ClassOperand) {
        match class {
            ClassOperand::Name(class) => self.emit(Instr::AGetD { class }),
            ClassOperand::Special(special) => self.push_special_class(special),
            ClassOperand::Local(local) => {
                self.emit(Instr::CGetL { local });
                self.emit(Instr::AGetC {});
            }
            ClassOperand::Temp(local) => {
                self.take_temp(local);
                self.emit(Instr::AGetC {});
            }
        }
    }

    /// Completes a member vector: its class goes on the stack now.
    fn vector_of(&mut self, base: Base, members: Vec<Member>, class: Option<ClassOperand>) -> VectorId {
        if let Some(class) = class {
            self.push_class_operand(class);
        }
        self.fb.vector(base, members)
    }

    fn push_globals(&mut self) {
        self.emit(Instr::Globals {});
    }

    /// Pushes `$this`, which must exist.
    pub fn push_this(&mut self) {
        self.set_flag(FuncFlags::USES_THIS);
        self.emit(Instr::This {});
    }

    /// Pushes the place's value.
    pub fn read_place(&mut self, place: Place) {
        match place {
            Place::Local(local) => self.emit(Instr::CGetL { local }),
            Place::This => self.push_this(),
            Place::Globals => self.push_globals(),
            Place::Named => self.emit(Instr::CGetN {}),
            Place::Global => self.emit(Instr::CGetG {}),
            Place::Static(class) => {
                self.push_class_operand(class);
                self.emit(Instr::CGetS {});
            }
            Place::Cell => {}
            Place::Ret => self.emit(Instr::UnboxR {}),
            Place::Member { base, members, class } => {
                let vector = self.vector_of(base, members, class);
                self.emit(Instr::CGetM { vector });
            }
        }
    }

    /// Pushes the place's value, or null without a warning.
    pub fn read_place_quiet(&mut self, place: Place) {
        match place {
            Place::Local(local) => self.emit(Instr::CGetQuietL { local }),
            Place::This => {
                self.set_flag(FuncFlags::USES_THIS);
                self.emit(Instr::BareThis {});
            }
            Place::Named => self.emit(Instr::CGetQuietN {}),
            Place::Global => self.emit(Instr::CGetQuietG {}),
            Place::Static(class) => {
                self.push_class_operand(class);
                self.emit(Instr::CGetQuietS {});
            }
            Place::Member { base, members, class } => {
                let vector = self.vector_of(base, members, class);
                self.emit(Instr::CGetQuietM { vector });
            }
            other => self.read_place(other),
        }
    }

    /// Pushes a reference to the place.
    pub fn refer_place(&mut self, place: Place) {
        match place {
            Place::Local(local) => self.emit(Instr::VGetL { local }),
            Place::This => {
                self.push_this();
                self.emit(Instr::Box {});
            }
            Place::Globals => {
                self.push_globals();
                self.emit(Instr::Box {});
            }
            Place::Named => self.emit(Instr::VGetN {}),
            Place::Global => self.emit(Instr::VGetG {}),
            Place::Static(class) => {
                self.push_class_operand(class);
                self.emit(Instr::VGetS {});
            }
            Place::Cell => self.emit(Instr::Box {}),
            Place::Ret => self.emit(Instr::BoxR {}),
            Place::Member { base, members, class } => {
                let vector = self.vector_of(base, members, class);
                self.emit(Instr::VGetM { vector });
            }
        }
    }

    /// Emits `isset` of a place whose stack inputs are pushed.
    pub fn isset_place(&mut self, place: Place) {
        match place {
            Place::Local(local) => self.emit(Instr::IssetL { local }),
            Place::Named => self.emit(Instr::IssetN {}),
            Place::Global => self.emit(Instr::IssetG {}),
            Place::Static(class) => {
                self.push_class_operand(class);
                self.emit(Instr::IssetS {});
            }
            Place::Member { base, members, class } => {
                let vector = self.vector_of(base, members, class);
                self.emit(Instr::IssetM { vector });
            }
            other => {
                self.read_place_quiet(other);
                self.emit(Instr::IssetC {});
            }
        }
    }

    /// Emits `empty` of a place whose stack inputs are pushed.
    pub fn empty_place(&mut self, place: Place) {
        match place {
            Place::Local(local) => self.emit(Instr::EmptyL { local }),
            Place::Named => self.emit(Instr::EmptyN {}),
            Place::Global => self.emit(Instr::EmptyG {}),
            Place::Static(class) => {
                self.push_class_operand(class);
                self.emit(Instr::EmptyS {});
            }
            Place::Member { base, members, class } => {
                let vector = self.vector_of(base, members, class);
                self.emit(Instr::EmptyM { vector });
            }
            other => {
                self.read_place_quiet(other);
                self.emit(Instr::Not {});
            }
        }
    }

    /// Emits `unset` of a place whose stack inputs are pushed.
    pub fn unset_place(&mut self, place: Place) -> Emit {
        match place {
            Place::Local(local) => self.emit(Instr::UnsetL { local }),
            Place::Named => self.emit(Instr::UnsetN {}),
            Place::Global => self.emit(Instr::UnsetG {}),
            Place::Static(class) => {
                self.push_class_operand(class);
                self.emit(Instr::UnsetS {});
            }
            Place::Member { base, members, class } => {
                let vector = self.vector_of(base, members, class);
                self.emit(Instr::UnsetM { vector });
            }
            Place::This => return self.fatal("Cannot unset $this"),
            Place::Globals | Place::Cell | Place::Ret => {
                return self.fatal("Cannot use temporary expression in write context");
            }
        }
        Ok(())
    }

    /// A place that is about to be written: what must lie below the value is pushed now.
    pub fn prepare_write(&mut self, place: Place) -> WritePlace {
        match place {
            Place::Local(local) => WritePlace::Local(local),
            Place::Named => WritePlace::Named,
            Place::Global => WritePlace::Global,
            Place::Static(class) => {
                self.push_class_operand(class);
                WritePlace::Static
            }
            other => {
                let (base, members, class) = other.into_base();
                WritePlace::Member(self.vector_of(base, members, class))
            }
        }
    }

    /// Assigns the top cell, which stays.
    pub fn set_place(&mut self, place: WritePlace) {
        self.emit(match place {
            WritePlace::Local(local) => Instr::SetL { local },
            WritePlace::Named => Instr::SetN {},
            WritePlace::Global => Instr::SetG {},
            WritePlace::Static => Instr::SetS {},
            WritePlace::Member(vector) => Instr::SetM { vector },
        });
    }

    /// Binds the top var, which stays.
    pub fn bind_place(&mut self, place: WritePlace) {
        self.emit(match place {
            WritePlace::Local(local) => Instr::BindL { local },
            WritePlace::Named => Instr::BindN {},
            WritePlace::Global => Instr::BindG {},
            WritePlace::Static => Instr::BindS {},
            WritePlace::Member(vector) => Instr::BindM { vector },
        });
    }

    /// Emits a compound assignment to a place whose stack inputs and value are pushed.
    pub fn set_op_place(&mut self, place: WritePlace, op: SetOp) {
        self.emit(match place {
            WritePlace::Local(local) => Instr::SetOpL { local, op },
            WritePlace::Named => Instr::SetOpN { op },
            WritePlace::Global => Instr::SetOpG { op },
            WritePlace::Static => Instr::SetOpS { op },
            WritePlace::Member(vector) => Instr::SetOpM { op, vector },
        });
    }

    /// Emits `++` or `--` of a place whose stack inputs are pushed.
    pub fn inc_dec_place(&mut self, place: WritePlace, op: IncDec) {
        self.emit(match place {
            WritePlace::Local(local) => Instr::IncDecL { local, op },
            WritePlace::Named => Instr::IncDecN { op },
            WritePlace::Global => Instr::IncDecG { op },
            WritePlace::Static => Instr::IncDecS { op },
            WritePlace::Member(vector) => Instr::IncDecM { op, vector },
        });
    }
}

/// A place whose inputs, the class reference included, are on the stack below the value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WritePlace {
    Local(LocalId),
    Named,
    Global,
    Static,
    Member(VectorId),
}
