//! The arguments and the context that the body of a builtin function gets.

use crate::class::ClassRef;
use crate::error::{Throw, Thrown};
use crate::func::Func;
use crate::vm::Vm;
use phlox_hhbc::Instr;
use phlox_value::{PhpArr, PhpObj, PhpRef, PhpRes, PhpStr, Val, View};
use std::rc::Rc;

/// One call of a builtin function. Arguments already have the declared types; absent optional arguments have their default
/// values, and the arguments of a variadic parameter follow the others.
pub struct Call<'a> {
    pub vm: &'a Vm,
    /// The function that runs.
    pub func: &'a Rc<Func>,
    /// `$this` of a method call.
    pub object: Option<&'a PhpObj>,
    /// The late static binding class.
    pub static_class: Option<&'a ClassRef>,
    pub args: &'a [Val],
    /// Number of arguments that the caller passed.
    pub passed: usize,
    /// `None` for a call from PHP code with positional arguments.
    pub unusual: Option<&'a mut Unusual>,
}

/// The unusual properties of a call of a builtin function that comes from builtin code or has named arguments.
pub struct Unusual {
    /// Whether builtin code made the call, not PHP code.
    pub from_native: bool,
    /// Indices of parameters before the last passed one that named arguments left out.
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

    /// Whether the argument is null or absent.
    #[inline]
    pub fn is_null(&self, index: usize) -> bool {
        self.args.get(index).is_none_or(|value| match value.view() {
            View::Ref(r) => r.get().is_null(),
            _ => value.is_null(),
        })
    }

    /// Whether the caller passed the argument.
    #[inline]
    pub fn was_passed(&self, index: usize) -> bool {
        let skipped = self.unusual.as_ref().is_some_and(|unusual| unusual.skipped.contains(&index));
        index < self.passed && !skipped
    }

    /// Whether builtin code made the call, not PHP code.
    pub fn is_from_native(&self) -> bool {
        self.unusual.as_ref().is_some_and(|unusual| unusual.from_native)
    }

    /// Number of references to each argument that the call holds in addition to the caller's (for traces).
    pub fn held(&self) -> u32 {
        u32::from(self.unusual.is_some())
    }

    /// Takes the unknown named arguments, whose names no parameter has.
    pub fn take_named(&mut self) -> Vec<(PhpStr, Val)> {
        self.unusual.as_mut().map(|unusual| std::mem::take(&mut unusual.named)).unwrap_or_default()
    }

    /// An `int` argument; 0 when absent or null.
    #[inline]
    pub fn int(&self, index: usize) -> i64 {
        self.opt_int(index).unwrap_or(0)
    }

    /// An `?int` argument; `None` when absent or null.
    #[inline]
    pub fn opt_int(&self, index: usize) -> Option<i64> {
        self.look(index, Val::as_int)
    }

    /// Reads from an argument in place, without a copy; if that gives `None` for a reference, reads from its value.
    #[inline]
    fn look<R>(&self, index: usize, read: impl Fn(&Val) -> Option<R>) -> Option<R> {
        let value = self.args.get(index)?;
        match read(value) {
            None if value.is_ref() => read(&value.deref()),
            found => found,
        }
    }

    /// A `float` argument; 0 when absent or null.
    #[inline]
    pub fn double(&self, index: usize) -> f64 {
        self.look(index, |value| value.as_double().or_else(|| value.as_int().map(|i| i as f64))).unwrap_or(0.0)
    }

    /// A `?float` argument; `None` when absent or null.
    #[inline]
    pub fn opt_double(&self, index: usize) -> Option<f64> {
        if self.is_null(index) { None } else { Some(self.double(index)) }
    }

    /// A `bool` argument; false when absent or null.
    #[inline]
    pub fn bool(&self, index: usize) -> bool {
        self.opt_bool(index).unwrap_or(false)
    }

    /// A `?bool` argument; `None` when absent or null.
    #[inline]
    pub fn opt_bool(&self, index: usize) -> Option<bool> {
        self.look(index, Val::as_bool)
    }

    /// A `string` argument; empty when absent or null.
    #[inline]
    pub fn str(&self, index: usize) -> PhpStr {
        self.opt_str(index).unwrap_or_else(PhpStr::empty)
    }

    /// A string argument that names a file; throws a ValueError if it contains a NUL byte.
    pub fn path(&self, index: usize) -> crate::PhpResult<PhpStr> {
        let path = self.str(index);
        if path.contains(&0) {
            return Err(self.value_error(index, "must not contain any null bytes"));
        }
        Ok(path)
    }

    /// A `?string` argument; `None` when absent or null.
    #[inline]
    pub fn opt_str(&self, index: usize) -> Option<PhpStr> {
        self.look(index, |value| value.as_str().cloned())
    }

    /// An `array` argument; empty when absent or null.
    #[inline]
    pub fn arr(&self, index: usize) -> PhpArr {
        self.opt_arr(index).unwrap_or_default()
    }

    /// An `?array` argument; `None` when absent or null.
    #[inline]
    pub fn opt_arr(&self, index: usize) -> Option<PhpArr> {
        self.look(index, |value| value.as_arr().cloned())
    }

    /// An object argument; `None` when absent or null.
    #[inline]
    pub fn opt_obj(&self, index: usize) -> Option<PhpObj> {
        self.look(index, |value| value.as_obj().cloned())
    }

    /// A resource argument; `None` when absent or null.
    pub fn opt_res(&self, index: usize) -> Option<PhpRes> {
        self.arg(index).as_res().cloned()
    }

    /// The reference of a by-reference parameter; a fresh one if the argument was a value.
    #[inline]
    pub fn reference(&self, index: usize) -> PhpRef {
        match self.args.get(index).map(Val::view) {
            Some(View::Ref(reference)) => reference.clone(),
            _ => PhpRef::new(self.arg(index)),
        }
    }

    /// Whether the calling PHP code does not use the result (the call is a statement of its own).
    pub fn result_is_dropped(&self) -> bool {
        let mut inner = 0;
        let dropped = self.vm.frames.find_map(|place| {
            inner += 1;
            let next = || place.func.code().code.get(place.pc as usize + 1);
            (inner == 2).then(|| !place.is_native() && matches!(next(), Some(Instr::PopC {} | Instr::PopR {})))
        });
        dropped.unwrap_or(false)
    }

    /// Takes the value of a by-reference parameter out, so that it can be changed without a copy. The caller stores it back with
    /// [`Call::give_back`].
    pub fn take_ref(&self, index: usize) -> Val {
        let value = self.reference(index).slot().replace(Val::NULL);
        if let Some(array) = value.as_arr() {
            phlox_value::keep_positions(array);
        }
        value
    }

    /// Stores the changed value of a by-reference parameter.
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

    /// Assigns to a by-reference parameter; the value is checked against the typed properties that the reference is bound to.
    pub fn assign(&self, index: usize, value: Val) -> crate::PhpResult<()> {
        let reference = self.reference(index);
        // Whether the caller uses strict types needs a walk over the frames, so it is looked up only if it matters.
        let value = match reference.has_sources() {
            true => crate::coerce::reference_value(self.vm, &reference, value, self.vm.caller_is_strict())?,
            false => value,
        };
        reference.set(value);
        Ok(())
    }

    /// The arguments from `index` on, which are those of a variadic parameter.
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

    /// A ValueError `f(): Argument #n ($name) MESSAGE`.
    pub fn value_error(&self, index: usize, message: &str) -> Throw {
        self.argument_error(Thrown::ValueError, index, message)
    }

    /// A TypeError `f(): Argument #n ($name) MESSAGE`.
    pub fn type_error(&self, index: usize, message: &str) -> Throw {
        self.argument_error(Thrown::TypeError, index, message)
    }

    /// An Error `f(): Argument #n ($name) MESSAGE`.
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

    /// Raises the warning `f(): MESSAGE`.
    pub fn warning(&self, message: &str) -> crate::PhpResult<()> {
        let mut text = self.func.display_name();
        text.extend_from_slice(b"(): ");
        text.extend_from_slice(message.as_bytes());
        self.vm.warning(&self.vm.builtin_message(&text))
    }

    /// Raises `f(): MESSAGE` at any level.
    pub fn raise(&self, level: crate::Level, message: &[u8]) -> crate::PhpResult<()> {
        let mut text = self.func.display_name();
        text.extend_from_slice(b"(): ");
        text.extend_from_slice(message);
        self.vm.raise(level, &self.vm.builtin_message(&text))
    }
}
