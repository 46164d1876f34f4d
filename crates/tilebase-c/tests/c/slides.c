/*
 * Slides of several tiles: lengths, bounds and solutions, and tables that count single tiles only.
 *
 *   slides FOLDER
 */
#include "check.h"

/* Solves a board, and checks that the moves lead to the goal in the fewest slides. */
static void solve(const tilebase_tables *tables, const char *text, uint32_t slides) {
  tilebase_board board = board_of(text);
  tilebase_board goal;
  EXPECT(TILEBASE_OK, tilebase_tables_goal(tables, &goal));
  uint32_t estimate = 0;
  EXPECT(TILEBASE_OK, tilebase_estimate(tables, &board, &estimate));
  tilebase_answer answer = TILEBASE_ANSWER;
  char moves[TILEBASE_MOVES_SIZE];
  EXPECT(TILEBASE_OK, tilebase_solve(tables, &board, NULL, moves, sizeof moves, &answer));
  CHECK(answer.status == TILEBASE_STATUS_OPTIMAL);
  CHECK(answer.length == slides && answer.lower_bound == slides);
  CHECK(estimate <= slides && answer.estimate == estimate);
  uint32_t found = 0;
  for (size_t i = 0; moves[i] != 0; i++) {
    found += i == 0 || moves[i] != moves[i - 1];
  }
  CHECK(found == slides);
  EXPECT(TILEBASE_OK, tilebase_board_apply(&board, moves, NULL));
  CHECK(memcmp(board.cells, goal.cells, (size_t)(board.rows * board.cols)) == 0);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  const char *specs[] = {"generated/3x3/coloured-1-3-4", "manhattan", NULL};
  tilebase_open_options options = TILEBASE_OPEN_OPTIONS;
  options.folder = argv[1];
  options.rows = options.cols = 3;
  options.flags = TILEBASE_OPEN_SLIDES | TILEBASE_OPEN_BUILD;
  tilebase_tables *tables = NULL;
  for (size_t i = 0; i < 3; i++) {
    options.spec = specs[i];
    EXPECT(TILEBASE_OK, tilebase_tables_open(&options, &tables));
    solve(tables, "1 2 3/4 5 6/7 8 0", 0);
    solve(tables, "1 2 3/4 5 6/0 7 8", 1);
    solve(tables, "8 6 7/2 5 4/3 0 1", 20);
    tilebase_tables_free(tables);
    tables = NULL;
  }
  options.spec = "8/whole";
  EXPECT(TILEBASE_ERROR_SPEC, tilebase_tables_open(&options, &tables));
  EXPECT_MESSAGE("8/whole does not bound slides of several tiles");
  CHECK(tables == NULL);
  printf("slides: passed\n");
  return 0;
}
