//! `cargo xtask golden`: writes the expected entry counts, histograms and digests of the shipped
//! specs.

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use crate::{report, shell};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Specs by name, such as `15/7-8`; all shipped specs of up to 4 GB if none is given
    specs: Vec<String>,
    /// Write nothing, and fail if a golden would change
    #[arg(long)]
    check: bool,
}

/// A golden, which is TOML.
#[derive(Serialize)]
struct Golden {
    table: Vec<GoldenTable>,
}

/// The part of a table's record that is the same on every machine.
#[derive(Deserialize, Serialize)]
struct GoldenTable {
    #[serde(rename(deserialize = "table"))]
    file: String,
    entry_count: u64,
    unreached_count: u64,
    histogram: Vec<u64>,
    digest: String,
    payload_digest: String,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let db = shell::temporary_folder()?;
    let mut changed = Vec::new();
    for spec in report::specs_or_all(&args.specs)? {
        // A new spec is not in the list yet, so it is named by its file.
        let path = shell::root().join(format!("pdb-specs/{spec}.toml"));
        let golden = toml::to_string(&Golden { table: report::build(&path, db.path())? })?;
        let path = path.with_extension("golden");
        if std::fs::read_to_string(&path).is_ok_and(|old| old == golden) {
            println!("{spec}: unchanged");
            continue;
        }
        println!("{spec}: changed");
        if !args.check {
            shell::write_file(&path, &golden)?;
        }
        changed.push(spec);
    }
    ensure!(
        !args.check || changed.is_empty(),
        "{} goldens differ from what is built; if that is meant, run `cargo xtask golden`",
        changed.len()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_a_section_for_each_table() {
        let line = "{\"table\":\"t.pdb\",\"seconds\":1.5,\"entry_count\":4,\"unreached_count\":0,\
                    \"histogram\":[1,2,1],\"digest\":\"ab\",\"payload_digest\":\"cd\"}\n";
        let part = "[[table]]\nfile = \"t.pdb\"\nentry_count = 4\nunreached_count = 0\n\
                    histogram = [1, 2, 1]\ndigest = \"ab\"\npayload_digest = \"cd\"\n";
        let golden = Golden { table: report::read_lines(&line.repeat(2)).unwrap() };
        assert_eq!(toml::to_string(&golden).unwrap(), [part, part].join("\n"));
    }
}
