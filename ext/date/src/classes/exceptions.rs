//! The throwables of the extension.

use phlox_runtime::NativeClass;
use phlox_runtime::class::NativeHooks;

const fn plain(name: &'static str, decl: &'static str) -> NativeClass {
    NativeClass { name, decl, methods: &[], hooks: NativeHooks::NONE }
}

pub const CLASSES: &[NativeClass] = &[
    plain("DateError", "class DateError extends Error {}"),
    plain("DateObjectError", "class DateObjectError extends DateError {}"),
    plain("DateRangeError", "class DateRangeError extends DateError {}"),
    plain("DateException", "class DateException extends Exception {}"),
    plain("DateInvalidTimeZoneException", "class DateInvalidTimeZoneException extends DateException {}"),
    plain("DateInvalidOperationException", "class DateInvalidOperationException extends DateException {}"),
    plain("DateMalformedStringException", "class DateMalformedStringException extends DateException {}"),
    plain(
        "DateMalformedIntervalStringException",
        "class DateMalformedIntervalStringException extends DateException {}",
    ),
    plain("DateMalformedPeriodStringException", "class DateMalformedPeriodStringException extends DateException {}"),
];
