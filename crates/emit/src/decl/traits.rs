//! `use` inside a class.

use phlox_hhbc::{Attrs, TraitRule as TraitRuleRow};
use phlox_syntax::ast::*;

use super::class_members::visibility;
use super::show;
use crate::emitter::{Emit, Emitter};

impl<'a> Emitter<'a> {
    /// Compiles `use TRAITS { RULES }` of the class that is being declared.
    pub fn trait_use(&mut self, traits: &'a [Name<'a>], rules: &'a [TraitRule<'a>]) -> Emit {
        for name in traits {
            if self.class.as_ref().is_some_and(|c| c.kind == ClassKind::Interface) {
                let message = format!(
                    "Cannot use traits inside of interfaces. {} is used in {}",
                    show(name.text),
                    self.shown_class()
                );
                return self.fatal(message);
            }
            let full = self.ancestor(name, "trait name")?;
            let id = self.str(&full);
            if let Some(building) = &mut self.building {
                building.def.traits.push(id);
            }
        }
        for rule in rules {
            let row = self.trait_rule(rule)?;
            if let Some(building) = &mut self.building {
                building.def.trait_rules.push(row);
            }
        }
        Ok(())
    }

    fn trait_rule(&mut self, rule: &TraitRule<'a>) -> Emit<TraitRuleRow> {
        match rule {
            TraitRule::InsteadOf { trait_name, method, excluded } => {
                let trait_name = self.ancestor(trait_name, "trait name")?;
                let trait_name = self.str(&trait_name);
                let method = self.str(method.text);
                let mut names = Vec::new();
                for name in *excluded {
                    let full = self.ancestor(name, "trait name")?;
                    names.push(self.str(&full));
                }
                Ok(TraitRuleRow::InsteadOf { trait_name, method, excluded: names })
            }
            TraitRule::Alias { trait_name, method, modifiers, alias } => {
                for (modifier, text) in [(Modifiers::STATIC, "static"), (Modifiers::ABSTRACT, "abstract")] {
                    if modifiers.contains(modifier) {
                        return self.fatal(format!("Cannot use \"{text}\" as method modifier in trait alias"));
                    }
                }
                let trait_name = match trait_name {
                    Some(name) => {
                        let full = self.ancestor(name, "trait name")?;
                        Some(self.str(&full))
                    }
                    None => None,
                };
                let attrs = if modifiers.is_empty() { Attrs::default() } else { alias_attrs(*modifiers) };
                let method = self.str(method.text);
                let alias = alias.map(|alias| self.str(alias.text));
                Ok(TraitRuleRow::Alias { trait_name, method, attrs, alias })
            }
        }
    }
}

/// Modifiers of an alias: without a visibility the method keeps its own.
fn alias_attrs(modifiers: Modifiers) -> Attrs {
    let written = Modifiers::PUBLIC.union(Modifiers::PROTECTED).union(Modifiers::PRIVATE);
    let mut attrs = visibility(modifiers);
    if !modifiers.intersects(written) {
        attrs.0 &= !Attrs::PUBLIC;
    }
    attrs
}
