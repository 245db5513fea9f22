//! Finding classes, functions and constants by name, with autoloading and lazy declaration of builtins.

use crate::class::{ClassKind, ClassRef};
use crate::error::{Level, PhpResult, Throw};
use crate::extension::{ConstValue, NativeClass};
use crate::func::{Func, FuncBody};
use crate::strmap::{ByBytes, lower, lower_literal, with_lower};
use crate::unit::LinkedUnit;
use crate::vm::{CompileRequest, Compiled, Vm};
use phlox_hhbc::{ClassId, FuncId};
use phlox_value::{PhpStr, Val};
use std::cell::RefCell;
use std::rc::Rc;

/// A cache of classes by the exact spelling of their names, since lookups mostly repeat a spelling. A declared class stays
/// declared.
#[derive(Default)]
pub(crate) struct Spellings {
    entries: RefCell<Vec<Option<(Box<[u8]>, ClassRef)>>>,
}

impl Spellings {
    const ENTRIES: usize = 512;

    /// Forgets all names: they can mean other classes in the next request.
    pub(crate) fn forget(&self) {
        self.entries.borrow_mut().clear();
    }

    /// The index of a name's entry, from its length and its last bytes, in which names differ most.
    fn index(name: &[u8]) -> usize {
        let word = |bytes: &[u8]| bytes.iter().fold(0_u64, |word, &byte| word << 8 | u64::from(byte));
        let tail = match name.last_chunk::<8>() {
            Some(last) => u64::from_le_bytes(*last),
            None => word(name),
        };
        let middle = name.get(name.len() / 2..).and_then(|rest| rest.first_chunk::<4>());
        let mixed = (tail ^ (middle.map_or(0, |bytes| u64::from(u32::from_le_bytes(*bytes))) << 16))
            .wrapping_add(name.len() as u64)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 55) as usize
    }

    #[inline]
    fn find(&self, name: &[u8]) -> Option<ClassRef> {
        let entries = self.entries.borrow();
        let (known, class) = entries.get(Spellings::index(name))?.as_ref()?;
        (**known == *name).then(|| class.clone())
    }

    fn remember(&self, name: &[u8], class: &ClassRef) {
        let mut entries = self.entries.borrow_mut();
        entries.resize(Spellings::ENTRIES, None);
        entries[Spellings::index(name)] = Some((name.into(), class.clone()));
    }
}

fn strip_root(name: &[u8]) -> &[u8] {
    name.strip_prefix(b"\\").unwrap_or(name)
}

/// A builtin class of which the engine itself often makes objects, or for which it often checks.
#[derive(Clone, Copy, Debug)]
pub enum KnownClass {
    ArrayAccess,
    Closure,
    Generator,
    Iterator,
    StdClass,
    Throwable,
    Traversable,
}

impl KnownClass {
    pub(crate) const COUNT: usize = KnownClass::Traversable as usize + 1;

    fn name(self) -> &'static [u8] {
        match self {
            KnownClass::ArrayAccess => b"arrayaccess",
            KnownClass::Closure => b"closure",
            KnownClass::Generator => b"generator",
            KnownClass::Iterator => b"iterator",
            KnownClass::StdClass => b"stdclass",
            KnownClass::Throwable => b"throwable",
            KnownClass::Traversable => b"traversable",
        }
    }
}

impl Vm {
    /// The class, which is looked up once.
    #[inline]
    pub fn known_class(&self, class: KnownClass) -> PhpResult<&ClassRef> {
        let place = &self.known_classes[class as usize];
        match place.get() {
            Some(found) => Ok(found),
            None => {
                let found = self.require_class(class.name())?;
                Ok(place.get_or_init(|| found))
            }
        }
    }

    /// The number of class names, which grows with each declaration and never shrinks.
    #[inline(always)]
    pub fn class_count(&self) -> usize {
        self.classes.borrow().len()
    }

    /// Finds a class by name (any case, with or without a leading backslash) without autoloading.
    pub fn find_class_no_autoload(&self, name: &[u8]) -> Option<ClassRef> {
        if let Some(class) = self.spellings.find(name) {
            return Some(class);
        }
        let class = self.find_class_by_key(name)?;
        self.spellings.remember(name, &class);
        Some(class)
    }

    /// Finds a class by a name that a literal gives, without autoloading.
    pub fn find_class_literal(&self, name: &PhpStr) -> Option<ClassRef> {
        if !name.is_interned() || name.starts_with(b"\\") {
            return self.find_class_no_autoload(name);
        }
        let key = lower_literal(name);
        let known = self.classes.borrow().get(&key).cloned();
        known.or_else(|| self.declare_native_class(&key))
    }

    /// Finds a class by a name that a literal gives, autoloading it if necessary; throws `Class "X" not found`.
    pub fn require_class_literal(&self, name: &PhpStr) -> PhpResult<ClassRef> {
        if !name.is_interned() || name.starts_with(b"\\") {
            return self.require_class(name);
        }
        match self.find_class_by(name, &lower_literal(name))? {
            Some(class) => Ok(class),
            None => Err(self.class_not_found(name)),
        }
    }

    fn class_not_found(&self, name: &[u8]) -> Throw {
        self.throw_error(&[b"Class \"", crate::until_nul(strip_root(name)), b"\" not found"].concat())
    }

    /// Finds a class without autoloading by the key of the class table, its lower-case name.
    fn find_class_by_key(&self, name: &[u8]) -> Option<ClassRef> {
        with_lower(strip_root(name), |key| {
            let known = self.classes.borrow().get(&ByBytes(key)).cloned();
            known.or_else(|| self.declare_native_class(key))
        })
    }

    /// Finds a class by name, autoloading it if necessary. `Ok(None)` if there is none.
    pub fn find_class(&self, name: &[u8]) -> PhpResult<Option<ClassRef>> {
        if let Some(class) = self.find_class_no_autoload(name) {
            return Ok(Some(class));
        }
        let name = strip_root(name);
        if self.autoloaders.borrow().is_empty() || !is_class_name(name) {
            return Ok(None);
        }
        self.autoload(name, lower(name))
    }

    /// Finds a class by its name and the key of the class table, autoloading it if necessary.
    pub(crate) fn find_class_by(&self, name: &[u8], key: &PhpStr) -> PhpResult<Option<ClassRef>> {
        let known = self.classes.borrow().get(key).cloned();
        match known.or_else(|| self.declare_native_class(key)) {
            Some(class) => Ok(Some(class)),
            None => self.autoload(strip_root(name), key.clone()),
        }
    }

    /// Finds a class by name, autoloading it if necessary; throws `Class "X" not found`.
    pub fn require_class(&self, name: &[u8]) -> PhpResult<ClassRef> {
        match self.find_class(name)? {
            Some(class) => Ok(class),
            None => Err(self.class_not_found(name)),
        }
    }

    /// The declaration of a class that is being linked, by name.
    pub(crate) fn class_in_linking(&self, name: &[u8]) -> Option<(Rc<LinkedUnit>, ClassId)> {
        let linking = self.linking.borrow();
        let is_it = |(unit, id): &&(Rc<LinkedUnit>, ClassId)| {
            unit.str(unit.unit.classes[id.index()].name).eq_ignore_ascii_case(name)
        };
        linking.iter().find(is_it).cloned()
    }

    /// Calls the autoloaders for a name that can be a class's; `key` is the name in lower case.
    fn autoload(&self, name: &[u8], key: PhpStr) -> PhpResult<Option<ClassRef>> {
        if self.autoloaders.borrow().is_empty() {
            return Ok(None);
        }
        if self.autoloading.borrow().contains(&key) || self.class_in_linking(name).is_some() {
            return Ok(None);
        }
        self.autoloading.borrow_mut().push(key.clone());
        let mut result = Ok(None);
        let mut index = 0;
        loop {
            let Some(loader) = self.autoloaders.borrow().get(index).cloned() else { break };
            index += 1;
            if let Err(throw) = self.call(&loader.callee, vec![Val::str(name)]) {
                result = Err(throw);
                break;
            }
            if let Some(class) = self.classes.borrow().get(&key) {
                result = Ok(Some(class.clone()));
                break;
            }
        }
        self.autoloading.borrow_mut().retain(|entry| *entry != key);
        result
    }

    /// Declares a builtin class when it is named for the first time.
    fn declare_native_class(&self, key: &[u8]) -> Option<ClassRef> {
        let &(native, extension) = self.native_classes.get(key)?;
        if let Some(target) = native.decl.strip_prefix("= ") {
            let class = self.find_class_no_autoload(target.as_bytes())?;
            self.classes.borrow_mut().insert(PhpStr::new(key), class.clone());
            return Some(class);
        }
        let source = native.source();
        let (native, extension) = match self.is_disabled(native.name) {
            true => (&crate::disabled::DISABLED, ""),
            false => (native, extension),
        };
        let unit = self.compile_internal(source.as_bytes(), extension)?;
        let id = ClassId(u32::try_from(unit.unit.classes.len().checked_sub(1)?).ok()?);
        crate::link::declare_class(self, &unit, id, Some(native)).ok()
    }

    /// The kind of a builtin class, without declaring it. `None` for another name of a class that does not exist.
    pub fn native_class_kind(&self, class: &NativeClass) -> Option<ClassKind> {
        match class.decl.strip_prefix("= ") {
            Some(target) => {
                let &(target, _) = self.native_classes.get(target.to_ascii_lowercase().as_bytes())?;
                self.native_class_kind(target)
            }
            None => Some(class.kind()),
        }
    }

    /// Whether `disable_classes` names this builtin class, by any of its names.
    fn is_disabled(&self, class: &str) -> bool {
        self.disabled_classes.iter().any(|name| {
            let target = self.native_classes.get(name).and_then(|(native, _)| native.decl.strip_prefix("= "));
            target.map_or(&name[..], str::as_bytes).eq_ignore_ascii_case(class.as_bytes())
        })
    }

    /// Compiles a stub of the engine. `None` if the stub does not compile, which tests rule out.
    pub(crate) fn compile_internal(&self, source: &[u8], extension: &'static str) -> Option<Rc<LinkedUnit>> {
        let request = CompileRequest {
            source,
            filename: b"",
            is_eval: false,
            short_open_tag: false,
            assertions: true,
            knows_builtins: false,
            multibyte: false,
        };
        match self.compiler.compile(&request) {
            Compiled::Unit(unit) => Some(LinkedUnit::new(unit, true, extension)),
            Compiled::Failure(failure, _) => {
                debug_assert!(
                    false,
                    "stub does not compile: {} in {}",
                    String::from_utf8_lossy(&failure.message),
                    String::from_utf8_lossy(source)
                );
                None
            }
        }
    }

    /// Finds a function by name (any case).
    pub fn find_function(&self, name: &[u8]) -> Option<Rc<Func>> {
        with_lower(strip_root(name), |key| {
            let known = self.functions.borrow().get(&ByBytes(key)).cloned();
            known.or_else(|| self.find_native(key))
        })
    }

    /// Finds a function by a name that a literal gives.
    pub fn find_function_literal(&self, name: &PhpStr) -> Option<Rc<Func>> {
        if !name.is_interned() || name.starts_with(b"\\") {
            return self.find_function(name);
        }
        let key = lower_literal(name);
        let known = self.functions.borrow().get(&key).cloned();
        known.or_else(|| self.find_native(&key))
    }

    /// Declares the builtin function with this lower-case name.
    fn find_native(&self, key: &[u8]) -> Option<Rc<Func>> {
        let &(def, extension) = self.native_functions.get(key)?;
        self.declare_native(def, extension)
    }

    /// Declares a builtin function: one of an extension's table on its first use, or one that only some requests have. Builtin
    /// functions stay for the process, so that it is declared once.
    pub fn declare_native(&self, def: &'static crate::FnDef, extension: &'static str) -> Option<Rc<Func>> {
        if let Some(known) =
            self.functions.borrow().get(&ByBytes(def.name().as_bytes())).filter(|func| func.unit.internal)
        {
            return Some(known.clone());
        }
        let attribute_end = if def.decl.starts_with("#[") { def.decl.find(']').map_or(0, |at| at + 1) } else { 0 };
        let (attribute, decl) = def.decl.split_at(attribute_end);
        // `exit` and `die` are reserved words, which no declaration can use as names.
        let reserved = matches!(def.name(), "exit" | "die");
        // A function whose name has a namespace is declared inside that namespace.
        let (namespace, decl) = match def.name().rfind('\\') {
            Some(at) => (format!("namespace {};", &def.name()[..at]), decl.trim_start().split_at(at + 1).1),
            None => (String::new(), decl),
        };
        let prefix = if reserved { "_" } else { "" };
        let source = ["<?php ", &namespace, attribute, " function ", prefix, decl, " {}"].concat();
        let unit = self.compile_internal(source.as_bytes(), extension)?;
        let id = unit.unit.funcs.iter().skip(1).position(|f| f.class.is_none())? as u32 + 1;
        let mut func = Func::from_unit(&unit, FuncId(id), FuncBody::Native(def.body));
        func.fast_path = def.fast_path;
        if reserved {
            func.name = PhpStr::intern(def.name().as_bytes());
        }
        let func = Rc::new(func);
        self.functions.borrow_mut().insert(lower(def.name().as_bytes()), func.clone());
        Some(func)
    }

    /// Whether there is a function with this lower-case name. Does not declare builtin functions.
    pub fn function_exists(&self, lower_name: &[u8]) -> bool {
        self.functions.borrow().contains_key(&ByBytes(lower_name)) || self.native_functions.contains_key(lower_name)
    }

    /// Adds a function of a script to the function table.
    pub fn declare_function(&self, func: Rc<Func>) -> PhpResult<()> {
        let key = func.key().clone();
        let earlier = self.functions.borrow().get(&key).cloned();
        if let Some(earlier) = earlier.or_else(|| self.find_native(&key)) {
            let mut text = [b"Cannot redeclare function ", func.name.as_bytes(), b"()"].concat();
            if !earlier.is_native() {
                let place = format!(":{})", earlier.code().line_start);
                text.extend([b" (previously declared in ", &earlier.unit.filename[..], place.as_bytes()].concat());
            }
            let line = func.code().line_start;
            self.report(Level::CompileError, &text, &func.unit.filename, line);
            self.exit_status.set(255);
            return Err(crate::Throw::Fatal);
        }
        self.functions.borrow_mut().insert(key, func);
        Ok(())
    }

    /// Finds a global constant by name; the namespace part matches in any case.
    pub fn find_constant(&self, name: &[u8]) -> Option<Val> {
        let name = strip_root(name);
        if let Some(value) = self.constants.borrow().get(&ByBytes(name)) {
            return Some(value.clone());
        }
        if let Some(slash) = name.iter().rposition(|&b| b == b'\\') {
            let key = [&name[..slash].to_ascii_lowercase(), &name[slash..]].concat();
            let own = self.constants.borrow().get(&ByBytes(&key)).cloned();
            return own.or_else(|| self.native_constant(name).map(|(value, _)| value));
        }
        match self.native_constant(name) {
            Some((value, _)) => Some(value),
            None => match name.to_ascii_lowercase().as_slice() {
                b"true" => Some(Val::TRUE),
                b"false" => Some(Val::FALSE),
                b"null" => Some(Val::NULL),
                _ => None,
            },
        }
    }

    /// The name of a constant in the spelling of its declaration.
    pub fn constant_as_declared(&self, name: &[u8]) -> PhpStr {
        let name = strip_root(name);
        match name.iter().rposition(|&byte| byte == b'\\') {
            Some(slash) => {
                let key = [&name[..slash].to_ascii_lowercase(), &name[slash..]].concat();
                let written = self.written_constants.borrow().get(&ByBytes(&key)).cloned();
                written.unwrap_or_else(|| PhpStr::new(&key))
            }
            None if matches!(name.to_ascii_lowercase().as_slice(), b"true" | b"false" | b"null") => {
                PhpStr::new(&name.to_ascii_uppercase())
            }
            None => PhpStr::new(name),
        }
    }

    /// The value of a builtin constant, and its extension.
    pub fn native_constant(&self, name: &[u8]) -> Option<(Val, &'static str)> {
        let &(value, extension) = self.native_constants().get(name)?;
        let value = match value {
            ConstValue::Null => Val::NULL,
            ConstValue::Bool(b) => Val::bool(b),
            ConstValue::Int(i) => Val::int(i),
            ConstValue::Double(d) => Val::double(d),
            ConstValue::Str(s) => PhpStr::intern(s.as_bytes()).into(),
            ConstValue::LibraryStr(text) => PhpStr::intern(text().as_bytes()).into(),
            ConstValue::LibraryInt(number) => Val::int(number()),
        };
        Some((value, extension))
    }

    /// All builtin constants.
    pub fn native_constants(
        &self,
    ) -> &std::collections::HashMap<&'static [u8], (ConstValue, &'static str), foldhash::fast::FixedState> {
        self.native_constants.get_or_init(|| {
            let all = self.extensions.iter().flat_map(|extension| {
                let rows = extension.constants.iter().copied().flatten();
                rows.map(|(name, value)| (name.as_bytes(), (*value, extension.name)))
            });
            all.collect()
        })
    }

    /// Defines a constant of a script; false if the name is taken.
    pub fn define_constant(&self, name: &[u8], value: Val) -> bool {
        let key = match name.iter().rposition(|&b| b == b'\\') {
            Some(slash) => [&name[..slash].to_ascii_lowercase(), &name[slash..]].concat(),
            None => name.to_vec(),
        };
        // A leading backslash is part of the name here, though no lookup finds such a constant.
        let is_taken = match key.first() {
            Some(b'\\') => self.constants.borrow().contains_key(&ByBytes(&key)),
            _ => self.find_constant(&key).is_some(),
        };
        if is_taken {
            return false;
        }
        let key = PhpStr::new(&key);
        if key.as_bytes() != name {
            self.written_constants.borrow_mut().insert(key.clone(), PhpStr::new(name));
        }
        self.constants.borrow_mut().insert(key, value);
        true
    }
}

/// Whether the text could be the name of a class. Autoloaders are not called for others.
fn is_class_name(name: &[u8]) -> bool {
    !name.is_empty() && name.iter().all(|&b| b.is_ascii_alphanumeric() || b == b'_' || b == b'\\' || b >= 0x80)
}
