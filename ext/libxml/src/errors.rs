//! The messages of libxml2, which become warnings or are collected for the script.

use phlox_libxml::{Report, ReportKind};
use phlox_runtime::{Call, FnDef, Key, Level, PhpArr, PhpResult, PhpStr, Val, Vm};
use std::cell::{Cell, RefCell};

/// The functions about errors.
pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("libxml_use_internal_errors(?bool $use_errors = null): bool", use_internal_errors),
    FnDef::new("libxml_get_last_error(): \\LibXMLError|false", get_last_error),
    FnDef::new("libxml_get_errors(): array", get_errors),
    FnDef::new("libxml_clear_errors(): void", clear_errors),
];

/// The errors of the request.
#[derive(Default)]
struct Errors {
    collecting: Cell<bool>,
    list: RefCell<Vec<Report>>,
    /// The beginning of a message whose end is still missing.
    part: RefCell<Vec<u8>>,
}

const KEY: &str = "libxml errors";

/// Drops all errors and stops collecting them.
pub fn reset(vm: &Vm) {
    let errors = vm.data::<Errors>(KEY);
    errors.collecting.set(false);
    errors.list.borrow_mut().clear();
    phlox_libxml::collect_structured(false);
    phlox_libxml::forget_last_report();
    drop(phlox_libxml::take_reports());
}

/// Drops the messages since the last call.
pub fn clear() {
    drop(phlox_libxml::take_reports());
}

/// Emits or collects the messages of libxml2 during a call, and throws an exception that was thrown meanwhile.
pub fn emit(call: &Call<'_>) -> PhpResult<()> {
    emit_with(call, &|level, message| call.raise(level, message))
}

/// Emits messages in the name of the running PHP function, for properties, which have no function of their own.
pub fn emit_by_frame(call: &Call<'_>) -> PhpResult<()> {
    emit_with(call, &|level, message| {
        call.vm.raise(level, &[&call.vm.active_function()[..], b"(): ", message].concat())
    })
}

type Raise<'a> = &'a dyn Fn(Level, &[u8]) -> PhpResult<()>;

fn emit_with(call: &Call<'_>, raise: Raise<'_>) -> PhpResult<()> {
    let reports = phlox_libxml::take_reports();
    if !reports.is_empty() {
        let errors = call.vm.data::<Errors>(KEY);
        for report in reports {
            one(raise, &errors, report)?;
        }
    }
    call.vm.check_pending()
}

fn one(raise: Raise<'_>, errors: &Errors, mut report: Report) -> PhpResult<()> {
    if report.kind == ReportKind::Structured {
        if errors.collecting.get() {
            errors.list.borrow_mut().push(report);
        }
        return Ok(());
    }
    let kept = report.message.iter().rposition(|&byte| byte != b'\n').map_or(0, |last| last + 1);
    let complete = kept < report.message.len();
    report.message.truncate(kept);
    errors.part.borrow_mut().extend(&report.message);
    if !complete {
        return Ok(());
    }
    report.message = std::mem::take(&mut *errors.part.borrow_mut());
    if errors.collecting.get() {
        report.code = 1;
        errors.list.borrow_mut().push(report);
        return Ok(());
    }
    let level = if report.kind == ReportKind::ParserWarning { Level::Notice } else { Level::Warning };
    if let (Some(file), true) = (&report.file, report.kind != ReportKind::Plain) {
        let file: &[u8] = if file.is_empty() { b"Entity" } else { file };
        report.message = [&report.message[..], b" in ", file, format!(", line: {}", report.line).as_bytes()].concat();
    }
    raise(level, &report.message)
}

/// Emits or collects an error of the HTML parser at some columns: the first one and their number.
pub fn report_html(
    call: &Call<'_>,
    message: &str,
    file: Option<&[u8]>,
    line: i32,
    (column, length): (i32, i32),
) -> PhpResult<()> {
    let file = file.unwrap_or(b"Entity");
    let place = phlox_runtime::shown(file);
    let last = if length > 1 { format!("-{}", column + length - 1) } else { String::new() };
    let message = format!("{message} in {place}, line: {line}, column: {column}{last}");
    let errors = call.vm.data::<Errors>(KEY);
    if !errors.collecting.get() {
        return call.warning(&message);
    }
    errors.list.borrow_mut().push(Report {
        kind: ReportKind::Structured,
        message: phlox_runtime::raw_bytes(message.as_bytes()).into_owned(),
        file: Some(file.to_vec()),
        line,
        column,
        level: 2,
        code: 1,
    });
    Ok(())
}

fn use_internal_errors(call: &mut Call<'_>) -> PhpResult<Val> {
    let errors = call.vm.data::<Errors>(KEY);
    let before = errors.collecting.get();
    if let Some(on) = call.opt_bool(0) {
        phlox_libxml::collect_structured(on);
        errors.collecting.set(on);
        if !on {
            errors.list.borrow_mut().clear();
        }
    }
    Ok(before.into())
}

fn error_object(vm: &Vm, report: &Report) -> PhpResult<Val> {
    let object = vm.instantiate(&vm.require_class(b"LibXMLError")?)?;
    let file = report.file.as_deref().unwrap_or_default();
    let values: [Val; 6] = [
        Val::int(report.level.into()),
        Val::int(report.code.into()),
        Val::int(report.column.into()),
        Val::str(&report.message),
        Val::str(file),
        Val::int(report.line.into()),
    ];
    for (slot, value) in object.slots().iter().zip(values) {
        slot.set(value);
    }
    Ok(object.into())
}

fn get_last_error(call: &mut Call<'_>) -> PhpResult<Val> {
    let errors = call.vm.data::<Errors>(KEY);
    let collected = errors.list.borrow().last().cloned().filter(|_| errors.collecting.get());
    match collected.or_else(phlox_libxml::last_report) {
        Some(report) => error_object(call.vm, &report),
        None => Ok(false.into()),
    }
}

fn get_errors(call: &mut Call<'_>) -> PhpResult<Val> {
    let errors = call.vm.data::<Errors>(KEY);
    let list = errors.list.borrow().clone();
    let objects: PhpResult<Vec<Val>> = list.iter().map(|report| error_object(call.vm, report)).collect();
    Ok(PhpArr::from_vec(objects?).into())
}

fn clear_errors(call: &mut Call<'_>) -> PhpResult<Val> {
    phlox_libxml::forget_last_report();
    call.vm.data::<Errors>(KEY).list.borrow_mut().clear();
    Ok(Val::NULL)
}

/// Sets a row of an array: a string, or null for `None`.
pub(crate) fn set(table: &mut PhpArr, key: &str, value: Option<Vec<u8>>) {
    let value = value.map_or(Val::NULL, |text| Val::str(&text));
    table.insert(Key::from_str(&PhpStr::from(key)), value);
}
