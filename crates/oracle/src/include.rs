//! include, require, eval: from a path or text to a running pseudo-main.

use crate::machine::Machine;
use phlox_hhbc::{Hoisted, Unit};
use phlox_runtime::files::INCLUDE_PATH;
use phlox_runtime::settings;
use phlox_runtime::source_encoding::MULTIBYTE;
use phlox_runtime::vm::{CompileNotice, CompileRequest, Compiled};
use phlox_runtime::{
    Frame, Level, LinkedUnit, PhpResult, PhpStr, SymbolTable, Throw, Val, Vm, convert, link, source_encoding,
    unit_store,
};
use std::rc::Rc;

/// Compiles and loads a source; a failure is thrown as an exception if `thrown` is set, or reported as a fatal error.
pub fn compile_and_link(
    vm: &Vm,
    source: &[u8],
    filename: &[u8],
    is_eval: bool,
    thrown: bool,
) -> PhpResult<Rc<LinkedUnit>> {
    compile_and_keep(vm, source, filename, is_eval, thrown, |_| ())
}

/// Like [`compile_and_link`]; `keep` gets the unit before it is loaded.
fn compile_and_keep(
    vm: &Vm,
    source: &[u8],
    filename: &[u8],
    is_eval: bool,
    thrown: bool,
    keep: impl FnOnce(&Rc<LinkedUnit>),
) -> PhpResult<Rc<LinkedUnit>> {
    let name = PhpStr::new(filename);
    let recoded = source_encoding::recode(vm, source, is_eval);
    let source = recoded.as_ref().map_or(source, |recoded| &recoded.source);
    match vm.compiler.compile(&request(vm, source, filename, is_eval)) {
        Compiled::Unit(mut unit) => {
            if let Some(recoded) = recoded {
                recoded.finish(&mut unit);
            }
            link_and_load(vm, unit, &name, keep)
        }
        Compiled::Failure(failure, notices) => {
            let raised = report_notices(vm, &name, notices);
            if let Some(class) = failure.thrown.filter(|_| thrown) {
                let object = vm.make_throwable(class.class_name(), &failure.message, 0)?;
                phlox_runtime::throwable::set_position(&object, &name, failure.line);
                return Err(Throw::Exception(object));
            }
            match raised {
                // An exception of the error handler can no longer be caught.
                Err(Throw::Exception(exception)) => vm.report_thrown(&exception, Level::Warning)?,
                other => other?,
            }
            vm.report(failure.level(), &failure.message, &name, failure.line);
            vm.exit_status.set(255);
            Err(Throw::Fatal)
        }
    }
}

/// The settings that decide what a source is compiled to, for the store of units.
fn variant(vm: &Vm) -> unit_store::Variant {
    let settings = request(vm, b"", b"", false);
    u8::from(settings.short_open_tag) | u8::from(settings.assertions) << 1 | u8::from(settings.knows_builtins) << 2
}

/// The unit of a file that is not known by its path yet in this request, loaded: a kept one, or a new one, which is kept if it can
/// be. `None` if the file cannot be read. `found` is the file's metadata, if it was just looked up; `included` is called before
/// anything of the file is declared.
fn load_file(
    vm: &Vm,
    path: &[u8],
    kind: &'static str,
    thrown: bool,
    included: impl Fn(),
) -> PhpResult<Option<Rc<LinkedUnit>>> {
    let found = phlox_runtime::files::take_found(vm, path);
    let name = PhpStr::new(path);
    if let Some(unit) = vm.stored_unit(path, variant(vm), found.as_ref()) {
        included();
        return load_again(vm, unit, &name).map(Some);
    }
    let to_keep = vm.file_to_keep(path, found.as_ref());
    let keep = |unit: &Rc<LinkedUnit>| {
        if let Some(file) = &to_keep {
            vm.store_unit(path, variant(vm), file, unit);
        }
    };
    if let Some(unit) = vm.compiler.recall(&request(vm, b"", path, false), found) {
        included();
        return link_and_load(vm, unit, &name, keep).map(Some);
    }
    let Some(source) = phlox_runtime::files::read_included(vm, path, kind)? else { return Ok(None) };
    if kind.ends_with("_once") || kind.is_empty() {
        included();
    }
    compile_and_keep(vm, &source, path, false, thrown, keep).map(Some)
}

/// Loads a kept unit for another request.
fn load_again(vm: &Vm, unit: Rc<LinkedUnit>, name: &PhpStr) -> PhpResult<Rc<LinkedUnit>> {
    let raised = report_notices(vm, name, phlox_runtime::unit::notices(&unit.unit));
    if let Err(Throw::Fatal) = raised {
        return Err(Throw::Fatal);
    }
    load_unit(vm, &unit)?;
    raised.map(|()| unit)
}

fn request<'a>(vm: &Vm, source: &'a [u8], filename: &'a [u8], is_eval: bool) -> CompileRequest<'a> {
    CompileRequest {
        source,
        filename,
        is_eval,
        short_open_tag: vm.ini.get(&settings::SHORT_OPEN_TAG),
        assertions: vm.ini.get(&settings::ASSERTIONS) != -1,
        knows_builtins: vm.ini.get(&settings::DISABLE_FUNCTIONS).is_empty(),
        multibyte: vm.ini.get(&MULTIBYTE),
    }
}

/// Loads a unit. An exception of an error handler keeps the unit from running, but not from being loaded: PHP calls the handler
/// while it compiles, and goes on.
fn link_and_load(vm: &Vm, unit: Unit, name: &PhpStr, keep: impl FnOnce(&Rc<LinkedUnit>)) -> PhpResult<Rc<LinkedUnit>> {
    let raised = report_notices(vm, name, phlox_runtime::unit::notices(&unit));
    if let Err(Throw::Fatal) = raised {
        return Err(Throw::Fatal);
    }
    let unit = LinkedUnit::new(unit, false, "");
    keep(&unit);
    load_unit(vm, &unit)?;
    raised.map(|()| unit)
}

fn report_notices(vm: &Vm, file: &PhpStr, notices: Vec<CompileNotice>) -> PhpResult<()> {
    for notice in notices {
        vm.raise_at(notice.level, &notice.message, file, notice.line)?;
    }
    Ok(())
}

/// Declares the functions and classes that a unit declares unconditionally.
fn load_unit(vm: &Vm, unit: &Rc<LinkedUnit>) -> PhpResult<()> {
    for hoisted in &unit.unit.hoisted {
        match *hoisted {
            Hoisted::Func(id) if vm.is_preloaded_function(unit, id) => {}
            Hoisted::Func(id) => vm.declare_function(unit.func(id))?,
            Hoisted::Class(id) => {
                if link::can_bind_early(vm, unit, id) {
                    link::declare_class(vm, unit, id, None)?;
                }
            }
        }
    }
    Ok(())
}

/// Compiles a file as an include of its path does, keeps the unit and declares what it declares, and does not run it. False if the
/// file cannot be opened, which has been reported. `kind` is the start of messages.
pub fn load_only(vm: &Vm, path: &[u8], kind: &'static str) -> PhpResult<bool> {
    let path = PhpStr::new(path);
    if let Some(end) = path.iter().position(|&byte| byte == 0) {
        include_failed(vm, &PhpStr::new(&path[..end]), kind, Some("No such file or directory"))?;
        return Ok(false);
    }
    let (resolved, is_stream) = match find_included(vm, &path, kind)? {
        Ok(found) => found,
        Err(reason) => return include_failed(vm, &path, kind, Some(reason)).map(|()| false),
    };
    let included = || _ = vm.included.borrow_mut().insert(PhpStr::new(&resolved), ());
    let loaded = if is_stream || vm.ini.get(&MULTIBYTE) {
        let source = phlox_runtime::files::read_included(vm, &resolved, kind)?;
        source.map(|source| compile_and_link(vm, &source, &resolved, false, true)).transpose()?
    } else {
        load_file(vm, &resolved, kind, true, included)?
    };
    if loaded.is_none() {
        include_failed(vm, &path, kind, (!is_stream).then_some("No such file or directory"))?;
        return Ok(false);
    }
    included();
    Ok(true)
}

/// The file that an include of a path opens, and whether the stream layer opens it; or why it cannot be opened.
fn find_included(vm: &Vm, path: &PhpStr, kind: &'static str) -> PhpResult<Result<(Vec<u8>, bool), &'static str>> {
    let Some(resolved) = phlox_runtime::files::resolve_include(vm, path) else {
        // The message does not tell whether a forbidden path exists.
        let forbidden = !path.is_empty() && !phlox_runtime::basedir::allows_including(vm, path, kind)?;
        return Ok(Err(if forbidden { "Operation not permitted" } else { "No such file or directory" }));
    };
    let is_stream = phlox_runtime::files::is_stream(vm, &resolved);
    let named = if path.starts_with(b"/") { &path[..] } else { &resolved };
    if !is_stream && !phlox_runtime::basedir::allows_including(vm, named, kind)? {
        return Ok(Err("Operation not permitted"));
    }
    Ok(Ok((resolved, is_stream)))
}

/// Reports that a file cannot be opened. `reason`: why, unless that has been reported already.
fn include_failed(vm: &Vm, path: &PhpStr, kind: &'static str, reason: Option<&str>) -> PhpResult<()> {
    if path.is_empty() {
        return Err(vm.throw_value_error(b"Path must not be empty"));
    }
    if let Some(reason) = reason {
        let text = [kind.as_bytes(), b"(", &path[..], b"): Failed to open stream: ", reason.as_bytes()].concat();
        vm.warning(&text)?;
    }
    opening_failed(vm, path, kind)
}

/// Raises the final error or warning of a failed include, whatever the reason was.
fn opening_failed(vm: &Vm, path: &PhpStr, kind: &'static str) -> PhpResult<()> {
    let include_path = vm.ini.get(&INCLUDE_PATH);
    let required = kind.starts_with("require");
    let opening = if required { "Failed opening required" } else { "Failed opening" };
    let purpose = if required { "" } else { " for inclusion" };
    let text = [
        kind.as_bytes(),
        b"(): ",
        opening.as_bytes(),
        b" '",
        &path[..],
        b"'",
        purpose.as_bytes(),
        b" (include_path='",
        &include_path,
        b"')",
    ]
    .concat();
    if required { Err(vm.throw_error(&text[kind.len() + 4..])) } else { vm.warning(&text) }
}

/// Runs a file as the main script.
pub fn run_file(vm: &Vm, path: &[u8], source: &[u8]) -> PhpResult<Val> {
    vm.included.borrow_mut().insert(PhpStr::new(path), ());
    run_source(vm, path, source)
}

/// Runs a file as the main script, in a process that keeps units. `None` if it cannot be read.
pub fn run_path(vm: &Vm, path: &[u8]) -> PhpResult<Option<Val>> {
    vm.included.borrow_mut().insert(PhpStr::new(path), ());
    let Some(unit) = load_file(vm, path, "", false, || ())? else { return Ok(None) };
    vm.executor().run_main(vm, &unit, vm.globals.clone(), "").map(Some)
}

/// Runs a main program that is not a file (`-r`, standard input).
pub fn run_source(vm: &Vm, name: &[u8], source: &[u8]) -> PhpResult<Val> {
    let unit = compile_and_link(vm, source, name, false, false)?;
    vm.executor().run_main(vm, &unit, vm.globals.clone(), "")
}

/// Runs a compiled file as the main script. The unit must have passed the verifier.
pub fn run_unit(vm: &Vm, unit: phlox_hhbc::Unit) -> PhpResult<Val> {
    vm.included.borrow_mut().insert(PhpStr::new(&unit.filename), ());
    report_notices(vm, &PhpStr::new(&unit.filename), phlox_runtime::unit::notices(&unit))?;
    let unit = LinkedUnit::new(unit, false, "");
    load_unit(vm, &unit)?;
    vm.executor().run_main(vm, &unit, vm.globals.clone(), "")
}

/// Runs a unit from inside of another one.
fn run_nested(vm: &Vm, unit: &Rc<LinkedUnit>, symbols: Rc<SymbolTable>, kind: &'static str) -> PhpResult<Val> {
    vm.depth.set(vm.depth.get() + 1);
    let result = vm.executor().run_main(vm, unit, symbols, kind);
    vm.depth.set(vm.depth.get() - 1);
    result
}

/// Runs a unit with the variables of the code that includes it, unless it can use none.
fn run_included(
    vm: &Vm,
    unit: &Rc<LinkedUnit>,
    kind: &'static str,
    symbols: &mut dyn FnMut() -> Rc<SymbolTable>,
) -> PhpResult<Val> {
    let symbols = if unit.only_declares() { Rc::default() } else { symbols() };
    run_nested(vm, unit, symbols, kind)
}

/// Reports that a file cannot be opened, which gives false.
fn include_gives_false(vm: &Vm, path: &PhpStr, kind: &'static str, reason: Option<&str>) -> PhpResult<Val> {
    include_failed(vm, path, kind, reason)?;
    Ok(Val::FALSE)
}

impl Machine<'_> {
    /// Executes include or require of the path on the stack; `kind` is the construct's name.
    pub fn include(&mut self, frame: &Rc<Frame>, kind: &'static str) -> PhpResult<()> {
        let path = self.pop();
        let value = self.include_path(path, kind, &mut || Self::symbols(frame))?;
        self.push(value);
        Ok(())
    }

    /// Executes include or require of a path; `kind` is the construct's name. `symbols` gives the variables that the included code
    /// shares with its includer, if it can have any.
    pub fn include_path(
        &mut self,
        path: Val,
        kind: &'static str,
        symbols: &mut dyn FnMut() -> Rc<SymbolTable>,
    ) -> PhpResult<Val> {
        self.vm.check_native_stack()?;
        let path = convert::to_str(self.vm, &path)?;
        let vm = self.vm;
        let once = kind.ends_with("_once");
        if let Some(end) = path.iter().position(|&byte| byte == 0) {
            opening_failed(vm, &PhpStr::new(&path[..end]), kind)?;
            return Ok(Val::FALSE);
        }
        let (resolved, is_stream) = match find_included(vm, &path, kind)? {
            Ok(found) => found,
            Err(reason) => return include_gives_false(vm, &path, kind, Some(reason)),
        };
        let key = PhpStr::new(&resolved);
        if once && vm.included.borrow().contains_key(&key) {
            return Ok(Val::TRUE);
        }
        let included = || vm.included.borrow_mut().insert(key.clone(), ());
        // A file that is converted or read from a stream is not known by its path.
        let unknown = is_stream || vm.ini.get(&MULTIBYTE);
        if !unknown && vm.included.borrow().contains_key(&key) {
            let kept = vm.stored_unit(&resolved, variant(vm), None);
            if let Some(unit) = kept.filter(|unit| crate::repeated::runs_again(unit)) {
                return run_included(vm, &unit, kind, symbols);
            }
            let Some(source) = phlox_runtime::files::read_included(vm, &resolved, kind)? else {
                return include_gives_false(vm, &path, kind, Some("No such file or directory"));
            };
            let compile = || compile_and_link(vm, &source, &resolved, false, true);
            let unit = crate::repeated::unit(vm, &resolved, &source, compile)?;
            return run_included(vm, &unit, kind, symbols);
        }
        let unit = if unknown {
            let Some(source) = phlox_runtime::files::read_included(vm, &resolved, kind)? else {
                return include_gives_false(vm, &path, kind, (!is_stream).then_some("No such file or directory"));
            };
            if once {
                included();
            }
            compile_and_link(vm, &source, &resolved, false, true)?
        } else {
            let mark = || _ = included();
            match load_file(vm, &resolved, kind, true, mark)? {
                Some(unit) => unit,
                None => return include_gives_false(vm, &path, kind, Some("No such file or directory")),
            }
        };
        // A file that does not compile counts as included for the `_once` forms only.
        included();
        run_included(vm, &unit, kind, symbols)
    }

    /// Executes `eval` of the text on the stack.
    pub fn eval(&mut self, frame: &Rc<Frame>) -> PhpResult<()> {
        let code = self.pop();
        self.vm.check_native_stack()?;
        let code = convert::to_str(self.vm, &code)?;
        let vm = self.vm;
        let place = format!("({}) : eval()'d code", frame.line());
        let name = [&frame.func.unit.filename[..], place.as_bytes()].concat();
        let unit = match vm.ini.get(&MULTIBYTE) {
            true => compile_and_link(vm, &code, &name, true, true)?,
            false => crate::repeated::unit(vm, &name, &code, || compile_and_link(vm, &code, &name, true, true))?,
        };
        let value = run_included(vm, &unit, "eval", &mut || Self::symbols(frame))?;
        self.push(value);
        Ok(())
    }
}
