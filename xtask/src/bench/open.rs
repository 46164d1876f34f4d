//! `cargo xtask bench open`: how long it takes until tables can be looked up.

use std::process::Command;

use anyhow::Result;

use crate::{report, shell};

pub(crate) fn run() -> Result<()> {
    let db = shell::db_or_default(None)?;
    for spec in ["15/7-8", "15/7-8-collapsed"] {
        report::build::<report::TableReport>(spec, &db)?;
    }
    let example = shell::release(&["--package", "pdb-rt", "--example", "open"])?;
    println!("Opening the tables of a spec, everything checked but the payload's digests:\n");
    print!("{}", shell::output(Command::new(example).arg(&db))?);
    Ok(())
}
