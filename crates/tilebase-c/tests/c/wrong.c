/*
 * Bad input: an error that says what is wrong, and no result.
 *
 *   wrong FOLDER EMPTY_FOLDER DAMAGED_FILE GOOD_FILE
 *
 * The files are tables of 8/whole in separate folders. This program writes to the good one.
 */
#include "check.h"

static void boards(void) {
  tilebase_board board;
  size_t position = 7;
  EXPECT(TILEBASE_ERROR_BOARD, tilebase_board_parse("1 2 3/4 5 6/7 q 0", 0, 0, &board, &position));
  CHECK(position == 14);
  EXPECT_MESSAGE("row 3, column 2 holds \"q\"");
  EXPECT(TILEBASE_ERROR_BOARD, tilebase_board_parse("1 2 3/4 5 6/7 7 0", 0, 0, &board, &position));
  CHECK(position == 14);
  EXPECT_MESSAGE("tile 7 stands at row 3, column 1 and again at row 3, column 2, and tile 8 is missing");
  EXPECT(TILEBASE_ERROR_BOARD, tilebase_board_parse("1 2 3 4 5", 0, 0, &board, &position));
  CHECK(position == SIZE_MAX);
  EXPECT(TILEBASE_ERROR_BOARD, tilebase_board_parse("", 0, 0, &board, NULL));
  EXPECT(TILEBASE_ERROR_BOARD, tilebase_board_parse("1 2 3/4 5 0", 3, 3, &board, NULL));
  EXPECT(TILEBASE_ERROR_BOARD, tilebase_board_parse("1 2/3 0", 2, 3, &board, NULL));
  EXPECT(TILEBASE_ERROR_ARGUMENT, tilebase_board_parse("1 2 3/4 5 0", 9, 9, &board, &position));
  EXPECT(TILEBASE_ERROR_BOARD, tilebase_board_parse("1 2 3/4 5 0", 1, 6, &board, NULL));
  EXPECT_MESSAGE("expected a 1x6 board, found one of 2x3");
  EXPECT(TILEBASE_ERROR_ARGUMENT, tilebase_board_parse("1 2 3/4 5 0", 1, 1, &board, NULL));
  EXPECT(TILEBASE_ERROR_ARGUMENT, tilebase_board_parse("1 2 3/4 5 0", 0, 3, &board, NULL));
  position = 7;
  EXPECT(TILEBASE_ERROR_ARGUMENT, tilebase_board_parse("1 2 \xff/3 0", 0, 0, &board, &position));
  CHECK(position == SIZE_MAX);
  EXPECT_MESSAGE("text is no UTF-8");
  position = 7;
  EXPECT(TILEBASE_OK, tilebase_board_parse("1 2 3 4 5 0", 2, 3, &board, &position));
  CHECK(position == SIZE_MAX);
  CHECK(board.rows == 2 && board.cols == 3 && board.cells[4] == 5);

  const char *from_zero = "0 1 2/3 -1 4";
  EXPECT(TILEBASE_ERROR_BOARD, tilebase_board_parse(from_zero, 0, 0, &board, NULL));
  EXPECT_MESSAGE("or name the blank with tilebase_board_parse_with_blank");
  EXPECT(TILEBASE_OK, tilebase_board_parse_with_blank(from_zero, 0, 0, "-1", &board, &position));
  CHECK(board.cells[0] == 1 && board.cells[3] == 4 && board.cells[4] == 0 && board.cells[5] == 5);
  EXPECT(TILEBASE_OK, tilebase_board_parse_with_blank("1 2/3 0", 0, 0, NULL, &board, NULL));
  EXPECT(TILEBASE_ERROR_BOARD, tilebase_board_parse_with_blank("1 2/3 0", 0, 0, "8", &board, NULL));
  EXPECT_MESSAGE("no cell is 8, which was named as the blank");
  EXPECT(TILEBASE_ERROR_ARGUMENT, tilebase_board_parse_with_blank("1 2/3 0", 0, 0, "", &board, NULL));

  const uint8_t cells[] = {1, 2, 3, 4, 5, 9, 7, 8, 0};
  EXPECT(TILEBASE_ERROR_BOARD, tilebase_board_from_cells(3, 3, cells, &board, &position));
  CHECK(position == 5);
  EXPECT_MESSAGE("row 2, column 3 holds tile 9");
  const uint8_t twice[] = {1, 2, 3, 4, 5, 6, 7, 7, 0};
  EXPECT(TILEBASE_ERROR_BOARD, tilebase_board_from_cells(3, 3, twice, &board, &position));
  CHECK(position == 7);
  const size_t shapes[][2] = {{9, 9}, {1, 65}, {0, 0}, {SIZE_MAX, 2}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    position = 7;
    EXPECT(TILEBASE_ERROR_ARGUMENT,
           tilebase_board_from_cells(shapes[i][0], shapes[i][1], cells, &board, &position));
    CHECK(position == SIZE_MAX);
  }
  position = 7;
  EXPECT(TILEBASE_ERROR_NULL, tilebase_board_from_cells(3, 3, NULL, &board, &position));
  CHECK(position == SIZE_MAX);

  board = board_of("1 2 3/4 5 6/7 8 0");
  EXPECT(TILEBASE_ERROR_MOVES, tilebase_board_apply(&board, "DDD", &position));
  CHECK(position == 2);
  EXPECT(TILEBASE_ERROR_MOVES, tilebase_board_apply(&board, "Dx", &position));
  CHECK(position == 1);
  CHECK(board.cells[8] == 0);
  EXPECT(TILEBASE_OK, tilebase_board_apply(&board, "DDRUUL", NULL));
  char text[TILEBASE_BOARD_TEXT_SIZE];
  EXPECT(TILEBASE_OK, tilebase_board_format(&board, text, sizeof text));
  EXPECT(TILEBASE_ERROR_BUFFER, tilebase_board_format(&board, text, strlen(text)));
  EXPECT_MESSAGE("text has 17 bytes, but 18 are needed");
  EXPECT(TILEBASE_OK, tilebase_board_format(&board, text, strlen(text) + 1));
  board.cells[0] = board.cells[1];
  EXPECT(TILEBASE_ERROR_BOARD, tilebase_board_format(&board, text, sizeof text));
  board.rows = 200;
  EXPECT(TILEBASE_ERROR_BOARD, tilebase_board_format(&board, text, sizeof text));

  /* The largest board. */
  uint8_t most[TILEBASE_CELLS_MAX];
  for (uint8_t cell = 0; cell < TILEBASE_CELLS_MAX; cell++) most[cell] = cell;
  EXPECT(TILEBASE_OK, tilebase_board_from_cells(2, 18, most, &board, NULL));
  EXPECT(TILEBASE_OK, tilebase_board_format(&board, text, sizeof text));
  CHECK(strlen(text) < TILEBASE_BOARD_TEXT_SIZE);
}

static void opening(const char *folder, const char *empty) {
  tilebase_open_options options = TILEBASE_OPEN_OPTIONS;
  tilebase_tables *tables = (tilebase_tables *)&options;
  options.folder = folder;
  options.spec = "8/wole";
  EXPECT(TILEBASE_ERROR_SPEC, tilebase_tables_open(&options, &tables));
  CHECK(tables == NULL);
  EXPECT_MESSAGE("8/whole");
  options.spec = "nowhere.toml";
  EXPECT(TILEBASE_ERROR_SPEC, tilebase_tables_open(&options, &tables));
  options.spec = "8/whole";
  options.goal = "1 2 3/4 5 6/7 8 8";
  EXPECT(TILEBASE_ERROR_BOARD, tilebase_tables_open(&options, &tables));
  options.goal = "1 2/3 0";
  EXPECT(TILEBASE_ERROR_SPEC, tilebase_tables_open(&options, &tables));
  options.goal = NULL;
  options.rows = 4;
  EXPECT(TILEBASE_ERROR_ARGUMENT, tilebase_tables_open(&options, &tables));
  options.cols = 4;
  EXPECT(TILEBASE_ERROR_BOARD, tilebase_tables_open(&options, &tables));
  options.rows = options.cols = 0;
  options.flags = UINT64_C(1) << 40;
  EXPECT(TILEBASE_ERROR_ARGUMENT, tilebase_tables_open(&options, &tables));
  options.flags = TILEBASE_OPEN_COPY | TILEBASE_OPEN_LOCK;
  EXPECT(TILEBASE_ERROR_ARGUMENT, tilebase_tables_open(&options, &tables));
  options.flags = 0;
  options.folder = empty;
  EXPECT(TILEBASE_ERROR_MISSING, tilebase_tables_open(&options, &tables));
  EXPECT_MESSAGE("there is no such table");
  EXPECT_MESSAGE("TILEBASE_OPEN_BUILD");
  options.spec = "manhattan";
  EXPECT(TILEBASE_ERROR_ARGUMENT, tilebase_tables_open(&options, &tables));
  EXPECT_MESSAGE("set rows and cols");
  options.spec = "a\xff";
  EXPECT(TILEBASE_ERROR_ARGUMENT, tilebase_tables_open(&options, &tables));
  options.spec = "8/whole";
  options.memory_bytes = 1;
  options.flags = TILEBASE_OPEN_BUILD;
  EXPECT(TILEBASE_ERROR_NO_ROOM, tilebase_tables_open(&options, &tables));
  EXPECT_MESSAGE("give more with options.memory_bytes");
  options.memory_bytes = 0;
  options.folder = "/dev/null/tables";
  EXPECT(TILEBASE_ERROR_SYSTEM, tilebase_tables_open(&options, &tables));
  CHECK(tables == NULL);
}

/* A build that its own progress function cancels. */
static void stop(void *data, const char *table, double share) {
  CHECK(strlen(table) > 0 && share >= 0 && share <= 1);
  tilebase_cancel_now((const tilebase_cancel *)data);
}

static void count(void *data, const char *table, double share) {
  (void)table;
  double *last = data;
  CHECK(share >= *last);
  *last = share;
}

static void building(const char *empty) {
  tilebase_open_options options = TILEBASE_OPEN_OPTIONS;
  tilebase_cancel *cancel = tilebase_cancel_new();
  CHECK(cancel != NULL);
  options.folder = empty;
  options.spec = "8/whole";
  options.flags = TILEBASE_OPEN_BUILD;
  options.cancel = cancel;
  options.progress = stop;
  options.progress_data = cancel;
  tilebase_tables *tables = NULL;
  EXPECT(TILEBASE_ERROR_CANCELLED, tilebase_tables_open(&options, &tables));
  CHECK(tables == NULL && tilebase_cancel_is_set(cancel) == 1);
  tilebase_cancel_reset(cancel);
  CHECK(tilebase_cancel_is_set(cancel) == 0);
  double last = 0;
  options.progress = count;
  options.progress_data = &last;
  EXPECT(TILEBASE_OK, tilebase_tables_open(&options, &tables));
  CHECK(last == 1);
  CHECK(strcmp(tilebase_tables_spec(tables), "8/whole") == 0);
  CHECK(tilebase_tables_bytes(tables) > 0);
  tilebase_cancel_free(cancel);
  tilebase_tables_free(tables);
}

/* Returns the folder of a file, which the caller frees. */
static char *folder_of(const char *file) {
  char *folder = malloc(strlen(file) + 1);
  CHECK(folder != NULL && strrchr(file, '/') != NULL);
  strcpy(folder, file);
  *strrchr(folder, '/') = 0;
  return folder;
}

static void damaged(const char *damaged_file, const char *good_file) {
  tilebase_open_options options = TILEBASE_OPEN_OPTIONS;
  tilebase_tables *tables = NULL;
  tilebase_board board = board_of("8 6 7/2 5 4/3 0 1");
  uint32_t estimate = 0;
  char *folder = folder_of(damaged_file);
  options.folder = folder;
  options.spec = "8/whole";
  EXPECT(TILEBASE_ERROR_TABLE, tilebase_tables_open(&options, &tables));
  CHECK(tables == NULL);
  EXPECT_MESSAGE(damaged_file);
  options.flags = TILEBASE_OPEN_COPY;
  EXPECT(TILEBASE_ERROR_TABLE, tilebase_tables_open(&options, &tables));
  options.flags = TILEBASE_OPEN_TRUST;
  EXPECT(TILEBASE_OK, tilebase_tables_open(&options, &tables));
  tilebase_tables_free(tables);
  free(folder);

  folder = folder_of(good_file);
  options.folder = folder;
  options.flags = TILEBASE_OPEN_COPY;
  tilebase_tables *copied = NULL;
  EXPECT(TILEBASE_OK, tilebase_tables_open(&options, &copied));
  options.flags = TILEBASE_OPEN_PREFAULT;
  EXPECT(TILEBASE_OK, tilebase_tables_open(&options, &tables));
  EXPECT(TILEBASE_OK, tilebase_estimate(tables, &board, &estimate));
  CHECK(estimate == 31);
  FILE *file = fopen(good_file, "ab");
  CHECK(file != NULL && fputc(0, file) == 0 && fclose(file) == 0);
  EXPECT(TILEBASE_ERROR_TABLE, tilebase_estimate(tables, &board, &estimate));
  EXPECT_MESSAGE("written to while it was in use");
  tilebase_answer answer = TILEBASE_ANSWER;
  EXPECT(TILEBASE_ERROR_TABLE, tilebase_solve(tables, &board, NULL, NULL, 0, &answer));
  size_t position = 0;
  EXPECT(TILEBASE_ERROR_TABLE,
         tilebase_estimate_all(tables, board.cells, 1, &estimate, &position));
  CHECK(position == SIZE_MAX);
  EXPECT(TILEBASE_OK, tilebase_solve(copied, &board, NULL, NULL, 0, &answer));
  CHECK(answer.length == 31);
  tilebase_tables_free(tables);
  tilebase_tables_free(copied);
  free(folder);
}

static void nulls(const tilebase_tables *tables) {
  tilebase_board board = board_of("1 2 3/4 5 6/7 0 8");
  tilebase_open_options open = TILEBASE_OPEN_OPTIONS;
  tilebase_tables *opened = NULL;
  tilebase_answer answer = TILEBASE_ANSWER;
  uint32_t estimate = 0;
  char text[8];
  EXPECT(TILEBASE_ERROR_NULL, tilebase_board_parse(NULL, 0, 0, &board, NULL));
  EXPECT_MESSAGE("text is NULL");
  EXPECT(TILEBASE_ERROR_NULL, tilebase_board_parse("1 2/3 0", 0, 0, NULL, NULL));
  EXPECT(TILEBASE_ERROR_NULL, tilebase_board_from_cells(3, 3, NULL, &board, NULL));
  EXPECT(TILEBASE_ERROR_NULL, tilebase_board_from_cells(3, 3, board.cells, NULL, NULL));
  EXPECT(TILEBASE_ERROR_NULL, tilebase_board_format(NULL, text, sizeof text));
  EXPECT(TILEBASE_ERROR_NULL, tilebase_board_format(&board, NULL, 8));
  EXPECT(TILEBASE_ERROR_NULL, tilebase_board_apply(NULL, "U", NULL));
  EXPECT(TILEBASE_ERROR_NULL, tilebase_board_apply(&board, NULL, NULL));
  EXPECT(TILEBASE_ERROR_NULL, tilebase_tables_open(NULL, &opened));
  EXPECT(TILEBASE_ERROR_NULL, tilebase_tables_open(&open, NULL));
  EXPECT(TILEBASE_ERROR_NULL, tilebase_tables_open_memory(&open, NULL, 1, &opened));
  EXPECT(TILEBASE_ERROR_NULL, tilebase_tables_goal(NULL, &board));
  EXPECT(TILEBASE_ERROR_NULL, tilebase_tables_goal(tables, NULL));
  EXPECT(TILEBASE_ERROR_NULL, tilebase_estimate(NULL, &board, &estimate));
  EXPECT(TILEBASE_ERROR_NULL, tilebase_estimate(tables, NULL, &estimate));
  EXPECT(TILEBASE_ERROR_NULL, tilebase_estimate(tables, &board, NULL));
  EXPECT(TILEBASE_ERROR_NULL, tilebase_estimate_all(NULL, board.cells, 1, &estimate, NULL));
  EXPECT(TILEBASE_ERROR_NULL, tilebase_estimate_all(tables, NULL, 1, &estimate, NULL));
  EXPECT(TILEBASE_ERROR_NULL, tilebase_estimate_all(tables, board.cells, 1, NULL, NULL));
  EXPECT(TILEBASE_OK, tilebase_estimate_all(tables, NULL, 0, NULL, NULL));
  tilebase_board other;
  EXPECT(TILEBASE_OK, tilebase_board_parse("1 2 3/4 0 5", 0, 0, &other, NULL));
  EXPECT(TILEBASE_ERROR_BOARD, tilebase_solve(tables, &other, NULL, NULL, 0, &answer));
  tilebase_solve_options many = TILEBASE_SOLVE_OPTIONS;
  many.threads = SIZE_MAX;
  EXPECT(TILEBASE_ERROR_ARGUMENT, tilebase_solve(tables, &board, &many, NULL, 0, &answer));
  EXPECT(TILEBASE_ERROR_NULL, tilebase_solve(NULL, &board, NULL, NULL, 0, &answer));
  EXPECT(TILEBASE_ERROR_NULL, tilebase_solve(tables, NULL, NULL, NULL, 0, &answer));
  EXPECT(TILEBASE_ERROR_NULL, tilebase_solve(tables, &board, NULL, NULL, 0, NULL));
  EXPECT(TILEBASE_ERROR_NULL, tilebase_solve(tables, &board, NULL, NULL, 8, &answer));
  EXPECT(TILEBASE_OK, tilebase_solve(tables, &board, NULL, NULL, 0, &answer));
  CHECK(answer.status == TILEBASE_STATUS_OPTIMAL && answer.length == 1);
  CHECK(tilebase_tables_spec(NULL) == NULL);
  CHECK(tilebase_tables_bytes(NULL) == 0);
  CHECK(tilebase_cancel_is_set(NULL) == 0);
  tilebase_cancel_now(NULL);
  tilebase_cancel_reset(NULL);
  tilebase_cancel_free(NULL);
  tilebase_tables_free(NULL);
}

static void asking(const tilebase_tables *tables) {
  tilebase_board other = board_of("1 2 3/4 5 0");
  uint32_t estimate = 5;
  EXPECT(TILEBASE_ERROR_BOARD, tilebase_estimate(tables, &other, &estimate));
  EXPECT_MESSAGE("expected a 3x3 board, found one of 2x3");
  CHECK(estimate == 5);
  tilebase_board bad = {3, 3, {1, 1, 3, 4, 5, 6, 7, 8, 0}};
  EXPECT(TILEBASE_ERROR_BOARD, tilebase_estimate(tables, &bad, &estimate));

  /* Three boards, the second one invalid; a fourth one without a solution. */
  const uint8_t cells[4 * 9] = {1, 2, 3, 4, 5, 6, 7, 0, 8, 9, 2, 3, 4, 5, 6, 7, 0, 1,
                                1, 2, 3, 4, 5, 6, 7, 8, 0, 2, 1, 3, 4, 5, 6, 7, 8, 0};
  uint32_t estimates[4] = {9, 9, 9, 9};
  size_t position = 0;
  EXPECT(TILEBASE_ERROR_BOARD, tilebase_estimate_all(tables, cells, 3, estimates, &position));
  CHECK(position == 1 && estimates[0] == 1 && estimates[1] == 9);
  EXPECT_MESSAGE("board 1: row 1, column 1 holds tile 9");
  EXPECT(TILEBASE_OK, tilebase_estimate_all(tables, cells + 18, 2, estimates, &position));
  CHECK(estimates[0] == 0 && estimates[1] == TILEBASE_INFINITE && estimates[2] == 9);
  EXPECT(TILEBASE_ERROR_ARGUMENT,
         tilebase_estimate_all(tables, cells, SIZE_MAX / 2, estimates, &position));

  tilebase_board hard = board_of("8 6 7/2 5 4/3 0 1");
  tilebase_answer answer = TILEBASE_ANSWER;
  char moves[32] = "before";
  EXPECT(TILEBASE_ERROR_BUFFER, tilebase_solve(tables, &hard, NULL, moves, 31, &answer));
  CHECK(answer.status == TILEBASE_STATUS_OPTIMAL && answer.length == 31);
  CHECK(strcmp(moves, "before") == 0);
  EXPECT(TILEBASE_OK, tilebase_solve(tables, &hard, NULL, moves, 32, &answer));
  CHECK(strlen(moves) == 31);
  tilebase_board never = board_of("2 1 3/4 5 6/7 8 0");
  EXPECT(TILEBASE_OK, tilebase_solve(tables, &never, NULL, moves, 1, &answer));
  CHECK(answer.status == TILEBASE_STATUS_UNSOLVABLE && moves[0] == 0);
  CHECK(answer.lower_bound == TILEBASE_INFINITE && answer.length == 0);
}

/* Structures as older and newer headers have them. */
static void sizes(const tilebase_tables *tables) {
  tilebase_board board = board_of("8 6 7/2 5 4/3 0 1");
  tilebase_answer answer = TILEBASE_ANSWER;
  answer.struct_size = 0;
  EXPECT(TILEBASE_ERROR_STRUCT_SIZE, tilebase_solve(tables, &board, NULL, NULL, 0, &answer));
  EXPECT_MESSAGE("set it to sizeof");
  answer.struct_size = (size_t)-1;
  EXPECT(TILEBASE_ERROR_STRUCT_SIZE, tilebase_solve(tables, &board, NULL, NULL, 0, &answer));
  struct {
    tilebase_answer known;
    uint64_t newer[2];
  } larger = {TILEBASE_ANSWER, {7, 7}};
  larger.known.struct_size = sizeof larger.known + sizeof(uint64_t);
  EXPECT(TILEBASE_OK, tilebase_solve(tables, &board, NULL, NULL, 0, &larger.known));
  CHECK(larger.known.length == 31 && larger.newer[0] == 0 && larger.newer[1] == 7);
  CHECK(larger.known.struct_size == sizeof larger.known + sizeof(uint64_t));

  struct {
    tilebase_solve_options known;
    uint64_t newer;
  } options = {TILEBASE_SOLVE_OPTIONS, 0};
  options.known.struct_size = sizeof options;
  EXPECT(TILEBASE_OK, tilebase_solve(tables, &board, &options.known, NULL, 0, &larger.known));
  options.newer = 1;
  EXPECT(TILEBASE_ERROR_STRUCT_SIZE,
         tilebase_solve(tables, &board, &options.known, NULL, 0, &larger.known));
  EXPECT_MESSAGE("a field that this library does not know");
  options.known.struct_size = 8;
  EXPECT(TILEBASE_ERROR_STRUCT_SIZE,
         tilebase_solve(tables, &board, &options.known, NULL, 0, &larger.known));
}

int main(int argc, char **argv) {
  CHECK(argc == 5);
  CHECK(tilebase_abi() == TILEBASE_ABI);
  CHECK(strlen(tilebase_version()) >= 5);
  CHECK(strcmp(tilebase_message(), "") == 0);
  CHECK(strcmp(tilebase_code_name(TILEBASE_OK), "TILEBASE_OK") == 0);
  CHECK(strcmp(tilebase_code_name(TILEBASE_ERROR_INTERNAL), "TILEBASE_ERROR_INTERNAL") == 0);
  CHECK(strcmp(tilebase_code_name(4711), "an unknown code") == 0);
  boards();
  opening(argv[1], argv[2]);
  building(argv[2]);
  damaged(argv[3], argv[4]);
  tilebase_tables *tables = open_tables("8/whole", argv[1]);
  nulls(tables);
  asking(tables);
  sizes(tables);
  tilebase_tables_free(tables);
  printf("wrong input: passed\n");
  return 0;
}
