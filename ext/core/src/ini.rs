//! Settings of the language and the main program.

use phlox_runtime::IniDef;
use phlox_runtime::Vm;
use phlox_runtime::extension::IniAccess::{self, All, PerDir, System};

const fn setting(name: &'static str, default: Option<&'static str>, access: IniAccess) -> IniDef {
    IniDef { name, default, access }
}

/// Defaults are those of the command line without a php.ini.
pub const SETTINGS: &[IniDef] = &[
    setting("allow_url_fopen", Some("1"), System),
    setting("allow_url_include", Some("0"), System),
    setting("arg_separator.input", Some("&"), PerDir),
    setting("arg_separator.output", Some("&"), All),
    setting("auto_append_file", None, PerDir),
    setting("auto_globals_jit", Some("1"), PerDir),
    setting("auto_prepend_file", None, PerDir),
    setting("browscap", None, System),
    setting("default_charset", Some("UTF-8"), All),
    setting("default_mimetype", Some("text/html"), All),
    setting("disable_classes", Some(""), System),
    setting("disable_functions", Some(""), System),
    setting("display_errors", Some("1"), All),
    setting("display_startup_errors", Some("1"), All),
    setting("doc_root", None, System),
    setting("docref_ext", Some(""), All),
    setting("docref_root", Some(""), All),
    setting("enable_dl", Some("1"), System),
    setting("enable_post_data_reading", Some("1"), PerDir),
    setting("error_append_string", None, All),
    setting("error_log", None, All),
    setting("error_log_mode", Some("0644"), All),
    setting("error_prepend_string", None, All),
    setting("error_reporting", None, All),
    setting("expose_php", Some("1"), System),
    setting("extension_dir", Some("/usr/lib/php/20240924"), System),
    setting("fiber.stack_size", None, All),
    setting("file_uploads", Some("1"), System),
    setting("hard_timeout", Some("2"), System),
    setting("highlight.comment", Some("#FF8000"), All),
    setting("highlight.default", Some("#0000BB"), All),
    setting("highlight.html", Some("#000000"), All),
    setting("highlight.keyword", Some("#007700"), All),
    setting("highlight.string", Some("#DD0000"), All),
    setting("html_errors", Some("0"), All),
    setting("ignore_repeated_errors", Some("0"), All),
    setting("ignore_repeated_source", Some("0"), All),
    setting("ignore_user_abort", Some("0"), All),
    setting("implicit_flush", Some("1"), All),
    setting("include_path", Some(".:/usr/share/php"), All),
    setting("input_encoding", None, All),
    setting("internal_encoding", None, All),
    setting("log_errors", Some("0"), All),
    setting("mail.add_x_header", Some("0"), PerDir),
    setting("mail.force_extra_parameters", None, PerDir),
    setting("mail.log", None, PerDir),
    setting("mail.mixed_lf_and_crlf", Some("0"), PerDir),
    setting("max_execution_time", Some("0"), All),
    setting("max_file_uploads", Some("20"), PerDir),
    setting("max_input_nesting_level", Some("64"), PerDir),
    setting("max_input_time", Some("-1"), PerDir),
    setting("max_input_vars", Some("1000"), PerDir),
    setting("max_multipart_body_parts", Some("-1"), PerDir),
    setting("memory_limit", Some("128M"), All),
    setting("open_basedir", None, All),
    setting("output_buffering", Some("0"), PerDir),
    setting("output_encoding", None, All),
    setting("output_handler", None, PerDir),
    setting("post_max_size", Some("8M"), PerDir),
    setting("precision", Some("14"), All),
    setting("realpath_cache_size", Some("4096K"), System),
    setting("realpath_cache_ttl", Some("120"), System),
    setting("register_argc_argv", Some("1"), PerDir),
    setting("report_memleaks", Some("1"), All),
    setting("report_zend_debug", Some("0"), All),
    setting("request_order", None, PerDir),
    setting("sendmail_from", None, All),
    setting("sendmail_path", Some("/usr/sbin/sendmail -t -i"), System),
    setting("serialize_precision", Some("-1"), All),
    setting("short_open_tag", Some("1"), PerDir),
    setting("SMTP", Some("localhost"), All),
    setting("smtp_port", Some("25"), All),
    setting("sys_temp_dir", None, System),
    setting("syslog.facility", Some("LOG_USER"), System),
    setting("syslog.filter", Some("no-ctrl"), All),
    setting("syslog.ident", Some("php"), System),
    setting("unserialize_callback_func", None, All),
    setting("upload_max_filesize", Some("2M"), PerDir),
    setting("upload_tmp_dir", None, System),
    setting("user_dir", None, System),
    setting("user_ini.cache_ttl", Some("300"), System),
    setting("user_ini.filename", Some(".user.ini"), System),
    setting("variables_order", Some("EGPCS"), PerDir),
    setting("xmlrpc_error_number", Some("0"), All),
    setting("xmlrpc_errors", Some("0"), System),
    setting("zend.assertions", Some("1"), All),
    setting("zend.detect_unicode", Some("1"), All),
    setting("zend.enable_gc", Some("1"), All),
    setting("zend.exception_ignore_args", Some("0"), All),
    setting("zend.exception_string_param_max_len", Some("15"), All),
    setting("zend.max_allowed_stack_size", Some("0"), System),
    setting("zend.multibyte", Some("0"), IniAccess::PerDirOnly),
    setting("zend.reserved_stack_size", Some("0"), System),
    setting("zend.script_encoding", None, All),
    setting("zend.signal_check", Some("0"), System),
];

/// Settings that take effect at once.
pub fn watch(vm: &Vm) {
    if vm.ini.bool("allow_url_include") {
        let _ = vm.deprecated(b"Directive 'allow_url_include' is deprecated");
    }
    vm.ini.watch("zend.enable_gc", |_, _, value| {
        let off = matches!(value.to_ascii_lowercase().as_slice(), b"" | b"0" | b"off" | b"no" | b"false");
        phlox_value::set_gc_enabled(!off);
        Ok(true)
    });
    vm.ini.watch("zend.exception_string_param_max_len", |_, _, value| {
        let length: Option<i64> = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok());
        Ok(length.is_some_and(|length| (0..=1_000_000).contains(&length)))
    });
    vm.ini
        .watch("syslog.filter", |_, _, value| Ok(matches!(value.as_bytes(), b"all" | b"no-ctrl" | b"ascii" | b"raw")));
    vm.ini.watch("fiber.stack_size", |vm, _, value| {
        let negative = value.starts_with(b"-");
        if negative {
            vm.warning(b"fiber.stack_size must be a positive number")?;
        }
        Ok(!negative)
    });
}
