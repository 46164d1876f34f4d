// The header in C++, with every macro that begins a structure.
#include <tilebase.h>

#include <cstdio>

int main() {
  tilebase_open_options open = TILEBASE_OPEN_OPTIONS;
  tilebase_solve_options solve = TILEBASE_SOLVE_OPTIONS;
  tilebase_answer answer = TILEBASE_ANSWER;
  open.spec = "manhattan";
  open.rows = 3;
  open.cols = 3;
  tilebase_tables *tables = nullptr;
  tilebase_board board;
  if (tilebase_tables_open(&open, &tables) != TILEBASE_OK ||
      tilebase_board_parse("8 6 7/2 5 4/3 0 1", 0, 0, &board, nullptr) != TILEBASE_OK ||
      tilebase_solve(tables, &board, &solve, nullptr, 0, &answer) != TILEBASE_OK) {
    std::fprintf(stderr, "%s\n", tilebase_message());
    return 1;
  }
  tilebase_tables_free(tables);
  return answer.status == TILEBASE_STATUS_OPTIMAL && answer.length == 31 ? 0 : 1;
}
