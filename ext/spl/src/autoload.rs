//! The list of autoload functions, and the loader that SPL itself offers.

use phlox_runtime::vm::{Autoloader, Callee, CompileRequest, Compiled};
use phlox_runtime::{
    Call, ClassRef, FnDef, Level, LinkedUnit, PhpArr, PhpObj, PhpResult, PhpStr, Val, View, Vm, closure, files,
};
use std::cell::RefCell;
use std::rc::Rc;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("spl_autoload(string $class, ?string $file_extensions = null): void", spl_autoload),
    FnDef::new("spl_autoload_call(string $class): void", spl_autoload_call),
    FnDef::new("spl_autoload_extensions(?string $file_extensions = null): string", spl_autoload_extensions),
    FnDef::new("spl_autoload_functions(): array", spl_autoload_functions),
    FnDef::new(
        "spl_autoload_register(?callable $callback = null, bool $throw = true, bool $prepend = false): bool",
        spl_autoload_register,
    ),
    FnDef::new("spl_autoload_unregister(callable $callback): bool", spl_autoload_unregister),
];

const DEFAULT_EXTENSIONS: &[u8] = b".inc,.php";

/// The extensions that `spl_autoload_extensions` has set.
#[derive(Default)]
struct Extensions(RefCell<Option<PhpStr>>);

fn extensions(vm: &Vm) -> PhpStr {
    let set = vm.data::<Extensions>("spl autoload extensions").0.borrow().clone();
    set.unwrap_or_else(|| PhpStr::new(DEFAULT_EXTENSIONS))
}

fn spl_autoload_extensions(call: &mut Call<'_>) -> PhpResult<Val> {
    if let Some(extensions) = call.opt_str(0) {
        call.vm.data::<Extensions>("spl autoload extensions").0.replace(Some(extensions));
    }
    Ok(extensions(call.vm).into())
}

/// Includes the first file of the include path that is named like the class and declares it.
fn spl_autoload(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = call.str(0).to_ascii_lowercase();
    let class = class.strip_prefix(b"\\").unwrap_or(&class).to_vec();
    let extensions = call.opt_str(1).unwrap_or_else(|| extensions(call.vm));
    for extension in extensions.split(|&byte| byte == b',') {
        let name: Vec<u8> = class.iter().map(|&byte| if byte == b'\\' { b'/' } else { byte }).collect();
        if let Some(path) = files::resolve_include(call.vm, &[&name[..], extension].concat()) {
            include_once(call.vm, &path)?;
            if call.vm.classes.borrow().contains_key(&PhpStr::new(&class)) {
                break;
            }
        }
    }
    Ok(Val::NULL)
}

fn include_once(vm: &Vm, path: &[u8]) -> PhpResult<()> {
    let key = PhpStr::new(path);
    if vm.included.borrow().contains_key(&key) {
        return Ok(());
    }
    // The file is included by generated code, so that it runs in a function's scope of its own.
    let path = path.iter().flat_map(|&byte| if matches!(byte, b'\'' | b'\\') { vec![b'\\', byte] } else { vec![byte] });
    let source = [b"<?php require_once '".as_slice(), &path.collect::<Vec<u8>>(), b"';"].concat();
    let request = CompileRequest {
        source: &source,
        filename: &key,
        is_eval: false,
        short_open_tag: false,
        assertions: false,
        knows_builtins: false,
        multibyte: false,
    };
    if let Compiled::Unit(unit) = vm.compiler.compile(&request) {
        let unit = LinkedUnit::new(unit, false, "");
        vm.executor().run_main(vm, &unit, Rc::default(), "require_once")?;
    }
    Ok(())
}

fn spl_autoload_call(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(0);
    let mut index = 0;
    loop {
        let loader = call.vm.autoloaders.borrow().get(index).cloned();
        let Some(loader) = loader else { break };
        index += 1;
        call.vm.call(&loader.callee, vec![(&name).into()])?;
        if call.vm.find_class_no_autoload(&name).is_some() {
            break;
        }
    }
    Ok(Val::NULL)
}

fn spl_autoload_functions(call: &mut Call<'_>) -> PhpResult<Val> {
    let loaders = call.vm.autoloaders.borrow().clone();
    Ok(loaders.iter().map(|loader| shown(loader)).collect::<PhpArr>().into())
}

/// A loader as `spl_autoload_functions` lists it: a name, an array of class or object and method, or a closure.
fn shown(loader: &Autoloader) -> Val {
    let callee = &loader.callee;
    if let Some(closure) = loader.closure.as_ref().filter(|_| callee.closure.is_some() || callee.func.is_closure()) {
        return closure.into();
    }
    let name = callee.magic_name.clone().unwrap_or_else(|| callee.func.name.clone());
    if let Some(this) = callee.this.as_ref().filter(|_| callee.func.name.eq_ignore_ascii_case(b"__invoke")) {
        return this.into();
    }
    let target: Val = match (&callee.this, callee.func.scope.get()) {
        (Some(this), _) => this.into(),
        (None, Some(scope)) => {
            let class = callee.static_class.as_ref().unwrap_or(scope);
            (&phlox_runtime::ClassExt::class(&**class).name).into()
        }
        (None, None) => return name.into(),
    };
    PhpArr::from_vec(vec![target, name.into()]).into()
}

fn same_class(a: &Option<ClassRef>, b: &Option<ClassRef>) -> bool {
    a.as_ref().map(|class| class.id()) == b.as_ref().map(|class| class.id())
}

fn same_callee(a: &Callee, b: &Callee) -> bool {
    let same_this = match (&a.this, &b.this) {
        (Some(a), Some(b)) => a.ptr_eq(b),
        (None, None) => same_class(&a.static_class, &b.static_class),
        _ => false,
    };
    let same_closure = a.closure.is_none() && b.closure.is_none();
    Rc::ptr_eq(&a.func, &b.func) && same_this && same_closure && a.magic_name == b.magic_name
}

fn position(vm: &Vm, wanted: &Callee) -> Option<usize> {
    let loaders = vm.autoloaders.borrow();
    let is_wanted = |loader: &Rc<Autoloader>| {
        let is_closure = |object: &PhpObj| loader.closure.as_ref().is_some_and(|closure| closure.ptr_eq(object));
        if wanted.this.as_ref().is_some_and(is_closure) {
            return true;
        }
        match &wanted.closure {
            Some(closure) => is_closure(closure),
            None => same_callee(&loader.callee, wanted),
        }
    };
    loaders.iter().position(is_wanted)
}

/// The callee of the first argument, whose type was checked.
fn callee_of(call: &Call<'_>) -> PhpResult<Callee> {
    call.vm.require_callable(&call.arg(0))
}

fn spl_autoload_register(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.was_passed(1) && !call.bool(1) {
        let text = b"Argument #2 ($do_throw) has been ignored, spl_autoload_register() will always throw";
        call.raise(Level::Notice, text)?;
    }
    let callee = if call.is_null(0) {
        match call.vm.find_function(b"spl_autoload") {
            Some(func) => Callee::function(func),
            None => return Ok(Val::FALSE),
        }
    } else {
        callee_of(call)?
    };
    if callee.func.is_native() && callee.func.scope.get().is_none() && &callee.func.name[..] == b"spl_autoload_call" {
        return Err(call.value_error(0, "must not be the spl_autoload_call() function"));
    }
    if position(call.vm, &callee).is_some() {
        return Ok(Val::TRUE);
    }
    let argument = call.arg(0);
    let closure = match argument.view() {
        View::Obj(object) if closure::callee(object).is_some() => Some(object.clone()),
        _ => None,
    };
    let mut loaders = call.vm.autoloaders.borrow_mut();
    let at = if call.bool(2) { 0 } else { loaders.len() };
    loaders.insert(at, Rc::new(Autoloader { callee, closure }));
    Ok(Val::TRUE)
}

fn spl_autoload_unregister(call: &mut Call<'_>) -> PhpResult<Val> {
    let callee = callee_of(call)?;
    if &callee.func.name[..] == b"spl_autoload_call" {
        // Loaders that destructors of the other loaders register are dropped, too.
        drop(call.vm.autoloaders.take());
        drop(call.vm.autoloaders.take());
        return Ok(Val::TRUE);
    }
    match position(call.vm, &callee) {
        Some(at) => {
            let removed = call.vm.autoloaders.borrow_mut().remove(at);
            drop(removed);
            Ok(Val::TRUE)
        }
        None => Ok(Val::FALSE),
    }
}
