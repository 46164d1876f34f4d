//! Markdown tables of measurements.

/// Prints a Markdown table, numbers to the right.
pub(crate) fn print_table(head: &[&str], rows: &[impl AsRef<[String]>]) {
    println!("| {} |", head.join(" | "));
    println!("|---|{}", "---:|".repeat(head.len() - 1));
    for cells in rows {
        println!("| {} |", cells.as_ref().join(" | "));
    }
}
