//! ReflectionClass and ReflectionObject: what the class is and what members it has.
//!
//! Making objects is in `instances`, values of static members in `static_members`.

use crate::methods::{find_method, no_method};
use crate::subject::*;
use crate::{attributes, instances, lazy_objects, modifiers, static_members};
use phlox_hhbc::{Attrs, ClassKind};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::strmap::ByBytes;
use phlox_runtime::{
    Call, Class, ClassConst, ClassExt, ClassRef, Key, NativeClass, ObjExt, PhpArr, PhpObj, PhpResult, PhpStr, PropInfo,
    Slot, Val, View, link,
};
use std::rc::Rc;

pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "ReflectionClass",
        decl: include_str!("../stubs/ReflectionClass.stub.php"),
        methods: &[
            ("__clone", refuse_clone),
            ("__construct", construct),
            ("__toString", to_string),
            ("getName", |call| Ok((&class(call)?.class().name).into())),
            ("isInternal", |call| Ok(class(call)?.class().is_internal().into())),
            ("isUserDefined", |call| Ok((!class(call)?.class().is_internal()).into())),
            ("isAnonymous", |call| Ok(class(call)?.class().is_anonymous().into())),
            ("isInstantiable", instances::is_instantiable),
            ("isCloneable", instances::is_cloneable),
            ("getFileName", get_file_name),
            ("getStartLine", |call| line(call, |def| def.line_start)),
            ("getEndLine", |call| line(call, |def| def.line_end)),
            ("getDocComment", get_doc_comment),
            ("getConstructor", get_constructor),
            ("hasMethod", has_method),
            ("getMethod", get_method),
            ("getMethods", get_methods),
            ("hasProperty", has_property),
            ("getProperty", get_property),
            ("getProperties", get_properties),
            ("hasConstant", |call| Ok(class(call)?.class().constants.contains_key(&call.str(0)).into())),
            ("getConstants", get_constants),
            ("getReflectionConstants", get_reflection_constants),
            ("getConstant", get_constant),
            ("getReflectionConstant", get_reflection_constant),
            ("getInterfaces", |call| by_name(call, &class(call)?.class().interfaces)),
            ("getInterfaceNames", |call| Ok(names(&class(call)?.class().interfaces))),
            ("isInterface", |call| Ok(class(call)?.class().is_interface().into())),
            ("getTraits", |call| by_name(call, &class(call)?.class().traits)),
            ("getTraitNames", |call| Ok(names(&class(call)?.class().traits))),
            ("getTraitAliases", get_trait_aliases),
            ("isTrait", |call| Ok(class(call)?.class().is_trait().into())),
            ("isEnum", |call| Ok(class(call)?.class().is_enum().into())),
            ("isAbstract", |call| Ok(is_abstract(class(call)?).into())),
            ("isFinal", |call| Ok((modifiers::of_class(class(call)?.class()) & modifiers::FINAL != 0).into())),
            ("isReadOnly", |call| Ok(class(call)?.class().attrs.has(Attrs::READONLY).into())),
            ("getModifiers", |call| Ok(Val::int(modifiers::of_class(class(call)?.class())))),
            ("isInstance", instances::is_instance),
            ("newInstance", instances::new_instance),
            ("newInstanceWithoutConstructor", instances::new_instance_without_constructor),
            ("newInstanceArgs", instances::new_instance_args),
            ("newLazyGhost", lazy_objects::new_lazy_ghost),
            ("newLazyProxy", lazy_objects::new_lazy_proxy),
            ("resetAsLazyGhost", lazy_objects::reset_as_lazy_ghost),
            ("resetAsLazyProxy", lazy_objects::reset_as_lazy_proxy),
            ("initializeLazyObject", lazy_objects::initialize_lazy_object),
            ("isUninitializedLazyObject", lazy_objects::is_uninitialized_lazy_object),
            ("markLazyObjectAsInitialized", lazy_objects::mark_lazy_object_as_initialized),
            ("getLazyInitializer", lazy_objects::get_lazy_initializer),
            ("getParentClass", get_parent_class),
            ("isSubclassOf", is_subclass_of),
            ("getStaticProperties", static_members::get_static_properties),
            ("getStaticPropertyValue", static_members::get_static_property_value),
            ("setStaticPropertyValue", static_members::set_static_property_value),
            ("getDefaultProperties", static_members::get_default_properties),
            ("isIterable", is_iterable),
            ("isIterateable", is_iterable),
            ("implementsInterface", implements_interface),
            ("getExtension", get_extension),
            ("getExtensionName", get_extension_name),
            ("inNamespace", |call| Ok((!namespace_of(&class(call)?.class().name).is_empty()).into())),
            ("getNamespaceName", |call| Ok(Val::str(namespace_of(&class(call)?.class().name)))),
            ("getShortName", |call| Ok(Val::str(short_name(&class(call)?.class().name)))),
            ("getAttributes", get_attributes),
        ],
        hooks: REFLECTOR,
    },
    NativeClass {
        name: "ReflectionObject",
        decl: "class ReflectionObject extends ReflectionClass { public function __construct(object $object) {} }",
        methods: &[("__construct", construct_for_object)],
        hooks: NativeHooks::NONE,
    },
];

/// The class of `$this`.
pub fn class<'a>(call: &'a Call<'_>) -> PhpResult<&'a ClassRef> {
    Ok(&subject::<ClassSubject>(call)?.class)
}

/// The object that `$this` was made for.
fn object(call: &Call<'_>) -> PhpResult<Option<PhpObj>> {
    Ok(subject::<ClassSubject>(call)?.object.get().into_obj())
}

/// `__construct` of ReflectionClass and below.
pub fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    fill(call, Val::UNDEF)
}

/// ReflectionObject also shows what only this object has.
fn construct_for_object(call: &mut Call<'_>) -> PhpResult<Val> {
    fill(call, call.arg(0))
}

fn fill(call: &Call<'_>, object: Val) -> PhpResult<Val> {
    let class = class_argument(call, 0)?;
    set_property(call.this(), NAME, (&class.class().name).into());
    call.this().set_native(Rc::new(ClassSubject { class, object: Slot::new(object) }));
    Ok(Val::NULL)
}

fn to_string(call: &mut Call<'_>) -> PhpResult<Val> {
    let (class, object) = (class(call)?, object(call)?);
    let mut text = Vec::new();
    crate::render::classes::class(call.vm, &mut text, class, object.as_ref(), "")?;
    Ok(Val::str(&text))
}

fn get_file_name(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = class(call)?.class();
    Ok(if class.is_internal() { Val::FALSE } else { (&class.unit.filename).into() })
}

/// The declaration's row in its unit.
fn definition(class: &ClassRef) -> &phlox_hhbc::ClassDef {
    let class = class.class();
    &class.unit.unit.classes[class.id.index()]
}

fn line(call: &Call<'_>, of: fn(&phlox_hhbc::ClassDef) -> u32) -> PhpResult<Val> {
    let class = class(call)?;
    Ok(if class.class().is_internal() { Val::FALSE } else { Val::int(i64::from(of(definition(class)))) })
}

fn get_doc_comment(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = class(call)?;
    Ok(doc_comment(&class.class().unit, definition(class).doc_comment))
}

/// Is it declared abstract, or does it have abstract methods?
pub fn is_abstract(class: &ClassRef) -> bool {
    let class = class.class();
    class.is_abstract() && class.kind == ClassKind::Class || class.methods.values().any(|func| func.is_abstract())
}

fn get_constructor(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = class(call)?;
    match class.class().magic.construct.clone() {
        Some(func) => reflect_method(call.vm, FunctionSubject::in_class(func, class)),
        None => Ok(Val::NULL),
    }
}

fn is_closure(class: &ClassRef) -> bool {
    class.class().name.as_bytes() == b"Closure"
}

fn has_method(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = class(call)?;
    let name = call.str(0).to_ascii_lowercase();
    let invoke = is_closure(class) && name == b"__invoke";
    let found = class.class().methods.get(&ByBytes(&name));
    Ok((invoke || found.is_some_and(|func| !is_tacit(func))).into())
}

fn get_method(call: &mut Call<'_>) -> PhpResult<Val> {
    let (class, object, name) = (class(call)?, object(call)?, call.str(0));
    let of_class = || {
        let is_invoke = is_closure(class) && name.eq_ignore_ascii_case(b"__invoke");
        closure_invoke(call.vm, class, None).filter(|_| is_invoke)
    };
    match find_method(call.vm, class, object.as_ref(), &name).or_else(of_class) {
        Some(found) => {
            let method = reflect_method(call.vm, found)?;
            Ok(method)
        }
        None => Err(no_method(call.vm, class, &name)),
    }
}

/// The filter argument: all when absent.
fn filter(call: &Call<'_>) -> i64 {
    call.opt_int(0).unwrap_or(i64::MAX)
}

fn get_methods(call: &mut Call<'_>) -> PhpResult<Val> {
    let (class, filter) = (class(call)?, filter(call));
    let mut methods = Vec::new();
    for func in class.class().methods.values() {
        let own = func.scope.get().is_some_and(|scope| scope.id() == class.id());
        if (!func.is_private() || own) && !is_tacit(func) && modifiers::of_method(func) & filter != 0 {
            methods.push(reflect_method(call.vm, FunctionSubject::in_class(func.clone(), class))?);
        }
    }
    if is_closure(class)
        && let Some(invoke) = closure_invoke(call.vm, class, object(call)?.as_ref())
    {
        methods.push(reflect_method(call.vm, invoke)?);
    }
    Ok(list(methods))
}

/// A declared property that the class shows: a parent's private one is hidden.
pub fn declared_property<'a>(class: &'a ClassRef, name: &[u8]) -> Option<&'a Rc<PropInfo>> {
    class.class().props.get(&ByBytes(name)).filter(|info| is_shown(class, info))
}

/// Does the class show the property?
pub fn is_shown(class: &ClassRef, info: &PropInfo) -> bool {
    !info.is_private() || info.declarer().id() == class.id()
}

/// Does the object have the dynamic property?
pub fn has_dynamic(object: &PhpObj, name: &PhpStr) -> bool {
    object.class().native.refresh(object);
    object.dynamic().is_some_and(|table| table.contains(Key::from_str(name)))
}

fn has_property(call: &mut Call<'_>) -> PhpResult<Val> {
    let (class, name) = (class(call)?, call.str(0));
    let dynamic = || Ok(object(call)?.is_some_and(|object| has_dynamic(&object, &name)));
    Ok((declared_property(class, &name).is_some() || dynamic()?).into())
}

fn get_property(call: &mut Call<'_>) -> PhpResult<Val> {
    let (vm, class, name) = (call.vm, class(call)?, call.str(0));
    if let Some(info) = declared_property(class, &name) {
        return reflect_property(vm, class, Some(info), &name);
    }
    if object(call)?.is_some_and(|object| has_dynamic(&object, &name)) {
        return reflect_property(vm, class, None, &name);
    }
    let mut shown = name.clone();
    let mut owner = class.clone();
    if let Some(at) = name.windows(2).position(|pair| pair == b"::") {
        let class_name = PhpStr::new(&name[..at]);
        shown = PhpStr::new(&name[at + 2..]);
        owner = find_class(vm, &class_name)?;
        if !class.class().is_a(&owner) {
            let tail = text!(b" does not specify a base class of ", &class.class().name);
            let head = text!(b"Fully qualified property name ", &owner.class().name, b"::$", &shown);
            return Err(lookup_failure(vm, &text!(&head, &tail)));
        }
        if let Some(info) = declared_property(&owner, &shown) {
            return reflect_property(vm, &owner, Some(info), &shown);
        }
    }
    Err(failure(vm, &text!(b"Property ", &owner.class().name, b"::$", &shown, b" does not exist")))
}

/// The declared properties in PHP's order: a builtin class has its parent's before its own, other classes have them behind,
/// before those of their traits.
pub fn ordered_properties(class: &ClassRef) -> Vec<(&PhpStr, &Rc<PropInfo>)> {
    let target = class.class();
    let Some(parent) = &target.parent else { return target.props.iter().collect() };
    let is_own = |info: &PropInfo| info.class.get().is_some_and(|declarer| Rc::ptr_eq(declarer, class));
    let inherited = ordered_properties(parent).into_iter().filter_map(|(name, _)| target.props.get_key_value(name));
    if target.is_internal() {
        let inherited = inherited.filter(|(_, info)| !is_own(info));
        return inherited.chain(target.props.iter().filter(|(_, info)| is_own(info))).collect();
    }
    let is_written_here = |info: &PropInfo| Rc::ptr_eq(&info.unit, &target.unit) && info.origin.0 == target.id;
    let own = target.props.iter().filter(|(_, info)| is_own(info));
    let (written, from_traits): (Vec<_>, Vec<_>) = own.partition(|(_, info)| is_written_here(info));
    let inherited = inherited.filter(|(_, info)| !is_own(info));
    written.into_iter().chain(inherited).chain(from_traits).collect()
}

fn get_properties(call: &mut Call<'_>) -> PhpResult<Val> {
    let (vm, class, filter) = (call.vm, class(call)?, filter(call));
    let mut properties = Vec::new();
    for (name, info) in ordered_properties(class) {
        if is_shown(class, info) && modifiers::of_property(info) & filter != 0 {
            properties.push(reflect_property(vm, class, Some(info), name)?);
        }
    }
    let object = object(call)?.inspect(|object| object.class().native.refresh(object));
    let table = object.and_then(|object| object.dynamic()).filter(|_| filter & modifiers::PUBLIC != 0);
    for (key, _) in table.iter().flat_map(|table| table.iter()) {
        let name = phlox_runtime::convert::property_name(key);
        properties.push(reflect_property(vm, class, None, &name)?);
    }
    Ok(list(properties))
}

/// Constants whose modifiers match the filter argument.
fn constants<'a>(call: &Call<'_>, class: &'a ClassRef) -> impl Iterator<Item = (&'a PhpStr, &'a Rc<ClassConst>)> {
    let filter = filter(call);
    let all = &class.class().constants;
    // A builtin class has its parent's constants before it declares its own.
    let (first, then): (Vec<_>, Vec<_>) = all.iter().partition(|(_, constant)| {
        class.class().unit.internal && !constant.class.get().is_some_and(|declarer| Rc::ptr_eq(declarer, class))
    });
    let visible = move |constant: &ClassConst| modifiers::of_member(constant.attrs) & filter != 0;
    first.into_iter().chain(then).filter(move |(_, constant)| visible(constant))
}

fn get_constants(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = class(call)?;
    let mut values = PhpArr::new();
    for (name, constant) in constants(call, class) {
        values.insert(Key::Str(name), link::constant_value(call.vm, constant)?);
    }
    Ok(values.into())
}

fn get_reflection_constants(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = class(call)?;
    let mut found = Vec::new();
    for (_, constant) in constants(call, class) {
        found.push(reflect_constant(call.vm, b"ReflectionClassConstant", constant)?);
    }
    Ok(list(found))
}

fn get_constant(call: &mut Call<'_>) -> PhpResult<Val> {
    match link::class_constant(class(call)?, &call.str(0)) {
        Some(constant) => link::constant_value(call.vm, constant),
        None => Ok(Val::FALSE),
    }
}

fn get_reflection_constant(call: &mut Call<'_>) -> PhpResult<Val> {
    match link::class_constant(class(call)?, &call.str(0)) {
        Some(constant) => reflect_constant(call.vm, b"ReflectionClassConstant", constant),
        None => Ok(Val::FALSE),
    }
}

fn by_name(call: &Call<'_>, classes: &[ClassRef]) -> PhpResult<Val> {
    let mut found = PhpArr::new();
    for class in classes {
        found.insert(Key::Str(&class.class().name), reflect_class(call.vm, class)?);
    }
    Ok(found.into())
}

fn names(classes: &[ClassRef]) -> Val {
    list(classes.iter().map(|class| (&class.class().name).into()))
}

fn get_trait_aliases(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut aliases = PhpArr::new();
    for (alias, method) in &class(call)?.class().trait_aliases {
        aliases.insert(Key::Str(alias), method.into());
    }
    Ok(aliases.into())
}

fn get_parent_class(call: &mut Call<'_>) -> PhpResult<Val> {
    match &class(call)?.class().parent {
        Some(parent) => reflect_class(call.vm, parent),
        None => Ok(Val::FALSE),
    }
}

/// The class that a `ReflectionClass|string` argument means; `kind` is the word in the failure's message.
fn other_class(call: &Call<'_>, kind: &str) -> PhpResult<ClassRef> {
    let value = call.arg(0);
    if let View::Obj(object) = value.view() {
        return match object.native::<ClassSubject>() {
            Some(subject) => Ok(subject.class.clone()),
            None => Err(call.vm.throw_error(b"Internal error: Failed to retrieve the argument's reflection object")),
        };
    }
    let name = call.str(0);
    match call.vm.find_class(&name)? {
        Some(class) => Ok(class),
        None => Err(failure(call.vm, &text!(kind, b" \"", &name, b"\" does not exist"))),
    }
}

fn is_subclass_of(call: &mut Call<'_>) -> PhpResult<Val> {
    let other = other_class(call, "Class")?;
    let class = class(call)?;
    Ok((class.id() != other.id() && class.class().is_a(&other)).into())
}

fn implements_interface(call: &mut Call<'_>) -> PhpResult<Val> {
    let other = other_class(call, "Interface")?;
    let class = class(call)?;
    if !other.class().is_interface() {
        return Err(failure(call.vm, &text!(&other.class().name, b" is not an interface")));
    }
    Ok(class.class().is_a(&other).into())
}

fn is_iterable(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = class(call)?;
    if class.class().kind != ClassKind::Class || is_abstract(class) {
        return Ok(Val::FALSE);
    }
    let traversable = call.vm.require_class(b"Traversable")?;
    Ok(class.class().is_a(&traversable).into())
}

/// The extension that has the class; a disabled one has none.
fn extension(class: &Class) -> Option<&'static str> {
    Some(class.unit.extension).filter(|name| class.is_internal() && !name.is_empty())
}

fn get_extension(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = class(call)?.class();
    match extension(class) {
        Some(name) => crate::extensions::reflect(call.vm, name),
        None => Ok(Val::NULL),
    }
}

fn get_extension_name(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(extension(class(call)?.class()).map_or(Val::FALSE, Val::from))
}

fn get_attributes(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = class(call)?;
    let unit = class.class().unit.clone();
    let owner = attributes::Owner { unit, scope: Some(class.clone()), target: attributes::TARGET_CLASS };
    attributes::reflect_all(call, owner, &definition(class).attributes)
}
