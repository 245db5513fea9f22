//! The `curl` extension: transfers by libcurl, over HTTP, HTTPS, FTP and files.
#![forbid(unsafe_code)]

mod constants;
mod easy;
mod file;
mod handle;
mod multi;
mod options;
mod share;

use easy::*;
use file::curl_file_create;
use multi::*;
use options::{curl_setopt, curl_setopt_array};
use phlox_runtime::{Extension, FnDef};
use share::*;

const FUNCTIONS: &[FnDef] = &[
    FnDef::new("curl_close(CurlHandle $handle): void", curl_close),
    FnDef::new("curl_copy_handle(CurlHandle $handle): CurlHandle|false", curl_copy_handle),
    FnDef::new("curl_errno(CurlHandle $handle): int", curl_errno),
    FnDef::new("curl_error(CurlHandle $handle): string", curl_error),
    FnDef::new("curl_escape(CurlHandle $handle, string $string): string|false", curl_escape),
    FnDef::new("curl_unescape(CurlHandle $handle, string $string): string|false", curl_unescape),
    FnDef::new("curl_multi_setopt(CurlMultiHandle $multi_handle, int $option, mixed $value): bool", curl_multi_setopt),
    FnDef::new("curl_exec(CurlHandle $handle): string|bool", curl_exec),
    FnDef::new(
        "curl_file_create(string $filename, ?string $mime_type = null, ?string $posted_filename = null): CURLFile",
        curl_file_create,
    ),
    FnDef::new("curl_getinfo(CurlHandle $handle, ?int $option = null): mixed", curl_getinfo),
    FnDef::new("curl_init(?string $url = null): CurlHandle|false", curl_init),
    FnDef::new("curl_upkeep(CurlHandle $handle): bool", curl_upkeep),
    FnDef::new("curl_multi_add_handle(CurlMultiHandle $multi_handle, CurlHandle $handle): int", curl_multi_add_handle),
    FnDef::new("curl_multi_close(CurlMultiHandle $multi_handle): void", curl_multi_close),
    FnDef::new("curl_multi_errno(CurlMultiHandle $multi_handle): int", curl_multi_errno),
    FnDef::new("curl_multi_exec(CurlMultiHandle $multi_handle, &$still_running): int", curl_multi_exec),
    FnDef::new("curl_multi_getcontent(CurlHandle $handle): ?string", curl_multi_getcontent),
    FnDef::new(
        "curl_multi_info_read(CurlMultiHandle $multi_handle, &$queued_messages = null): array|false",
        curl_multi_info_read,
    ),
    FnDef::new("curl_multi_init(): CurlMultiHandle", curl_multi_init),
    FnDef::new(
        "curl_multi_remove_handle(CurlMultiHandle $multi_handle, CurlHandle $handle): int",
        curl_multi_remove_handle,
    ),
    FnDef::new("curl_multi_select(CurlMultiHandle $multi_handle, float $timeout = 1.0): int", curl_multi_select),
    FnDef::new("curl_multi_strerror(int $error_code): ?string", curl_multi_strerror),
    FnDef::new("curl_pause(CurlHandle $handle, int $flags): int", curl_pause),
    FnDef::new("curl_reset(CurlHandle $handle): void", curl_reset),
    FnDef::new("curl_setopt_array(CurlHandle $handle, array $options): bool", curl_setopt_array),
    FnDef::new("curl_setopt(CurlHandle $handle, int $option, mixed $value): bool", curl_setopt),
    FnDef::new("curl_share_close(CurlShareHandle $share_handle): void", curl_share_close),
    FnDef::new("curl_share_errno(CurlShareHandle $share_handle): int", curl_share_errno),
    FnDef::new("curl_share_init(): CurlShareHandle", curl_share_init),
    FnDef::new("curl_share_setopt(CurlShareHandle $share_handle, int $option, mixed $value): bool", curl_share_setopt),
    FnDef::new("curl_share_strerror(int $error_code): ?string", curl_share_strerror),
    FnDef::new("curl_strerror(int $error_code): ?string", curl_strerror),
    FnDef::new("curl_version(): array|false", curl_version),
];

/// The extension, which the engine registers.
pub static EXTENSION: Extension = Extension {
    name: "curl",
    functions: &[FUNCTIONS],
    classes: &[handle::CLASSES, multi::CLASSES, share::CLASSES, file::CLASSES],
    constants: &[constants::CONSTANTS],
    ini: &[&easy::CAINFO.def],
    startup: None,
    shutdown: None,
};
