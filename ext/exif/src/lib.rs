//! The `exif` extension: what digital cameras write into images, by Exif 2.2 in JPEG and TIFF files.
#![forbid(unsafe_code)]

mod functions;
mod ifd;
mod image;
mod jpeg;
mod maker;
mod number;
mod settings;
mod tags;
mod text;
mod thumbnail;
mod tiff;
mod value;

use phlox_ext_standard::about;
use phlox_runtime::ConstValue::Int;
use phlox_runtime::{Extension, Vm};

/// The extension, which the engine registers.
pub static EXTENSION: Extension = Extension {
    name: "exif",
    functions: &[functions::FUNCTIONS],
    classes: &[],
    constants: &[&[("EXIF_USE_MBSTRING", Int(1))]],
    ini: settings::SETTINGS,
    startup: Some(startup),
    shutdown: None,
};

fn startup(vm: &Vm) {
    about::describe(vm, EXTENSION.name, |_| {
        vec![
            ("EXIF Support", "enabled".to_owned()),
            ("Supported EXIF Version", "0220".to_owned()),
            ("Supported filetypes", "JPEG, TIFF".to_owned()),
            ("Multibyte decoding support using mbstring", "enabled".to_owned()),
            ("Extended EXIF tag formats", maker::MAKERS.to_owned()),
        ]
    });
}
