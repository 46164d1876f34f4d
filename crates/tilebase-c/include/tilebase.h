/*
 * Tilebase for C: optimal solutions of sliding-tile puzzles, and lower bounds for searches of your own.
 *
 *   tilebase_open_options options = TILEBASE_OPEN_OPTIONS;
 *   options.spec = "8/whole";
 *   options.flags = TILEBASE_OPEN_BUILD;
 *   tilebase_tables *tables = NULL;
 *   if (tilebase_tables_open(&options, &tables) != TILEBASE_OK) {
 *     fprintf(stderr, "%s\n", tilebase_message());
 *   }
 *
 * Codes. A function that can fail returns a tilebase_code, which is TILEBASE_OK or says what went wrong;
 * tilebase_message() then has the details in words. What a pointer leads to is written only on TILEBASE_OK,
 * unless a function says otherwise.
 *
 * Pointers. A pointer must be NULL or lead to what its type says, for as long as the call runs. NULL where
 * a function does not allow it is answered with TILEBASE_ERROR_NULL. The library cannot tell any other wrong
 * pointer: it is undefined behaviour, and so is a handle that was freed.
 *
 * Ownership. Handles (tilebase_tables, tilebase_cancel) belong to the caller, who frees each once, by its
 * own function. Free functions take NULL. What else is returned or handed over is not to be freed by the
 * other side.
 *
 * Threads. Any number of threads may use one handle at once, and none has to lock anything. It is freed when
 * no other thread uses it any more. What is written to (buffers, answers, boards) is the caller's, and one
 * thread's at a time.
 *
 * Text is UTF-8 and ends with a zero byte.
 *
 * Made of the sources of the crate tilebase-c by `cargo xtask c-header`: do not edit it.
 */

#ifndef TILEBASE_H
#define TILEBASE_H

#include <stddef.h>
#include <stdint.h>

/** What every tilebase_open_options begins as. */
#define TILEBASE_OPEN_OPTIONS \
  {sizeof(tilebase_open_options), 0, NULL, NULL, NULL, 0, 0, 0, 0, NULL, NULL, NULL}

/** What every tilebase_solve_options begins as. */
#define TILEBASE_SOLVE_OPTIONS {sizeof(tilebase_solve_options), 0, 0, 0, NULL}

/** What every tilebase_answer begins as. */
#define TILEBASE_ANSWER {sizeof(tilebase_answer), (tilebase_status)0, 0, 0, 0, 0, 0, 0, 0}

/**
 * The number of this interface. It grows when something that was there changes or goes; what is
 * only added does not count.
 */
#define TILEBASE_ABI 1

/**
 * The most cells that a board has.
 */
#define TILEBASE_CELLS_MAX 36

/**
 * A buffer of so many bytes holds any board as text.
 */
#define TILEBASE_BOARD_TEXT_SIZE 128

/**
 * A buffer of so many bytes holds any shortest solution that is known: boards of 4 x 4 cells take
 * 80 moves at most. (One that is too small is an error, and nothing is written past it.)
 */
#define TILEBASE_MOVES_SIZE 1024

/**
 * The most threads that may be asked for.
 */
#define TILEBASE_THREADS_MAX 1024

/**
 * The estimate of a board that has no solution.
 */
#define TILEBASE_INFINITE 4294967295

/**
 * Build the tables that are missing, and keep them in the folder. Without it a table that is
 * missing is TILEBASE_ERROR_MISSING.
 */
#define TILEBASE_OPEN_BUILD 1

/**
 * Take the tables as they are. Otherwise every byte is held against the tables' digests while they
 * are opened, or was by an earlier process and is the same since. Damage that goes unnoticed makes
 * solutions longer, and nothing shows it.
 */
#define TILEBASE_OPEN_TRUST 2

/**
 * Copy the tables into memory of this process alone. Otherwise files are mapped and shared with
 * other processes, and bytes of the caller's are used where they are.
 */
#define TILEBASE_OPEN_COPY 4

/**
 * Bring all pages of mapped files in at once, instead of as they are touched.
 */
#define TILEBASE_OPEN_PREFAULT 8

/**
 * Keep all pages of mapped files in memory. The system limits how much a process may lock (ulimit
 * -l).
 */
#define TILEBASE_OPEN_LOCK 16

/**
 * Map files and bring their pages in as they are touched, which is the default at present.
 */
#define TILEBASE_OPEN_MAP 32

/**
 * What became of a call. The numbers stay as they are; more may come.
 *
 */
enum tilebase_code
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * It did what it says.
   */
  TILEBASE_OK = 0,
  /**
   * A pointer is NULL that must not be.
   */
  TILEBASE_ERROR_NULL = 1,
  /**
   * A number or a flag that means nothing, or text that is not UTF-8.
   */
  TILEBASE_ERROR_ARGUMENT = 2,
  /**
   * A `struct_size` that was not set, or a structure of a newer header with fields set that this
   * library does not know.
   */
  TILEBASE_ERROR_STRUCT_SIZE = 3,
  /**
   * Text or cells that are no board, or a board of another shape than the tables'.
   */
  TILEBASE_ERROR_BOARD = 4,
  /**
   * Text that is no moves, or a move that the board does not allow.
   */
  TILEBASE_ERROR_MOVES = 5,
  /**
   * A spec, heuristic or goal that there is not, or that do not go together.
   */
  TILEBASE_ERROR_SPEC = 6,
  /**
   * A table that is not there.
   */
  TILEBASE_ERROR_MISSING = 7,
  /**
   * A table that is damaged, is another one than its name says, is of a newer version, or was
   * written to while it was in use.
   */
  TILEBASE_ERROR_TABLE = 8,
  /**
   * Memory or disk have no room for the tables.
   */
  TILEBASE_ERROR_NO_ROOM = 9,
  /**
   * The operating system refused something: a file, a folder or a thread.
   */
  TILEBASE_ERROR_SYSTEM = 10,
  /**
   * A table that cannot be built.
   */
  TILEBASE_ERROR_BUILD = 11,
  /**
   * The caller cancelled the build of a table. (A search that was cancelled has an answer.)
   */
  TILEBASE_ERROR_CANCELLED = 12,
  /**
   * A buffer is too small. The message says what it takes.
   */
  TILEBASE_ERROR_BUFFER = 13,
  /**
   * A mistake in the library: please report it.
   */
  TILEBASE_ERROR_INTERNAL = 14,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum tilebase_code tilebase_code;
#else
typedef int32_t tilebase_code;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * How a search ended. The numbers stay as they are; more may come.
 */
enum tilebase_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The moves lead to the goal, and no fewer do.
   */
  TILEBASE_STATUS_OPTIMAL = 1,
  /**
   * The moves lead to the goal; no solution has fewer than `lower_bound`.
   */
  TILEBASE_STATUS_SOLVED = 2,
  /**
   * No moves lead to the goal.
   */
  TILEBASE_STATUS_UNSOLVABLE = 3,
  /**
   * The time ran out.
   */
  TILEBASE_STATUS_TIME_LIMIT = 4,
  /**
   * The nodes ran out.
   */
  TILEBASE_STATUS_NODE_LIMIT = 5,
  /**
   * The caller cancelled.
   */
  TILEBASE_STATUS_CANCELLED = 6,
  /**
   * The memory ran out.
   */
  TILEBASE_STATUS_MEMORY_LIMIT = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum tilebase_status tilebase_status;
#else
typedef int32_t tilebase_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Stops builds and searches from another thread.
 */
typedef struct tilebase_cancel tilebase_cancel;

/**
 * Open tables for one goal, shared by any number of threads.
 */
typedef struct tilebase_tables tilebase_tables;

/**
 * A board: `rows * cols` cells, row by row, each with the number of its tile, and 0 for the blank.
 * What stands behind the last cell does not matter.
 *
 * It may be filled in by hand: every function that takes a board checks it.
 */
typedef struct {
  /**
   * Rows, at least 2.
   */
  uint8_t rows;
  /**
   * Columns, at least 2.
   */
  uint8_t cols;
  /**
   * The tiles.
   */
  uint8_t cells[TILEBASE_CELLS_MAX];
} tilebase_board;

/**
 * Called while tables are built: `data` is that of the options, `table` the name of the table's
 * file, valid during the call, and `share` how much of it is done, from 0 to 1.
 *
 * It may be called by other threads than the one that waits for the tables, one after another. It
 * must return, and so neither throw nor jump out, and it must not free a handle. It may cancel.
 */
typedef void (*tilebase_progress)(void *data, const char *table, double share);

/**
 * What tables to open, and how. Begin with `TILEBASE_OPEN_OPTIONS`, which sets `struct_size` and
 * leaves all else to the library.
 */
typedef struct {
  /**
   * `sizeof(tilebase_open_options)`.
   */
  size_t struct_size;
  /**
   * `TILEBASE_OPEN_..`, added up.
   */
  uint64_t flags;
  /**
   * The folder of the tables. NULL: the one that all programs share, `$TILEBASE_DB` or that of
   * the user.
   */
  const char *folder;
  /**
   * The spec, such as "15/7-8"; a heuristic, such as "manhattan"; or the path of a spec file,
   * which ends in ".toml". NULL: the best tables that there are for the goal, or else a
   * heuristic without tables.
   */
  const char *spec;
  /**
   * The goal: "blank-last", "blank-first", "snail", a board, or the path of a file with one.
   * NULL: the blank in the last cell, or what the spec's file draws.
   */
  const char *goal;
  /**
   * Rows of the boards. 0: spec or goal tell.
   */
  size_t rows;
  /**
   * Columns of the boards. 0: spec or goal tell.
   */
  size_t cols;
  /**
   * How many threads check and build tables, and search if nothing else is said there. 0: one
   * for each core.
   */
  size_t threads;
  /**
   * The memory that tables and their builds may use. 0: what the machine has.
   */
  uint64_t memory_bytes;
  /**
   * What stops a build. NULL: nothing. It may be freed once the call has returned.
   */
  const tilebase_cancel *cancel;
  /**
   * Who is told how far a build is. NULL: nobody.
   */
  tilebase_progress progress;
  /**
   * What is handed to `progress`.
   */
  void *progress_data;
} tilebase_open_options;

/**
 * A table file that is in memory.
 */
typedef struct {
  /**
   * Its first byte.
   */
  const void *data;
  /**
   * How many bytes it has.
   */
  size_t size;
} tilebase_bytes;

/**
 * The limits of a search. Begin with `TILEBASE_SOLVE_OPTIONS`, which sets `struct_size` and no
 * limit.
 */
typedef struct {
  /**
   * `sizeof(tilebase_solve_options)`.
   */
  size_t struct_size;
  /**
   * How many threads search, at most TILEBASE_THREADS_MAX. 0: as many as the tables were opened
   * with.
   */
  size_t threads;
  /**
   * The longest time, in milliseconds. 0: no limit.
   */
  uint64_t time_ms;
  /**
   * The most nodes to generate. 0: no limit.
   */
  uint64_t nodes;
  /**
   * What stops the search. NULL: nothing.
   */
  const tilebase_cancel *cancel;
} tilebase_solve_options;

/**
 * What became of a search. Begin with `TILEBASE_ANSWER`, which sets `struct_size`.
 */
typedef struct {
  /**
   * `sizeof(tilebase_answer)`, set by the caller.
   */
  size_t struct_size;
  /**
   * How the search ended.
   */
  tilebase_status status;
  /**
   * How many moves were found; 0 where none were.
   */
  uint32_t length;
  /**
   * No solution has fewer moves; TILEBASE_INFINITE where there is none.
   */
  uint32_t lower_bound;
  /**
   * What the tables say without a search; TILEBASE_INFINITE where there is no solution.
   */
  uint32_t estimate;
  /**
   * Nodes generated: those whose estimate was asked for, pruned or not.
   */
  uint64_t generated;
  /**
   * Nodes expanded: those whose children were asked for.
   */
  uint64_t expanded;
  /**
   * Look-ups into tables.
   */
  uint64_t lookups;
  /**
   * How long it took, in nanoseconds.
   */
  uint64_t elapsed_ns;
} tilebase_answer;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The version of the library, such as "0.1.0". It is never freed. Any thread may call this at any
 * time.
 */
const char *tilebase_version(void);

/**
 * The number of the library's interface: `TILEBASE_ABI` of the header that it was compiled with. A
 * program goes with it if its own number is the same.
 */
uint32_t tilebase_abi(void);

/**
 * What the last call of this thread that did not return TILEBASE_OK says: what was expected, what
 * was found, what to do. It is "" before there was one, never NULL, and valid until the next such
 * call of this thread or its end.
 */
const char *tilebase_message(void);

/**
 * The name of a code, such as "TILEBASE_ERROR_BOARD". It is never NULL and never freed.
 */
const char *tilebase_code_name(int32_t code);

/**
 * Reads a board from text: "8 6 7/2 5 4/3 0 1", "867254301", the arrays of JSON, and more.
 *
 * Rows and columns may be 0: then the text tells, or the board is square. Where the text is no
 * board, `*position` is the byte of the text that is wrong, or SIZE_MAX where no single one is;
 * `position` may be NULL.
 *
 * Codes: TILEBASE_ERROR_BOARD; TILEBASE_ERROR_ARGUMENT for rows and columns that are no shape or
 * text that is not UTF-8.
 *
 * Pointers: `text` leads to text that ends with a zero byte; `board` and `position` to memory that
 * this call has to itself.
 */
tilebase_code tilebase_board_parse(const char *text,
                                   size_t rows,
                                   size_t cols,
                                   tilebase_board *board,
                                   size_t *position);

/**
 * Makes a board of `rows * cols` cells that stand row by row, 0 for the blank.
 *
 * Where they are no board, `*position` is the number of the cell that is wrong, from 0, or
 * SIZE_MAX where no single one is; `position` may be NULL.
 *
 * Codes: TILEBASE_ERROR_BOARD.
 *
 * Pointers: `cells` leads to `rows * cols` bytes; `board` and `position` to memory that this call
 * has to itself.
 */
tilebase_code tilebase_board_from_cells(size_t rows,
                                        size_t cols,
                                        const uint8_t *cells,
                                        tilebase_board *board,
                                        size_t *position);

/**
 * Writes a board as text, such as "8 6 7/2 5 4/3 0 1", with a zero byte at its end.
 * TILEBASE_BOARD_TEXT_SIZE bytes are enough for any board.
 *
 * Codes: TILEBASE_ERROR_BOARD; TILEBASE_ERROR_BUFFER, and nothing is written.
 *
 * Pointers: `board` leads to a board, and `text` to `size` bytes that this call has to itself.
 */
tilebase_code tilebase_board_format(const tilebase_board *board, char *text, size_t size);

/**
 * Makes moves on a board: letters U, R, D and L, for the direction that a tile moves in, as
 * tilebase_solve writes them.
 *
 * Where they cannot be made, the board stays as it was, and `*position` is the number of the first
 * move that is wrong, from 0; `position` may be NULL.
 *
 * Codes: TILEBASE_ERROR_BOARD, TILEBASE_ERROR_MOVES.
 *
 * Pointers: `board` leads to a board that this call has to itself, as has `position`; `moves` to
 * text that ends with a zero byte.
 */
tilebase_code tilebase_board_apply(tilebase_board *board, const char *moves, size_t *position);

/**
 * Opens the tables of a spec for one goal, from a folder, and builds those that are missing if the
 * flags say so.
 *
 * It returns when every table was checked, so that no later call waits for that. On TILEBASE_OK
 * `*tables` is a handle that the caller frees by tilebase_tables_free; otherwise it is NULL. The
 * options, and what they lead to, are not needed any more when it returns.
 *
 * Files must stay as they are while they are mapped: they may be removed, or replaced by a rename,
 * but not written to or cut short. TILEBASE_OPEN_COPY does without that.
 *
 * Codes: TILEBASE_ERROR_ARGUMENT, TILEBASE_ERROR_STRUCT_SIZE, TILEBASE_ERROR_BOARD (goal and spec
 * have other shapes), TILEBASE_ERROR_SPEC, TILEBASE_ERROR_MISSING, TILEBASE_ERROR_TABLE,
 * TILEBASE_ERROR_NO_ROOM, TILEBASE_ERROR_SYSTEM, TILEBASE_ERROR_BUILD, TILEBASE_ERROR_CANCELLED.
 *
 * Pointers: `options` leads to options whose size is set and whose pointers are NULL or lead to
 * what they say; `tables` to memory that this call has to itself.
 */
tilebase_code tilebase_tables_open(const tilebase_open_options *options, tilebase_tables **tables);

/**
 * Opens the tables of a spec for one goal from table files that are in memory, in any order.
 * Nothing is read from a folder, and nothing is built.
 *
 * The bytes are used where they are: they must stay there, unchanged, until the handle is freed.
 * With TILEBASE_OPEN_COPY they are copied, and not needed any more when it returns. They need no
 * alignment.
 *
 * Where the options name no spec, the best one serves whose tables are all there. All else is as
 * for tilebase_tables_open; a table of the spec that is not among the files is
 * TILEBASE_ERROR_MISSING, and bytes that are no whole table are TILEBASE_ERROR_TABLE.
 *
 * Pointers: As for tilebase_tables_open; `files` leads to `file_count` structures, each of which
 * leads to so many bytes as it says.
 */
tilebase_code tilebase_tables_open_memory(const tilebase_open_options *options,
                                          const tilebase_bytes *files,
                                          size_t file_count,
                                          tilebase_tables **tables);

/**
 * Frees tables. NULL is fine. No other thread may use them any more, and using them afterwards is
 * undefined behaviour.
 *
 * Pointers: `tables` is NULL or came from this library, is freed for the first time, and nobody
 * uses it now or later.
 */
void tilebase_tables_free(tilebase_tables *tables);

/**
 * The name of the spec or heuristic that boards are looked up in: that of the options, or the one
 * that was chosen. It is valid until the tables are freed; NULL where `tables` is NULL.
 *
 * Pointers: `tables` is NULL or an open handle.
 */
const char *tilebase_tables_spec(const tilebase_tables *tables);

/**
 * The bytes of all tables together; 0 where `tables` is NULL.
 *
 * Pointers: `tables` is NULL or an open handle.
 */
uint64_t tilebase_tables_bytes(const tilebase_tables *tables);

/**
 * The goal that boards are solved to, which also tells their shape.
 *
 * Pointers: `tables` is NULL or an open handle; `goal` leads to memory that this call has to
 * itself.
 */
tilebase_code tilebase_tables_goal(const tilebase_tables *tables, tilebase_board *goal);

/**
 * Looks a board up: a lower bound of the moves to the goal, without a search. It is
 * TILEBASE_INFINITE for a board that has no solution. (A learned heuristic, net:FILE, gives no lower
 * bound but a guess.)
 *
 * It allocates nothing, and takes a system call for each mapped table, which tells whether its
 * file is still the same; tilebase_estimate_all does that once for many boards.
 *
 * Codes: TILEBASE_ERROR_BOARD; TILEBASE_ERROR_TABLE for a table that turns out to be damaged or
 * was written to.
 *
 * Pointers: `tables` is an open handle, `board` leads to a board, and `estimate` to memory that
 * this call has to itself.
 */
tilebase_code tilebase_estimate(const tilebase_tables *tables,
                                const tilebase_board *board,
                                uint32_t *estimate);

/**
 * Looks `count` boards up, as tilebase_estimate does one. `cells` has the cells of all of them,
 * one board after another, each row by row and of the tables' shape, and `estimates` room for a
 * number each.
 *
 * It allocates nothing and starts no thread; several threads may share out the boards among
 * themselves. It ends at the first board that is none: then `*position` is its number, from 0, and
 * the boards before have their estimates, which count if the tables are not damaged. `position`
 * may be NULL.
 *
 * Codes: TILEBASE_ERROR_BOARD, TILEBASE_ERROR_TABLE (no estimate counts; `*position` is SIZE_MAX),
 * TILEBASE_ERROR_ARGUMENT for more boards than memory holds.
 *
 * Pointers: `tables` is an open handle, `cells` leads to `count` times as many bytes as its boards
 * have cells, `estimates` to `count` numbers that this call has to itself, as has `position`.
 */
tilebase_code tilebase_estimate_all(const tilebase_tables *tables,
                                    const uint8_t *cells,
                                    size_t count,
                                    uint32_t *estimates,
                                    size_t *position);

/**
 * Solves a board, with as few moves as possible.
 *
 * A board without a solution, a limit and a cancelled search are answers, not errors:
 * `answer->status` tells.
 *
 * `moves` takes the letters of the moves, U, R, D and L for the direction that a tile moves in,
 * and a zero byte; where no moves were found it is "". TILEBASE_MOVES_SIZE bytes are enough. If
 * `size` is too small for them, the code is TILEBASE_ERROR_BUFFER, `*answer` is there, and
 * `answer->length + 1` bytes are needed. Who only wants the answer gives NULL and 0. `options` may
 * be NULL: then there are no limits.
 *
 * It starts threads, as many as the options say, which have ended when it returns.
 *
 * Codes: TILEBASE_ERROR_BOARD, TILEBASE_ERROR_STRUCT_SIZE, TILEBASE_ERROR_BUFFER;
 * TILEBASE_ERROR_TABLE for a table that turns out to be damaged or was written to;
 * TILEBASE_ERROR_SYSTEM.
 *
 * Pointers: `tables` is an open handle and `board` leads to a board; `options` and `answer` lead
 * to structures whose size is set, `moves` to `size` bytes. The call has `answer` and `moves` to
 * itself.
 */
tilebase_code tilebase_solve(const tilebase_tables *tables,
                             const tilebase_board *board,
                             const tilebase_solve_options *options,
                             char *moves,
                             size_t size,
                             tilebase_answer *answer);

/**
 * Makes a handle that stops builds and searches which it is given to. The caller frees it by
 * tilebase_cancel_free. It is NULL only where the library has a mistake.
 */
tilebase_cancel *tilebase_cancel_new(void);

/**
 * Stops all work that the handle was given to, and all that it will be given to, as soon as that
 * looks: within milliseconds. Any thread may call this, and so may a signal handler. NULL is fine.
 *
 * Pointers: `cancel` is NULL or a handle that was not freed.
 */
void tilebase_cancel_now(const tilebase_cancel *cancel);

/**
 * Makes a handle stop nothing any more, so that it can be used again. NULL is fine.
 *
 * Pointers: `cancel` is NULL or a handle that was not freed.
 */
void tilebase_cancel_reset(const tilebase_cancel *cancel);

/**
 * Whether the handle stops what it is given to: 1 or 0; 0 where it is NULL.
 *
 * Pointers: `cancel` is NULL or a handle that was not freed.
 */
int32_t tilebase_cancel_is_set(const tilebase_cancel *cancel);

/**
 * Frees a handle. NULL is fine. No call that it was given to may be under way.
 *
 * Pointers: `cancel` is NULL or came from this library, is freed for the first time, and nobody
 * uses it now or later.
 */
void tilebase_cancel_free(tilebase_cancel *cancel);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TILEBASE_H */
