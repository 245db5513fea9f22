//! `array_multisort`: several arrays sorted as the columns of one table.

use crate::hybrid_sort;
use crate::order;
use phlox_runtime::{ArrKey, Call, FnDef, PhpArr, PhpResult, Val, View};

pub const FUNCTIONS: &[FnDef] =
    &[FnDef::new("array_multisort(#[prefer_ref] &$array, #[prefer_ref] &...$rest): bool", array_multisort)];

/// One array with the flags that follow it.
struct Column {
    argument: usize,
    array: PhpArr,
    descending: bool,
    flags: i64,
}

fn columns(call: &Call<'_>) -> PhpResult<Vec<Column>> {
    let mut columns: Vec<Column> = Vec::new();
    let (mut order_allowed, mut type_allowed) = (false, false);
    const REPEATED: &str = "must be an array or a sort flag that has not already been specified";
    for (argument, value) in call.args.iter().enumerate() {
        let value = value.deref();
        match value.view() {
            View::Arr(array) => {
                columns.push(Column { argument, array: array.clone(), descending: false, flags: order::REGULAR });
                (order_allowed, type_allowed) = (true, true);
            }
            View::Int(flag) => {
                let column = columns.last_mut();
                match (flag & !order::FLAG_CASE, column) {
                    (order::ASC | order::DESC, Some(column)) if order_allowed => {
                        column.descending = flag == order::DESC;
                        order_allowed = false;
                    }
                    (
                        order::REGULAR | order::NUMERIC | order::STRING | order::NATURAL | order::LOCALE_STRING,
                        Some(column),
                    ) if type_allowed => {
                        column.flags = flag;
                        type_allowed = false;
                    }
                    (order::REGULAR..=order::NATURAL, _) => return Err(call.type_error(argument, REPEATED)),
                    _ => return Err(call.value_error(argument, "must be a valid sort flag")),
                }
            }
            _ => return Err(call.type_error(argument, "must be an array or a sort flag")),
        }
    }
    Ok(columns)
}

fn array_multisort(call: &mut Call<'_>) -> PhpResult<Val> {
    let columns = columns(call)?;
    let len = columns.first().map_or(0, |column| column.array.len());
    if columns.iter().any(|column| column.array.len() != len) {
        return Err(call.vm.throw_value_error(b"Array sizes are inconsistent"));
    }
    if len == 0 {
        return Ok(Val::TRUE);
    }
    let table: Vec<Vec<(ArrKey, Val)>> = columns
        .iter()
        .map(|column| column.array.iter().map(|(key, value)| (key.to_owned(), value.clone())).collect())
        .collect();
    let mut rows: Vec<usize> = (0..len).collect();
    hybrid_sort::sort(&mut rows, &mut |&a, &b| {
        for (column, cells) in columns.iter().zip(&table) {
            let result = order::values(call.vm, column.flags, &cells[a].1, &cells[b].1)?;
            if result != 0 {
                return Ok((result > 0) != column.descending);
            }
        }
        Ok(a > b)
    })?;
    for (column, cells) in columns.iter().zip(&table) {
        let mut sorted = PhpArr::with_capacity(0);
        for &row in &rows {
            let (key, value) = &cells[row];
            match key {
                ArrKey::Int(_) => drop(sorted.push(value.clone())),
                ArrKey::Str(_) => drop(sorted.insert(key.as_key(), value.clone())),
            }
        }
        sorted.set_next_index(len as i64);
        // A variable that was changed meanwhile keeps its new value.
        let is_there = |column: &Column| {
            call.args[column.argument].is_ref()
                && call.reference(column.argument).get().as_arr().is_some_and(|now| now.ptr_eq(&column.array))
        };
        if is_there(column) {
            call.give_back(column.argument, sorted.into());
        }
    }
    Ok(Val::TRUE)
}
