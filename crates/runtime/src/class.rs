//! Classes at run time. Linking (inheritance, traits, checks) is in `link`, property access in `props`.

use crate::func::Func;
use crate::strmap::StrMap;
use crate::types::TypeSpec;
use crate::unit::LinkedUnit;
pub use phlox_hhbc::{Attrs, ClassKind};
use phlox_hhbc::{ClassId, Init};
pub use phlox_value::ClassRef;
use phlox_value::{ClassHeader, PhpObj, PhpStr, Slot, Val};
use std::cell::{Cell, OnceCell, RefCell};
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
    pub enum_type: Option<Rc<TypeSpec>>,
    /// Where it was declared.
    pub unit: Rc<LinkedUnit>,
    pub id: ClassId,
    /// Default values of the slots; evaluated when the first object is made.
    pub defaults: OnceCell<Vec<Val>>,
    /// Set while constant expressions of the class are being evaluated.
    pub evaluating: Cell<bool>,
    /// Constants and static properties have been evaluated.
    pub evaluated: Cell<bool>,
    /// Has or inherits `#[AllowDynamicProperties]`.
    pub allows_dynamic: bool,
    pub native: NativeHooks,
    /// Alias and trait-rule data that Reflection shows: method name -> `Trait::method`.
    pub trait_aliases: Vec<(PhpStr, PhpStr)>,
    /// Enum: backing value -> case name, made on first use.
    pub enum_index: RefCell<Option<phlox_value::PhpArr>>,
    /// Whether and how objects of the class are iterated, found on first use.
    pub iterates: OnceCell<crate::iteration::Iterates>,
    /// What iterations over objects of the class need, found on first use.
    pub iteration: OnceCell<Rc<crate::iteration::Methods>>,
    /// The object's own handle for this class; set right after creation.
    pub this: OnceCell<std::rc::Weak<ClassHeader>>,
}

/// What a builtin class does natively beyond its methods. Inherited by subclasses.
#[derive(Clone, Copy, Default)]
pub struct NativeHooks {
    /// Gives a new object its native data.
    pub create: Option<fn(&crate::Vm, &PhpObj)>,
    /// `var_dump`, `(array)`, `get_object_vars` contents instead of (or before) the properties.
    pub debug_info: Option<fn(&crate::Vm, &PhpObj) -> crate::PhpResult<phlox_value::PhpArr>>,
    /// Objects cannot be cloned.
    pub no_clone: bool,
    /// Throws when this object cannot be cloned.
    pub check_clone: Option<fn(&crate::Vm, &PhpObj) -> crate::PhpResult<()>>,
    /// Completes a copy that `clone` made, which has a copy of the native data already; first the original, then the copy.
    pub copied: Option<fn(&PhpObj, &PhpObj)>,
    /// Objects cannot be serialised.
    pub no_serialize: bool,
    /// Objects cannot have dynamic properties.
    pub no_dynamic: bool,
    /// What is in its objects comes from the constructor alone: Reflection makes none without it if the class is final.
    pub needs_constructor: bool,
    /// `new` is refused with this message.
    pub no_new: Option<&'static str>,
    /// The class of what that throws, if not Error.
    pub no_new_class: Option<&'static str>,
    /// `==` and `<=>` between two objects of the class.
    pub compare: Option<fn(&crate::Vm, &PhpObj, &PhpObj) -> crate::PhpResult<Option<std::cmp::Ordering>>>,
    /// An object of the class and something that is no object; `None`: as other objects.
    pub compare_with: Option<fn(&crate::Vm, &PhpObj, &Val) -> crate::PhpResult<Option<Option<std::cmp::Ordering>>>>,
    /// An operator with an object of the class on either side; `None`: as other objects.
    pub operate: Option<fn(&crate::Vm, crate::arith::BinOp, &Val, &Val) -> crate::PhpResult<Option<Val>>>,
    /// `count()` without the method call when the class does not override it.
    pub count: Option<fn(&crate::Vm, &PhpObj) -> crate::PhpResult<i64>>,
    /// The table of properties for a purpose, where it is not simply all properties.
    pub properties: Option<fn(&crate::Vm, &PhpObj, Purpose) -> crate::PhpResult<Option<phlox_value::PhpArr>>>,
    /// Casts other than by `__toString`.
    pub cast: Option<fn(&crate::Vm, &PhpObj, CastTo) -> crate::PhpResult<Option<Val>>>,
    /// An element (appended: no offset) as a reference, for a change inside it; the flag: warn when it is missing.
    /// `None`: only `offsetGet` can say.
    pub element: Option<ElementHook>,
    /// Makes an element, which may be new, an alias of a reference. False: that is not possible.
    pub bind_element: Option<fn(&crate::Vm, &PhpObj, &Val, phlox_value::PhpRef) -> crate::PhpResult<bool>>,
    /// Throws when the object cannot be iterated (the flag: by reference).
    pub check_iteration: Option<fn(&crate::Vm, &PhpObj, bool) -> crate::PhpResult<()>>,
    /// Value and key of the current element of an iteration at once (the flag: the key is wanted).
    pub current_element: Option<ElementOf>,
    /// The array of its own that an iteration goes over as long as nobody else has the iterator.
    pub walked_array: Option<fn(&PhpObj) -> Option<phlox_value::PhpArr>>,
    /// What happens to the object's native part when its last handle goes, as a destructor would.
    pub destruct: Option<fn(&crate::Vm, &PhpObj)>,
    /// That runs PHP code for few objects only, whose makers say so ([`crate::note_destructors`]).
    pub seldom_destructs: bool,
    /// An iteration takes no object id besides the iterator's own.
    pub takes_no_iterator_id: bool,
    /// Iteration by the engine makes no calls that traces show.
    pub steps_silently: bool,
    /// The object that has the methods that this one lacks (iterators around others).
    pub method_target: Option<fn(&PhpObj) -> Option<PhpObj>>,
    /// What is thrown when a method is called that the object does not have.
    pub missing_method: Option<fn(&crate::Vm, &PhpObj) -> crate::Throw>,
    /// Are properties that do not exist elements (`ArrayObject::ARRAY_AS_PROPS`)?
    pub elements_as_properties: Option<fn(&PhpObj) -> bool>,
    /// Static methods that are called on an object see the object (`XMLReader::open`).
    pub static_sees_object: bool,
    /// Properties, declared ones included, that the class keeps elsewhere.
    pub own_properties: Option<&'static MemberHooks>,
    /// Which properties of an object those are, by name, where they are not all; the others are ordinary.
    pub owns_property: Option<fn(&PhpObj, &PhpStr, Reach) -> bool>,
    /// Puts what the class keeps elsewhere into the table of dynamic properties, before anything lists that.
    pub refresh: Option<fn(&PhpObj)>,
    /// Throws when this property may not be assigned; other changes of it are not asked about.
    pub check_write: Option<fn(&crate::Vm, &PhpObj, &PhpStr) -> crate::PhpResult<()>>,
    /// Elements (`$object[..]`) of a class without ArrayAccess.
    pub own_elements: Option<&'static MemberHooks>,
    /// Elements of a class with ArrayAccess, where no subclass replaces its methods.
    pub fast_elements: Option<&'static FastElements>,
    /// How a class with ArrayAccess answers what its methods are too coarse for.
    pub element_questions: Option<&'static ElementQuestions>,
}

/// What is asked of elements without a method of ArrayAccess that says just that. Methods that a subclass replaces are to be
/// asked by these functions.
pub struct ElementQuestions {
    /// `isset`, or (the flag) not `empty`.
    pub exists: fn(&crate::Vm, &PhpObj, &Val, bool) -> crate::PhpResult<bool>,
    /// `??`: the value without warnings, null where there is none.
    pub read_quietly: fn(&crate::Vm, &PhpObj, &Val) -> crate::PhpResult<Val>,
}

/// Short ways to do what the methods of ArrayAccess do, for offsets that are plain keys and where there is nothing to complain
/// about; `None`: the method has to look.
pub struct FastElements {
    pub get: fn(&PhpObj, &Val) -> Option<Val>,
    /// Stores a value at an offset, or appends it; gives what was there before.
    pub set: fn(&PhpObj, Option<&Val>, &Val) -> Option<Val>,
    /// `isset`
    pub exists: fn(&PhpObj, &Val) -> Option<bool>,
    /// What `$object[]` throws where nothing can be appended.
    pub refuse: Option<fn(&crate::Vm) -> crate::Throw>,
    /// What reading throws, without a call of the method in its trace, where `get` has no answer.
    pub missing: Option<fn(&crate::Vm, &PhpObj, &Val) -> Option<crate::Throw>>,
}

/// A property or an element of an object whose class keeps its members itself.
#[derive(Clone, Copy)]
pub enum Member<'a> {
    Property(&'a PhpStr),
    /// An offset as the script gave it; none in `$object[]`.
    Element(Option<&'a Val>),
}

/// What is done with a property, as far as a class that keeps some itself has to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    Read,
    Write,
    /// Something inside it changes, or it becomes a reference.
    Inside,
    Unset,
}

/// What a member is read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberUse {
    Value,
    /// `??`: without warnings.
    Quiet,
    /// Its value decides what is written next (`op=`, `++`).
    Changed,
    /// Something inside it changes: it may come into being.
    Inside,
    /// Something inside it is unset.
    Unset,
}

/// How a class's own members are reached.
pub struct MemberHooks {
    pub read: fn(&crate::Vm, &PhpObj, Member<'_>, MemberUse) -> crate::PhpResult<Val>,
    pub write: fn(&crate::Vm, &PhpObj, Member<'_>, Val) -> crate::PhpResult<()>,
    /// `isset`, or (the flag) not `empty`.
    pub exists: fn(&crate::Vm, &PhpObj, Member<'_>, bool) -> crate::PhpResult<bool>,
    pub unset: fn(&crate::Vm, &PhpObj, Member<'_>) -> crate::PhpResult<()>,
}

/// Gives value and key of the current element; `None`: the end.
pub type ElementOf = fn(&crate::Vm, &PhpObj, bool) -> crate::PhpResult<Option<(Val, Val)>>;

/// Gives an element of an object with ArrayAccess as a reference.
pub type ElementHook = fn(&crate::Vm, &PhpObj, Option<&Val>, bool) -> crate::PhpResult<Option<phlox_value::PhpRef>>;

/// What a table of an object's properties is asked for.
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
    /// As the hook [`NativeHooks::elements_as_properties`] says.
    #[inline]
    pub fn has_elements_as_properties(&self, object: &PhpObj) -> bool {
        self.elements_as_properties.is_some_and(|hook| hook(object))
    }

    /// How the class itself reaches a property, if it is one that it keeps.
    #[inline]
    pub fn keeper(&self, object: &PhpObj, name: &PhpStr, reach: Reach) -> Option<&'static MemberHooks> {
        self.own_properties.filter(|_| self.owns_property.is_none_or(|owns| owns(object, name, reach)))
    }

    /// As the hook [`NativeHooks::refresh`] says.
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

/// Magic methods and the constructor, looked up once at link time.
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
    /// The methods of an ArrayAccess, if they are written in PHP.
    pub offset_get: Option<Rc<Func>>,
    pub offset_set: Option<Rc<Func>>,
    pub offset_exists: Option<Rc<Func>>,
    pub offset_unset: Option<Rc<Func>>,
    /// The `getIterator` of an IteratorAggregate.
    pub get_iterator: Option<Rc<Func>>,
    /// The `count` of a Countable, if it is written in PHP and declared to give an integer.
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
    /// The evaluated value. Shared by all classes that inherit the constant.
    pub value: OnceCell<Val>,
    pub evaluating: Cell<bool>,
    /// Its deprecation is being reported: the message may use the constant itself.
    pub reporting: Cell<bool>,
    /// Row of the unit's class table and of its constants, for attributes and doc comments.
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
    /// Row of the unit's class table and of its properties, for attributes and doc comments.
    pub origin: (ClassId, usize),
    /// The static property's variable; shared with subclasses that do not redeclare it.
    pub statics: Option<Rc<StaticProp>>,
    /// First declaration of the property (asymmetric visibility and hooks are checked against it).
    pub prototype: RefCell<Option<Rc<PropInfo>>>,
}

/// The variable of a static property.
pub struct StaticProp {
    pub slot: Slot,
    pub initialized: Cell<bool>,
}

impl ClassConst {
    /// Does it have attributes, `#[Deprecated]` perhaps?
    pub fn has_attributes(&self) -> bool {
        let (class, index) = self.origin;
        let constants = self.unit.unit.classes.get(class.index()).map(|class| &class.constants);
        constants.and_then(|constants| constants.get(index)).is_none_or(|constant| !constant.attributes.is_empty())
    }
}

impl PropInfo {
    #[inline]
    pub fn is_static(&self) -> bool {
        self.attrs.has(Attrs::STATIC)
    }

    #[inline]
    pub fn is_readonly(&self) -> bool {
        self.attrs.has(Attrs::READONLY)
    }

    #[inline]
    pub fn is_private(&self) -> bool {
        self.attrs.has(Attrs::PRIVATE)
    }

    #[inline]
    pub fn is_protected(&self) -> bool {
        self.attrs.has(Attrs::PROTECTED)
    }

    #[inline]
    pub fn is_public(&self) -> bool {
        !self.attrs.has(Attrs::PRIVATE | Attrs::PROTECTED)
    }

    #[inline]
    pub fn has_hooks(&self) -> bool {
        self.get_hook.is_some() || self.set_hook.is_some()
    }

    /// Of a class of PHP's own that keeps the property elsewhere: our hooks are how, and no code sees them or finds the property
    /// in a list.
    pub fn is_computed(&self) -> bool {
        self.has_hooks() && self.declarer().class().is_internal()
    }

    /// Hooked without a backing store.
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
    #[inline]
    pub fn is_interface(&self) -> bool {
        self.kind == ClassKind::Interface
    }

    #[inline]
    pub fn is_trait(&self) -> bool {
        self.kind == ClassKind::Trait
    }

    #[inline]
    pub fn is_enum(&self) -> bool {
        self.kind == ClassKind::Enum
    }

    #[inline]
    pub fn is_abstract(&self) -> bool {
        self.attrs.has(Attrs::ABSTRACT)
    }

    #[inline]
    pub fn is_final(&self) -> bool {
        self.attrs.has(Attrs::FINAL)
    }

    #[inline]
    pub fn is_anonymous(&self) -> bool {
        self.attrs.has(Attrs::ANONYMOUS)
    }

    /// Is it builtin?
    #[inline]
    pub fn is_internal(&self) -> bool {
        self.unit.internal
    }

    /// Is this class `other`, or below it, or does it implement it?
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

    #[inline]
    pub fn method(&self, lower_name: &PhpStr) -> Option<&Rc<Func>> {
        self.methods.get(lower_name)
    }

    /// `class kind` word in messages: class, interface, trait, enum.
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

/// From the value layer's class header to the runtime's class.
pub trait ClassExt {
    fn class(&self) -> &Class;
}

impl ClassExt for ClassHeader {
    #[inline]
    fn class(&self) -> &Class {
        self.payload()
    }
}

/// What objects can say with a runtime around.
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
