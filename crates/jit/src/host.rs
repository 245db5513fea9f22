//! What the compiler asks about the function that it compiles: its inline caches, its type feedback, what its declarations say and
//! what it calls. The interpreter's tier answers.
//!
//! `at` is an opline of the function, `site` the number of an inline cache. Classes and functions go by their identities, which are
//! addresses.

use crate::built::Inlined;
use crate::profile::ObservedType;
use phlox_hhbc::StrId;
use phlox_hhir::types as hhir;
use phlox_lower::OpCode;

/// See the module.
pub trait CompilerHost {
    /// The address of the resume point behind a `yield`, if there may be code for that.
    fn resume_point(&self, at: u32) -> Option<u64>;

    /// Whether an iterator is one over a generator whose body has compiled code.
    fn iterates_generator(&self, iterator: u32) -> bool;

    /// The function of a closure, by the payload of its object, if a call of the closure needs nothing but that.
    fn closure_function(&self, closure: u64) -> Option<u64>;

    /// Whether the method that an InitMethod finds resumes generators.
    fn resumes_generator(&self, at: u32) -> bool;

    /// The method that an InitMethod finds, if it resumes generators and this object is one whose body has code from where it stands.
    fn generator_method(&self, at: u32, generator: u64) -> Option<GeneratorMethod>;

    /// The builtin function that an InitFunc calls, if all of its parameters take values: the word for the header of the call, its
    /// name, and the address of its fast path, if it has one.
    fn builtin_callee(&self, at: u32) -> Option<(u64, Vec<u8>, Option<u64>)>;

    /// The builtin function that an InitFunc calls with so many arguments, if it takes references and has a fast path: the word
    /// for the header of the call, its name, and the address of the fast path.
    fn by_ref_fast_path(&self, at: u32, argc: u32) -> Option<(u64, Vec<u8>, u64)>;

    /// The table of a Switch.
    fn switch_table(&self, at: u32) -> Option<Switch>;

    /// What an InitFunc, InitStatic or InitMethod calls, if those are PHP functions: two at most.
    fn callees(&self, at: u32) -> Vec<Callee>;

    /// A function that is small enough to be inlined, as it is built for a call: types, and likely classes of the object and the
    /// arguments. `needs_frame`: the code is made for that very call, and whether its frame may be looked at.
    fn inline_candidate(
        &self,
        callee: &Specialization,
        classes: &[Option<u64>],
        needs_frame: Option<bool>,
    ) -> Option<Inlined>;

    /// Has a function compiled for a call, if it is not.
    fn compiled_callee(&self, callee: &Specialization) -> Option<Compiled>;

    /// The kinds that the parameter or result at an opline may be of by its declaration, as bits of tags.
    fn declared_kinds(&self, at: u32) -> u32;

    /// The two entries of an inline cache; empty ones for [`phlox_lower::NO_SITE`].
    fn inline_caches(&self, site: u32) -> [InlineCache; 2];

    /// Where an inline cache lies, which stays there.
    fn inline_cache_address(&self, site: u32) -> u64;

    /// The kinds that a declared property of a class may be of, by its slot, as bits of tags.
    fn property_kinds(&self, class: u64, slot: u32) -> u32;

    /// The one class that a property is declared with, by its class and slot.
    fn property_class(&self, class: u64, slot: u32) -> Option<u64>;

    /// What the reference holds now that a RefGlobal or StaticLocal binds, if there is one.
    fn bound_value(&self, at: u32) -> Option<ObservedType>;

    /// The address of the cell of the static property in an inline cache, and what is in it.
    fn static_property(&self, site: u32) -> Option<(u64, Option<ObservedType>)>;

    /// What oplines found at side exits: the kinds of what the opline read, as bits of tags.
    fn exit_feedback(&self, at: u32) -> u32;

    /// What a variable was when the code of this loop could not be entered, as bits of tags.
    fn entry_feedback(&self, local: u32) -> u32;

    /// The kinds of what the opline gave or read shortly before the first version, as bits of tags.
    fn type_feedback(&self, at: u32) -> u32;

    /// The kinds that a function's results may be of, as bits of tags; 0 if nothing is declared.
    fn result_kinds(&self, func: u64) -> u32;

    /// The one class that a parameter, result or instanceof at an opline names.
    fn declared_class(&self, at: u32) -> Option<u64>;

    /// Whether a result is declared with `static`.
    fn declares_static(&self, at: u32) -> bool;

    /// Whether a parameter or result is declared with `callable` or Closure.
    fn declares_callable(&self, at: u32) -> bool;

    /// Whether a class is Closure.
    fn is_closure_class(&self, class: u64) -> bool;

    /// Whether objects of a class are like those that PHP code declares.
    fn is_plain_class(&self, class: u64) -> bool;

    /// The class of an InitNew, if objects of it have nothing special, and its constructor, if it has one.
    fn constructed_class(&self, at: u32) -> Option<(u64, Option<u64>)>;

    /// Whether the function that an opline prepares a call of is known to take references.
    fn takes_references(&self, at: u32) -> bool;

    /// Whether the function that an InitFunc, or an InitStatic of a class, is known to call takes a reference for a parameter.
    fn passes_reference(&self, at: u32, parameter: u32) -> bool;

    /// The address of the function by which the interpreter executes an opline of this kind by itself.
    fn single_step(&self, op: OpCode) -> Option<u64>;

    /// What an inline cache of a property of this name holds for objects of a class; whether it is written.
    fn find_property(&self, class: u64, name: PropertyName, writes: bool) -> Option<InlineCache>;

    /// The identity of a layout of properties as this function's code sees them: the class of the function if that has the property
    /// of a name at that place, else the class that declares it. Given the place, the name, and whether it is written.
    fn property_layout(&self, place: &InlineCache, name: PropertyName, writes: bool) -> Option<u64>;

    /// Whether a class has its properties laid out so.
    fn has_layout(&self, class: u64, layout: u64) -> bool;

    /// The classes that were found at side exits of an opline.
    fn exit_classes(&self, at: u32) -> Vec<u64>;

    /// What a ClassConst gave for late static binding classes.
    fn late_bound_constants(&self, at: u32) -> Vec<(u64, ObservedType)>;

    /// The constructor, if there is one, of a class whose objects have nothing special.
    fn constructor_of(&self, class: u64) -> Option<Option<u64>>;

    /// The function that objects of a class have for something, if it can be called like any method. With the name of a property:
    /// only if they do not have that property.
    fn magic_method(&self, class: u64, magic: MagicMethod, name: Option<PropertyName>) -> Option<u64>;

    /// Whether a function can be called on what is in the context.
    fn can_call(&self, func: u64, context: Context) -> bool;

    /// The bytes and the payload of a string of the unit.
    fn unit_string(&self, id: StrId) -> (Box<[u8]>, u64);

    /// The value of a ClassConst or Const, if it does not depend on the call.
    fn constant(&self, at: u32) -> Option<ObservedType>;
}

/// A property's name: a literal, or a string of the unit.
#[derive(Clone, Copy, Debug)]
pub enum PropertyName {
    Literal(u32),
    String(StrId),
}

/// A method that resumes generators, and its class.
#[derive(Clone, Copy, Debug)]
pub struct GeneratorMethod {
    pub class: u64,
    pub func: u64,
    pub sends: bool,
}

/// What a class may have a method for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MagicMethod {
    Get,
    Set,
    Isset,
    Unset,
    OffsetGet,
    OffsetSet,
    OffsetExists,
    OffsetUnset,
    Count,
    Call,
    Invoke,
}

/// An inline cache.
#[derive(Clone, Copy, Debug)]
pub struct InlineCache {
    pub key: u64,
    pub value: u64,
    pub class: u64,
}

/// The target of a call.
#[derive(Clone, Debug)]
pub struct Callee {
    pub func: u64,
    pub this: Context,
    /// The class that the object, or the caller's own static context, must be.
    pub guard: Option<u64>,
}

/// What a function is called on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    None,
    /// The caller's object.
    Own,
    /// The operand of the call.
    Operand,
    Class(u64),
}

/// A function with the types that it is called with.
#[derive(Clone, Debug)]
pub struct Specialization {
    pub func: u64,
    pub this: Option<hhir::Bits>,
    pub this_sample: Option<ObservedType>,
    pub args: Vec<hhir::Bits>,
    pub samples: Vec<Option<ObservedType>>,
}

/// A function that has code, or will have.
#[derive(Clone, Copy, Debug)]
pub struct Compiled {
    /// The address of its [`crate::layout::Entry`].
    pub entry: u64,
    /// The type of its results; `None`: not known yet.
    pub result: Option<hhir::Bits>,
    /// A sample of them.
    pub sample: Option<ObservedType>,
    pub frame_bytes: u32,
    /// See [`crate::Built`].
    pub may_free: bool,
    pub needs_frame: bool,
}

/// Where a Switch goes.
pub enum Switch {
    /// By integers, sorted; and where others go.
    Int(Vec<(i64, u32)>, u32),
    /// By literal strings: their bytes, payloads and targets; and where others go.
    Str(Vec<(Box<[u8]>, u64, u32)>, u32),
}
