//! Type declarations: what they accept, how PHP prints them, and which combinations it refuses.

use phlox_hhbc::*;
use phlox_syntax::ast::*;
use phlox_syntax::diagnostic::Severity;

use super::show;
use crate::constant::Const;
use crate::emitter::{Emit, Emitter};
use crate::names::special_class;

/// A compiled type before it enters the unit.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompiledType {
    /// Bits of [`TypeMask`].
    pub mask: u32,
    /// Class alternatives, each an intersection; `self` and `parent` as written.
    pub classes: Vec<Vec<Vec<u8>>>,
}

/// Built-in type names and their bits.
const BUILTIN: [(&[u8], u32); 15] = [
    (b"null", TypeMask::NULL),
    (b"true", TypeMask::TRUE),
    (b"false", TypeMask::FALSE),
    (b"int", TypeMask::INT),
    (b"float", TypeMask::FLOAT),
    (b"string", TypeMask::STRING),
    (b"bool", TypeMask::BOOL),
    (b"void", TypeMask::VOID),
    (b"never", TypeMask::NEVER),
    (b"iterable", TypeMask::ITERABLE),
    (b"object", TypeMask::OBJECT),
    (b"mixed", TypeMask::MIXED),
    (b"array", TypeMask::ARRAY),
    (b"callable", TypeMask::CALLABLE),
    (b"static", TypeMask::STATIC),
];

/// Names that are no types but look like them, and what was probably meant.
const CONFUSABLE: [(&[u8], Option<&str>); 4] =
    [(b"boolean", Some("bool")), (b"integer", Some("int")), (b"double", Some("float")), (b"resource", None)];

/// The order in which PHP prints built-in types.
const PRINTED: [(u32, &str); 14] = [
    (TypeMask::MIXED, "mixed"),
    (TypeMask::STATIC, "static"),
    (TypeMask::CALLABLE, "callable"),
    (TypeMask::OBJECT, "object"),
    (TypeMask::ARRAY, "array"),
    (TypeMask::STRING, "string"),
    (TypeMask::INT, "int"),
    (TypeMask::FLOAT, "float"),
    (TypeMask::BOOL, "bool"),
    (TypeMask::FALSE, "false"),
    (TypeMask::TRUE, "true"),
    (TypeMask::VOID, "void"),
    (TypeMask::NEVER, "never"),
    (TypeMask::NULL, "null"),
];

impl CompiledType {
    fn of(mask: u32) -> CompiledType {
        CompiledType { mask, classes: Vec::new() }
    }

    /// Whether the type has at least one of the mask's bits.
    pub fn has(&self, mask: u32) -> bool {
        self.mask & mask != 0
    }

    fn is_only_iterable_class(&self) -> bool {
        self.has(TypeMask::ITERABLE) && matches!(self.classes.as_slice(), [one] if one.len() == 1)
    }

    /// Whether the type accepts null, by itself or as `mixed`.
    pub fn allows_null(&self) -> bool {
        self.has(TypeMask::NULL | TypeMask::MIXED)
    }

    /// As PHP prints it.
    pub fn display(&self) -> Vec<u8> {
        let mut parts: Vec<Vec<u8>> = Vec::new();
        let union = self.classes.len() > 1 || self.mask & !TypeMask::ITERABLE != 0;
        for alternative in &self.classes {
            let joined = alternative.join(&b'&');
            let bracketed = alternative.len() > 1 && union;
            parts.push(if bracketed { [b"(".as_slice(), &joined, b")"].concat() } else { joined });
        }
        let mut mask = self.mask;
        for (bits, name) in PRINTED {
            if bits == TypeMask::NULL || mask & bits != bits {
                continue;
            }
            mask &= !bits;
            parts.push(name.as_bytes().to_vec());
        }
        if mask & TypeMask::NULL != 0 {
            let simple = matches!(parts.as_slice(), [one] if !one.contains(&b'&'));
            if simple {
                return [b"?".as_slice(), &parts[0]].concat();
            }
            parts.push(b"null".to_vec());
        }
        parts.join(&b'|')
    }

    /// Does a constant fit as it is? Integers may stand for floats.
    pub fn accepts(&self, value: &Const<'_>) -> bool {
        let bit = match value {
            Const::Null => TypeMask::NULL,
            Const::Bool(false) => TypeMask::FALSE,
            Const::Bool(true) => TypeMask::TRUE,
            Const::Int(_) => TypeMask::INT | TypeMask::FLOAT,
            Const::Double(_) => TypeMask::FLOAT,
            Const::Str(_) => TypeMask::STRING,
            Const::Array(_) => TypeMask::ARRAY,
        };
        self.has(bit | TypeMask::MIXED)
    }

    /// A default that the type accepts, converted to it: an integer default of a float becomes a float.
    pub fn default_of(&self, init: Init, value: &Const<'_>) -> Init {
        match value {
            Const::Int(number) if !self.has(TypeMask::INT | TypeMask::MIXED) => {
                Init::Literal(Literal::Double(F64::new(*number as f64)))
            }
            _ => init,
        }
    }
}

impl<'a> Emitter<'a> {
    /// Compiles a type declaration without an implied null.
    pub fn compile_type(&mut self, ty: &Type<'a>) -> Emit<CompiledType> {
        self.compile_type_with_null(ty, false).map(|(ty, _)| ty)
    }

    /// Compiles a type. `force_null`: a parameter's default is null, so the type must accept null. The flag says whether
    /// null had to be added.
    pub fn compile_type_with_null(&mut self, ty: &Type<'a>, force_null: bool) -> Emit<(CompiledType, bool)> {
        let (inner, nullable) = match ty.kind {
            TypeKind::Nullable(inner) => (inner, true),
            _ => (ty, false),
        };
        let mut compiled = match inner.kind {
            TypeKind::Union(parts) => self.union_type(parts)?,
            TypeKind::Intersection(parts) => self.intersection_type(parts)?,
            TypeKind::Named(ref name) => self.single_type(name)?,
            TypeKind::Nullable(inner) => self.compile_type(inner)?,
        };
        if nullable && compiled.has(TypeMask::MIXED) {
            return self.fatal("Type mixed cannot be marked as nullable since mixed already includes null");
        }
        if nullable && compiled.has(TypeMask::NULL) {
            return self.fatal("null cannot be marked as nullable");
        }
        let forced = force_null && !nullable && !compiled.allows_null();
        if (nullable || force_null) && !compiled.has(TypeMask::MIXED) {
            compiled.mask |= TypeMask::NULL;
        }
        for (bit, text) in [(TypeMask::VOID, "Void"), (TypeMask::NEVER, "never")] {
            if compiled.has(bit) && (compiled.mask != bit || !compiled.classes.is_empty()) {
                return self.fatal(format!("{text} can only be used as a standalone type"));
            }
        }
        Ok((compiled, forced))
    }

    fn single_type(&mut self, name: &Name<'a>) -> Emit<CompiledType> {
        let builtin = BUILTIN.iter().find(|(text, _)| name.text.eq_ignore_ascii_case(text)).map(|row| row.1);
        if let Some(bit) = builtin {
            if name.kind != NameKind::Unqualified {
                let lower = show(&name.text.to_ascii_lowercase());
                return self.fatal(format!("Type declaration '{lower}' must be unqualified"));
            }
            return match bit {
                TypeMask::ITERABLE => Ok(CompiledType {
                    mask: TypeMask::ARRAY | TypeMask::ITERABLE,
                    classes: vec![vec![b"Traversable".to_vec()]],
                }),
                TypeMask::STATIC => {
                    if self.class.is_none() && self.scope_is_known() {
                        return self.fatal("Cannot use \"static\" when no class scope is active");
                    }
                    Ok(CompiledType::of(bit))
                }
                bit => Ok(CompiledType::of(bit)),
            };
        }
        if name.kind == NameKind::Unqualified && special_class(name.text).is_some() {
            self.class_name(name)?.ok();
            return Ok(CompiledType { mask: 0, classes: vec![vec![name.text.to_vec()]] });
        }
        let full = self.resolve_class(name)?;
        self.check_class_name(&full, "a type name")?;
        self.warn_confusable_type(name, &full);
        Ok(CompiledType { mask: 0, classes: vec![vec![full]] })
    }

    fn warn_confusable_type(&mut self, name: &Name<'a>, full: &[u8]) {
        if name.kind != NameKind::Unqualified || self.names.imported(UseKind::Class, name.text).is_some() {
            return;
        }
        // `integer` likely means the scalar type, `Integer` a class.
        let Some(&(_, meant)) = CONFUSABLE.iter().find(|(text, _)| name.text == *text) else {
            return;
        };
        let extra = if self.names.namespace.is_empty() { "" } else { " or import the class with \"use\"" };
        let (written, full) = (show(name.text), show(full));
        let message = match meant {
            Some(meant) => format!(
                "\"{written}\" will be interpreted as a class name. Did you mean \"{meant}\"? \
                 Write \"\\{full}\"{extra} to suppress this warning"
            ),
            None => format!(
                "\"{written}\" is not a supported builtin type and will be interpreted as a class name. \
                 Write \"\\{full}\"{extra} to suppress this warning"
            ),
        };
        self.report(Severity::CompileWarning, message);
    }

    fn union_type(&mut self, parts: &'a [Type<'a>]) -> Emit<CompiledType> {
        let mut union = CompiledType::default();
        let mut only_iterable = true;
        for part in parts {
            let single = match part.kind {
                TypeKind::Intersection(parts) => self.intersection_type(parts)?,
                TypeKind::Named(ref name) => self.single_type(name)?,
                TypeKind::Union(_) | TypeKind::Nullable(_) => self.compile_type(part)?,
            };
            if single.has(TypeMask::MIXED) {
                return self.fatal("Type mixed can only be used as a standalone type");
            }
            if !single.classes.is_empty() && !single.is_only_iterable_class() {
                only_iterable = false;
            }
            let overlap = union.mask & single.mask & !TypeMask::ITERABLE;
            if overlap != 0 {
                let shown = show(&CompiledType::of(overlap).display());
                return self.fatal(format!("Duplicate type {shown} is redundant"));
            }
            let bools = TypeMask::BOOL;
            if union.mask & bools != 0 && single.mask & bools != 0 && (union.mask | single.mask) & bools == bools {
                return self.fatal("Type contains both true and false, bool must be used instead");
            }
            union.mask |= single.mask;
            for alternative in single.classes {
                self.check_redundant(&union.classes, &alternative)?;
                union.classes.push(alternative);
            }
        }
        if union.has(TypeMask::OBJECT) && ((!only_iterable && !union.classes.is_empty()) || union.has(TypeMask::STATIC))
        {
            let shown = show(&union.display());
            return self.fatal(format!("Type {shown} contains both object and a class type, which is redundant"));
        }
        Ok(union)
    }

    /// Is an alternative of a union, or a part of an intersection, covered by an earlier one?
    fn check_redundant(&self, earlier: &[Vec<Vec<u8>>], new: &[Vec<u8>]) -> Emit {
        let same = |a: &[u8], b: &[u8]| a.eq_ignore_ascii_case(b);
        let text = |names: &[Vec<u8>]| show(&names.join(&b'&'));
        for old in earlier {
            if old.len() == 1 && new.len() == 1 {
                if same(&old[0], &new[0]) {
                    return self.fatal(format!("Duplicate type {} is redundant", text(new)));
                }
                continue;
            }
            let (small, large) = if old.len() < new.len() { (old.as_slice(), new) } else { (new, old.as_slice()) };
            if !small.iter().all(|s| large.iter().any(|l| same(s, l))) {
                continue;
            }
            if small.len() == large.len() {
                return self.fatal(format!("Type {} is redundant with type {}", text(small), text(large)));
            }
            let message =
                format!("Type {} is redundant as it is more restrictive than type {}", text(large), text(small));
            return self.fatal(message);
        }
        Ok(())
    }

    fn intersection_type(&mut self, parts: &'a [Type<'a>]) -> Emit<CompiledType> {
        let mut names: Vec<Vec<u8>> = Vec::new();
        for part in parts {
            let single = match part.kind {
                TypeKind::Named(ref name) => self.single_type(name)?,
                _ => self.compile_type(part)?,
            };
            let class = match (single.mask, single.classes.as_slice()) {
                (0, [one]) if one.len() == 1 && special_class(&one[0]).is_none() => one[0].clone(),
                _ => {
                    let shown = show(&single.display());
                    return self.fatal(format!("Type {shown} cannot be part of an intersection type"));
                }
            };
            if names.iter().any(|n| n.eq_ignore_ascii_case(&class)) {
                return self.fatal(format!("Duplicate type {} is redundant", show(&class)));
            }
            names.push(class);
        }
        Ok(CompiledType { mask: 0, classes: vec![names] })
    }

    /// Enters a type into the unit.
    pub fn type_id(&mut self, ty: &CompiledType) -> TypeId {
        let display = self.str(&ty.display());
        let mut mask = ty.mask;
        let mut classes = Vec::with_capacity(ty.classes.len());
        for alternative in &ty.classes {
            match alternative.as_slice() {
                [one] if one.eq_ignore_ascii_case(b"self") => mask |= TypeMask::SELF,
                [one] if one.eq_ignore_ascii_case(b"parent") => mask |= TypeMask::PARENT,
                names => classes.push(names.iter().map(|n| self.unit.str(n)).collect()),
            }
        }
        self.unit.ty(TypeConstraint { mask, classes, display })
    }

    /// Class names that the language keeps for itself.
    pub fn check_class_name(&mut self, name: &[u8], what: &str) -> Emit {
        if is_reserved_class_name(name) {
            return self.fatal(format!("Cannot use \"{}\" as {what} as it is reserved", show(name)));
        }
        if name == b"_" {
            self.report(Severity::Deprecated, format!("Using \"_\" as {what} is deprecated since 8.4"));
        }
        Ok(())
    }
}

/// Is the last part of the name reserved?
pub(crate) fn is_reserved_class_name(name: &[u8]) -> bool {
    const NOT_TYPES: [&[u8]; 2] = [b"parent", b"self"];
    let last = name.rsplit(|&b| b == b'\\').next().unwrap_or(name);
    // `array` and `callable` are keywords: no class name can be spelled like that.
    BUILTIN
        .iter()
        .take(12)
        .map(|row| row.0)
        .chain(NOT_TYPES)
        .chain([b"static".as_slice()])
        .any(|n| last.eq_ignore_ascii_case(n))
}
