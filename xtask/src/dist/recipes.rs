//! Recipes for package managers, from the description in `Cargo.toml` and the digests of archives.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Result, bail};

use super::archive::{Entry, Tree, ar, gzip};
use super::{Description, Release};

const FORMULA: &str = "tilebase.rb";
const CONTAINER: &str = "Containerfile";

/// Systems of Homebrew with the targets that they run.
const SYSTEMS: [(&str, &str, &str); 4] = [
    ("macos", "arm", "aarch64-apple-darwin"),
    ("macos", "intel", "x86_64-apple-darwin"),
    ("linux", "arm", "aarch64-unknown-linux-musl"),
    ("linux", "intel", "x86_64-unknown-linux-musl"),
];

/// Returns the files of recipes by name. They refer to archives with these SHA-256 digests.
pub(super) fn recipes(
    description: &Description,
    sums: &BTreeMap<&str, String>,
) -> Vec<(&'static str, String)> {
    let mut recipes = vec![(CONTAINER, container(description))];
    recipes.extend(formula(description, sums).map(|text| (FORMULA, text)));
    recipes
}

/// Returns the recipe of Homebrew, if the release has a program that it can install.
fn formula(description: &Description, sums: &BTreeMap<&str, String>) -> Option<String> {
    let Description { version, summary, repository, .. } = description;
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
    let formula = format!(
        r##"class Tilebase < Formula
  desc "{summary}"
  homepage "{repository}"
  version "{version}"
  license any_of: ["MIT", "Apache-2.0"]
{places}
  def install
    bin.install "tilebase"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/tilebase.bash" => "tilebase"
    fish_completion.install "completions/tilebase.fish"
    zsh_completion.install "completions/_tilebase"
  end

  test do
    assert_match "31", shell_output("#{{bin}}/tilebase solve --db #{{testpath}} '8 6 7/2 5 4/3 0 1'")
  end
end
"##
    );
    (!places.is_empty()).then_some(formula)
}

/// Returns the recipe of a container image with the server and nothing else. Its archive lies
/// beside it.
fn container(description: &Description) -> String {
    let Description { version, summary, repository, .. } = description;
    format!(
        r#"# The server. It writes nothing, so its file system and the folder of tables may be read-only:
#   docker build -t tilebase -f Containerfile .
#   docker run --read-only -p 8015:8015 -v ~/.local/share/tilebase:/tables:ro tilebase
# With a writable folder, other commands build tables:
#   docker run --user "$(id -u)" -v ~/.local/share/tilebase:/tables tilebase build 15/7-8
FROM scratch
ARG TARGET=x86_64-unknown-linux-musl
LABEL org.opencontainers.image.title="tilebase" \
      org.opencontainers.image.version="{version}" \
      org.opencontainers.image.description="{summary}" \
      org.opencontainers.image.source="{repository}" \
      org.opencontainers.image.licenses="MIT OR Apache-2.0"
ADD tilebase-{version}-${{TARGET}}.tar.gz /
ENV PATH=/tilebase-{version}-${{TARGET}} TILEBASE_DB=/tables
USER 65532:65532
VOLUME /tables
EXPOSE 8015
STOPSIGNAL SIGTERM
ENTRYPOINT ["tilebase"]
CMD ["serve", "--listen", "0.0.0.0:8015"]
"#
    )
}

/// Returns Debian's name of the machine of a target.
pub(super) fn debian_architecture(target: &str) -> Result<&'static str> {
    Ok(match target.split('-').next() {
        Some("x86_64") => "amd64",
        Some("aarch64") => "arm64",
        _ => bail!("no Debian package for {target}"),
    })
}

impl Release {
    /// Returns a Debian package with a static program, if this is one.
    pub(super) fn debian_package(
        &self,
        program: Entry,
        documents: &BTreeMap<String, Vec<u8>>,
        licences: &[u8],
    ) -> Result<Option<Vec<u8>>> {
        if !self.target.ends_with("-linux-musl") {
            return Ok(None);
        }
        let Description { version, summary, repository, authors, .. } = &self.description;
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
        let copyright =
            [&super::read(&crate::shell::root().join("LICENSE-MIT"))?[..], b"\n", licences];
        data.add("usr/share/doc/tilebase/copyright", Entry::File(copyright.concat()));

        let architecture = debian_architecture(&self.target)?;
        let control = format!(
            "Package: tilebase\nVersion: {version}\nArchitecture: {architecture}\n\
             Maintainer: {}\nInstalled-Size: {}\nSection: math\nPriority: optional\n\
             Homepage: {repository}\nDescription: {summary}\n",
            authors.join(", "),
            data.bytes().div_ceil(1024),
        );
        let mut about = Tree::default();
        about.add("control", Entry::File(control.into_bytes()));
        let files = [
            ("debian-binary", &b"2.0\n"[..]),
            ("control.tar.gz", &about.tar_gz(self.seconds)?),
            ("data.tar.gz", &data.tar_gz(self.seconds)?),
        ];
        Ok(Some(ar(&files, self.seconds)))
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
