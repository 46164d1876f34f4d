/*
 * Solves a board of the 8-puzzle, and looks it up without a search.
 *
 *   cc solve.c $(pkg-config --cflags --libs tilebase) -o solve
 *   ./solve "8 6 7/2 5 4/3 0 1"
 *
 * A second word names the folder of the tables; those that are missing are built there.
 */
#include <inttypes.h>
#include <stdio.h>
#include <tilebase.h>

static int fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, tilebase_message());
  return 1;
}

static int solve(const tilebase_tables *tables, const char *text) {
  tilebase_board board;
  if (tilebase_board_parse(text, 0, 0, &board, NULL) != TILEBASE_OK) return fail(text);

  uint32_t estimate;
  if (tilebase_estimate(tables, &board, &estimate) != TILEBASE_OK) return fail(text);
  if (estimate == TILEBASE_INFINITE) {
    printf("no solution\n");
    return 0;
  }
  printf("at least %" PRIu32 " moves\n", estimate);

  tilebase_solve_options options = TILEBASE_SOLVE_OPTIONS;
  options.time_ms = 60 * 1000;
  tilebase_answer answer = TILEBASE_ANSWER;
  char moves[TILEBASE_MOVES_SIZE];
  if (tilebase_solve(tables, &board, &options, moves, sizeof moves, &answer) != TILEBASE_OK) {
    return fail(text);
  }
  if (answer.status != TILEBASE_STATUS_OPTIMAL) {
    printf("not solved in a minute: at least %" PRIu32 " moves\n", answer.lower_bound);
    return 1;
  }
  printf("%" PRIu32 " moves: %s\n", answer.length, moves);
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s BOARD [FOLDER]\n", argv[0]);
    return 2;
  }
  tilebase_open_options options = TILEBASE_OPEN_OPTIONS;
  options.spec = "8/whole";
  options.folder = argc > 2 ? argv[2] : NULL;
  options.flags = TILEBASE_OPEN_BUILD;
  tilebase_tables *tables;
  if (tilebase_tables_open(&options, &tables) != TILEBASE_OK) return fail("cannot open tables");

  int status = solve(tables, argv[1]);
  tilebase_tables_free(tables);
  return status;
}
