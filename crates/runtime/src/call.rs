//! What a builtin function's body sees: its checked arguments.

use crate::class::ClassRef;
use crate::error::{Throw, Thrown};
use crate::func::Func;
use crate::vm::Vm;
use phlox_hhbc::Instr;
use phlox_value::{PhpArr, PhpObj, PhpRef, PhpRes, PhpStr, Val, View};
use std::rc::Rc;

/// One call of a builtin function. Arguments already have the declared types; absent optional ones hold
/// their defaults, and a variadic parameter's arguments follow the others.
pub struct Call<'a> {
    pub vm: &'a Vm,
    /// The function that runs.
    pub func: &'a Rc<Func>,
    /// `$this` of a method call.
    pub object: Option<&'a PhpObj>,
    /// The late static binding class.
    pub static_class: Option<&'a ClassRef>,
    pub args: &'a [Val],
    /// Arguments actually passed.
    pub passed: usize,
    /// `None`: a line of PHP calls, with arguments by position.
    pub unusual: Option<&'a mut Unusual>,
}

/// What is unusual about a call of a builtin function: it comes from builtin code, or has arguments by name.
pub struct Unusual {
    /// Called by builtin code, not by a line of PHP.
    pub from_native: bool,
    /// Parameters before the last passed one that named arguments left out.
    pub skipped: Vec<usize>,
    /// Unknown named arguments, for a function whose last parameter is variadic.
    pub named: Vec<(PhpStr, Val)>,
}

impl<'a> Call<'a> {
    /// The argument, through a reference; null when absent.
    #[inline]
    pub fn arg(&self, index: usize) -> Val {
        self.args.get(index).map_or(Val::NULL, |value| value.deref().or_null())
    }

    #[inline]
    pub fn is_null(&self, index: usize) -> bool {
        self.args.get(index).is_none_or(|value| match value.view() {
            View::Ref(r) => r.get().is_null(),
            _ => value.is_null(),
        })
    }

    /// Was the argument passed by the caller?
    #[inline]
    pub fn was_passed(&self, index: usize) -> bool {
        let skipped = self.unusual.as_ref().is_some_and(|unusual| unusual.skipped.contains(&index));
        index < self.passed && !skipped
    }

    /// Is it builtin code that calls, and no line of PHP?
    pub fn is_from_native(&self) -> bool {
        self.unusual.as_ref().is_some_and(|unusual| unusual.from_native)
    }

    /// How many more than the caller hold each argument on behalf of the call (for traces).
    pub fn held(&self) -> u32 {
        u32::from(self.unusual.is_some())
    }

    /// Takes the arguments with names that no parameter has.
    pub fn take_named(&mut self) -> Vec<(PhpStr, Val)> {
        self.unusual.as_mut().map(|unusual| std::mem::take(&mut unusual.named)).unwrap_or_default()
    }

    #[inline]
    pub fn int(&self, index: usize) -> i64 {
        self.opt_int(index).unwrap_or(0)
    }

    #[inline]
    pub fn opt_int(&self, index: usize) -> Option<i64> {
        self.look(index, Val::as_int)
    }

    /// Reads from an argument in its place, if it holds what is looked for; else from a copy, through a reference.
    #[inline]
    fn look<R>(&self, index: usize, read: impl Fn(&Val) -> Option<R>) -> Option<R> {
        let value = self.args.get(index)?;
        match read(value) {
            None if value.is_ref() => read(&value.deref()),
            found => found,
        }
    }

    #[inline]
    pub fn double(&self, index: usize) -> f64 {
        self.look(index, |value| value.as_double().or_else(|| value.as_int().map(|i| i as f64))).unwrap_or(0.0)
    }

    #[inline]
    pub fn opt_double(&self, index: usize) -> Option<f64> {
        if self.is_null(index) { None } else { Some(self.double(index)) }
    }

    #[inline]
    pub fn bool(&self, index: usize) -> bool {
        self.opt_bool(index).unwrap_or(false)
    }

    #[inline]
    pub fn opt_bool(&self, index: usize) -> Option<bool> {
        self.look(index, Val::as_bool)
    }

    #[inline]
    pub fn str(&self, index: usize) -> PhpStr {
        self.opt_str(index).unwrap_or_else(PhpStr::empty)
    }

    /// A string that names a file: it must not contain a NUL byte.
    pub fn path(&self, index: usize) -> crate::PhpResult<PhpStr> {
        let path = self.str(index);
        if path.contains(&0) {
            return Err(self.value_error(index, "must not contain any null bytes"));
        }
        Ok(path)
    }

    #[inline]
    pub fn opt_str(&self, index: usize) -> Option<PhpStr> {
        self.look(index, |value| value.as_str().cloned())
    }

    #[inline]
    pub fn arr(&self, index: usize) -> PhpArr {
        self.opt_arr(index).unwrap_or_default()
    }

    #[inline]
    pub fn opt_arr(&self, index: usize) -> Option<PhpArr> {
        self.look(index, |value| value.as_arr().cloned())
    }

    #[inline]
    pub fn opt_obj(&self, index: usize) -> Option<PhpObj> {
        self.look(index, |value| value.as_obj().cloned())
    }

    pub fn opt_res(&self, index: usize) -> Option<PhpRes> {
        self.arg(index).as_res().cloned()
    }

    /// The reference of a by-reference parameter (a fresh one when the argument was a value).
    #[inline]
    pub fn reference(&self, index: usize) -> PhpRef {
        match self.args.get(index).map(Val::view) {
            Some(View::Ref(reference)) => reference.clone(),
            _ => PhpRef::new(self.arg(index)),
        }
    }

    /// Does the PHP code that calls leave the result unused, as a statement of its own?
    pub fn result_is_dropped(&self) -> bool {
        let mut inner = 0;
        let dropped = self.vm.frames.find_map(|place| {
            inner += 1;
            let next = || place.func.code().code.get(place.pc as usize + 1);
            (inner == 2).then(|| !place.is_native() && matches!(next(), Some(Instr::PopC {} | Instr::PopR {})))
        });
        dropped.unwrap_or(false)
    }

    /// Takes the value of a by-reference parameter out, so that it can be changed without a copy; give it
    /// back with [`Call::give_back`].
    pub fn take_ref(&self, index: usize) -> Val {
        let value = self.reference(index).slot().replace(Val::NULL);
        if let Some(array) = value.as_arr() {
            phlox_value::keep_positions(array);
        }
        value
    }

    /// Stores into a by-reference parameter.
    pub fn give_back(&self, index: usize, value: Val) {
        let reference = self.reference(index);
        if let Some(array) = reference.get().as_arr() {
            phlox_value::keep_positions(array);
        }
        if let Some(array) = value.as_arr() {
            phlox_value::settle_positions(array);
        }
        reference.set(value);
    }

    /// Assigns to a by-reference parameter: typed properties that the reference is bound to check the value.
    pub fn assign(&self, index: usize, value: Val) -> crate::PhpResult<()> {
        let reference = self.reference(index);
        // To see whether the caller is strict the frames are walked.
        let value = match reference.has_sources() {
            true => crate::coerce::reference_value(self.vm, &reference, value, self.vm.caller_is_strict())?,
            false => value,
        };
        reference.set(value);
        Ok(())
    }

    /// The arguments from `index` on (those of a variadic parameter).
    #[inline]
    pub fn rest(&self, index: usize) -> &'a [Val] {
        self.args.get(index..).unwrap_or(&[])
    }

    /// The class scope of the function.
    pub fn scope(&self) -> Option<&'a ClassRef> {
        self.func.scope.get()
    }

    /// `$this` of a method call.
    #[inline]
    pub fn this(&self) -> &'a PhpObj {
        self.object.unwrap_or_else(|| unreachable!("instance methods are called with an object"))
    }

    /// `f(): Argument #n ($name) MESSAGE` as a ValueError.
    pub fn value_error(&self, index: usize, message: &str) -> Throw {
        self.argument_error(Thrown::ValueError, index, message)
    }

    /// As [`Call::value_error`], as a TypeError.
    pub fn type_error(&self, index: usize, message: &str) -> Throw {
        self.argument_error(Thrown::TypeError, index, message)
    }

    /// As [`Call::value_error`], as an Error of no narrower kind.
    pub fn error(&self, index: usize, message: &str) -> Throw {
        self.argument_error(Thrown::Error, index, message)
    }

    fn argument_error(&self, thrown: Thrown, index: usize, message: &str) -> Throw {
        let func = self.func;
        let mut text = func.display_name();
        text.extend_from_slice(format!("(): Argument #{}", index + 1).as_bytes());
        if let Some(param) = func.params.get(index).filter(|p| !p.variadic) {
            text.extend_from_slice(&[b" ($", param.name.as_bytes(), b")"].concat());
        }
        text.extend_from_slice(b" ");
        text.extend_from_slice(message.as_bytes());
        self.vm.throw(thrown, &text)
    }

    /// `f(): MESSAGE` as a warning.
    pub fn warning(&self, message: &str) -> crate::PhpResult<()> {
        let mut text = self.func.display_name();
        text.extend_from_slice(b"(): ");
        text.extend_from_slice(message.as_bytes());
        self.vm.warning(&self.vm.builtin_message(&text))
    }

    /// `f(): MESSAGE` at any level.
    pub fn raise(&self, level: crate::Level, message: &[u8]) -> crate::PhpResult<()> {
        let mut text = self.func.display_name();
        text.extend_from_slice(b"(): ");
        text.extend_from_slice(message);
        self.vm.raise(level, &self.vm.builtin_message(&text))
    }
}
