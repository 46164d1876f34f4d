/* Prints names with their numbers: sizes and offsets of structures, and codes. */
#include "check.h"

#define SIZE(type) printf("%s %zu\n", #type, sizeof(type))
#define OFFSET(type, field) printf("%s.%s %zu\n", #type, #field, offsetof(type, field))
#define CODE(code) CHECK(strcmp(#code, tilebase_code_name(code)) == 0)

int main(void) {
  SIZE(tilebase_board);
  OFFSET(tilebase_board, rows);
  OFFSET(tilebase_board, cols);
  OFFSET(tilebase_board, cells);
  SIZE(tilebase_bytes);
  OFFSET(tilebase_bytes, data);
  OFFSET(tilebase_bytes, size);
  SIZE(tilebase_open_options);
  OFFSET(tilebase_open_options, struct_size);
  OFFSET(tilebase_open_options, flags);
  OFFSET(tilebase_open_options, folder);
  OFFSET(tilebase_open_options, spec);
  OFFSET(tilebase_open_options, goal);
  OFFSET(tilebase_open_options, rows);
  OFFSET(tilebase_open_options, cols);
  OFFSET(tilebase_open_options, threads);
  OFFSET(tilebase_open_options, memory_bytes);
  OFFSET(tilebase_open_options, cancel);
  OFFSET(tilebase_open_options, progress);
  OFFSET(tilebase_open_options, progress_data);
  SIZE(tilebase_solve_options);
  OFFSET(tilebase_solve_options, struct_size);
  OFFSET(tilebase_solve_options, threads);
  OFFSET(tilebase_solve_options, time_ms);
  OFFSET(tilebase_solve_options, nodes);
  OFFSET(tilebase_solve_options, cancel);
  OFFSET(tilebase_solve_options, within_ms);
  OFFSET(tilebase_solve_options, solution);
  OFFSET(tilebase_solve_options, solution_data);
  SIZE(tilebase_answer);
  OFFSET(tilebase_answer, struct_size);
  OFFSET(tilebase_answer, status);
  OFFSET(tilebase_answer, length);
  OFFSET(tilebase_answer, lower_bound);
  OFFSET(tilebase_answer, estimate);
  OFFSET(tilebase_answer, generated);
  OFFSET(tilebase_answer, expanded);
  OFFSET(tilebase_answer, lookups);
  OFFSET(tilebase_answer, elapsed_ns);
  CODE(TILEBASE_OK);
  CODE(TILEBASE_ERROR_NULL);
  CODE(TILEBASE_ERROR_ARGUMENT);
  CODE(TILEBASE_ERROR_STRUCT_SIZE);
  CODE(TILEBASE_ERROR_BOARD);
  CODE(TILEBASE_ERROR_MOVES);
  CODE(TILEBASE_ERROR_SPEC);
  CODE(TILEBASE_ERROR_MISSING);
  CODE(TILEBASE_ERROR_TABLE);
  CODE(TILEBASE_ERROR_NO_ROOM);
  CODE(TILEBASE_ERROR_SYSTEM);
  CODE(TILEBASE_ERROR_BUILD);
  CODE(TILEBASE_ERROR_CANCELLED);
  CODE(TILEBASE_ERROR_BUFFER);
  CODE(TILEBASE_ERROR_INTERNAL);
  return 0;
}
