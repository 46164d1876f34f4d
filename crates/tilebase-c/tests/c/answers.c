/*
 * Answers the boards on standard input, a line each: status, length, lower bound, estimate, nodes, moves.
 * Every solution is replayed on its board.
 *
 *   answers SPEC FOLDER
 */
#include <inttypes.h>

#include "check.h"

int main(int argc, char **argv) {
  CHECK(argc == 3);
  tilebase_tables *tables = open_tables(argv[1], argv[2]);
  tilebase_board goal;
  EXPECT(TILEBASE_OK, tilebase_tables_goal(tables, &goal));
  char line[256];
  while (fgets(line, sizeof line, stdin) != NULL) {
    tilebase_board board = board_of(line);
    uint32_t estimate = 0;
    EXPECT(TILEBASE_OK, tilebase_estimate(tables, &board, &estimate));
    uint32_t same = 0;
    EXPECT(TILEBASE_OK, tilebase_estimate_all(tables, board.cells, 1, &same, NULL));
    CHECK(same == estimate);
    tilebase_solve_options options = TILEBASE_SOLVE_OPTIONS;
    options.threads = 1;
    tilebase_answer answer = TILEBASE_ANSWER;
    char moves[TILEBASE_MOVES_SIZE];
    EXPECT(TILEBASE_OK,
           tilebase_solve(tables, &board, &options, moves, sizeof moves, &answer));
    CHECK(answer.estimate == estimate);
    CHECK(strlen(moves) == answer.length);
    if (answer.status == TILEBASE_STATUS_OPTIMAL) {
      EXPECT(TILEBASE_OK, tilebase_board_apply(&board, moves, NULL));
      CHECK(board.rows == goal.rows && board.cols == goal.cols);
      CHECK(memcmp(board.cells, goal.cells, (size_t)(goal.rows * goal.cols)) == 0);
    }
    printf("%d %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu64 " %s\n", (int)answer.status,
           answer.length, answer.lower_bound, estimate, answer.generated, moves);
  }
  tilebase_tables_free(tables);
  return 0;
}
