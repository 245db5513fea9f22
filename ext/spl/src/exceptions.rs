//! The exceptions that SPL and programs use to say what went wrong.

use phlox_runtime::NativeClass;
use phlox_runtime::class::NativeHooks;

const fn exception(name: &'static str, decl: &'static str) -> NativeClass {
    NativeClass { name, decl, methods: &[], hooks: NativeHooks::NONE }
}

pub const CLASSES: &[NativeClass] = &[
    exception("LogicException", "class LogicException extends Exception {}"),
    exception("BadFunctionCallException", "class BadFunctionCallException extends LogicException {}"),
    exception("BadMethodCallException", "class BadMethodCallException extends BadFunctionCallException {}"),
    exception("DomainException", "class DomainException extends LogicException {}"),
    exception("InvalidArgumentException", "class InvalidArgumentException extends LogicException {}"),
    exception("LengthException", "class LengthException extends LogicException {}"),
    exception("OutOfRangeException", "class OutOfRangeException extends LogicException {}"),
    exception("RuntimeException", "class RuntimeException extends Exception {}"),
    exception("OutOfBoundsException", "class OutOfBoundsException extends RuntimeException {}"),
    exception("OverflowException", "class OverflowException extends RuntimeException {}"),
    exception("RangeException", "class RangeException extends RuntimeException {}"),
    exception("UnderflowException", "class UnderflowException extends RuntimeException {}"),
    exception("UnexpectedValueException", "class UnexpectedValueException extends RuntimeException {}"),
];
