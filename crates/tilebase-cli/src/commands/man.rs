//! `tilebase man`: the manual pages of the program and of its commands.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::CommandFactory;
use clap_mangen::Man;

use crate::Cli;
use crate::console::Console;
use crate::failure::{Verdict, usage};
use crate::help;
use crate::output::{naming_option, shown};

/// Arguments of `tilebase man`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("read the page of a command", "tilebase man solve | man -l -"),
    ("install all pages", "tilebase man --out ~/.local/share/man/man1"),
]))]
pub(crate) struct Args {
    /// The command to describe [default: the program]
    command: Option<String>,
    /// Write the pages of the program and of every command into a folder, as tilebase.1,
    /// tilebase-build.1 and so on
    #[arg(long, value_name = "DIR", conflicts_with = "command", help_heading = help::OUTPUT)]
    out: Option<PathBuf>,
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        let mut program = Cli::command().disable_help_subcommand(true);
        program.build();
        if let Some(folder) = self.out {
            let commands = program.get_subcommands().cloned();
            for command in std::iter::once(program.clone()).chain(commands) {
                let page = Man::new(command.clone());
                let path = folder.join(page.get_filename());
                let mut text = Vec::new();
                write_page(&mut text, &page, &command)?;
                pdb_gen::write_file(&path, &text)
                    .map_err(|error| naming_option("--out", &folder, error))?;
                writeln!(console, "{}", shown(&path))?;
            }
            return Ok(Verdict::Good);
        }
        let command = match self.command {
            None => program,
            Some(name) => {
                let command = program.find_subcommand(&name);
                let unknown =
                    || usage(format!("there is no command \"{name}\": see `tilebase help`"));
                command.ok_or_else(unknown)?.clone()
            }
        };
        write_page(console, &Man::new(command.clone()), &command)?;
        Ok(Verdict::Good)
    }
}

fn write_page(mut output: &mut dyn Write, page: &Man, command: &clap::Command) -> io::Result<()> {
    page.render_title(&mut output)?;
    page.render_name_section(&mut output)?;
    page.render_synopsis_section(&mut output)?;
    page.render_description_section(&mut output)?;
    page.render_options_section(&mut output)?;
    if command.has_subcommands() {
        page.render_subcommands_section(&mut output)?;
    }
    let after_help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (notes, examples) = help::split(&after_help);
    if !notes.is_empty() {
        writeln!(output, ".SH NOTES")?;
        for (nth, paragraph) in notes.split("\n\n").enumerate() {
            if nth > 0 {
                writeln!(output, ".PP")?;
            }
            write_paragraph(output, paragraph)?;
        }
    }
    if let Some(examples) = examples {
        writeln!(output, ".SH EXAMPLES")?;
        for (nth, line) in examples.lines().enumerate() {
            match line.trim().strip_prefix("# ") {
                Some(what) => {
                    // A section begins with a paragraph.
                    if nth > 0 {
                        writeln!(output, ".PP")?;
                    }
                    writeln!(output, "{}:", escaped(&capitalised(what)))?;
                }
                None => {
                    writeln!(
                        output,
                        ".PP\n.RS 4\n.nf\n\\fB{}\\fR\n.fi\n.RE",
                        escaped(line.trim())
                    )?;
                }
            }
        }
    }
    if command.get_version().is_some() {
        page.render_version_section(&mut output)?;
    }
    Ok(())
}

/// Writes prose as filled text, and lists, whose lines are indented, line by line.
fn write_paragraph(output: &mut dyn Write, paragraph: &str) -> io::Result<()> {
    let is_list = paragraph.lines().any(|line| line.starts_with("  "));
    if is_list {
        writeln!(output, ".nf")?;
    }
    for line in paragraph.lines() {
        writeln!(output, "{}", escaped(line))?;
    }
    if is_list {
        writeln!(output, ".fi")?;
    }
    Ok(())
}

/// Escapes a line for roff.
fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-");
    if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
