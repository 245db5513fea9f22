//! Finds libxml2 and compiles `src/shim.c` against its headers.

fn main() {
    println!("cargo:rerun-if-changed=src/shim.c");
    let library = match pkg_config::Config::new().atleast_version("2.9").probe("libxml-2.0") {
        Ok(library) => library,
        Err(error) => {
            eprintln!("libxml2's headers are needed (Debian: apt-get install libxml2-dev): {error}");
            std::process::exit(1);
        }
    };
    let mut build = cc::Build::new();
    build.file("src/shim.c").includes(&library.include_paths).warnings(false).compile("phlox_libxml_shim");
}
