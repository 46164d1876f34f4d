/*
 * Solutions that become shorter while a board is searched: within a time, until a limit, and until the
 * caller stops the search.
 *
 *   improve FOLDER
 */
#include "check.h"

typedef struct {
  tilebase_board board;
  tilebase_board goal;
  unsigned calls;
  unsigned calls_max;
  uint32_t estimate;
  uint32_t length;
  uint32_t lower_bound;
  double seconds;
} improvements;

static void check_solution(const improvements *of, const char *moves, uint32_t length) {
  tilebase_board board = of->board;
  CHECK(strlen(moves) == length);
  EXPECT(TILEBASE_OK, tilebase_board_apply(&board, moves, NULL));
  CHECK(memcmp(board.cells, of->goal.cells, (size_t)(board.rows * board.cols)) == 0);
}

static int32_t improved(void *data, const char *moves, uint32_t length, uint32_t lower_bound,
                        double seconds) {
  improvements *of = data;
  check_solution(of, moves, length);
  CHECK(of->calls == 0 || length < of->length);
  CHECK(lower_bound >= of->lower_bound && lower_bound <= length);
  CHECK(lower_bound >= of->estimate);
  CHECK(seconds >= of->seconds);
  of->length = length;
  of->lower_bound = lower_bound;
  of->seconds = seconds;
  of->calls++;
  return of->calls == of->calls_max;
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  tilebase_open_options options = TILEBASE_OPEN_OPTIONS;
  options.spec = "manhattan";
  options.folder = argv[1];
  options.rows = options.cols = 5;
  tilebase_tables *tables = NULL;
  EXPECT(TILEBASE_OK, tilebase_tables_open(&options, &tables));
  improvements of;
  memset(&of, 0, sizeof of);
  EXPECT(TILEBASE_OK, tilebase_tables_goal(tables, &of.goal));
  of.board = board_of("17 1 20 9 16/2 22 19 14 5/15 21 0 3 24/23 18 13 12 7/10 8 6 4 11");
  EXPECT(TILEBASE_OK, tilebase_estimate(tables, &of.board, &of.estimate));
  CHECK(of.estimate > 0);

  tilebase_solve_options search = TILEBASE_SOLVE_OPTIONS;
  search.within_ms = 500;
  search.solution = improved;
  search.solution_data = &of;
  tilebase_answer answer = TILEBASE_ANSWER;
  char moves[TILEBASE_MOVES_SIZE];
  EXPECT(TILEBASE_OK, tilebase_solve(tables, &of.board, &search, moves, sizeof moves, &answer));
  CHECK(answer.status == TILEBASE_STATUS_SOLVED);
  CHECK(of.calls > 0 && answer.length == of.length);
  CHECK(answer.lower_bound >= of.lower_bound && answer.lower_bound < answer.length);
  check_solution(&of, moves, answer.length);

  /* The first solution is enough: without a handle, and with one, which is then set. */
  search.within_ms = 0;
  search.time_ms = 60 * 1000;
  for (int round = 0; round < 2; round++) {
    tilebase_cancel *cancel = round == 0 ? NULL : tilebase_cancel_new();
    search.cancel = cancel;
    of.calls = 0;
    of.calls_max = 1;
    of.lower_bound = 0;
    of.seconds = 0;
    EXPECT(TILEBASE_OK,
           tilebase_solve(tables, &of.board, &search, moves, sizeof moves, &answer));
    CHECK(answer.status == TILEBASE_STATUS_SOLVED && of.calls == 1);
    CHECK(answer.length == of.length && answer.elapsed_ns < UINT64_C(50000000000));
    check_solution(&of, moves, answer.length);
    CHECK(tilebase_cancel_is_set(cancel) == round);
    tilebase_cancel_free(cancel);
  }

  /* Options of the first version end before these fields. */
  search.cancel = NULL;
  search.time_ms = 0;
  search.nodes = 1000;
  search.struct_size = offsetof(tilebase_solve_options, within_ms);
  of.calls = 0;
  EXPECT(TILEBASE_OK, tilebase_solve(tables, &of.board, &search, moves, sizeof moves, &answer));
  CHECK(answer.status == TILEBASE_STATUS_NODE_LIMIT && of.calls == 0 && moves[0] == 0);
  tilebase_tables_free(tables);
  printf("improve: passed\n");
  return 0;
}
