//! `tilebase specs`: what is shipped.

use std::io::Write;

use crate::failure::Verdict;
use crate::output::Output;

pub(crate) fn run(output: &mut Output) -> anyhow::Result<Verdict> {
    let names = pdb_spec::builtin_names();
    let width = names.iter().map(|name| name.len()).max().unwrap_or(0);
    for name in names {
        writeln!(output, "{name:width$}  {}", pdb_spec::builtin(name)?.title)?;
    }
    Ok(Verdict::Good)
}
