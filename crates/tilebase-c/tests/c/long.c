/*
 * A long solution of a board of 64 cells, in a buffer and without one.
 *
 *   long FOLDER
 */
#include "check.h"

int main(int argc, char **argv) {
  CHECK(argc == 2);
  CHECK(tilebase_moves()[0] == 0);
  tilebase_open_options options = TILEBASE_OPEN_OPTIONS;
  options.spec = "manhattan";
  options.folder = argv[1];
  options.rows = 2;
  options.cols = 32;
  tilebase_tables *tables = NULL;
  EXPECT(TILEBASE_OK, tilebase_tables_open(&options, &tables));
  tilebase_board goal;
  EXPECT(TILEBASE_OK, tilebase_tables_goal(tables, &goal));
  /* The tiles in reverse order, of which one exchange makes a board with a solution. */
  tilebase_board board = goal;
  for (uint8_t cell = 0; cell < 63; cell++) {
    board.cells[cell] = (uint8_t)(63 - cell);
  }
  uint32_t estimate = 0;
  EXPECT(TILEBASE_OK, tilebase_estimate(tables, &board, &estimate));
  if (estimate == TILEBASE_INFINITE) {
    board.cells[0] = 62;
    board.cells[1] = 63;
  }

  tilebase_solve_options search = TILEBASE_SOLVE_OPTIONS;
  search.within_ms = 100;
  static char moves[TILEBASE_MOVES_SIZE];
  char small[64];
  memset(small, '?', sizeof small);
  for (int round = 0; round < 3; round++) {
    tilebase_answer answer = TILEBASE_ANSWER;
    if (round == 0) {
      EXPECT(TILEBASE_OK, tilebase_solve(tables, &board, &search, moves, sizeof moves, &answer));
      CHECK(strcmp(moves, tilebase_moves()) == 0);
    } else if (round == 1) {
      EXPECT(TILEBASE_ERROR_BUFFER,
             tilebase_solve(tables, &board, &search, small, sizeof small, &answer));
      EXPECT_MESSAGE("moves has 64 bytes, but");
      CHECK(small[0] == '?');
    } else {
      EXPECT(TILEBASE_OK, tilebase_solve(tables, &board, &search, NULL, 0, &answer));
    }
    CHECK(answer.status == TILEBASE_STATUS_SOLVED);
    CHECK(answer.length > 250 && answer.length == strlen(tilebase_moves()));
    tilebase_board end = board;
    EXPECT(TILEBASE_OK, tilebase_board_apply(&end, tilebase_moves(), NULL));
    CHECK(memcmp(end.cells, goal.cells, sizeof goal.cells) == 0);
  }

  /* A failure keeps the moves, an answer without a solution has none. */
  char kept = tilebase_moves()[0];
  EXPECT(TILEBASE_ERROR_NULL, tilebase_solve(tables, NULL, &search, NULL, 0, NULL));
  CHECK(kept != 0 && tilebase_moves()[0] == kept);
  uint8_t first = board.cells[0];
  board.cells[0] = board.cells[1];
  board.cells[1] = first;
  tilebase_answer answer = TILEBASE_ANSWER;
  EXPECT(TILEBASE_OK, tilebase_solve(tables, &board, &search, NULL, 0, &answer));
  CHECK(answer.status == TILEBASE_STATUS_UNSOLVABLE && tilebase_moves()[0] == 0);
  tilebase_tables_free(tables);
  printf("long: passed\n");
  return 0;
}
