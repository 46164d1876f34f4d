//! Builds the crate anew when a spec or golden is added: the compiler watches the files that are
//! embedded, but not their folder.
#![forbid(unsafe_code)]

fn main() {
    println!("cargo::rerun-if-changed=specs");
}
