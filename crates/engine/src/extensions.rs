//! The extensions that are built in, in the order that `get_loaded_extensions` shows.

use phlox_runtime::Extension;

/// The language's own declarations: its extension crate's, and the interpreter's Generator and Fiber.
static CORE: Extension = Extension {
    name: "Core",
    functions: phlox_ext_core::FUNCTIONS,
    classes: &{
        let [interfaces, exceptions, closure, weak, attributes, iterator] = phlox_ext_core::CLASSES;
        let (generators, fibers) = (phlox_oracle::generators::CLASSES, phlox_oracle::fibers::CLASSES);
        [interfaces, exceptions, closure, generators, weak, attributes, fibers, iterator]
    },
    constants: &[phlox_ext_core::CONSTANTS],
    ini: phlox_ext_core::SETTINGS,
    startup: Some(phlox_ext_core::startup),
    shutdown: None,
};

/// All extensions: those of a process that keeps units.
pub static WORKER_EXTENSIONS: &[&Extension] = &[
    &CORE,
    &phlox_ext_bcmath::EXTENSION,
    &phlox_ext_bz2::EXTENSION,
    &phlox_ext_calendar::EXTENSION,
    &phlox_ext_ctype::EXTENSION,
    &phlox_ext_curl::EXTENSION,
    &phlox_ext_date::EXTENSION,
    &phlox_ext_exif::EXTENSION,
    &phlox_ext_gettext::EXTENSION,
    &phlox_ext_fileinfo::EXTENSION,
    &phlox_ext_filter::EXTENSION,
    &phlox_ext_gmp::EXTENSION,
    &phlox_ext_hash::EXTENSION,
    &phlox_ext_iconv::EXTENSION,
    &phlox_ext_json::EXTENSION,
    &phlox_ext_libxml::EXTENSION,
    &phlox_ext_mbstring::EXTENSION,
    &phlox_ext_openssl::EXTENSION,
    &phlox_ext_pcre::EXTENSION,
    &phlox_ext_pcntl::EXTENSION,
    &phlox_ext_posix::EXTENSION,
    &phlox_ext_phar::EXTENSION,
    &phlox_ext_random::EXTENSION,
    &phlox_ext_readline::EXTENSION,
    &phlox_ext_reflection::EXTENSION,
    &phlox_ext_shmop::EXTENSION,
    &phlox_ext_spl::EXTENSION,
    &phlox_ext_standard::EXTENSION,
    &phlox_ext_sysvmsg::EXTENSION,
    &phlox_ext_sysvsem::EXTENSION,
    &phlox_ext_sysvshm::EXTENSION,
    &phlox_ext_tokenizer::EXTENSION,
    &phlox_ext_zip::EXTENSION,
    &phlox_ext_zlib::EXTENSION,
    &phlox_ext_session::EXTENSION,
    &phlox_ext_pdo::EXTENSION,
    &phlox_ext_pdo_sqlite::EXTENSION,
    &phlox_ext_sqlite3::EXTENSION,
    &phlox_ext_dom::EXTENSION,
    &phlox_ext_simplexml::EXTENSION,
    &phlox_ext_xml::EXTENSION,
    &phlox_ext_xmlreader::EXTENSION,
    &phlox_ext_xmlwriter::EXTENSION,
    &phlox_ext_opcache::EXTENSION,
];

/// The extensions of a process that answers one request: without OPcache, which is the last one.
pub static EXTENSIONS: &[&Extension] = match WORKER_EXTENSIONS.split_last() {
    Some((_, others)) => others,
    None => &[],
};
