//! The settings of the language and the main program, in PHP's order. Settings that nothing reads are declared here, the
//! others beside the code that reads them.

use phlox_ext_standard::request::{body, multipart};
use phlox_ext_standard::{browscap, highlight, request, serialize};
use phlox_ext_standard_file::stream::open;
use phlox_ext_standard_file::{filesystem, http, mail, syslog};
use phlox_runtime::ini::{IniAccess, IniBool, IniDef, IniInt, IniQuantity, IniString, not_empty};
use phlox_runtime::{basedir, errors, files, ob, settings, source_encoding, time_limit};

pub static ENABLE_GC: IniBool = IniBool::new("zend.enable_gc", "1", IniAccess::All).on_change(|change| {
    phlox_value::set_gc_enabled(change.truth());
    Ok(true)
});

static ENABLE_DL: IniBool = IniBool::new("enable_dl", "1", IniAccess::System);
static DOCREF_ROOT: IniString = IniString::new("docref_root", "", IniAccess::All);
static DOCREF_EXT: IniString = IniString::new("docref_ext", "", IniAccess::All);
static XMLRPC_ERRORS: IniBool = IniBool::new("xmlrpc_errors", "0", IniAccess::System);
static XMLRPC_ERROR_NUMBER: IniQuantity = IniQuantity::new("xmlrpc_error_number", "0", IniAccess::All);
static MAX_INPUT_TIME: IniQuantity = IniQuantity::new("max_input_time", "-1", IniAccess::PerDir);
static REPORT_MEMLEAKS: IniBool = IniBool::new("report_memleaks", "1", IniAccess::All);
static REPORT_ZEND_DEBUG: IniBool = IniBool::new("report_zend_debug", "0", IniAccess::All);
static AUTO_GLOBALS_JIT: IniBool = IniBool::new("auto_globals_jit", "1", IniAccess::PerDir);
static DOC_ROOT: IniString = IniString::unset("doc_root", IniAccess::System).on_change(not_empty);
static USER_DIR: IniString = IniString::unset("user_dir", IniAccess::System);
static SMTP: IniString = IniString::new("SMTP", "localhost", IniAccess::All).not_restored();
static SMTP_PORT: IniInt = IniInt::new("smtp_port", "25", IniAccess::All).not_restored();
static SENDMAIL_FROM: IniString = IniString::unset("sendmail_from", IniAccess::All).not_restored();
static USER_INI_FILENAME: IniString = IniString::new("user_ini.filename", ".user.ini", IniAccess::System);
static USER_INI_CACHE_TTL: IniQuantity = IniQuantity::new("user_ini.cache_ttl", "300", IniAccess::System);
static SIGNAL_CHECK: IniBool = IniBool::new("zend.signal_check", "0", IniAccess::System);

/// All of them. Defaults are those of the command line without a php.ini.
pub static SETTINGS: &[&IniDef] = &[
    &highlight::COMMENT.def,
    &highlight::DEFAULT.def,
    &highlight::HTML.def,
    &highlight::KEYWORD.def,
    &highlight::STRING.def,
    &errors::DISPLAY_ERRORS.def,
    &errors::DISPLAY_STARTUP_ERRORS.def,
    &ENABLE_DL.def,
    &http::EXPOSE_PHP.def,
    &DOCREF_ROOT.def,
    &DOCREF_EXT.def,
    &errors::HTML_ERRORS.def,
    &XMLRPC_ERRORS.def,
    &XMLRPC_ERROR_NUMBER.def,
    &MAX_INPUT_TIME.def,
    &ob::IGNORE_USER_ABORT.def,
    &ob::IMPLICIT_FLUSH.def,
    &errors::LOG_ERRORS.def,
    &errors::IGNORE_REPEATED_ERRORS.def,
    &errors::IGNORE_REPEATED_SOURCE.def,
    &REPORT_MEMLEAKS.def,
    &REPORT_ZEND_DEBUG.def,
    &ob::OUTPUT_BUFFERING.def,
    &ob::OUTPUT_HANDLER.def,
    &request::REGISTER_ARGC_ARGV.def,
    &AUTO_GLOBALS_JIT.def,
    &settings::SHORT_OPEN_TAG.def,
    &serialize::UNSERIALIZE_CALLBACK_FUNC.def,
    &settings::SERIALIZE_PRECISION.def,
    &settings::ARG_SEPARATOR_OUTPUT.def,
    &settings::ARG_SEPARATOR_INPUT.def,
    &settings::AUTO_APPEND_FILE.def,
    &settings::AUTO_PREPEND_FILE.def,
    &DOC_ROOT.def,
    &settings::DEFAULT_CHARSET.def,
    &settings::DEFAULT_MIMETYPE.def,
    &settings::INTERNAL_ENCODING.def,
    &settings::INPUT_ENCODING.def,
    &settings::OUTPUT_ENCODING.def,
    &errors::ERROR_LOG.def,
    &errors::ERROR_LOG_MODE.def,
    &settings::EXTENSION_DIR.def,
    &filesystem::SYS_TEMP_DIR.def,
    &files::INCLUDE_PATH.def,
    &time_limit::MAX_EXECUTION_TIME.def,
    &basedir::OPEN_BASEDIR.def,
    &multipart::FILE_UPLOADS.def,
    &multipart::UPLOAD_MAX_FILESIZE.def,
    &body::POST_MAX_SIZE.def,
    &multipart::UPLOAD_TMP_DIR.def,
    &request::MAX_INPUT_NESTING_LEVEL.def,
    &request::MAX_INPUT_VARS.def,
    &USER_DIR.def,
    &settings::VARIABLES_ORDER.def,
    &request::REQUEST_ORDER.def,
    &errors::ERROR_APPEND_STRING.def,
    &errors::ERROR_PREPEND_STRING.def,
    &SMTP.def,
    &SMTP_PORT.def,
    &mail::ADD_X_HEADER.def,
    &mail::MIXED_LF_AND_CRLF.def,
    &mail::LOG.def,
    &browscap::BROWSCAP.def,
    &settings::MEMORY_LIMIT.def,
    &settings::PRECISION.def,
    &SENDMAIL_FROM.def,
    &mail::SENDMAIL_PATH.def,
    &mail::FORCE_EXTRA_PARAMETERS.def,
    &settings::DISABLE_FUNCTIONS.def,
    &settings::DISABLE_CLASSES.def,
    &multipart::MAX_FILE_UPLOADS.def,
    &multipart::MAX_MULTIPART_BODY_PARTS.def,
    &open::ALLOW_URL_FOPEN.def,
    &open::ALLOW_URL_INCLUDE.def,
    &body::ENABLE_POST_DATA_READING.def,
    &files::REALPATH_CACHE_SIZE.def,
    &files::REALPATH_CACHE_TTL.def,
    &USER_INI_FILENAME.def,
    &USER_INI_CACHE_TTL.def,
    &time_limit::HARD_TIMEOUT.def,
    &syslog::FACILITY.def,
    &syslog::IDENT.def,
    &syslog::FILTER.def,
    &errors::ERROR_REPORTING.def,
    &settings::ASSERTIONS.def,
    &ENABLE_GC.def,
    &source_encoding::MULTIBYTE.def,
    &source_encoding::SCRIPT_ENCODING.def,
    &source_encoding::DETECT_UNICODE.def,
    &SIGNAL_CHECK.def,
    &settings::EXCEPTION_IGNORE_ARGS.def,
    &settings::EXCEPTION_STRING_PARAM_MAX_LEN.def,
    &settings::FIBER_STACK_SIZE.def,
    &settings::MAX_ALLOWED_STACK_SIZE.def,
    &settings::RESERVED_STACK_SIZE.def,
];
