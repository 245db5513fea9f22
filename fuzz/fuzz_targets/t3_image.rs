//! Any bytes are a T3 image or are refused; a program that is accepted runs into its end, an error or its limits.
//! Seeds: the images of `tests/t3/programs`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phlox_t3_image::{Image, dis, verify};
use phlox_t3_intrinsics::machine;
use phlox_t3_vm::io::{Access, Buffer};
use phlox_t3_vm::Options;

fuzz_target!(|bytes: &[u8]| {
    let Ok(image) = Image::load(bytes.to_vec()) else { return };
    for offset in dis::methods(&image).into_keys() {
        verify::function(&image, offset);
    }
    let options = Options {
        fuel: 20_000,
        stack: 1 << 12,
        max_length: 1 << 14,
        max_objects: 200_000,
        read: Access::Nothing,
        write: Access::Nothing,
        ..Options::default()
    };
    if let Ok(mut vm) = machine(image, options, Box::new(Buffer::default())) {
        vm.run_program();
    }
});
