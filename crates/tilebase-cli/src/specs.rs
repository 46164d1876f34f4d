//! Specs by name or path.

use pdb_spec::Spec;

/// Specs that a command works on.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Specs {
    /// Names of shipped specs, such as 15/7-8, or paths of .toml files
    #[arg(value_name = "SPEC", required = true)]
    specs: Vec<String>,
}

impl Specs {
    pub(crate) fn load(&self) -> anyhow::Result<Vec<Spec>> {
        self.specs.iter().map(|name| Ok(tilebase::load_spec(name)?)).collect()
    }
}
