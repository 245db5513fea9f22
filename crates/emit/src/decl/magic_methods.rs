//! The signatures that PHP demands of magic methods.

use phlox_hhbc::*;
use phlox_syntax::diagnostic::Severity;

use super::show;
use crate::emitter::{Emit, Emitter};

/// How a magic method must be declared.
struct Rule {
    name: &'static [u8],
    args: Option<usize>,
    is_static: bool,
    public: bool,
    /// Types that the parameters must accept, where they are typed.
    params: &'static [u32],
    returns: Returns,
}

enum Returns {
    Anything,
    Nothing,
    /// A type within this mask, if a return type is declared.
    Types(u32),
}

macro_rules! rules {
    ($($name:literal $args:expr, $kind:ident $access:ident, [$($param:ident)*], $returns:expr;)*) => {
        const RULES: &[Rule] = &[$(Rule {
            name: $name,
            args: $args,
            is_static: rules!(@static $kind),
            public: rules!(@public $access),
            params: &[$(TypeMask::$param),*],
            returns: $returns,
        },)*];
    };
    (@static class) => { true };
    (@static object) => { false };
    (@public public) => { true };
    (@public any) => { false };
}

rules! {
    b"__construct" None, object any, [], Returns::Nothing;
    b"__destruct" Some(0), object any, [], Returns::Nothing;
    b"__clone" Some(0), object any, [], Returns::Types(TypeMask::VOID);
    b"__get" Some(1), object public, [STRING], Returns::Anything;
    b"__set" Some(2), object public, [STRING], Returns::Types(TypeMask::VOID);
    b"__unset" Some(1), object public, [STRING], Returns::Types(TypeMask::VOID);
    b"__isset" Some(1), object public, [STRING], Returns::Types(TypeMask::BOOL);
    b"__call" Some(2), object public, [STRING ARRAY], Returns::Anything;
    b"__callstatic" Some(2), class public, [STRING ARRAY], Returns::Anything;
    b"__tostring" Some(0), object public, [], Returns::Types(TypeMask::STRING);
    b"__debuginfo" Some(0), object public, [], Returns::Types(TypeMask::ARRAY | TypeMask::NULL);
    b"__serialize" Some(0), object public, [], Returns::Types(TypeMask::ARRAY);
    b"__unserialize" Some(1), object public, [ARRAY], Returns::Types(TypeMask::VOID);
    b"__set_state" Some(1), class public, [ARRAY], Returns::Types(TypeMask::OBJECT);
    b"__invoke" None, object public, [], Returns::Anything;
    b"__sleep" Some(0), object public, [], Returns::Types(TypeMask::ARRAY);
    b"__wakeup" Some(0), object public, [], Returns::Types(TypeMask::VOID);
}

impl<'a> Emitter<'a> {
    /// Checks a method of the class being compiled; `lower` is its name in lower case.
    pub fn check_magic_method(&mut self, id: FuncId, lower: &[u8]) -> Emit {
        let Some(rule) = RULES.iter().find(|rule| rule.name == lower) else { return Ok(()) };
        let func = self.unit.unit.funcs[id.index()].clone();
        let name = format!("{}::{}", self.shown_class(), show(self.unit.text(func.name)));
        if let Some(args) = rule.args {
            self.check_magic_args(&func, args, &name)?;
        }
        if rule.is_static != func.flags.has(FuncFlags::STATIC) {
            let verb = if rule.is_static { "must be" } else { "cannot be" };
            return self.fatal(format!("Method {name}() {verb} static"));
        }
        if rule.public && !func.flags.has(FuncFlags::PUBLIC) {
            self.report(Severity::Warning, format!("The magic method {name}() must have public visibility"));
        }
        for (i, &mask) in rule.params.iter().enumerate() {
            let Some(ty) = func.params.get(i).and_then(|p| p.ty) else { continue };
            let accepted = self.unit.unit.types[ty.index()].mask;
            if accepted & (mask | TypeMask::MIXED) == 0 {
                let param = show(self.unit.text(func.params[i].name));
                let expected = mask_name(mask);
                return self.fatal(format!(
                    "{name}(): Parameter #{} (${param}) must be of type {expected} when declared",
                    i + 1
                ));
            }
        }
        self.check_magic_return(rule, &func, &name)
    }

    fn check_magic_args(&mut self, func: &Func, args: usize, name: &str) -> Emit {
        let variadic = func.params.iter().any(|p| p.variadic);
        let count = func.params.iter().filter(|p| !p.variadic).count();
        if count != args {
            return self.fatal(match args {
                0 => format!("Method {name}() cannot take arguments"),
                1 => format!("Method {name}() must take exactly 1 argument"),
                n => format!("Method {name}() must take exactly {n} arguments"),
            });
        }
        if variadic && args == 0 {
            return Ok(());
        }
        if func.params.iter().any(|p| p.by_ref) {
            return self.fatal(format!("Method {name}() cannot take arguments by reference"));
        }
        Ok(())
    }

    fn check_magic_return(&mut self, rule: &Rule, func: &Func, name: &str) -> Emit {
        let Some(ty) = func.return_type else { return Ok(()) };
        let (mask, has_classes) = {
            let ty = &self.unit.unit.types[ty.index()];
            (ty.mask, !ty.classes.is_empty())
        };
        match rule.returns {
            Returns::Anything => Ok(()),
            Returns::Nothing => self.fatal(format!("Method {name}() cannot declare a return type")),
            // A function that never returns is fine for every one of them.
            Returns::Types(_) if mask & TypeMask::NEVER != 0 => Ok(()),
            Returns::Types(allowed) => {
                let object_like = TypeMask::SELF | TypeMask::PARENT | TypeMask::STATIC;
                let (mask, has_classes) =
                    if allowed & TypeMask::OBJECT != 0 { (mask & !object_like, false) } else { (mask, has_classes) };
                if mask & !allowed == 0 && !has_classes {
                    return Ok(());
                }
                self.fatal(format!("{name}(): Return type must be {} when declared", mask_name(allowed)))
            }
        }
    }
}

fn mask_name(mask: u32) -> &'static str {
    match mask {
        TypeMask::STRING => "string",
        TypeMask::ARRAY => "array",
        TypeMask::VOID => "void",
        TypeMask::BOOL => "bool",
        TypeMask::OBJECT => "object",
        _ => "?array",
    }
}
