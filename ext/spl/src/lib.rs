//! The extension "SPL": autoloading, exceptions, iterators and data structures.
#![forbid(unsafe_code)]

mod array;
mod autoload;
mod exceptions;
mod file;
mod functions;
mod iterators;
mod members;
mod observer;
mod storage;
mod structures;

use phlox_runtime::Extension;

pub static EXTENSION: Extension = Extension {
    name: "SPL",
    functions: &[autoload::FUNCTIONS, functions::FUNCTIONS],
    classes: &{
        let [info, directory, filesystem, file] = file::CLASSES;
        let [interfaces, outer, filter, limit, caching, append, empty, regex, recursive, tree] = iterators::CLASSES;
        [
            exceptions::CLASSES,
            interfaces,
            outer,
            filter,
            limit,
            caching,
            append,
            empty,
            regex,
            recursive,
            tree,
            array::CLASSES,
            observer::CLASSES,
            storage::CLASSES,
            iterators::MULTIPLE,
            info,
            directory,
            filesystem,
            file,
            structures::linked_list::CLASSES,
            structures::heap::CLASSES,
            structures::fixed_array::CLASSES,
        ]
    },
    constants: &[],
    ini: &[],
    startup: None,
    shutdown: None,
};
