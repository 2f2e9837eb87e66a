//! Linker arguments of the extension module.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // An extension module resolves Python's symbols in the process that loads the module. On macOS, the linker needs
    // an option that allows undefined symbols.
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "macos") {
        println!("cargo::rustc-cdylib-link-arg=-undefined");
        println!("cargo::rustc-cdylib-link-arg=dynamic_lookup");
    }
}
