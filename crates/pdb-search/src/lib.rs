//! IDA* and the heuristics that need no table.
