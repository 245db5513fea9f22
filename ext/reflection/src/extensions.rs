//! ReflectionExtension, and ReflectionZendExtension, for which no extension exists.

use crate::subject::*;
use phlox_runtime::ini::IniState;
use phlox_runtime::{Call, ClassExt, Extension, Key, NativeClass, NativeData, PhpArr, PhpResult, PhpStr, Val, Vm};
use std::rc::Rc;

pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "ReflectionExtension",
        decl: include_str!("../stubs/ReflectionExtension.stub.php"),
        methods: &[
            ("__clone", refuse_clone),
            ("__construct", construct),
            ("__toString", to_string),
            ("getName", |call| Ok(extension(call)?.name.into())),
            ("getVersion", get_version),
            ("getFunctions", get_functions),
            ("getConstants", get_constants),
            ("getINIEntries", get_ini_entries),
            ("getClasses", get_classes),
            ("getClassNames", get_class_names),
            ("getDependencies", get_dependencies),
            ("info", info),
            ("isPersistent", |call| extension(call).map(|_| Val::TRUE)),
            ("isTemporary", |call| extension(call).map(|_| Val::FALSE)),
        ],
        hooks: REFLECTOR,
    },
    NativeClass {
        name: "ReflectionZendExtension",
        decl: include_str!("../stubs/ReflectionZendExtension.stub.php"),
        methods: &[
            ("__clone", refuse_clone),
            ("__construct", construct_zend_extension),
            ("__toString", no_zend_extension),
            ("getName", no_zend_extension),
            ("getVersion", no_zend_extension),
            ("getAuthor", no_zend_extension),
            ("getURL", no_zend_extension),
            ("getCopyright", no_zend_extension),
        ],
        hooks: REFLECTOR,
    },
];

struct ExtensionSubject {
    extension: &'static Extension,
}
native_data!(ExtensionSubject);

fn extension(call: &Call<'_>) -> PhpResult<&'static Extension> {
    Ok(subject::<ExtensionSubject>(call)?.extension)
}

fn find(vm: &Vm, name: &[u8]) -> Option<&'static Extension> {
    vm.extensions.iter().copied().find(|extension| extension.name.as_bytes().eq_ignore_ascii_case(name))
}

/// A ReflectionExtension of a loaded extension, or null.
pub fn reflect(vm: &Vm, name: &str) -> PhpResult<Val> {
    let Some(extension) = find(vm, name.as_bytes()) else { return Ok(Val::NULL) };
    let object = reflector(vm, b"ReflectionExtension", Rc::new(ExtensionSubject { extension }))?;
    set_property(&object, NAME, extension.name.into());
    Ok(object.into())
}

fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(0);
    let Some(extension) = find(call.vm, &name) else {
        return Err(failure(call.vm, &text!(b"Extension \"", &name, b"\" does not exist")));
    };
    set_property(call.this(), NAME, extension.name.into());
    call.this().set_native(Rc::new(ExtensionSubject { extension }));
    Ok(Val::NULL)
}

/// All builtin extensions have PHP's version.
fn version(vm: &Vm) -> Val {
    vm.find_constant(b"PHP_VERSION").unwrap_or(Val::NULL)
}

fn get_version(call: &mut Call<'_>) -> PhpResult<Val> {
    extension(call).map(|_| version(call.vm))
}

fn get_functions(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut functions = PhpArr::new();
    for def in extension(call)?.functions.iter().copied().flatten() {
        if let Some(func) = call.vm.find_function(def.name().as_bytes()) {
            let name = PhpStr::intern(def.name().as_bytes());
            functions.insert(Key::Str(&name), reflect_function(call.vm, FunctionSubject::plain(func))?);
        }
    }
    Ok(functions.into())
}

fn get_constants(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut constants = PhpArr::new();
    for (name, _) in extension(call)?.constants.iter().copied().flatten() {
        if let Some(value) = call.vm.find_constant(name.as_bytes()) {
            constants.insert(Key::Str(&PhpStr::intern(name.as_bytes())), value);
        }
    }
    Ok(constants.into())
}

fn get_ini_entries(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut entries = PhpArr::new();
    for def in extension(call)?.ini {
        let value = call.vm.ini.state(def).and_then(IniState::value).into();
        entries.insert(Key::Str(&PhpStr::intern(def.name.as_bytes())), value);
    }
    Ok(entries.into())
}

fn class_names(extension: &'static Extension) -> impl Iterator<Item = &'static str> {
    extension.classes.iter().copied().flatten().map(|class| class.name)
}

fn get_classes(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut classes = PhpArr::new();
    for name in class_names(extension(call)?) {
        if let Some(class) = call.vm.find_class_no_autoload(name.as_bytes()) {
            classes.insert(Key::Str(&class.class().name), reflect_class(call.vm, &class)?);
        }
    }
    Ok(classes.into())
}

fn get_class_names(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(list(class_names(extension(call)?).map(Val::from)))
}

/// Dependencies between extensions: the extension, the other one, and the kind.
const DEPENDENCIES: [(&str, &str, &str); 21] = [
    ("standard", "session", "Optional"),
    ("SPL", "json", "Required"),
    ("session", "spl", "Optional"),
    ("mbstring", "pcre", "Required"),
    ("dom", "libxml", "Required"),
    ("dom", "domxml", "Conflicts"),
    ("SimpleXML", "libxml", "Required"),
    ("SimpleXML", "spl", "Required"),
    ("xml", "libxml", "Required"),
    ("xmlreader", "dom", "Required"),
    ("xmlreader", "libxml", "Required"),
    ("xmlwriter", "libxml", "Required"),
    ("PDO", "spl", "Required"),
    ("pdo_sqlite", "pdo", "Required"),
    ("Phar", "apc", "Optional"),
    ("Phar", "bz2", "Optional"),
    ("Phar", "openssl", "Optional"),
    ("Phar", "zlib", "Optional"),
    ("Phar", "standard", "Optional"),
    ("Phar", "hash", "Required"),
    ("Phar", "spl", "Required"),
];

fn get_dependencies(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut found = PhpArr::new();
    let name = extension(call)?.name;
    for (_, other, kind) in DEPENDENCIES.iter().filter(|(owner, _, _)| *owner == name) {
        found.set_bytes(other.as_bytes(), (*kind).into());
    }
    Ok(found.into())
}

fn info(call: &mut Call<'_>) -> PhpResult<Val> {
    call.vm.echo(&phlox_ext_standard::about::extension_info(call.vm, extension(call)?));
    Ok(Val::NULL)
}

fn to_string(call: &mut Call<'_>) -> PhpResult<Val> {
    let extension = extension(call)?;
    let number = call.vm.extensions.iter().position(|other| other.name == extension.name).unwrap_or(0);
    let version = version(call.vm).into_str().unwrap_or_else(PhpStr::empty);
    let mut text = Vec::new();
    crate::render::extensions::extension(call.vm, &mut text, extension, number, &version)?;
    Ok(Val::str(&text))
}

fn construct_zend_extension(call: &mut Call<'_>) -> PhpResult<Val> {
    Err(failure(call.vm, &text!(b"Zend Extension \"", &call.str(0), b"\" does not exist")))
}

fn no_zend_extension(call: &mut Call<'_>) -> PhpResult<Val> {
    Err(call.vm.throw_error(b"Internal error: Failed to retrieve the reflection object"))
}
