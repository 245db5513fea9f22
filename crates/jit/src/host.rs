//! What the compiler asks about the function that it compiles: its inline caches, its type feedback, its declarations and its
//! callees. The interpreter's tier implements the trait.
//!
//! In all methods `at` is the index of an opline of the function and `site` the number of an inline cache. Classes and functions
//! are identified by their addresses.

use crate::built::Inlined;
use crate::profile::ObservedType;
use phlox_hhbc::StrId;
use phlox_hhir::types as hhir;
use phlox_hhir::{ClassId, FuncId};
use phlox_lower::OpCode;

/// Answers the questions of the compiler about the function that it compiles; see the module.
pub trait CompilerHost {
    /// The address of the resume point behind a `yield`, if compiled code may start there.
    fn resume_point(&self, at: u32) -> Option<u64>;

    /// Whether an iterator iterates over a generator whose body has compiled code.
    fn iterates_generator(&self, iterator: u32) -> bool;

    /// The function of a closure, given the payload of its object, if a call needs nothing from the closure but the function.
    fn closure_function(&self, closure: u64) -> Option<FuncId>;

    /// Whether the method that an InitMethod calls resumes a generator.
    fn resumes_generator(&self, at: u32) -> bool;

    /// The method that an InitMethod calls, if the method resumes generators and this object is a generator whose body has
    /// compiled code for the point where it is suspended.
    fn generator_method(&self, at: u32, generator: u64) -> Option<GeneratorMethod>;

    /// The builtin function that an InitFunc calls, if all of its parameters are by value: the word for the header of the call,
    /// the function's name, and the address of its fast path, if it has one.
    fn builtin_callee(&self, at: u32) -> Option<(FuncId, Vec<u8>, Option<FastPath>)>;

    /// The builtin function that an InitFunc calls with `argc` arguments, if it takes references and has a fast path: the word
    /// for the header of the call, the function's name, and the address of the fast path.
    fn by_ref_fast_path(&self, at: u32, argc: u32) -> Option<(FuncId, Vec<u8>, FastPath)>;

    /// The jump table of a Switch.
    fn switch_table(&self, at: u32) -> Option<Switch>;

    /// The PHP functions that an InitFunc, InitStatic or InitMethod is likely to call, by its inline caches and its side exits;
    /// none if a cached one cannot be called directly.
    fn callees(&self, at: u32) -> Vec<Callee>;

    /// The translation of a function that is small enough to be inlined, made for the argument types of a call and the likely
    /// classes of its object and arguments. `needs_frame` is `Some` if the caller is a specialisation for that very call, and
    /// says whether that one needs its frame.
    fn inline_candidate(
        &self,
        callee: &Specialization,
        classes: &[Option<ClassId>],
        needs_frame: Option<bool>,
    ) -> Option<Inlined>;

    /// The compiled code of a specialisation; asks for it to be compiled if there is none. `None`: there is no code, and will
    /// not be soon.
    fn compiled_callee(&self, callee: &Specialization) -> Option<Compiled>;

    /// The types that the declaration of the parameter or result at an opline allows, as bits of tags.
    fn declared_kinds(&self, at: u32) -> u32;

    /// The two entries of an inline cache; empty ones for [`phlox_lower::NO_SITE`].
    fn inline_caches(&self, site: u32) -> [InlineCache; 2];

    /// The address of an inline cache, which stays valid.
    fn inline_cache_address(&self, site: u32) -> u64;

    /// The types that the declaration of a property allows, by class and slot, as bits of tags.
    fn property_kinds(&self, class: ClassId, slot: u32) -> u32;

    /// The class that a property is declared with, if it is declared with just one, by class and slot.
    fn property_class(&self, class: ClassId, slot: u32) -> Option<ClassId>;

    /// A sample of what the reference holds that a RefGlobal or StaticLocal binds, if there is one.
    fn bound_value(&self, at: u32) -> Option<ObservedType>;

    /// The address of the static property's cell that an inline cache holds, and a sample of its value.
    fn static_property(&self, site: u32) -> Option<(CellAddress, Option<ObservedType>)>;

    /// The words of an opline's inline cache that are filled by a name and hold for one request, each with its address. Empty if the
    /// code is used in one request only, or if the cache depends on no name.
    fn words_by_name(&self, at: u32) -> Vec<(CellAddress, u64)>;

    /// The words of a static property's inline cache that are filled by a name, as [`CompilerHost::words_by_name`] gives them.
    fn static_words_by_name(&self, site: u32) -> Vec<(CellAddress, u64)>;

    /// The types that an opline's operands had at side exits, as bits of tags.
    fn exit_feedback(&self, at: u32) -> u32;

    /// The types that a variable had when the code of this loop could not be entered, as bits of tags.
    fn entry_feedback(&self, local: u32) -> u32;

    /// The types that an opline read or gave, as the interpreter recorded them shortly before the first compilation, as bits of
    /// tags.
    fn type_feedback(&self, at: u32) -> u32;

    /// The types that the declaration of a function's result allows, as bits of tags; 0 if none is declared.
    fn result_kinds(&self, func: FuncId) -> u32;

    /// The class that the parameter, result or instanceof at an opline names, if it names just one.
    fn declared_class(&self, at: u32) -> Option<ClassId>;

    /// Whether the result at an opline is declared as `static`.
    fn declares_static(&self, at: u32) -> bool;

    /// Whether the parameter or result at an opline is declared as `callable` or Closure.
    fn declares_callable(&self, at: u32) -> bool;

    /// Whether a class is Closure.
    fn is_closure_class(&self, class: ClassId) -> bool;

    /// Whether objects of a class behave like those of a class declared in PHP, without handlers of a builtin class.
    fn is_plain_class(&self, class: ClassId) -> bool;

    /// The class of an InitNew and its constructor, if it has one. `None` if creating the objects takes more than allocating
    /// them.
    fn constructed_class(&self, at: u32) -> Option<(ClassId, Option<FuncId>)>;

    /// Whether the function that an opline prepares a call of is known to have a by-reference parameter.
    fn takes_references(&self, at: u32) -> bool;

    /// Whether the function that an InitFunc, or an InitStatic of a class, is known to call takes this parameter by reference.
    fn passes_reference(&self, at: u32, parameter: u32) -> bool;

    /// The address of the function by which the interpreter executes an opline of this kind as a single step.
    fn single_step(&self, op: OpCode) -> Option<u64>;

    /// What the inline cache of an access to a property of this name would hold for objects of a class. `writes`: the access
    /// writes.
    fn find_property(&self, class: ClassId, name: PropertyName, writes: bool) -> Option<InlineCache>;

    /// The identity of the property layout that an inline cache's entry stands for: the class of the compiled function if that
    /// class has the property at that slot, else the class that declares the property. `writes`: the access writes.
    fn property_layout(&self, place: &InlineCache, name: PropertyName, writes: bool) -> Option<LayoutId>;

    /// Whether objects of a class have a property layout; see [`CompilerHost::property_layout`].
    fn has_layout(&self, class: ClassId, layout: LayoutId) -> bool;

    /// The classes of the objects with which an opline took side exits.
    fn exit_classes(&self, at: u32) -> Vec<ClassId>;

    /// The values that a ClassConst gave, each with the late static binding class it belongs to.
    fn late_bound_constants(&self, at: u32) -> Vec<(ClassId, ObservedType)>;

    /// The constructor of a class, if it has one. `None` if creating objects of the class takes more than allocating them.
    fn constructor_of(&self, class: ClassId) -> Option<Option<FuncId>>;

    /// The magic method that a class has for a purpose, if it can be called like any other method. Given the name of a property:
    /// only if objects of the class do not have the property.
    fn magic_method(&self, class: ClassId, magic: MagicMethod, name: Option<PropertyName>) -> Option<FuncId>;

    /// Whether a function can be called with what is in the context.
    fn can_call(&self, func: FuncId, context: Context) -> bool;

    /// The bytes and the payload of a string of the unit.
    fn unit_string(&self, id: StrId) -> (Box<[u8]>, u64);

    /// The value of a ClassConst or Const, if it is the same for all calls.
    fn constant(&self, at: u32) -> Option<ObservedType>;
}

/// Declares identities and addresses of the interpreter's, which the compiler compares and puts into code, and never follows.
macro_rules! words {
    ($($(#[doc = $doc:literal])* $name:ident;)*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u64);
    )*};
}

words! {
    /// The address of a builtin function's fast path.
    FastPath;
    /// The address of a cell that stays where it is.
    CellAddress;
    /// The identity of a layout of properties.
    LayoutId;
}

/// The name of a property: a literal, or a string of the unit.
#[derive(Clone, Copy, Debug)]
pub enum PropertyName {
    Literal(u32),
    String(StrId),
}

/// A method that resumes generators, and its class.
#[derive(Clone, Copy, Debug)]
pub struct GeneratorMethod {
    /// The class of the object.
    pub class: ClassId,
    /// The method.
    pub func: FuncId,
    /// Whether the method sends a value, as `Generator::send` does.
    pub sends: bool,
}

/// The purposes that a class may have a magic method for.
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

/// An entry of an inline cache.
#[derive(Clone, Copy, Debug)]
pub struct InlineCache {
    /// The identity of the class or function that the entry is for.
    pub key: u64,
    /// What was found for the key.
    pub value: u64,
    /// A class that belongs to what was found.
    pub class: u64,
}

impl InlineCache {
    /// The key, where it is a class.
    pub(crate) fn key_class(&self) -> ClassId {
        ClassId(self.key)
    }

    /// What was found, where it is a function.
    pub(crate) fn found_function(&self) -> FuncId {
        FuncId(self.value)
    }
}

/// A likely target of a call.
#[derive(Clone, Debug)]
pub struct Callee {
    /// The function.
    pub func: FuncId,
    /// What the function is called with: an object, a class or nothing.
    pub this: Context,
    /// The class that a guard must establish for the object, or for the caller's late static binding class.
    pub guard: Option<ClassId>,
}

/// The object or class that a function is called with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// Neither an object nor a class.
    None,
    /// The caller's object.
    Own,
    /// The object that is an operand of the call.
    Operand,
    /// A class.
    Class(ClassId),
}

/// A function with the types that it is called with.
#[derive(Clone, Debug)]
pub struct Specialization {
    /// The function.
    pub func: FuncId,
    /// The type of the object or class; `None` if the function has neither.
    pub this: Option<hhir::Bits>,
    /// A sample of the object or class.
    pub this_sample: Option<ObservedType>,
    /// The types of the arguments.
    pub args: Vec<hhir::Bits>,
    /// Samples of the arguments, where they are known.
    pub samples: Vec<Option<ObservedType>>,
}

/// A function that has compiled code or is being compiled.
#[derive(Clone, Copy, Debug)]
pub struct Compiled {
    /// The address of the function's [`crate::layout::Entry`].
    pub entry: u64,
    /// The type of the function's results; `None` if it is not known yet.
    pub result: Option<hhir::Bits>,
    /// A sample of the results.
    pub sample: Option<ObservedType>,
    /// How many bytes the function's frame takes.
    pub frame_bytes: u32,
    /// See [`crate::Built::may_free`].
    pub may_free: bool,
    /// See [`crate::Built::needs_frame`].
    pub needs_frame: bool,
}

/// The jump table of a Switch.
pub enum Switch {
    /// The sorted integers with their targets, and the default target.
    Int(Vec<(i64, u32)>, u32),
    /// The literal strings with their bytes, payloads and targets, and the default target.
    Str(Vec<(Box<[u8]>, u64, u32)>, u32),
}
