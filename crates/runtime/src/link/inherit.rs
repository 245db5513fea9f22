//! The members that a class inherits from its parent.

use super::draft::Draft;
use super::methods::Checks;
use super::{shown, text};
use crate::class::{Attrs, Class, ClassExt, ClassKind, ClassRef};
use crate::error::PhpResult;

impl Draft<'_> {
    /// Inherits properties, constants, then methods; the class's own members are checked against the parent's.
    pub(super) fn inherit(&mut self, parent: &ClassRef) -> PhpResult<()> {
        let parent = parent.class();
        self.check_parent(parent)?;
        self.props.prepend_slots(&parent.slots);
        for (name, info) in &parent.props {
            self.inherit_property(name, info)?;
        }
        self.check_hooked_properties()?;
        for (name, constant) in &parent.constants {
            self.inherit_constant(name, constant)?;
        }
        for (key, func) in &parent.methods {
            self.inherit_method(key, func, Checks::INHERIT)?;
        }
        Ok(())
    }

    fn check_parent(&self, parent: &Class) -> PhpResult<()> {
        let (own, old) = (shown(&self.name), shown(&parent.name));
        if parent.is_final() {
            return Err(self.fatal(&text!["Class ", own, " cannot extend final class ", old]));
        }
        match parent.kind {
            ClassKind::Interface | ClassKind::Trait => {
                let message = text!["Class ", own, " cannot extend ", parent.kind_word(), " ", old];
                return Err(self.fatal(&message));
            }
            ClassKind::Class | ClassKind::Enum => {}
        }
        if self.attrs.has(Attrs::READONLY) != parent.attrs.has(Attrs::READONLY) {
            let (title, word) = match self.attrs.has(Attrs::READONLY) {
                true => ("Readonly", "non-readonly"),
                false => ("Non-readonly", "readonly"),
            };
            return Err(self.fatal(&text![title, " class ", own, " cannot extend ", word, " class ", old]));
        }
        Ok(())
    }
}
