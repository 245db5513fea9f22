//! Classes at run time. Linking (inheritance, traits, checks) is in `link`, property access in `props`.

use crate::func::Func;
use crate::strmap::StrMap;
use crate::types::TypeSpec;
use crate::unit::LinkedUnit;
pub use phlox_hhbc::{Attrs, ClassKind};
use phlox_hhbc::{ClassId, Init};
pub use phlox_value::ClassRef;
use phlox_value::{ClassHeader, PhpObj, PhpStr, Slot, Val};
use std::cell::{Cell, OnceCell, Ref, RefCell};
use std::rc::Rc;

/// A linked class, interface, trait or enum.
pub struct Class {
    pub name: PhpStr,
    pub lower_name: PhpStr,
    pub kind: ClassKind,
    pub attrs: Attrs,
    pub parent: Option<ClassRef>,
    /// All interfaces, inherited ones included, in PHP's order.
    pub interfaces: Vec<ClassRef>,
    /// Ids of the class itself, its ancestors and all interfaces, sorted.
    pub supertypes: Vec<u32>,
    /// Traits used directly.
    pub traits: Vec<ClassRef>,
    pub constants: StrMap<Rc<ClassConst>>,
    /// Instance and static properties visible by name, inherited ones included (a parent's private ones are not).
    pub props: StrMap<Rc<PropInfo>>,
    /// Declared instance properties in slot order, parents' first, private ones of parents included.
    pub slots: Vec<Rc<PropInfo>>,
    /// Own and inherited methods by lower-case name.
    pub methods: StrMap<Rc<Func>>,
    pub magic: Magic,
    /// For a backed enum: the type of its values.
    pub enum_type: Option<Rc<TypeSpec>>,
    /// The unit that declares the class.
    pub unit: Rc<LinkedUnit>,
    pub id: ClassId,
    /// Default values of the slots; evaluated when the first object is made.
    pub(crate) defaults: RefCell<Option<Vec<Val>>>,
    /// Set while constant expressions of the class are being evaluated.
    pub evaluating: Cell<bool>,
    /// Constants and static properties have been evaluated.
    pub evaluated: Cell<bool>,
    /// Whether the class has or inherits `#[AllowDynamicProperties]`.
    pub allows_dynamic: bool,
    pub native: NativeHooks,
    /// Alias and trait-rule data that Reflection shows: method name -> `Trait::method`.
    pub trait_aliases: Vec<(PhpStr, PhpStr)>,
    /// For an enum: the map from backing values to case names, made on first use.
    pub enum_index: RefCell<Option<phlox_value::PhpArr>>,
    /// Whether and how objects of the class are iterated, found on first use.
    pub iterates: OnceCell<crate::iteration::Iterates>,
    /// What iterations over objects of the class need, found on first use.
    pub iteration: OnceCell<Rc<crate::iteration::Methods>>,
    /// The class's own handle; set right after creation.
    pub this: OnceCell<std::rc::Weak<ClassHeader>>,
}

/// Native behaviour of a builtin class beyond its methods. Subclasses inherit it.
#[derive(Clone, Copy, Default)]
pub struct NativeHooks {
    /// Gives a new object its native data.
    pub create: Option<fn(&crate::Vm, &PhpObj)>,
    /// Gives what `var_dump`, `(array)` and `get_object_vars` show in place of (or before) the properties.
    pub debug_info: Option<fn(&crate::Vm, &PhpObj) -> crate::PhpResult<phlox_value::PhpArr>>,
    /// Objects cannot be cloned.
    pub no_clone: bool,
    /// Throws when this object cannot be cloned.
    pub check_clone: Option<fn(&crate::Vm, &PhpObj) -> crate::PhpResult<()>>,
    /// Completes the copy that `clone` made, which already has a copy of the native data; gets the original, then the copy.
    pub copied: Option<fn(&PhpObj, &PhpObj)>,
    /// Objects cannot be serialised.
    pub no_serialize: bool,
    /// Objects cannot have dynamic properties.
    pub no_dynamic: bool,
    /// The object's state comes from the constructor alone: if the class is final, Reflection makes no object without calling it.
    pub needs_constructor: bool,
    /// `new` is refused with this message.
    pub no_new: Option<&'static str>,
    /// The class of the exception for [`no_new`](Self::no_new), if it is not Error.
    pub no_new_class: Option<&'static str>,
    /// `==` and `<=>` between two objects of the class.
    pub compare: Option<fn(&crate::Vm, &PhpObj, &PhpObj) -> crate::PhpResult<Option<std::cmp::Ordering>>>,
    /// Compares an object of the class with a value that is no object; `None`: like other objects.
    pub compare_with: Option<fn(&crate::Vm, &PhpObj, &Val) -> crate::PhpResult<Option<Option<std::cmp::Ordering>>>>,
    /// Applies an operator with an object of the class on either side; `None`: like other objects.
    pub operate: Option<fn(&crate::Vm, crate::arith::BinOp, &Val, &Val) -> crate::PhpResult<Option<Val>>>,
    /// The result of `~` on an object of the class.
    pub bit_not: Option<fn(&crate::Vm, &PhpObj) -> crate::PhpResult<Val>>,
    /// Gives an object what follows its class in a serialised text of the form `C:`.
    pub unserialize: Option<fn(&crate::Vm, &PhpObj, &[u8]) -> crate::PhpResult<()>>,
    /// `count()` without the method call when the class does not override it.
    pub count: Option<fn(&crate::Vm, &PhpObj) -> crate::PhpResult<i64>>,
    /// Gives the table of properties for a purpose, where it is not simply all properties.
    pub properties: Option<fn(&crate::Vm, &PhpObj, Purpose) -> crate::PhpResult<Option<phlox_value::PhpArr>>>,
    /// Casts the object to something, other than by `__toString`.
    pub cast: Option<fn(&crate::Vm, &PhpObj, CastTo) -> crate::PhpResult<Option<Val>>>,
    /// Gives an element as a reference, for a change inside it (no offset: a new element is appended); the flag asks for a
    /// warning when it is missing. `None`: only `offsetGet` can tell.
    pub element: Option<ElementHook>,
    /// Makes an element, which may be new, an alias of a reference. False if that is not possible.
    pub bind_element: Option<fn(&crate::Vm, &PhpObj, &Val, phlox_value::PhpRef) -> crate::PhpResult<bool>>,
    /// Throws when the object cannot be iterated (the flag: by reference).
    pub check_iteration: Option<fn(&crate::Vm, &PhpObj, bool) -> crate::PhpResult<()>>,
    /// Gives value and key of the current element of an iteration in one call (the flag: the key is wanted).
    pub current_element: Option<ElementOf>,
    /// Gives the iterator's own array that an iteration goes over, as long as the iterator has no other handle.
    pub walked_array: Option<fn(&PhpObj) -> Option<phlox_value::PhpArr>>,
    /// Cleans up the native part of an object when its last handle is dropped, like a destructor.
    pub destruct: Option<fn(&crate::Vm, &PhpObj)>,
    /// [`destruct`](Self::destruct) runs PHP code for few objects only, whose creators call [`crate::note_destructors`].
    pub seldom_destructs: bool,
    /// An iteration reserves no object id besides the iterator's own.
    pub takes_no_iterator_id: bool,
    /// Iteration by the engine makes no calls that traces show.
    pub steps_silently: bool,
    /// Gives the object that has the methods that this one lacks (for iterators around others).
    pub method_target: Option<fn(&PhpObj) -> Option<PhpObj>>,
    /// Makes the exception for a call of a method that the object does not have.
    pub missing_method: Option<fn(&crate::Vm, &PhpObj) -> crate::Throw>,
    /// Tells whether properties that do not exist are elements (`ArrayObject::ARRAY_AS_PROPS`).
    pub elements_as_properties: Option<fn(&PhpObj) -> bool>,
    /// Static methods that are called on an object get the object (`XMLReader::open`).
    pub static_sees_object: bool,
    /// Access to properties, declared ones included, that the class stores itself.
    pub own_properties: Option<&'static MemberHooks>,
    /// Tells which properties of an object the class stores itself, if not all; the others are ordinary.
    pub owns_property: Option<fn(&PhpObj, &PhpStr, Reach) -> bool>,
    /// Copies properties that the class stores itself into the table of dynamic properties, before that is listed.
    pub refresh: Option<fn(&PhpObj)>,
    /// Throws when this property may not be assigned; other changes of it are not checked.
    pub check_write: Option<fn(&crate::Vm, &PhpObj, &PhpStr) -> crate::PhpResult<()>>,
    /// Access to elements (`$object[..]`) of a class without ArrayAccess.
    pub own_elements: Option<&'static MemberHooks>,
    /// Fast paths for elements of a class with ArrayAccess, where no subclass overrides its methods.
    pub fast_elements: Option<&'static FastElements>,
    /// Answers to `isset` and `??` of a class with ArrayAccess, for which its methods are too coarse.
    pub element_questions: Option<&'static ElementQuestions>,
}

/// Answers about elements for which ArrayAccess has no precise method. These functions call the methods that a subclass
/// overrides.
pub struct ElementQuestions {
    /// Answers `isset`, or with the flag, not `empty`.
    pub exists: fn(&crate::Vm, &PhpObj, &Val, bool) -> crate::PhpResult<bool>,
    /// Reads for `??`: the value without warnings, null where there is none.
    pub read_quietly: fn(&crate::Vm, &PhpObj, &Val) -> crate::PhpResult<Val>,
}

/// Fast paths for the methods of ArrayAccess, for offsets that are plain keys and cases that raise nothing; `None`: the method
/// must be called.
pub struct FastElements {
    pub get: fn(&PhpObj, &Val) -> Option<Val>,
    /// Stores a value at an offset, or appends it; gives the old value.
    pub set: fn(&PhpObj, Option<&Val>, &Val) -> Option<Val>,
    /// Answers `isset`.
    pub exists: fn(&PhpObj, &Val) -> Option<bool>,
    /// Makes the exception of `$object[]` where nothing can be appended.
    pub refuse: Option<fn(&crate::Vm) -> crate::Throw>,
    /// Makes the exception of a read to which `get` has no answer, without a call of the method in its trace.
    pub missing: Option<fn(&crate::Vm, &PhpObj, &Val) -> Option<crate::Throw>>,
}

/// A property or an element of an object whose class stores its members itself.
#[derive(Clone, Copy)]
pub enum Member<'a> {
    Property(&'a PhpStr),
    /// An offset as the script gave it; `None` in `$object[]`.
    Element(Option<&'a Val>),
}

/// The access to a property, for a class that stores some properties itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    Read,
    Write,
    /// Something inside the property changes, or it becomes a reference.
    Inside,
    Unset,
}

/// The purpose of reading a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberUse {
    Value,
    /// For `??`: no warnings.
    Quiet,
    /// The value decides what is written next (`op=`, `++`).
    Changed,
    /// Something inside the member changes: the member may be created.
    Inside,
    /// Something inside the member is unset.
    Unset,
}

/// Access to members that a class stores itself.
pub struct MemberHooks {
    pub read: fn(&crate::Vm, &PhpObj, Member<'_>, MemberUse) -> crate::PhpResult<Val>,
    pub write: fn(&crate::Vm, &PhpObj, Member<'_>, Val) -> crate::PhpResult<()>,
    /// Answers `isset`, or with the flag, not `empty`.
    pub exists: fn(&crate::Vm, &PhpObj, Member<'_>, bool) -> crate::PhpResult<bool>,
    pub unset: fn(&crate::Vm, &PhpObj, Member<'_>) -> crate::PhpResult<()>,
}

/// Gives value and key of the current element; `None` at the end.
pub type ElementOf = fn(&crate::Vm, &PhpObj, bool) -> crate::PhpResult<Option<(Val, Val)>>;

/// Gives an element of an object with ArrayAccess as a reference.
pub type ElementHook = fn(&crate::Vm, &PhpObj, Option<&Val>, bool) -> crate::PhpResult<Option<phlox_value::PhpRef>>;

/// The purpose of a table of an object's properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    ArrayCast,
    VarExport,
    Json,
    Serialize,
    /// `get_object_vars` and `get_mangled_object_vars`.
    ObjectVars,
}

impl NativeHooks {
    /// Whether properties that do not exist are elements, by the hook [`NativeHooks::elements_as_properties`].
    #[inline]
    pub fn has_elements_as_properties(&self, object: &PhpObj) -> bool {
        self.elements_as_properties.is_some_and(|hook| hook(object))
    }

    /// The class's own access to a property, if it stores that property itself.
    #[inline]
    pub fn keeper(&self, object: &PhpObj, name: &PhpStr, reach: Reach) -> Option<&'static MemberHooks> {
        self.own_properties.filter(|_| self.owns_property.is_none_or(|owns| owns(object, name, reach)))
    }

    /// Calls the hook [`NativeHooks::refresh`], if there is one.
    #[inline]
    pub fn refresh(&self, object: &PhpObj) {
        if let Some(refresh) = self.refresh {
            refresh(object);
        }
    }

    /// A class without native behaviour.
    pub const NONE: NativeHooks = NativeHooks {
        create: None,
        debug_info: None,
        properties: None,
        no_clone: false,
        check_clone: None,
        copied: None,
        no_serialize: false,
        no_dynamic: false,
        needs_constructor: false,
        no_new: None,
        no_new_class: None,
        compare: None,
        compare_with: None,
        operate: None,
        count: None,
        cast: None,
        element: None,
        bind_element: None,
        method_target: None,
        missing_method: None,
        check_iteration: None,
        current_element: None,
        walked_array: None,
        takes_no_iterator_id: false,
        destruct: None,
        seldom_destructs: false,
        steps_silently: false,
        bit_not: None,
        unserialize: None,
        elements_as_properties: None,
        static_sees_object: false,
        own_properties: None,
        owns_property: None,
        refresh: None,
        check_write: None,
        own_elements: None,
        fast_elements: None,
        element_questions: None,
    };
}

/// Target of an object's native cast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastTo {
    Bool,
    Int,
    Float,
    /// An operand of arithmetic: an int or a float.
    Number,
    String,
}

/// Magic methods and the constructor, looked up once when the class is linked.
#[derive(Clone, Default)]
pub struct Magic {
    pub construct: Option<Rc<Func>>,
    pub destruct: Option<Rc<Func>>,
    pub clone: Option<Rc<Func>>,
    pub get: Option<Rc<Func>>,
    pub set: Option<Rc<Func>>,
    pub isset: Option<Rc<Func>>,
    pub unset: Option<Rc<Func>>,
    pub call: Option<Rc<Func>>,
    pub call_static: Option<Rc<Func>>,
    pub to_string: Option<Rc<Func>>,
    pub invoke: Option<Rc<Func>>,
    pub debug_info: Option<Rc<Func>>,
    /// The methods of ArrayAccess, if they are written in PHP.
    pub offset_get: Option<Rc<Func>>,
    pub offset_set: Option<Rc<Func>>,
    pub offset_exists: Option<Rc<Func>>,
    pub offset_unset: Option<Rc<Func>>,
    /// The method `getIterator` of an IteratorAggregate.
    pub get_iterator: Option<Rc<Func>>,
    /// The method `count` of a Countable, if it is written in PHP and declared to return an integer.
    pub count: Option<Rc<Func>>,
}

/// A class constant or enum case.
pub struct ClassConst {
    pub name: PhpStr,
    pub attrs: Attrs,
    pub ty: Option<Rc<TypeSpec>>,
    pub init: Init,
    /// The declaring class (for a trait's constant: the using class); set at link time.
    pub class: OnceCell<ClassRef>,
    pub unit: Rc<LinkedUnit>,
    /// The evaluated value, undefined before that. Shared by all classes that inherit the constant.
    pub value: Slot,
    pub evaluating: Cell<bool>,
    /// The deprecation is being reported; the message may use the constant itself.
    pub reporting: Cell<bool>,
    /// The constant's row in the unit's class table and in that class's constants, for attributes and doc comments.
    pub origin: (ClassId, usize),
}

/// A declared property.
pub struct PropInfo {
    pub name: PhpStr,
    pub attrs: Attrs,
    pub ty: Option<Rc<TypeSpec>>,
    /// The declaring class (for a trait's property: the using class); set at link time.
    pub class: OnceCell<ClassRef>,
    /// Slot of an instance property; unused for static ones.
    pub slot: usize,
    pub default: Option<Init>,
    pub get_hook: Option<Rc<Func>>,
    pub set_hook: Option<Rc<Func>>,
    pub unit: Rc<LinkedUnit>,
    /// The property's row in the unit's class table and in that class's properties, for attributes and doc comments.
    pub origin: (ClassId, usize),
    /// The variable of a static property; shared with subclasses that do not redeclare it.
    pub statics: Option<Rc<StaticProp>>,
    /// The first declaration of the property, against which asymmetric visibility and hooks are checked.
    pub prototype: RefCell<Option<Rc<PropInfo>>>,
}

/// The variable of a static property.
pub struct StaticProp {
    pub slot: Slot,
    pub initialized: Cell<bool>,
}

impl ClassConst {
    /// The value, if it is evaluated.
    #[inline]
    pub fn known_value(&self) -> Option<Val> {
        let value = self.value.get();
        (!value.is_undef()).then_some(value)
    }

    /// Whether the constant has attributes, of which one may be `#[Deprecated]`.
    pub fn has_attributes(&self) -> bool {
        let (class, index) = self.origin;
        let constants = self.unit.unit.classes.get(class.index()).map(|class| &class.constants);
        constants.and_then(|constants| constants.get(index)).is_none_or(|constant| !constant.attributes.is_empty())
    }
}

impl PropInfo {
    /// Whether the property is static.
    #[inline]
    pub fn is_static(&self) -> bool {
        self.attrs.has(Attrs::STATIC)
    }

    /// Whether the property is readonly.
    #[inline]
    pub fn is_readonly(&self) -> bool {
        self.attrs.has(Attrs::READONLY)
    }

    /// Whether the property is private.
    #[inline]
    pub fn is_private(&self) -> bool {
        self.attrs.has(Attrs::PRIVATE)
    }

    /// Whether the property is protected.
    #[inline]
    pub fn is_protected(&self) -> bool {
        self.attrs.has(Attrs::PROTECTED)
    }

    /// Whether the property is public.
    #[inline]
    pub fn is_public(&self) -> bool {
        !self.attrs.has(Attrs::PRIVATE | Attrs::PROTECTED)
    }

    /// Whether the property has a get or a set hook.
    #[inline]
    pub fn has_hooks(&self) -> bool {
        self.get_hook.is_some() || self.set_hook.is_some()
    }

    /// Whether a builtin class stores the property elsewhere and implements access to it by hooks. No code sees the hooks, and
    /// lists of properties leave the property out.
    pub fn is_computed(&self) -> bool {
        self.has_hooks() && self.declarer().class().is_internal()
    }

    /// Whether the property has hooks and no backing store.
    #[inline]
    pub fn is_virtual(&self) -> bool {
        self.attrs.has(Attrs::VIRTUAL)
    }

    /// The declaring class.
    #[inline]
    pub fn declarer(&self) -> &ClassRef {
        self.class.get().unwrap_or_else(|| unreachable!("linking sets the class of every property"))
    }
}

impl Class {
    /// Whether this is an interface.
    #[inline]
    pub fn is_interface(&self) -> bool {
        self.kind == ClassKind::Interface
    }

    /// Whether this is a trait.
    #[inline]
    pub fn is_trait(&self) -> bool {
        self.kind == ClassKind::Trait
    }

    /// Whether this is an enum.
    #[inline]
    pub fn is_enum(&self) -> bool {
        self.kind == ClassKind::Enum
    }

    /// Whether the class is abstract.
    #[inline]
    pub fn is_abstract(&self) -> bool {
        self.attrs.has(Attrs::ABSTRACT)
    }

    /// Whether the class is final.
    #[inline]
    pub fn is_final(&self) -> bool {
        self.attrs.has(Attrs::FINAL)
    }

    /// Whether the class is anonymous.
    #[inline]
    pub fn is_anonymous(&self) -> bool {
        self.attrs.has(Attrs::ANONYMOUS)
    }

    /// Whether the class is builtin.
    #[inline]
    pub fn is_internal(&self) -> bool {
        self.unit.internal
    }

    /// Whether this class is `other`, extends it or implements it.
    #[inline]
    pub fn is_a(&self, other: &ClassHeader) -> bool {
        self.supertypes.binary_search(&other.id()).is_ok()
    }

    /// The counted handle.
    #[inline]
    pub fn handle(&self) -> ClassRef {
        self.this
            .get()
            .and_then(std::rc::Weak::upgrade)
            .unwrap_or_else(|| unreachable!("linking sets the handle of every class"))
    }

    /// Whether the default values of the properties are evaluated.
    #[inline]
    pub fn has_defaults(&self) -> bool {
        self.defaults.borrow().is_some()
    }

    /// The default values of the properties by slot; empty if they are not evaluated. Nothing that evaluates defaults may run
    /// while they are borrowed.
    #[inline]
    pub fn defaults(&self) -> Ref<'_, [Val]> {
        Ref::map(self.defaults.borrow(), |values| values.as_deref().unwrap_or_default())
    }

    /// The method with this lower-case name, own or inherited.
    #[inline]
    pub fn method(&self, lower_name: &PhpStr) -> Option<&Rc<Func>> {
        self.methods.get(lower_name)
    }

    /// The word for the kind of class in messages: class, interface, trait, enum.
    #[inline]
    pub fn kind_word(&self) -> &'static str {
        match self.kind {
            ClassKind::Class => "class",
            ClassKind::Interface => "interface",
            ClassKind::Trait => "trait",
            ClassKind::Enum => "enum",
        }
    }
}

/// Access from the value layer's class header to the runtime's class.
pub trait ClassExt {
    fn class(&self) -> &Class;
}

impl ClassExt for ClassHeader {
    #[inline]
    fn class(&self) -> &Class {
        self.payload()
    }
}

/// Access from an object to its class.
pub trait ObjExt {
    fn class(&self) -> &Class;
    #[inline]
    fn class_name(&self) -> &PhpStr {
        &self.class().name
    }
    #[inline]
    fn is_a(&self, class: &ClassHeader) -> bool {
        self.class().is_a(class)
    }
}

impl ObjExt for PhpObj {
    #[inline]
    fn class(&self) -> &Class {
        self.class_header().class()
    }
}
