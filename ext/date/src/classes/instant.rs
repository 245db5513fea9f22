//! `DateTimeInterface`, `DateTime`, `DateTimeImmutable`: declarations and how the objects show themselves.

use super::data;
use super::instant_methods::*;
use crate::format::format;
use crate::moment::Moment;
use phlox_runtime::class::{NativeHooks, Purpose};
use phlox_runtime::{NativeClass, PhpArr, PhpObj, PhpResult, Val, Vm, convert};
use std::cmp::Ordering;

const HOOKS: NativeHooks = NativeHooks {
    create: Some(data::create::<Moment>),
    debug_info: Some(debug_info),
    properties: Some(properties),
    compare: Some(compare),
    ..NativeHooks::NONE
};

pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "DateTimeInterface",
        decl: include_str!("../../stubs/DateTimeInterface.stub.php"),
        methods: &[],
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "DateTime",
        decl: include_str!("../../stubs/DateTime.stub.php"),
        methods: &[
            ("__construct", construct),
            ("__serialize", serialize),
            ("__unserialize", unserialize),
            ("__wakeup", wakeup),
            ("__set_state", set_state),
            ("createFromImmutable", create_from_object),
            ("createFromInterface", create_from_object),
            ("createFromFormat", create_from_format),
            ("createFromTimestamp", create_from_timestamp),
            ("getLastErrors", get_last_errors),
            ("format", format_method),
            ("modify", modify),
            ("add", add),
            ("sub", sub),
            ("getTimezone", get_timezone),
            ("setTimezone", set_timezone),
            ("getOffset", get_offset),
            ("getMicrosecond", get_microsecond),
            ("setTime", set_time),
            ("setDate", set_date),
            ("setISODate", set_iso_date),
            ("setTimestamp", set_timestamp),
            ("setMicrosecond", set_microsecond),
            ("getTimestamp", get_timestamp),
            ("diff", diff),
        ],
        hooks: HOOKS,
    },
    NativeClass {
        name: "DateTimeImmutable",
        decl: include_str!("../../stubs/DateTimeImmutable.stub.php"),
        methods: &[
            ("__construct", construct),
            ("__serialize", serialize),
            ("__unserialize", unserialize),
            ("__wakeup", wakeup),
            ("__set_state", set_state),
            ("createFromFormat", create_from_format),
            ("createFromTimestamp", create_from_timestamp),
            ("getLastErrors", get_last_errors),
            ("format", format_method),
            ("getTimezone", get_timezone),
            ("getOffset", get_offset),
            ("getTimestamp", get_timestamp),
            ("getMicrosecond", get_microsecond),
            ("diff", diff),
            ("modify", modify),
            ("add", add),
            ("sub", sub),
            ("setTimezone", set_timezone),
            ("setTime", set_time),
            ("setDate", set_date),
            ("setISODate", set_iso_date),
            ("setTimestamp", set_timestamp),
            ("setMicrosecond", set_microsecond),
            ("createFromMutable", create_from_object),
            ("createFromInterface", create_from_object),
        ],
        hooks: HOOKS,
    },
];

/// The three properties that dumps and serialisation show.
pub fn add_properties(moment: &Moment, table: &mut PhpArr) {
    table.set_bytes(b"date", format(b"x-m-d H:i:s.u", moment).into());
    table.set_bytes(b"timezone_type", Val::int(moment.zone.kind()));
    table.set_bytes(b"timezone", moment.zone.name().into());
}

fn debug_info(_vm: &Vm, object: &PhpObj) -> PhpResult<PhpArr> {
    let mut table = convert::object_properties(object);
    if let Some(moment) = data::get::<Moment>(object) {
        add_properties(&moment, &mut table);
    }
    Ok(table)
}

fn properties(vm: &Vm, object: &PhpObj, purpose: Purpose) -> PhpResult<Option<PhpArr>> {
    if purpose == Purpose::ObjectVars {
        return Ok(None);
    }
    debug_info(vm, object).map(Some)
}

fn compare(vm: &Vm, one: &PhpObj, two: &PhpObj) -> PhpResult<Option<Ordering>> {
    match (data::get::<Moment>(one), data::get::<Moment>(two)) {
        (Some(one), Some(two)) => Ok(Some(one.instant().cmp(&two.instant()))),
        _ => {
            let text = b"Trying to compare an incomplete DateTime or DateTimeImmutable object";
            Err(vm.throw_class(b"DateObjectError", text, 0))
        }
    }
}
