"""Calls libtilebase.so with the published layout of its structures. Sizes and offsets are part of the interface,
because programs that were compiled with an older header contain them.

    structures.py LIBRARY FOLDER_OF_TABLES
"""

import ctypes as c
import sys

POINTER_BYTES = c.sizeof(c.c_void_p)


class Board(c.Structure):
    _fields_ = [("rows", c.c_uint8), ("cols", c.c_uint8), ("cells", c.c_uint8 * 64)]


class OpenOptions(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("flags", c.c_uint64),
        ("folder", c.c_char_p),
        ("spec", c.c_char_p),
        ("goal", c.c_char_p),
        ("rows", c.c_size_t),
        ("cols", c.c_size_t),
        ("threads", c.c_size_t),
        ("memory_bytes", c.c_uint64),
        ("cancel", c.c_void_p),
        ("progress", c.c_void_p),
        ("progress_data", c.c_void_p),
    ]


class SolveOptions(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("threads", c.c_size_t),
        ("time_ms", c.c_uint64),
        ("nodes", c.c_uint64),
        ("cancel", c.c_void_p),
    ]


class Answer(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("status", c.c_int32),
        ("length", c.c_uint32),
        ("lower_bound", c.c_uint32),
        ("estimate", c.c_uint32),
        ("generated", c.c_uint64),
        ("expanded", c.c_uint64),
        ("lookups", c.c_uint64),
        ("elapsed_ns", c.c_uint64),
    ]


# The published sizes, which never change.
SIZES = {Board: 66, OpenOptions: 96, SolveOptions: 40, Answer: 56}


def main() -> None:
    library = c.CDLL(sys.argv[1])
    library.tilebase_message.restype = c.c_char_p
    library.tilebase_version.restype = c.c_char_p
    library.tilebase_tables_spec.restype = c.c_char_p
    library.tilebase_tables_spec.argtypes = [c.c_void_p]
    library.tilebase_tables_free.argtypes = [c.c_void_p]
    library.tilebase_solve.argtypes = [c.c_void_p, c.c_void_p, c.c_void_p, c.c_char_p, c.c_size_t, c.c_void_p]

    def call(name: str, *arguments: object) -> None:
        code = getattr(library, name)(*arguments)
        assert code == 0, (name, code, library.tilebase_message())

    assert library.tilebase_abi() == 2
    if POINTER_BYTES == 8:
        for structure, size in SIZES.items():
            assert c.sizeof(structure) == size, (structure, c.sizeof(structure), size)

    options = OpenOptions(struct_size=c.sizeof(OpenOptions), folder=sys.argv[2].encode(), spec=b"8/whole", threads=1)
    tables = c.c_void_p()
    call("tilebase_tables_open", c.byref(options), c.byref(tables))
    assert library.tilebase_tables_spec(tables) == b"8/whole"
    board = Board()
    call("tilebase_board_parse", b"8 6 7/2 5 4/3 0 1", c.c_size_t(0), c.c_size_t(0), c.byref(board), None)
    assert (board.rows, board.cols, bytes(board.cells[:9])) == (3, 3, bytes([8, 6, 7, 2, 5, 4, 3, 0, 1]))
    limits = SolveOptions(struct_size=c.sizeof(SolveOptions), threads=1, nodes=1_000_000)
    answer = Answer(struct_size=c.sizeof(Answer))
    moves = c.create_string_buffer(1024)
    call("tilebase_solve", tables, c.byref(board), c.byref(limits), moves, len(moves), c.byref(answer))
    assert (answer.status, answer.length, answer.lower_bound, answer.estimate) == (1, 31, 31, 31)
    assert len(moves.value) == 31 and 31 <= answer.expanded <= answer.generated < 1_000_000
    assert 0 < answer.elapsed_ns < 60 * 10**9
    limits.nodes = 10
    call("tilebase_solve", tables, c.byref(board), c.byref(limits), None, 0, c.byref(answer))
    assert answer.status == 5, answer.status
    options.spec = b"8/nothing"
    assert library.tilebase_tables_open(c.byref(options), c.byref(c.c_void_p())) == 6, library.tilebase_message()
    library.tilebase_tables_free(tables)
    print(f"libtilebase {library.tilebase_version().decode()}: {len(SIZES)} structures as published")


main()
