/*
 * Tilebase for C: optimal solutions of sliding-tile puzzles, and lower bounds for your own searches.
 *
 *   tilebase_open_options options = TILEBASE_OPEN_OPTIONS;
 *   options.spec = "8/whole";
 *   options.flags = TILEBASE_OPEN_BUILD;
 *   tilebase_tables *tables = NULL;
 *   if (tilebase_tables_open(&options, &tables) != TILEBASE_OK) {
 *     fprintf(stderr, "%s\n", tilebase_message());
 *   }
 *
 * Codes. A function that can fail returns a tilebase_code: TILEBASE_OK, or the kind of the problem. After a
 * failure, tilebase_message() has the details in words. Results are written only on TILEBASE_OK, unless a
 * function says otherwise.
 *
 * Pointers. A pointer must be NULL or point to a value of its type, which stays valid during the call. If a
 * function does not allow NULL, it returns TILEBASE_ERROR_NULL. The library cannot detect other wrong
 * pointers: to pass one, or a freed handle, is undefined behaviour.
 *
 * Ownership. Handles (tilebase_tables, tilebase_cancel) belong to the caller, who frees each once with its own
 * free function. The free functions accept NULL. All other memory is freed by the side that allocated it.
 *
 * Threads. Any number of threads may use one handle at once, without a lock. Free a handle only when no other
 * thread uses it. Results (buffers, answers, boards) belong to the caller, and only one thread at a time may
 * access them.
 *
 * Text is UTF-8 and ends with a zero byte.
 *
 * Generated from the sources of the crate tilebase-c by `crates/tilebase-c/make-header`: do not edit.
 */

#ifndef TILEBASE_H
#define TILEBASE_H

#include <stddef.h>
#include <stdint.h>

/** Initial value of every tilebase_open_options. */
#define TILEBASE_OPEN_OPTIONS \
  {sizeof(tilebase_open_options), 0, NULL, NULL, NULL, 0, 0, 0, 0, NULL, NULL, NULL}

/** Initial value of every tilebase_solve_options. */
#define TILEBASE_SOLVE_OPTIONS {sizeof(tilebase_solve_options), 0, 0, 0, NULL, 0, NULL, NULL}

/** Initial value of every tilebase_answer. */
#define TILEBASE_ANSWER {sizeof(tilebase_answer), (tilebase_status)0, 0, 0, 0, 0, 0, 0, 0}

/**
 * The version of this interface. It grows when something is changed or removed, not when something
 * is added.
 */
#define TILEBASE_ABI 2

/**
 * Largest number of cells of a board.
 */
#define TILEBASE_CELLS_MAX 64

/**
 * Size of a buffer that holds any board as text, in bytes.
 */
#define TILEBASE_BOARD_TEXT_SIZE 128

/**
 * Size in bytes of a buffer for the moves of any answer. The shortest solutions of 4 x 4 boards
 * have at most 80 moves, but the first solutions of 2 x 32 boards have thousands. (A buffer that
 * is too small is an error, nothing is written past its end, and tilebase_moves has the moves.)
 */
#define TILEBASE_MOVES_SIZE 16384

/**
 * Largest number of threads of a call.
 */
#define TILEBASE_THREADS_MAX 1024

/**
 * The estimate of a board that has no solution.
 */
#define TILEBASE_INFINITE 4294967295

/**
 * Build missing tables and keep them in the folder. Without this flag a missing table is
 * TILEBASE_ERROR_MISSING.
 */
#define TILEBASE_OPEN_BUILD 1

/**
 * Skip the check of the tables. Without this flag, opening checks every byte against the tables'
 * digests, unless an earlier process checked the file and it is unchanged. Undetected damage can
 * make solutions too long, without any sign of it.
 */
#define TILEBASE_OPEN_TRUST 2

/**
 * Copy the tables into private memory of this process. Without this flag, files are mapped and
 * shared with other processes, and the caller's bytes are used in place.
 */
#define TILEBASE_OPEN_COPY 4

/**
 * Read all pages of mapped files at once, instead of on first access.
 */
#define TILEBASE_OPEN_PREFAULT 8

/**
 * Lock all pages of mapped files in memory. The system limits the bytes that a process may lock
 * (ulimit -l).
 */
#define TILEBASE_OPEN_LOCK 16

/**
 * Map files and read their pages on first access, which is the default.
 */
#define TILEBASE_OPEN_MAP 32

/**
 * Count a slide of one or more tiles of a line at once as one move: in estimates, lengths and
 * lower bounds. Moves are written as letters of single tiles; equal letters in a row are one
 * slide, so that a solution has as many letters as its length or more.
 */
#define TILEBASE_OPEN_SLIDES 64

/**
 * Result of a call. The numbers never change; more may come.
 *
 */
enum tilebase_code
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Success.
   */
  TILEBASE_OK = 0,
  /**
   * A pointer that must not be NULL is NULL.
   */
  TILEBASE_ERROR_NULL = 1,
  /**
   * A number or a flag without a meaning, or text that is not UTF-8.
   */
  TILEBASE_ERROR_ARGUMENT = 2,
  /**
   * A `struct_size` that was not set, or a structure of a newer header that sets fields which
   * this library does not know.
   */
  TILEBASE_ERROR_STRUCT_SIZE = 3,
  /**
   * Text or cells that are no board, or a board whose shape is not that of the tables.
   */
  TILEBASE_ERROR_BOARD = 4,
  /**
   * Text that is no list of moves, or a move that the board does not allow.
   */
  TILEBASE_ERROR_MOVES = 5,
  /**
   * An unknown spec, heuristic or goal, or some that do not fit each other.
   */
  TILEBASE_ERROR_SPEC = 6,
  /**
   * A missing table.
   */
  TILEBASE_ERROR_MISSING = 7,
  /**
   * A table that is damaged, has another content than its name says, has a newer version, or was
   * written to while it was in use.
   */
  TILEBASE_ERROR_TABLE = 8,
  /**
   * Too little memory or disk for the tables.
   */
  TILEBASE_ERROR_NO_ROOM = 9,
  /**
   * The operating system refused a file, a folder or a thread.
   */
  TILEBASE_ERROR_SYSTEM = 10,
  /**
   * A table that cannot be built.
   */
  TILEBASE_ERROR_BUILD = 11,
  /**
   * The caller cancelled the build of a table. (A cancelled search has an answer.)
   */
  TILEBASE_ERROR_CANCELLED = 12,
  /**
   * A buffer is too small. The message has the size that is needed.
   */
  TILEBASE_ERROR_BUFFER = 13,
  /**
   * A bug of the library: please report it.
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
 * Reason that a search ended. The numbers never change; more may come.
 */
enum tilebase_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The moves are a shortest solution.
   */
  TILEBASE_STATUS_OPTIMAL = 1,
  /**
   * The moves are a solution, the shortest known one when the search ended; no solution has
   * fewer moves than `lower_bound`.
   */
  TILEBASE_STATUS_SOLVED = 2,
  /**
   * No moves lead to the goal.
   */
  TILEBASE_STATUS_UNSOLVABLE = 3,
  /**
   * The time ran out before a solution was known.
   */
  TILEBASE_STATUS_TIME_LIMIT = 4,
  /**
   * The nodes ran out before a solution was known.
   */
  TILEBASE_STATUS_NODE_LIMIT = 5,
  /**
   * The caller cancelled before a solution was known.
   */
  TILEBASE_STATUS_CANCELLED = 6,
  /**
   * The memory ran out before a solution was known.
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
 * Bytes after the last cell are ignored.
 *
 * A program may fill it in: every function that takes a board checks it.
 */
typedef struct {
  /**
   * Rows, at least 1.
   */
  uint8_t rows;
  /**
   * Columns, at least 1, with 2 to 64 cells in all.
   */
  uint8_t cols;
  /**
   * The tiles.
   */
  uint8_t cells[TILEBASE_CELLS_MAX];
} tilebase_board;

/**
 * Function that is called while tables are built. `data` is `progress_data` of the options.
 * `table` is the name of the table's file, valid during the call. `share` is the finished share of
 * this table, from 0 to 1.
 *
 * Calls may come from other threads than the one that waits for the tables, but never two at once.
 * The function must return normally: it must neither throw nor use longjmp. It must not free a
 * handle. It may cancel the build.
 */
typedef void (*tilebase_progress)(void *data, const char *table, double share);

/**
 * Options for opening tables. Initialise them with `TILEBASE_OPEN_OPTIONS`, which sets
 * `struct_size` and the defaults.
 */
typedef struct {
  /**
   * `sizeof(tilebase_open_options)`.
   */
  size_t struct_size;
  /**
   * Sum of `TILEBASE_OPEN_..` flags.
   */
  uint64_t flags;
  /**
   * The folder of the tables. NULL: `$TILEBASE_DB` if it is set, else the default folder of all
   * programs.
   */
  const char *folder;
  /**
   * The spec, such as "15/7-8"; a heuristic, such as "manhattan"; or the path of a spec file,
   * which ends in ".toml". NULL: the best tables in the folder for the goal, or a heuristic
   * without tables if there are none.
   */
  const char *spec;
  /**
   * The goal: "blank-last", "blank-first", "snail", a board, or the path of a file with one.
   * NULL: the blank in the last cell, or the goal that the spec's file draws.
   */
  const char *goal;
  /**
   * Rows of the boards. 0: those of the spec or the goal.
   */
  size_t rows;
  /**
   * Columns of the boards. 0: those of the spec or the goal.
   */
  size_t cols;
  /**
   * Number of threads that check and build tables, and the default for searches. 0: one for each
   * core.
   */
  size_t threads;
  /**
   * Memory limit of tables and their builds, in bytes. 0: the memory of the machine.
   */
  uint64_t memory_bytes;
  /**
   * The handle that stops a build, or NULL. It may be freed once the call has returned.
   */
  const tilebase_cancel *cancel;
  /**
   * The function that receives the progress of a build, or NULL.
   */
  tilebase_progress progress;
  /**
   * The first argument of `progress`.
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
   * Its size in bytes.
   */
  size_t size;
} tilebase_bytes;

/**
 * Function that is called with each solution of a search that is shorter than all before. `data`
 * is `solution_data` of the options. `moves` are the letters of the solution, valid during the
 * call. `length` is its number of moves, which is that of the letters unless TILEBASE_OPEN_SLIDES
 * counts slides. No solution has fewer than `lower_bound` moves. `seconds` is the time since the
 * search began.
 *
 * A result other than 0 stops the search, which then has this solution as its answer. If the
 * options have a `cancel`, this also sets it, as tilebase_cancel_now does.
 *
 * Calls may come from other threads than the one that waits for the answer, but never two at once.
 * The function must return normally: it must neither throw nor use longjmp. It must not free a
 * handle.
 */
typedef int32_t (*tilebase_solution)(void *data,
                                     const char *moves,
                                     uint32_t length,
                                     uint32_t lower_bound,
                                     double seconds);

/**
 * The limits of a search. Initialise them with `TILEBASE_SOLVE_OPTIONS`, which sets `struct_size`
 * and no limit.
 */
typedef struct {
  /**
   * `sizeof(tilebase_solve_options)`.
   */
  size_t struct_size;
  /**
   * Number of threads of the search, at most TILEBASE_THREADS_MAX. 0: that of the tables'
   * options.
   */
  size_t threads;
  /**
   * Time limit in milliseconds. 0: none.
   */
  uint64_t time_ms;
  /**
   * Limit on the nodes generated. 0: none.
   */
  uint64_t nodes;
  /**
   * The handle that stops the search, or NULL.
   */
  const tilebase_cancel *cancel;
  /**
   * Time in milliseconds after which the best known solution is the answer, even if it is not
   * proved to be a shortest one. 0: none.
   */
  uint64_t within_ms;
  /**
   * The function that receives each better solution, or NULL.
   */
  tilebase_solution solution;
  /**
   * The first argument of `solution`.
   */
  void *solution_data;
} tilebase_solve_options;

/**
 * Result of a search. Initialise it with `TILEBASE_ANSWER`, which sets `struct_size`.
 */
typedef struct {
  /**
   * `sizeof(tilebase_answer)`, set by the caller.
   */
  size_t struct_size;
  /**
   * Reason that the search ended.
   */
  tilebase_status status;
  /**
   * Number of moves found; 0 without a solution. With TILEBASE_OPEN_SLIDES, a move has one or
   * more letters.
   */
  uint32_t length;
  /**
   * Lower bound of the moves of any solution; TILEBASE_INFINITE if there is no solution.
   */
  uint32_t lower_bound;
  /**
   * The tables' estimate without a search; TILEBASE_INFINITE if there is no solution.
   */
  uint32_t estimate;
  /**
   * Nodes generated: those with an estimate, pruned or not.
   */
  uint64_t generated;
  /**
   * Nodes expanded: those whose children were generated.
   */
  uint64_t expanded;
  /**
   * Look-ups into tables.
   */
  uint64_t lookups;
  /**
   * Duration in nanoseconds.
   */
  uint64_t elapsed_ns;
} tilebase_answer;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Returns the version of the library, such as "0.1.0". It is never freed. Any thread may call this
 * at any time.
 */
const char *tilebase_version(void);

/**
 * Returns the version of the library's interface: `TILEBASE_ABI` of the header that the library
 * was compiled with. A program is compatible with the library if its own number is the same.
 */
uint32_t tilebase_abi(void);

/**
 * Returns the message of this thread's last failed call: what was expected, what was found, what
 * to do. It is never NULL, and "" before the first failure. It is valid until the next failure or
 * the end of the thread.
 */
const char *tilebase_message(void);

/**
 * Returns the name of a code, such as "TILEBASE_ERROR_BOARD". It is never NULL and never freed.
 */
const char *tilebase_code_name(int32_t code);

/**
 * Reads a board from text in any notation: "8 6 7/2 5 4/3 0 1", "867254301", JSON arrays, and
 * more.
 *
 * If rows and columns are 0, the text gives them, or the board is square. If the text is not a
 * board, `*position` is the index of the first wrong byte: of a repeated tile, the second copy. It
 * is SIZE_MAX if no single byte is wrong, and after success. `position` may be NULL.
 *
 * Codes: TILEBASE_ERROR_BOARD; TILEBASE_ERROR_ARGUMENT for rows and columns that are not a
 * supported shape, or text that is not UTF-8.
 *
 * Pointers: `text` points to text that ends with a zero byte; `board` and `position` point to
 * memory that nothing else accesses during the call.
 */
tilebase_code tilebase_board_parse(const char *text,
                                   size_t rows,
                                   size_t cols,
                                   tilebase_board *board,
                                   size_t *position);

/**
 * Reads a board as tilebase_board_parse does, with another sign of the blank.
 *
 * `blank` is the only sign of the blank: a number, such as "-1" or "8", or a character. Beside it,
 * tiles may count from 0; the board counts them from 1, with 0 for the blank. It may be NULL.
 *
 * Codes: those of tilebase_board_parse; TILEBASE_ERROR_ARGUMENT also for a `blank` that is
 * neither.
 *
 * Pointers: `text` and `blank` point to text that ends with a zero byte; `board` and `position`
 * point to memory that nothing else accesses during the call.
 */
tilebase_code tilebase_board_parse_with_blank(const char *text,
                                              size_t rows,
                                              size_t cols,
                                              const char *blank,
                                              tilebase_board *board,
                                              size_t *position);

/**
 * Makes a board of `rows * cols` cells, row by row, 0 for the blank.
 *
 * If the cells are not a board, `*position` is the index of the first wrong cell: of a repeated
 * tile, the second copy. It is SIZE_MAX if no single cell is wrong, and after success. `position`
 * may be NULL.
 *
 * Codes: TILEBASE_ERROR_BOARD; TILEBASE_ERROR_ARGUMENT for rows and columns that are not a
 * supported shape.
 *
 * Pointers: `cells` points to `rows * cols` bytes; `board` and `position` point to memory that
 * nothing else accesses during the call.
 */
tilebase_code tilebase_board_from_cells(size_t rows,
                                        size_t cols,
                                        const uint8_t *cells,
                                        tilebase_board *board,
                                        size_t *position);

/**
 * Writes a board as text with a zero byte at its end, such as "8 6 7/2 5 4/3 0 1". A buffer of
 * TILEBASE_BOARD_TEXT_SIZE bytes holds any board.
 *
 * Codes: TILEBASE_ERROR_BOARD; TILEBASE_ERROR_BUFFER (nothing is written).
 *
 * Pointers: `board` points to a board, and `text` to `size` bytes that nothing else accesses
 * during the call.
 */
tilebase_code tilebase_board_format(const tilebase_board *board, char *text, size_t size);

/**
 * Makes moves on a board. The moves are letters U, R, D and L, the directions of the tiles, as
 * tilebase_solve writes them.
 *
 * If a move is impossible, the board stays unchanged, and `*position` is the index of the first
 * wrong move. Otherwise it is SIZE_MAX. `position` may be NULL.
 *
 * Codes: TILEBASE_ERROR_BOARD, TILEBASE_ERROR_MOVES.
 *
 * Pointers: `board` points to a board and `moves` to text that ends with a zero byte. Nothing else
 * accesses `board` and `position` during the call.
 */
tilebase_code tilebase_board_apply(tilebase_board *board, const char *moves, size_t *position);

/**
 * Opens the tables of a spec for one goal from a folder. With TILEBASE_OPEN_BUILD, builds missing
 * tables.
 *
 * When it returns, every table is checked, so that no later call waits for the check. On
 * TILEBASE_OK, `*tables` is a handle that the caller frees with tilebase_tables_free; otherwise it
 * is NULL. The library keeps no pointer to the options or to the memory that they point to.
 *
 * Files must stay unchanged while they are mapped: they may be removed, or replaced by a rename,
 * but not written to or truncated. With TILEBASE_OPEN_COPY, they may change after the call.
 *
 * Codes: TILEBASE_ERROR_ARGUMENT, TILEBASE_ERROR_STRUCT_SIZE, TILEBASE_ERROR_BOARD (goal and spec
 * have other shapes), TILEBASE_ERROR_SPEC, TILEBASE_ERROR_MISSING, TILEBASE_ERROR_TABLE,
 * TILEBASE_ERROR_NO_ROOM, TILEBASE_ERROR_SYSTEM, TILEBASE_ERROR_BUILD, TILEBASE_ERROR_CANCELLED.
 *
 * Pointers: `options` points to options whose size is set and whose pointers are NULL or valid for
 * their fields; `tables` points to memory that nothing else accesses during the call.
 */
tilebase_code tilebase_tables_open(const tilebase_open_options *options, tilebase_tables **tables);

/**
 * Opens the tables of a spec for one goal from table files in memory, in any order. It reads no
 * folder and builds nothing.
 *
 * The bytes are used in place: they must stay there, unchanged, until the handle is freed. With
 * TILEBASE_OPEN_COPY, they are copied, and the caller may free them after the call. They need no
 * alignment.
 *
 * If the options name no spec, the call uses the best one whose tables are all given. Everything
 * else is as for tilebase_tables_open. If a table of the spec is not among the files, the code is
 * TILEBASE_ERROR_MISSING; if bytes are not a complete table, it is TILEBASE_ERROR_TABLE.
 *
 * Pointers: as for tilebase_tables_open; `files` points to `file_count` structures, and each of
 * these points to as many bytes as its size says.
 */
tilebase_code tilebase_tables_open_memory(const tilebase_open_options *options,
                                          const tilebase_bytes *files,
                                          size_t file_count,
                                          tilebase_tables **tables);

/**
 * Frees tables. NULL is allowed. No other thread may use them during the call, and using them
 * afterwards is undefined behaviour.
 *
 * Pointers: `tables` is NULL or came from this library, is freed for the first time, and is not
 * used now or later.
 */
void tilebase_tables_free(tilebase_tables *tables);

/**
 * Returns the name of the spec or heuristic of the look-ups: that of the options, or the one that
 * the library chose. It is valid until the tables are freed. It is NULL if `tables` is NULL.
 *
 * Pointers: `tables` is NULL or an open handle.
 */
const char *tilebase_tables_spec(const tilebase_tables *tables);

/**
 * Returns the size of all tables together in bytes; 0 if `tables` is NULL.
 *
 * Pointers: `tables` is NULL or an open handle.
 */
uint64_t tilebase_tables_bytes(const tilebase_tables *tables);

/**
 * Gets the goal of the tables, which also gives the shape of their boards.
 *
 * Pointers: `tables` is NULL or an open handle; `goal` points to memory that nothing else accesses
 * during the call.
 */
tilebase_code tilebase_tables_goal(const tilebase_tables *tables, tilebase_board *goal);

/**
 * Looks up a lower bound of the moves from a board to the goal, without a search. The estimate is
 * TILEBASE_INFINITE for a board without a solution. (The estimate of a learned heuristic,
 * net:FILE, may be too large.)
 *
 * It allocates nothing. It makes a system call for each mapped table, to check whether the file is
 * unchanged. tilebase_estimate_all makes these calls once for many boards.
 *
 * Codes: TILEBASE_ERROR_BOARD; TILEBASE_ERROR_TABLE for a table that is damaged or was written to.
 *
 * Pointers: `tables` is an open handle, `board` points to a board, and `estimate` to memory that
 * nothing else accesses during the call.
 */
tilebase_code tilebase_estimate(const tilebase_tables *tables,
                                const tilebase_board *board,
                                uint32_t *estimate);

/**
 * Looks up `count` boards, each as tilebase_estimate does. `cells` has the cells of all boards,
 * one board after another, each row by row. All boards have the tables' shape. `estimates` has
 * room for one number per board.
 *
 * It allocates nothing and starts no thread; several threads may share the boards among
 * themselves. It ends at the first invalid board. `*position` is then the index of this board, and
 * `estimates` has the estimates of the boards before it, which are right if the tables are not
 * damaged. Otherwise `*position` is SIZE_MAX. `position` may be NULL.
 *
 * Codes: TILEBASE_ERROR_BOARD, TILEBASE_ERROR_TABLE (no estimate is valid if `*position` is
 * SIZE_MAX), TILEBASE_ERROR_ARGUMENT for more boards than memory holds.
 *
 * Pointers: `tables` is an open handle, `cells` points to the cells of `count` boards, `estimates`
 * to `count` numbers. Nothing else accesses `estimates` and `position` during the call.
 */
tilebase_code tilebase_estimate_all(const tilebase_tables *tables,
                                    const uint8_t *cells,
                                    size_t count,
                                    uint32_t *estimates,
                                    size_t *position);

/**
 * Solves a board with as few moves as possible.
 *
 * If the board has no solution, a limit is reached or the search is cancelled, the call still
 * returns TILEBASE_OK, and `answer->status` has the reason. If a solution is known by then, the
 * status is TILEBASE_STATUS_SOLVED: `answer->length` is its number of moves, and no solution has
 * fewer than `answer->lower_bound`.
 *
 * `moves` receives the letters of the moves and a zero byte: U, R, D and L for the direction of
 * the tile, or "" without a solution. TILEBASE_MOVES_SIZE bytes are enough for any answer. If
 * `size` is too small, the code is TILEBASE_ERROR_BUFFER, `*answer` is set, and tilebase_moves
 * returns the letters. Callers that need no buffer pass NULL and 0. If `options` is NULL, the
 * search has no limits.
 *
 * With TILEBASE_OPEN_SLIDES, `answer->length` counts slides, which have one or more letters each.
 *
 * It starts as many threads as the options say. All of them have ended when it returns.
 *
 * Codes: TILEBASE_ERROR_BOARD, TILEBASE_ERROR_STRUCT_SIZE, TILEBASE_ERROR_BUFFER;
 * TILEBASE_ERROR_TABLE for a table that is damaged or was written to; TILEBASE_ERROR_SYSTEM.
 *
 * Pointers: `tables` is an open handle and `board` points to a board; `options` and `answer` point
 * to structures whose size is set, `moves` to `size` bytes. Nothing else accesses `answer` and
 * `moves` during the call. Any thread may call `options->solution` with `options->solution_data`
 * until the call has returned.
 */
tilebase_code tilebase_solve(const tilebase_tables *tables,
                             const tilebase_board *board,
                             const tilebase_solve_options *options,
                             char *moves,
                             size_t size,
                             tilebase_answer *answer);

/**
 * Returns the letters of the moves of this thread's last answer, as tilebase_solve writes them,
 * also if its buffer was too small. It is never NULL, and "" before the first answer. It is valid
 * until the next answer or the end of the thread.
 */
const char *tilebase_moves(void);

/**
 * Makes a handle that stops the builds and searches that have it in their options. The caller
 * frees it with tilebase_cancel_free. It is NULL only if the library has a bug.
 */
tilebase_cancel *tilebase_cancel_new(void);

/**
 * Stops all present and future work that has the handle, within milliseconds. Any thread and any
 * signal handler may call this. NULL is allowed.
 *
 * Pointers: `cancel` is NULL or a handle that was not freed.
 */
void tilebase_cancel_now(const tilebase_cancel *cancel);

/**
 * Resets a handle, so that it can be used again. NULL is allowed.
 *
 * Pointers: `cancel` is NULL or a handle that was not freed.
 */
void tilebase_cancel_reset(const tilebase_cancel *cancel);

/**
 * Returns 1 if the handle is set to stop work, and 0 if it is not set or is NULL.
 *
 * Pointers: `cancel` is NULL or a handle that was not freed.
 */
int32_t tilebase_cancel_is_set(const tilebase_cancel *cancel);

/**
 * Frees a handle. NULL is allowed. No running build or search may have the handle.
 *
 * Pointers: `cancel` is NULL or came from this library, is freed for the first time, and is not
 * used now or later.
 */
void tilebase_cancel_free(tilebase_cancel *cancel);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TILEBASE_H */
