//! Sorting: the functions for arrays, applied to the table.

use super::data::{Table, data, sorting_error};
use phlox_runtime::{Call, PhpArr, PhpRef, PhpResult, Val};

/// `asort()`
pub fn asort(call: &mut Call<'_>) -> PhpResult<Val> {
    with(call, "asort", true)
}

/// `ksort()`
pub fn ksort(call: &mut Call<'_>) -> PhpResult<Val> {
    with(call, "ksort", true)
}

/// `uasort()`
pub fn uasort(call: &mut Call<'_>) -> PhpResult<Val> {
    with(call, "uasort", true)
}

/// `uksort()`
pub fn uksort(call: &mut Call<'_>) -> PhpResult<Val> {
    with(call, "uksort", true)
}

/// `natsort()`
pub fn natsort(call: &mut Call<'_>) -> PhpResult<Val> {
    with(call, "natsort", false)
}

/// `natcasesort()`
pub fn natcasesort(call: &mut Call<'_>) -> PhpResult<Val> {
    with(call, "natcasesort", false)
}

fn with(call: &mut Call<'_>, function: &str, has_argument: bool) -> PhpResult<Val> {
    let this = call.this().clone();
    let table = Table::of(&this);
    let holder = match &table {
        Table::Array(holder) => holder.clone(),
        Table::Properties(_) => this.clone(),
    };
    if data(&holder).sorting.get() > 0 {
        return Err(sorting_error(call.vm));
    }
    let reference = PhpRef::new(table.snapshot().into());
    let mut args = vec![Val::from(reference.clone())];
    if has_argument {
        args.push(call.arg(0));
    }
    let sorting = &data(&holder).sorting;
    sorting.set(sorting.get() + 1);
    let callee = call.vm.require_callable(&function.into());
    let result = callee.and_then(|callee| call.vm.call_prepared(callee, args.into()));
    sorting.set(sorting.get() - 1);
    let sorted: PhpArr = reference.slot().replace(Val::NULL).into_arr().unwrap_or_default();
    table.replace(sorted);
    Ok(result?.into_deref())
}
