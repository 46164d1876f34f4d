/*
 * Tables whose files are in memory: borrowed and copied, several, damaged, cut short, missing.
 *
 *   memory WHOLE_FILE FOUR_FILE FOUR_FILE
 *
 * The first is the table of 8/whole, the others are those of 8/4-4.
 */
#include "check.h"

static void expect_31(const tilebase_tables *tables) {
  tilebase_board board = board_of("8 6 7/2 5 4/3 0 1");
  tilebase_answer answer = TILEBASE_ANSWER;
  EXPECT(TILEBASE_OK, tilebase_solve(tables, &board, NULL, NULL, 0, &answer));
  CHECK(answer.status == TILEBASE_STATUS_OPTIMAL && answer.length == 31);
}

int main(int argc, char **argv) {
  CHECK(argc == 4);
  tilebase_bytes files[3];
  for (int i = 0; i < 3; i++) files[i] = read_bytes(argv[1 + i]);
  tilebase_open_options options = TILEBASE_OPEN_OPTIONS;
  tilebase_tables *tables = NULL;

  /* Borrowed, at an unaligned address. */
  unsigned char *odd = malloc(files[0].size + 1);
  CHECK(odd != NULL);
  memcpy(odd + 1, files[0].data, files[0].size);
  tilebase_bytes unaligned = {odd + 1, files[0].size};
  options.spec = "8/whole";
  EXPECT(TILEBASE_OK, tilebase_tables_open_memory(&options, &unaligned, 1, &tables));
  CHECK(tilebase_tables_bytes(tables) == files[0].size);
  expect_31(tables);
  tilebase_tables_free(tables);

  /* Copied: the bytes may change and be freed. */
  options.flags = TILEBASE_OPEN_COPY;
  EXPECT(TILEBASE_OK, tilebase_tables_open_memory(&options, &unaligned, 1, &tables));
  memset(odd, 0x5a, files[0].size + 1);
  free(odd);
  expect_31(tables);
  tilebase_tables_free(tables);
  options.flags = 0;

  /* Several in any order, one of them not needed. */
  tilebase_bytes mixed[3] = {files[2], files[0], files[1]};
  options.spec = "8/4-4";
  EXPECT(TILEBASE_OK, tilebase_tables_open_memory(&options, mixed, 3, &tables));
  CHECK(strcmp(tilebase_tables_spec(tables), "8/4-4") == 0);
  expect_31(tables);
  tilebase_tables_free(tables);

  /* Without a spec: the tables determine it. */
  options.spec = NULL;
  EXPECT(TILEBASE_ERROR_ARGUMENT, tilebase_tables_open_memory(&options, mixed, 3, &tables));
  CHECK(tables == NULL);
  options.rows = options.cols = 3;
  EXPECT(TILEBASE_OK, tilebase_tables_open_memory(&options, files, 1, &tables));
  CHECK(strcmp(tilebase_tables_spec(tables), "8/whole") == 0);
  tilebase_tables_free(tables);

  /* Missing. */
  options.spec = "8/4-4";
  EXPECT(TILEBASE_ERROR_MISSING, tilebase_tables_open_memory(&options, files, 2, &tables));
  EXPECT_MESSAGE("not among those that were given");
  EXPECT(TILEBASE_ERROR_MISSING, tilebase_tables_open_memory(&options, NULL, 0, &tables));
  CHECK(tables == NULL);
  options.flags = TILEBASE_OPEN_BUILD;
  EXPECT(TILEBASE_ERROR_ARGUMENT, tilebase_tables_open_memory(&options, files, 3, &tables));
  options.flags = 0;

  /* Damaged in any byte; cut short; empty; not a table. */
  options.spec = "8/whole";
  unsigned char *copy = malloc(files[0].size);
  CHECK(copy != NULL);
  memcpy(copy, files[0].data, files[0].size);
  for (size_t at = 0; at < files[0].size; at += at < 64 ? 7 : files[0].size / 16 - 3) {
    copy[at] ^= 0x10;
    tilebase_bytes damaged = {copy, files[0].size};
    EXPECT(TILEBASE_ERROR_TABLE, tilebase_tables_open_memory(&options, &damaged, 1, &tables));
    CHECK(tables == NULL);
    copy[at] ^= 0x10;
  }
  for (size_t size = 0; size < files[0].size; size += 1 + size / 2) {
    tilebase_bytes cut = {copy, size};
    EXPECT(TILEBASE_ERROR_TABLE, tilebase_tables_open_memory(&options, &cut, 1, &tables));
  }
  memset(copy, 0xff, files[0].size);
  tilebase_bytes junk = {copy, files[0].size};
  EXPECT(TILEBASE_ERROR_TABLE, tilebase_tables_open_memory(&options, &junk, 1, &tables));
  tilebase_bytes nothing = {NULL, 100};
  EXPECT(TILEBASE_ERROR_NULL, tilebase_tables_open_memory(&options, &nothing, 1, &tables));
  free(copy);

  /* A damaged payload that is trusted: an answer or an error, but no access outside of the table. */
  unsigned char *bad = malloc(files[0].size);
  CHECK(bad != NULL);
  memcpy(bad, files[0].data, files[0].size);
  memset(bad + files[0].size - 20000, 0xa5, 20000);
  tilebase_bytes trusted = {bad, files[0].size};
  options.flags = TILEBASE_OPEN_TRUST;
  EXPECT(TILEBASE_OK, tilebase_tables_open_memory(&options, &trusted, 1, &tables));
  tilebase_board board = board_of("8 6 7/2 5 4/3 0 1");
  uint32_t estimate = 0;
  tilebase_code code = tilebase_estimate(tables, &board, &estimate);
  CHECK(code == TILEBASE_OK || code == TILEBASE_ERROR_TABLE);
  tilebase_tables_free(tables);
  free(bad);

  for (int i = 0; i < 3; i++) free((void *)files[i].data);
  printf("tables from memory: passed\n");
  return 0;
}
