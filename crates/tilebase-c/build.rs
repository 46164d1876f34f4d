//! Gives the shared library the name that programs look for.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let version = |part: &str| std::env::var(format!("CARGO_PKG_VERSION_{part}"));
    let (Ok(major), Ok(minor)) = (version("MAJOR"), version("MINOR")) else {
        unreachable!("cargo tells the version to build scripts")
    };
    // A version before 1.0 may change what was there with its second number.
    let series = if major == "0" { format!("0.{minor}") } else { major };
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libtilebase.so.{series}");
    }
}
