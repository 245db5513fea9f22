//! Attributes, and the checks on those that the engine itself knows.

use phlox_hhbc::{Attribute as AttributeRow, AttributeArg, Init};
use phlox_syntax::ast::*;

use super::show;
use crate::emitter::{Emit, Emitter};

/// What an attribute is attached to, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Target(u32);

impl Target {
    pub const CLASS: Target = Target(1);
    pub const FUNCTION: Target = Target(1 << 1);
    pub const METHOD: Target = Target(1 << 2);
    pub const PROPERTY: Target = Target(1 << 3);
    pub const CLASS_CONST: Target = Target(1 << 4);
    pub const PARAMETER: Target = Target(1 << 5);
    pub const NONE: Target = Target(0);

    fn names(bits: u32) -> String {
        const NAMES: [&str; 6] = ["class", "function", "method", "property", "class constant", "parameter"];
        let named = NAMES.iter().enumerate().filter(|(i, _)| bits & (1 << i) != 0).map(|(_, &name)| name);
        named.collect::<Vec<_>>().join(", ")
    }
}

/// The engine's own attributes and where they may stand. None may be repeated.
const ENGINE: [(&[u8], u32); 6] = [
    (b"Attribute", Target::CLASS.0),
    (b"ReturnTypeWillChange", Target::METHOD.0),
    (b"AllowDynamicProperties", Target::CLASS.0),
    (b"SensitiveParameter", Target::PARAMETER.0),
    (b"Override", Target::METHOD.0),
    (b"Deprecated", Target::FUNCTION.0 | Target::METHOD.0 | Target::CLASS_CONST.0),
];

fn engine_targets(name: &[u8]) -> Option<u32> {
    ENGINE.iter().find(|(text, _)| name.eq_ignore_ascii_case(text)).map(|row| row.1)
}

/// Is an attribute with this name (lower case, resolved) among them?
pub(crate) fn has_attribute(e: &Emitter<'_>, rows: &[AttributeRow], name: &[u8]) -> bool {
    rows.iter().any(|row| e.unit.text(row.name).eq_ignore_ascii_case(name))
}

impl<'a> Emitter<'a> {
    /// Compiles attributes. Those of a promoted parameter also go to the property: an engine attribute that may
    /// not stand at one of the two is silently left to the other.
    pub fn attributes(
        &mut self,
        groups: &'a [AttributeGroup<'a>],
        target: Target,
        promoted: Target,
    ) -> Emit<Vec<AttributeRow>> {
        let mut rows = Vec::new();
        for attribute in groups.iter().flat_map(|g| g.attributes) {
            if attribute.args.is_some_and(|args| args.first_class_callable) {
                return self.fatal("Cannot create Closure as attribute argument");
            }
            let name = self.resolve_class(&attribute.name)?;
            if let Some(allowed) = engine_targets(&name)
                && allowed & target.0 == 0
                && allowed & promoted.0 != 0
            {
                continue;
            }
            let name = self.str(&name);
            let args = self.attribute_args(attribute)?;
            let strict_types = self.unit.unit.strict_types;
            rows.push(AttributeRow { name, line: attribute.span.line, args, strict_types });
        }
        self.check_attributes(&rows, target)?;
        Ok(rows)
    }

    fn attribute_args(&mut self, attribute: &'a Attribute<'a>) -> Emit<Vec<AttributeArg>> {
        let mut args: Vec<AttributeArg> = Vec::new();
        let mut named = false;
        for arg in attribute.args.map_or(&[][..], |a| a.items) {
            if arg.spread {
                return self.fatal("Cannot use unpacking in attribute argument list");
            }
            let name = match arg.name {
                Some(name) => {
                    named = true;
                    let id = self.str(name.text);
                    if args.iter().any(|other| other.name == Some(id)) {
                        return self.fatal(format!("Duplicate named parameter ${}", show(name.text)));
                    }
                    Some(id)
                }
                None if named => return self.fatal("Cannot use positional argument after named argument"),
                None => None,
            };
            let (value, _) = self.const_init(&arg.value, true)?;
            let is_literal = matches!(value, Init::Literal(_));
            let text = if is_literal { None } else { self.default_text(&arg.value).map(|text| self.str(&text)) };
            args.push(AttributeArg { name, value, text });
        }
        Ok(args)
    }

    fn check_attributes(&self, rows: &[AttributeRow], target: Target) -> Emit {
        for row in rows {
            let name = self.unit.text(row.name);
            let Some(allowed) = engine_targets(name) else { continue };
            if allowed & target.0 == 0 {
                return self.fatal(format!(
                    "Attribute \"{}\" cannot target {} (allowed targets: {})",
                    show(name),
                    Target::names(target.0),
                    Target::names(allowed)
                ));
            }
            if rows.iter().filter(|other| self.unit.text(other.name).eq_ignore_ascii_case(name)).count() > 1 {
                return self.fatal(format!("Attribute \"{}\" must not be repeated", show(name)));
            }
        }
        Ok(())
    }
}
