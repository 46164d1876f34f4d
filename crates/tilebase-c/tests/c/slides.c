/*
 * Slides of several tiles: lengths, bounds and solutions, and tables that count single tiles only.
 *
 *   slides FOLDER
 */
#include "check.h"

typedef struct {
  tilebase_board board;
  tilebase_board goal;
  unsigned calls;
} solutions;

static uint32_t slides_of(const char *moves) {
  uint32_t slides = 0;
  for (size_t i = 0; moves[i] != 0; i++) {
    slides += i == 0 || moves[i] != moves[i - 1];
  }
  return slides;
}

/* A solution: its length counts slides, of which some have several letters. Ends the search. */
static int32_t improved(void *data, const char *moves, uint32_t length, uint32_t lower_bound,
                        double seconds) {
  solutions *of = data;
  tilebase_board board = of->board;
  CHECK(slides_of(moves) == length && length < strlen(moves));
  CHECK(lower_bound > 0 && lower_bound <= length && seconds >= 0);
  EXPECT(TILEBASE_OK, tilebase_board_apply(&board, moves, NULL));
  CHECK(memcmp(board.cells, of->goal.cells, (size_t)(board.rows * board.cols)) == 0);
  of->calls++;
  return 1;
}

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
  CHECK(slides_of(moves) == slides);
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

  /* A buffer for as many letters as there are slides is too small; the answer is not lost. */
  options.spec = "manhattan";
  EXPECT(TILEBASE_OK, tilebase_tables_open(&options, &tables));
  tilebase_board board = board_of("8 6 7/2 5 4/3 0 1");
  tilebase_answer answer = TILEBASE_ANSWER;
  char small[21];
  EXPECT(TILEBASE_ERROR_BUFFER, tilebase_solve(tables, &board, NULL, small, sizeof small, &answer));
  CHECK(answer.length == 20 && slides_of(tilebase_moves()) == 20);
  CHECK(strlen(tilebase_moves()) > 20);
  tilebase_tables_free(tables);
  tables = NULL;

  options.rows = options.cols = 5;
  EXPECT(TILEBASE_OK, tilebase_tables_open(&options, &tables));
  solutions of = {board_of("17 1 20 9 16/2 22 19 14 5/15 21 0 3 24/23 18 13 12 7/10 8 6 4 11"),
                  board_of("1 2 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 18 19 20/21 22 23 24 0"), 0};
  tilebase_solve_options search = TILEBASE_SOLVE_OPTIONS;
  search.within_ms = 60000;
  search.solution = improved;
  search.solution_data = &of;
  EXPECT(TILEBASE_OK, tilebase_solve(tables, &of.board, &search, NULL, 0, &answer));
  CHECK(of.calls == 1 && answer.length == slides_of(tilebase_moves()));
  tilebase_tables_free(tables);
  tables = NULL;

  options.rows = options.cols = 3;
  options.spec = "8/whole";
  EXPECT(TILEBASE_ERROR_SPEC, tilebase_tables_open(&options, &tables));
  EXPECT_MESSAGE("8/whole does not bound slides of several tiles");
  CHECK(tables == NULL);
  printf("slides: passed\n");
  return 0;
}
