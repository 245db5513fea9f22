//! The `zip` extension: archives in zip's format as objects, as streams, and by the functions `zip_*`.
#![forbid(unsafe_code)]

mod archive;
mod entries;
mod extract;
mod files;
mod object;
mod procedural;
mod stream;

use phlox_ext_standard::about;
use phlox_ext_standard_file::stream::open::{self, Wrapper};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, Extension, NativeClass, NativeFn, PhpResult, Val, Vm};

/// The version of PHP's extension.
const VERSION: &str = "1.22.8";
/// The version of libzip whose behaviour this is.
const LIBRARY: &str = "1.11.3";

const METHODS: &[(&str, NativeFn)] = &[
    ("open", object::open),
    ("setPassword", object::set_password),
    ("close", object::close),
    ("count", object::count),
    ("getStatusString", object::status_string),
    ("clearError", object::clear_error),
    ("addEmptyDir", entries::add_empty_dir),
    ("addFromString", entries::add_from_string),
    ("addFile", files::add_file),
    ("replaceFile", files::replace_file),
    ("addGlob", files::add_glob),
    ("addPattern", files::add_pattern),
    ("renameIndex", entries::rename_index),
    ("renameName", entries::rename_name),
    ("setArchiveComment", object::set_comment),
    ("getArchiveComment", object::comment),
    ("setArchiveFlag", object::set_flag),
    ("getArchiveFlag", object::flag),
    ("setCommentIndex", entries::set_comment_index),
    ("setCommentName", entries::set_comment_name),
    ("setMtimeIndex", entries::set_time_index),
    ("setMtimeName", entries::set_time_name),
    ("getCommentIndex", entries::comment_index),
    ("getCommentName", entries::comment_name),
    ("deleteIndex", entries::delete_index),
    ("deleteName", entries::delete_name),
    ("statName", entries::stat_name),
    ("statIndex", entries::stat_index),
    ("locateName", entries::locate_name),
    ("getNameIndex", entries::name_index),
    ("unchangeArchive", object::revert_archive),
    ("unchangeAll", object::revert_all),
    ("unchangeIndex", entries::revert_index),
    ("unchangeName", entries::revert_name),
    ("extractTo", extract::extract_to),
    ("getFromName", entries::from_name),
    ("getFromIndex", entries::from_index),
    ("getStreamIndex", entries::stream_index),
    ("getStreamName", entries::stream_name),
    ("getStream", entries::stream_name),
    ("setExternalAttributesName", entries::set_attributes_name),
    ("setExternalAttributesIndex", entries::set_attributes_index),
    ("getExternalAttributesName", entries::attributes_name),
    ("getExternalAttributesIndex", entries::attributes_index),
    ("setCompressionName", entries::set_method_name),
    ("setCompressionIndex", entries::set_method_index),
    ("setEncryptionName", entries::set_encryption_name),
    ("setEncryptionIndex", entries::set_encryption_index),
    ("registerProgressCallback", object::register_progress),
    ("registerCancelCallback", object::register_cancel),
    ("isCompressionMethodSupported", is_method_supported),
    ("isEncryptionMethodSupported", is_encryption_supported),
];

const CLASSES: &[NativeClass] = &[NativeClass {
    name: "ZipArchive",
    decl: include_str!("../stubs/ZipArchive.stub.php"),
    methods: METHODS,
    hooks: NativeHooks {
        create: Some(object::create),
        destruct: Some(object::destruct),
        no_clone: true,
        debug_info: Some(object::shown),
        properties: Some(|vm, zip, _| object::shown(vm, zip).map(Some)),
        own_properties: Some(&object::MEMBERS),
        owns_property: Some(|zip, name, _| object::owns(zip, name)),
        ..NativeHooks::NONE
    },
}];

/// The extension, which the engine registers.
pub static EXTENSION: Extension = Extension {
    name: "zip",
    functions: &[procedural::FUNCTIONS],
    classes: &[CLASSES],
    constants: &[],
    ini: &[],
    startup: Some(startup),
    shutdown: None,
};

fn startup(vm: &Vm) {
    open::wrappers(vm).table.borrow_mut().push((b"zip".to_vec(), Wrapper::Native(stream::WRAPPER)));
    about::describe(vm, EXTENSION.name, |_| {
        let yes = || "Yes".to_owned();
        vec![
            ("Zip", "enabled".to_owned()),
            ("Zip version", VERSION.to_owned()),
            ("Libzip version", LIBRARY.to_owned()),
            ("BZIP2 compression", yes()),
            ("XZ compression", yes()),
            ("ZSTD compression", yes()),
            ("AES-128 encryption", yes()),
            ("AES-192 encryption", yes()),
            ("AES-256 encryption", yes()),
        ]
    });
}

/// `isCompressionMethodSupported()`: what can be read can be written as well.
fn is_method_supported(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::bool(archive::is_method_supported(call.int(0) as i32)))
}

/// `isEncryptionMethodSupported()`.
fn is_encryption_supported(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::bool(archive::is_encryption_supported(call.int(0) as u16)))
}
