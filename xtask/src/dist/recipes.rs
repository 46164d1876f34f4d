//! Recipes for package managers, from the description in `Cargo.toml` and the digests of archives.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::Command;

use anyhow::{Result, bail};

use super::archive::{Entry, Tree, ar, gzip};
use super::{Description, Release};

/// Systems of Homebrew with the targets that they run.
const SYSTEMS: [(&str, &str, &str); 4] = [
    ("macos", "arm", "aarch64-apple-darwin"),
    ("macos", "intel", "x86_64-apple-darwin"),
    ("linux", "arm", "aarch64-unknown-linux-musl"),
    ("linux", "intel", "x86_64-unknown-linux-musl"),
];

/// Returns the recipe of Homebrew, if the archives with these SHA-256 digests have a program that
/// it can install.
pub(super) fn formula(description: &Description, sums: &BTreeMap<&str, String>) -> Option<String> {
    let Description { version, repository, .. } = description;
    let mut places = String::new();
    for (system, machine, target) in SYSTEMS {
        let file = format!("tilebase-{version}-{target}.tar.gz");
        if let Some(sum) = sums.get(file.as_str()) {
            write!(
                places,
                "
  on_{system} do
    on_{machine} do
      url \"{repository}/releases/download/v{version}/{file}\"
      sha256 \"{sum}\"
    end
  end
"
            )
            .expect("a string takes any text");
        }
    }
    let formula = description.fill(include_str!("tilebase.rb")).replace("PLACES", &places);
    (!places.is_empty()).then_some(formula)
}

/// Returns Debian's name of the machine of a target.
fn debian_architecture(target: &str) -> Result<&'static str> {
    Ok(match target.split('-').next() {
        Some("x86_64") => "amd64",
        Some("aarch64") => "arm64",
        _ => bail!("no Debian package for {target}"),
    })
}

impl Release<'_> {
    /// Writes a Debian package with a static program.
    pub(super) fn debian_package(
        &self,
        program: Entry,
        documents: &BTreeMap<String, Vec<u8>>,
        licences: &[u8],
    ) -> Result<()> {
        let mut data = Tree::default();
        data.add("usr/bin/tilebase", program);
        for (path, text) in documents {
            let (path, bytes) = match path.split_once('/') {
                Some(("man", page)) => (format!("man/man1/{page}.gz"), gzip(text)?),
                Some((_, "tilebase.bash")) => {
                    ("bash-completion/completions/tilebase".to_owned(), text.clone())
                }
                Some((_, file @ "tilebase.fish")) => {
                    (format!("fish/vendor_completions.d/{file}"), text.clone())
                }
                Some((_, file @ "_tilebase")) => {
                    (format!("zsh/vendor-completions/{file}"), text.clone())
                }
                _ => continue,
            };
            data.add(format!("usr/share/{path}"), Entry::File(bytes));
        }
        let mut document = |name: &str, text: Vec<u8>| {
            data.add(format!("usr/share/doc/tilebase/{name}"), Entry::File(text));
        };
        let licence = crate::shell::read(&crate::shell::root().join("LICENSE-MIT"))?;
        let copyright = self.description.fill(include_str!("copyright"));
        document("copyright", copyright.replace("LICENCE", str::from_utf8(&licence)?).into_bytes());
        document("crates.txt.gz", gzip(licences)?);
        let mut date = Command::new("date");
        date.args(["--utc", "--rfc-email", &format!("--date=@{}", self.seconds)])
            .env("LC_ALL", "C");
        let changelog = self
            .description
            .fill(include_str!("changelog"))
            .replace("DATE", crate::shell::output(&mut date)?.trim_end());
        document("changelog.gz", gzip(changelog.as_bytes())?);
        let overrides = "# It needs no other file, and runs on every distribution.\n\
                         tilebase: statically-linked-binary [usr/bin/tilebase]\n";
        data.add("usr/share/lintian/overrides/tilebase", Entry::File(overrides.into()));

        let architecture = debian_architecture(&self.target)?;
        let control = self
            .description
            .fill(include_str!("control"))
            .replace("ARCHITECTURE", architecture)
            .replace("KIB", &data.bytes().div_ceil(1024).to_string());
        let mut about = Tree::default();
        about.add("control", Entry::File(control.into_bytes()));
        let files = [
            ("debian-binary", &b"2.0\n"[..]),
            ("control.tar.gz", &about.tar_gz(self.seconds)?),
            ("data.tar.gz", &data.tar_gz(self.seconds)?),
        ];
        let name = format!("tilebase_{}_{architecture}.deb", self.description.version);
        self.write(&name, &ar(&files, self.seconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formula_has_the_programs_of_the_release_and_their_digests() {
        let description = Description {
            version: "1.2.3".to_owned(),
            summary: "Solve".to_owned(),
            repository: "https://example.org/tiles".to_owned(),
            authors: Vec::new(),
        };
        let linux = "tilebase-1.2.3-aarch64-unknown-linux-musl.tar.gz";
        let sums = [(linux, "abc".to_owned()), ("tilebase-1.2.3-page.zip", "012".to_owned())];
        let text = formula(&description, &sums.into()).unwrap();
        let url = format!("url \"https://example.org/tiles/releases/download/v1.2.3/{linux}\"");
        assert!(text.contains(&url) && text.contains("sha256 \"abc\""), "{text}");
        assert!(!text.contains("on_macos") && !text.contains("012"), "{text}");
        assert!(formula(&description, &BTreeMap::new()).is_none());
    }
}
