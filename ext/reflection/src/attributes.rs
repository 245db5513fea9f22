//! ReflectionAttribute, and listing the attributes of a declaration.

use crate::subject::*;
use phlox_hhbc::Attribute;
use phlox_runtime::{
    Args, Call, Callee, ClassExt, ClassRef, Key, LinkedUnit, NativeClass, NativeData, PhpArr, PhpResult, PhpStr, Throw,
    Val, Vm, convert,
};
use std::rc::Rc;

pub const TARGET_CLASS: i64 = 1;
pub const TARGET_FUNCTION: i64 = 2;
pub const TARGET_METHOD: i64 = 4;
pub const TARGET_PROPERTY: i64 = 8;
pub const TARGET_CLASS_CONSTANT: i64 = 16;
pub const TARGET_PARAMETER: i64 = 32;
const TARGET_ALL: i64 = 63;
const IS_REPEATABLE: i64 = 64;
/// `ReflectionAttribute::IS_INSTANCEOF`
const IS_INSTANCEOF: i64 = 2;

/// Targets as messages name them.
const TARGETS: [(i64, &str); 6] = [
    (TARGET_CLASS, "class"),
    (TARGET_FUNCTION, "function"),
    (TARGET_METHOD, "method"),
    (TARGET_PROPERTY, "property"),
    (TARGET_CLASS_CONSTANT, "class constant"),
    (TARGET_PARAMETER, "parameter"),
];

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "ReflectionAttribute",
    decl: include_str!("../stubs/ReflectionAttribute.stub.php"),
    methods: &[
        ("getName", |call| Ok((&subject::<AttributeSubject>(call)?.name).into())),
        ("getTarget", |call| Ok(Val::int(subject::<AttributeSubject>(call)?.owner.target))),
        ("isRepeated", |call| Ok(subject::<AttributeSubject>(call)?.repeated.into())),
        ("getArguments", get_arguments),
        ("newInstance", new_instance),
        ("__toString", to_string),
        ("__clone", refuse_clone),
        ("__construct", |call| Err(failure(call.vm, b"Cannot directly instantiate ReflectionAttribute"))),
    ],
    hooks: REFLECTOR,
}];

/// The declaration that attributes belong to.
#[derive(Clone)]
pub struct Owner {
    pub unit: Rc<LinkedUnit>,
    pub scope: Option<ClassRef>,
    pub target: i64,
}

/// One reflected attribute.
struct AttributeSubject {
    owner: Owner,
    name: PhpStr,
    attribute: Attribute,
    repeated: bool,
}
native_data!(AttributeSubject);

/// `getAttributes($name, $flags)` of any reflector.
pub fn reflect_all(call: &Call<'_>, owner: Owner, all: &[Attribute]) -> PhpResult<Val> {
    let (wanted, flags) = (call.opt_str(0), call.int(1));
    if flags & !IS_INSTANCEOF != 0 {
        return Err(call.value_error(1, "must be a valid attribute filter flag"));
    }
    let base = match &wanted {
        Some(name) if flags & IS_INSTANCEOF != 0 => match call.vm.find_class(name)? {
            Some(class) => Some(class),
            None => return Err(call.vm.throw_error(&text!(b"Class \"", name, b"\" not found"))),
        },
        _ => None,
    };
    let mut found = Vec::new();
    for attribute in visible_attributes(&owner.unit, all) {
        let name = owner.unit.str(attribute.name);
        let matches = match (&wanted, &base) {
            (_, Some(base)) => call.vm.find_class(name)?.is_some_and(|class| class.class().is_a(base)),
            (Some(wanted), None) => name.eq_ignore_ascii_case(wanted),
            (None, None) => true,
        };
        if matches {
            let same = |other: &&Attribute| owner.unit.str(other.name).eq_ignore_ascii_case(name);
            let data = AttributeSubject {
                owner: owner.clone(),
                name: name.clone(),
                attribute: attribute.clone(),
                repeated: all.iter().filter(same).count() > 1,
            };
            let object = reflector(call.vm, b"ReflectionAttribute", Rc::new(data))?;
            set_property(&object, NAME, name.into());
            found.push(object.into());
        }
    }
    Ok(list(found))
}

/// The arguments' values, in order.
fn evaluate(vm: &Vm, subject: &AttributeSubject) -> PhpResult<Args> {
    let mut args = Args::default();
    for argument in &subject.attribute.args {
        let value = vm.evaluate_init(&subject.owner.unit, argument.value, subject.owner.scope.as_ref())?;
        match argument.name {
            Some(name) => args.named.push((subject.owner.unit.str(name).clone(), value)),
            None => args.positional.push(value),
        }
    }
    Ok(args)
}

fn get_arguments(call: &mut Call<'_>) -> PhpResult<Val> {
    let args = evaluate(call.vm, subject(call)?)?;
    let mut array: PhpArr = args.positional.into_iter().collect();
    for (name, value) in args.named {
        array.insert(Key::Str(&name), value);
    }
    Ok(array.into())
}

fn to_string(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject: &AttributeSubject = subject(call)?;
    let mut text = text!(b"Attribute [ ", &subject.name, b" ]");
    if subject.attribute.args.is_empty() {
        text.push(b'\n');
        return Ok(Val::str(&text));
    }
    text.extend(format!(" {{\n  - Arguments [{}] {{\n", subject.attribute.args.len()).into_bytes());
    let unit = &subject.owner.unit;
    for (index, argument) in subject.attribute.args.iter().enumerate() {
        text.extend(format!("    Argument #{index} [ ").into_bytes());
        if let Some(name) = argument.name {
            text.extend(text!(unit.str(name), b" = "));
        }
        match argument.text {
            Some(source) => text.extend_from_slice(unit.str(source)),
            None => {
                let value = call.vm.evaluate_init(unit, argument.value, subject.owner.scope.as_ref())?;
                crate::render::values::value(call.vm, &mut text, &value);
            }
        }
        text.extend_from_slice(b" ]\n");
    }
    text.extend_from_slice(b"  }\n}\n");
    Ok(Val::str(&text))
}

/// Names of the targets in a mask.
fn target_names(mask: i64) -> String {
    let names: Vec<&str> = TARGETS.iter().filter(|(bit, _)| mask & bit != 0).map(|(_, name)| *name).collect();
    names.join(", ")
}

/// The flags of the attribute class: the argument of its own `#[Attribute]`.
fn class_flags(vm: &Vm, class: &ClassRef, marker: &Attribute) -> PhpResult<i64> {
    let Some(argument) = marker.args.first() else { return Ok(TARGET_ALL) };
    let value = vm.evaluate_init(&class.class().unit, argument.value, Some(class))?;
    let Some(flags) = value.as_int() else {
        let given = convert::value_name(&value);
        let text = format!("Attribute::__construct(): Argument #1 ($flags) must be of type int, {given} given");
        return Err(vm.throw_type_error(text.as_bytes()));
    };
    if flags & !(TARGET_ALL | IS_REPEATABLE) != 0 {
        return Err(vm.throw_error(b"Invalid attribute flags specified"));
    }
    Ok(flags)
}

/// May the class be used as this attribute?
fn check_use(vm: &Vm, subject: &AttributeSubject, class: &ClassRef) -> PhpResult<()> {
    let refuse = |message: &[u8]| -> Throw { vm.throw_error(message) };
    let (target, name) = (class.class(), &subject.name);
    let unit = &target.unit;
    let own = &unit.unit.classes[target.id.index()].attributes;
    let Some(marker) = own.iter().find(|a| unit.str(a.name).eq_ignore_ascii_case(b"Attribute")) else {
        return Err(refuse(&text!(b"Attempting to use non-attribute class \"", name, b"\" as attribute")));
    };
    if target.is_internal() {
        return Ok(());
    }
    let flags = class_flags(vm, class, marker)?;
    if subject.owner.target & flags == 0 {
        let (place, allowed) = (target_names(subject.owner.target), target_names(flags));
        let tail = format!("\" cannot target {place} (allowed targets: {allowed})");
        return Err(refuse(&text!(b"Attribute \"", name, tail.as_bytes())));
    }
    if subject.repeated && flags & IS_REPEATABLE == 0 {
        return Err(refuse(&text!(b"Attribute \"", name, b"\" must not be repeated")));
    }
    Ok(())
}

fn new_instance(call: &mut Call<'_>) -> PhpResult<Val> {
    let (vm, subject) = (call.vm, subject::<AttributeSubject>(call)?);
    let Some(class) = vm.find_class(&subject.name)? else {
        return Err(vm.throw_error(&text!(b"Attribute class \"", &subject.name, b"\" not found")));
    };
    check_use(vm, subject, &class)?;
    // The constructor is called as if from where the attribute stands.
    let attribute = &subject.attribute;
    vm.frames.push(phlox_runtime::trace::place_frame(
        &subject.owner.unit.filename,
        attribute.line,
        attribute.strict_types,
    ));
    let result = evaluate(vm, subject).and_then(|args| construct(vm, &class, args));
    vm.frames.pop();
    result
}

fn construct(vm: &Vm, class: &ClassRef, args: Args) -> PhpResult<Val> {
    let object = phlox_runtime::objects::new(vm, class, None)?;
    let Some(constructor) = class.class().magic.construct.clone() else {
        return match args.named.first() {
            Some((name, _)) => Err(vm.throw_error(&text!(b"Unknown named parameter $", name))),
            None => Ok(object.into()),
        };
    };
    match vm.call(&Callee::method(constructor, object.clone()), args) {
        Ok(_) => Ok(object.into()),
        Err(throw) => {
            object.mark_destructed();
            Err(throw)
        }
    }
}
