//! The tables of every shipped spec are the ones that its golden file describes.

use pdb_core::TableKey;
use pdb_gen::{Monitor, build_in_memory, digest_of};
use pdb_spec::{GoldenTable, builtin, builtin_golden, builtin_names};
use pdb_tests::tables::thread_count;

fn built(key: &TableKey) -> GoldenTable {
    let table = build_in_memory(key, thread_count(), &Monitor::silent()).expect("it can be built");
    let header = table.header;
    GoldenTable {
        file: key.file_name(),
        entry_count: header.entry_count,
        unreached_count: header.unreached_count,
        histogram: header.histogram.clone(),
        digest: digest_of(&header).to_string(),
        payload_digest: header.payload_digest.to_string(),
    }
}

#[test]
fn every_shipped_spec_builds_the_tables_of_its_golden_file() {
    for name in builtin_names() {
        let spec = builtin(name).expect("a shipped spec is right");
        let golden = builtin_golden(name)
            .unwrap_or_else(|| panic!("{name} has no golden file"))
            .expect("a golden file is right");
        let tables: Vec<GoldenTable> = spec.plan.tables().iter().map(built).collect();
        assert_eq!(golden.tables, tables, "{name}");
    }
}
