//! Linker arguments of the extension module.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // An extension module takes the symbols of Python from the process that loads it. On macOS, the linker has to allow that.
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "macos") {
        println!("cargo::rustc-cdylib-link-arg=-undefined");
        println!("cargo::rustc-cdylib-link-arg=dynamic_lookup");
    }
}
