//! `cargo xtask golden`: writes the expected entry counts, histograms and digests of the shipped
//! specs.

use std::fmt::Write;

use anyhow::{Result, ensure};
use serde::Deserialize;

use crate::{report, shell};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Specs by name, such as `15/7-8`; all shipped specs if none is given
    specs: Vec<String>,
    /// Write nothing, and fail if a golden would change
    #[arg(long)]
    check: bool,
}

/// The part of a table's record that is the same on every machine.
#[derive(Deserialize)]
struct GoldenTable {
    #[serde(rename = "table")]
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
    for spec in shell::specs_or_all(&args.specs)? {
        // A new spec is not in the list yet, so it is named by its file.
        let path = shell::root().join(format!("pdb-specs/{spec}.toml"));
        let golden = golden(&report::build(&path, db.path())?);
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

/// Returns the text of a golden: TOML with a `[[table]]` for each table.
fn golden(tables: &[GoldenTable]) -> String {
    let mut text = String::new();
    for table in tables {
        let gap = if text.is_empty() { "" } else { "\n" };
        let GoldenTable { file, entry_count, unreached_count, .. } = table;
        let GoldenTable { histogram, digest, payload_digest, .. } = table;
        write!(
            text,
            "{gap}[[table]]\n\
             file = \"{file}\"\n\
             entry_count = {entry_count}\n\
             unreached_count = {unreached_count}\n\
             histogram = {histogram:?}\n\
             digest = \"{digest}\"\n\
             payload_digest = \"{payload_digest}\"\n"
        )
        .expect("writing to a string cannot fail");
    }
    text
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
        let tables: Vec<GoldenTable> = report::read_lines(&line.repeat(2)).unwrap();
        assert_eq!(golden(&tables), [part, part].join("\n"));
    }
}
