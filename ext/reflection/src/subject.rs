//! The subjects that reflector objects hold, and the creation of reflector objects.

use phlox_hhbc::{Attribute, FuncFlags};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::closure::{self, ClosureData};
use phlox_runtime::{
    Call, ClassConst, ClassExt, ClassRef, Func, FuncBody, LinkedUnit, NativeData, ObjExt, PhpArr, PhpObj, PhpResult,
    PhpStr, PropInfo, Slot, Throw, TypeSpec, Val, View, Vm,
};
use std::rc::Rc;

/// Slots of the properties `name` and `class`.
pub const NAME: usize = 0;
pub const CLASS: usize = 1;

/// Reflector objects can be neither cloned nor serialised.
pub const REFLECTOR: NativeHooks =
    NativeHooks { no_clone: true, no_serialize: true, check_write: Some(refuse_new_name), ..NativeHooks::NONE };

/// Scripts cannot give a reflector another name or class.
pub fn refuse_new_name(vm: &Vm, object: &PhpObj, property: &PhpStr) -> PhpResult<()> {
    let is_guarded = matches!(property.as_bytes(), b"name" | b"class") && object.class().props.contains_key(property);
    if !is_guarded {
        return Ok(());
    }
    Err(failure(vm, &text!(b"Cannot set read-only property ", object.class_name(), b"::$", property)))
}

macro_rules! native_data {
    ($name:ty $(, $slot:ident)*) => {
        impl NativeData for $name {
            fn trace(&self, _edges: &mut phlox_runtime::Edges) {
                $(self.$slot.trace(_edges);)*
            }

            fn clear(&self) {
                $(self.$slot.set(Val::UNDEF);)*
            }
        }
    };
}
pub(crate) use native_data;

/// A reflected class.
pub struct ClassSubject {
    pub class: ClassRef,
    /// The object that the reflector was made for, or Undef.
    pub object: Slot,
}
native_data!(ClassSubject, object);

/// A reflected function, method, closure or hook.
pub struct FunctionSubject {
    pub func: Rc<Func>,
    /// The Closure object that was given, or Undef.
    pub closure: Slot,
    /// The class that a method was looked up in.
    pub class: Option<ClassRef>,
}
native_data!(FunctionSubject, closure);

/// A reflected parameter.
pub struct ParameterSubject {
    pub func: Rc<Func>,
    pub closure: Slot,
    pub index: usize,
}
native_data!(ParameterSubject, closure);

impl ParameterSubject {
    /// The type that the declaration names, also where a builtin's body checks it.
    pub fn ty(&self) -> Option<&Rc<TypeSpec>> {
        self.func.declared_type(self.index)
    }
}

/// A reflected property.
pub struct PropertySubject {
    /// The class that the property was looked up in.
    pub class: ClassRef,
    /// `None`: a dynamic property.
    pub info: Option<Rc<PropInfo>>,
    pub name: PhpStr,
}
native_data!(PropertySubject);

/// A reflected class constant or enum case.
pub struct ConstantSubject {
    pub constant: Rc<ClassConst>,
}
native_data!(ConstantSubject);

impl FunctionSubject {
    /// A function or method as it is declared.
    pub fn plain(func: Rc<Func>) -> FunctionSubject {
        let class = func.scope.get().cloned();
        FunctionSubject { func, closure: Slot::new(Val::UNDEF), class }
    }

    /// A method that was found in a class, which may have inherited it.
    pub fn in_class(func: Rc<Func>, class: &ClassRef) -> FunctionSubject {
        FunctionSubject { class: Some(class.clone()), ..FunctionSubject::plain(func) }
    }

    /// Whether the function is builtin.
    pub fn is_internal(&self) -> bool {
        is_internal(&self.func)
    }

    /// Reads the data of the closure that the function belongs to, if it was given as one.
    pub fn closure_data<R>(&self, get: impl FnOnce(&ClosureData) -> R) -> Option<R> {
        let object = self.closure.get().into_obj()?;
        object.native::<ClosureData>().map(get)
    }

    /// `__invoke` of Closure objects?
    pub fn is_closure_invoke(&self) -> bool {
        is_closure_invoke(&self.func)
    }

    /// Is the function the code of a closure, rather than a function that a Closure was made from?
    pub fn is_real_closure(&self) -> bool {
        self.func.has(FuncFlags::CLOSURE)
    }
}

/// Is the function the `__invoke` that every Closure object has?
pub fn is_closure_invoke(func: &Func) -> bool {
    let of_closure = |class: &ClassRef| class.class().name.as_bytes() == b"Closure";
    func.name.as_bytes() == b"__invoke" && func.scope.get().is_some_and(of_closure)
}

/// The `__invoke` of a Closure object, which is a builtin method with the parameters of the closure's code, or that of the
/// class, without an object, which has none.
pub fn closure_invoke(vm: &Vm, class: &ClassRef, object: Option<&PhpObj>) -> Option<FunctionSubject> {
    let name = PhpStr::intern(b"__invoke");
    let data = object.and_then(|object| object.native::<ClosureData>());
    let code = match data {
        Some(data) => data.shown_func(vm),
        None => Rc::new(closure::undeclared_func(vm, name.clone(), false)?),
    };
    let kept = code.flags.0 & (FuncFlags::BY_REF_RETURN | FuncFlags::VARIADIC | FuncFlags::DEPRECATED);
    let mut func = code.with_scope(Some(class.clone()));
    func.name = name;
    func.flags = FuncFlags(FuncFlags::PUBLIC | kept);
    func.body = FuncBody::Native(|_| Ok(Val::NULL));
    func.alias_of = None;
    func.from_trait = None;
    func.prototype = code.prototype.clone();
    Some(FunctionSubject::plain(Rc::new(func)))
}

/// Are a function's defaults not known, because it is a closure's `__invoke` and counts as builtin?
pub fn hides_defaults(func: &Func) -> bool {
    is_closure_invoke(func) && !func.unit.internal
}

/// Does the text omit the list of parameters, instead of showing an empty one?
pub fn lists_nothing(func: &Func) -> bool {
    let undeclared = func.unit.internal && func.unit.extension.is_empty();
    let empty = func.params.is_empty() && func.return_type.is_none();
    empty && (!is_internal(func) || hides_defaults(func) || undeclared)
}

/// Is the function the engine's own?
pub fn is_internal(func: &Func) -> bool {
    func.is_native() || func.unit.internal
}

/// The subject of `$this`; an Error when the constructor did not run.
pub fn subject<'a, T: NativeData>(call: &'a Call<'_>) -> PhpResult<&'a T> {
    match call.this().native::<T>() {
        Some(subject) => Ok(subject),
        None => Err(call.vm.throw_error(b"Internal error: Failed to retrieve the reflection object")),
    }
}

/// A ReflectionException.
pub fn failure(vm: &Vm, message: &[u8]) -> Throw {
    vm.throw_class(b"ReflectionException", message, 0)
}

/// A ReflectionException with code -1, as failed class look-ups have.
pub fn lookup_failure(vm: &Vm, message: &[u8]) -> Throw {
    vm.throw_class(b"ReflectionException", message, -1)
}

/// Joins text and names into a message.
macro_rules! text {
    ($($part:expr),* $(,)?) => { [$(AsRef::<[u8]>::as_ref($part)),*].concat() };
}
pub(crate) use text;

/// Sets one of the reflector's own properties.
pub fn set_property(object: &PhpObj, slot: usize, value: Val) {
    if let Some(place) = object.slots().get(slot) {
        place.set(value);
    }
}

/// A reflector object of a builtin class.
pub fn reflector(vm: &Vm, class: &[u8], data: Rc<dyn NativeData>) -> PhpResult<PhpObj> {
    let class = vm.require_class(class)?;
    let object = vm.instantiate(&class)?;
    object.set_native(data);
    Ok(object)
}

/// A ReflectionClass, or a ReflectionEnum for an enum.
pub fn reflect_class(vm: &Vm, class: &ClassRef) -> PhpResult<Val> {
    let data = ClassSubject { class: class.clone(), object: Slot::new(Val::UNDEF) };
    let reflector_class: &[u8] = if class.class().is_enum() { b"ReflectionEnum" } else { b"ReflectionClass" };
    let object = reflector(vm, reflector_class, Rc::new(data))?;
    set_property(&object, NAME, (&class.class().name).into());
    Ok(object.into())
}

/// A ReflectionClass or null.
pub fn reflect_optional_class(vm: &Vm, class: Option<&ClassRef>) -> PhpResult<Val> {
    class.map_or(Ok(Val::NULL), |class| reflect_class(vm, class))
}

/// A ReflectionMethod for a function with a scope.
pub fn reflect_method(vm: &Vm, subject: FunctionSubject) -> PhpResult<Val> {
    let name = Val::from(&subject.func.name);
    let scope = subject.func.scope.get().map_or(Val::NULL, |class| (&class.class().name).into());
    let object = reflector(vm, b"ReflectionMethod", Rc::new(subject))?;
    set_property(&object, NAME, name);
    set_property(&object, CLASS, scope);
    Ok(object.into())
}

/// A ReflectionFunction.
pub fn reflect_function(vm: &Vm, subject: FunctionSubject) -> PhpResult<Val> {
    let name = Val::from(&subject.func.name);
    let object = reflector(vm, b"ReflectionFunction", Rc::new(subject))?;
    set_property(&object, NAME, name);
    Ok(object.into())
}

/// A ReflectionParameter.
pub fn reflect_parameter(vm: &Vm, subject: ParameterSubject) -> PhpResult<Val> {
    let name = subject.func.params.get(subject.index).map_or(Val::NULL, |param| (&param.name).into());
    let object = reflector(vm, b"ReflectionParameter", Rc::new(subject))?;
    set_property(&object, NAME, name);
    Ok(object.into())
}

/// A ReflectionProperty of a declared property, or a dynamic one when `info` is `None`.
pub fn reflect_property(vm: &Vm, class: &ClassRef, info: Option<&Rc<PropInfo>>, name: &PhpStr) -> PhpResult<Val> {
    let declarer = info.map_or(class, |info| info.declarer());
    let declarer_name = Val::from(&declarer.class().name);
    let data = PropertySubject { class: class.clone(), info: info.cloned(), name: name.clone() };
    let object = reflector(vm, b"ReflectionProperty", Rc::new(data))?;
    set_property(&object, NAME, name.into());
    set_property(&object, CLASS, declarer_name);
    Ok(object.into())
}

/// A reflector of a class constant.
pub fn reflect_constant(vm: &Vm, reflector_class: &[u8], constant: &Rc<ClassConst>) -> PhpResult<Val> {
    let object = reflector(vm, reflector_class, Rc::new(ConstantSubject { constant: constant.clone() }))?;
    set_property(&object, NAME, (&constant.name).into());
    let declarer = constant.class.get().map_or(Val::NULL, |class| (&class.class().name).into());
    set_property(&object, CLASS, declarer);
    Ok(object.into())
}

/// The class that an `object|string` argument names; a ReflectionException when there is none.
pub fn class_argument(call: &Call<'_>, index: usize) -> PhpResult<ClassRef> {
    let value = call.arg(index);
    match value.view() {
        View::Obj(object) => Ok(object.class_header().clone()),
        View::Str(name) => find_class(call.vm, name),
        _ => Err(lookup_failure(call.vm, b"Class \"\" does not exist")),
    }
}

/// A class by name; a ReflectionException when there is none.
pub fn find_class(vm: &Vm, name: &PhpStr) -> PhpResult<ClassRef> {
    match vm.find_class(name)? {
        Some(class) => Ok(class),
        None => Err(lookup_failure(vm, &text!(b"Class \"", name, b"\" does not exist"))),
    }
}

/// Part of a qualified name before the last backslash.
pub fn namespace_of(name: &[u8]) -> &[u8] {
    name.iter().rposition(|&byte| byte == b'\\').map_or(b"", |at| &name[..at])
}

/// Part of a qualified name after the last backslash.
pub fn short_name(name: &[u8]) -> &[u8] {
    name.iter().rposition(|&byte| byte == b'\\').map_or(name, |at| &name[at + 1..])
}

/// A doc comment, or false.
pub fn doc_comment(unit: &LinkedUnit, comment: Option<phlox_hhbc::StrId>) -> Val {
    comment.map_or(Val::FALSE, |id| unit.str(id).into())
}

/// Attributes that a script can see: those that only mark the engine's own declarations are left out.
pub fn visible_attributes<'a>(unit: &'a LinkedUnit, all: &'a [Attribute]) -> impl Iterator<Item = &'a Attribute> {
    all.iter().filter(|attribute| {
        let name = unit.str(attribute.name).as_bytes().rsplit(|&byte| byte == b'\\').next();
        !(unit.internal && name.is_some_and(|name| phlox_runtime::extension::MARKS.contains(&name)))
    })
}

/// Is the method marked as one that PHP does not list?
pub fn is_tacit(func: &phlox_runtime::Func) -> bool {
    phlox_runtime::extension::has_mark(&func.unit, &func.code().attributes, b"tacit")
}

/// A list of values.
pub fn list(values: impl IntoIterator<Item = Val>) -> Val {
    let array: PhpArr = values.into_iter().collect();
    array.into()
}

/// The body of `__clone`, which cannot be called.
pub fn refuse_clone(call: &mut Call<'_>) -> PhpResult<Val> {
    Err(failure(call.vm, b"Cannot clone object using __clone()"))
}
