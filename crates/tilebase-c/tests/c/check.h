/* Shared by the test programs: checks that report what was expected, and files. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tilebase.h>

#define CHECK(condition)                                                                   \
  do {                                                                                     \
    if (!(condition)) {                                                                    \
      fprintf(stderr, "%s:%d: %s; the last message is \"%s\"\n", __FILE__, __LINE__,       \
              #condition, tilebase_message());                                             \
      exit(1);                                                                             \
    }                                                                                      \
  } while (0)

/* Expects a code; shows the names of both if it is another one. */
#define EXPECT(code, call)                                                                 \
  do {                                                                                     \
    tilebase_code found_ = (call);                                                         \
    if (found_ != (code)) {                                                                \
      fprintf(stderr, "%s:%d: %s is %s, not %s; the last message is \"%s\"\n", __FILE__,   \
              __LINE__, #call, tilebase_code_name(found_), tilebase_code_name(code),       \
              tilebase_message());                                                         \
      exit(1);                                                                             \
    }                                                                                      \
  } while (0)

/* Expects the last message to contain some words. */
#define EXPECT_MESSAGE(words)                                                              \
  do {                                                                                     \
    if (strstr(tilebase_message(), (words)) == NULL) {                                     \
      fprintf(stderr, "%s:%d: the message \"%s\" lacks \"%s\"\n", __FILE__, __LINE__,      \
              tilebase_message(), (words));                                                \
      exit(1);                                                                             \
    }                                                                                      \
  } while (0)

static inline tilebase_board board_of(const char *text) {
  tilebase_board board;
  EXPECT(TILEBASE_OK, tilebase_board_parse(text, 0, 0, &board, NULL));
  return board;
}

/* Opens the tables of a spec in a folder that has all of them. */
static inline tilebase_tables *open_tables(const char *spec, const char *folder) {
  tilebase_open_options options = TILEBASE_OPEN_OPTIONS;
  options.spec = spec;
  options.folder = folder;
  tilebase_tables *tables = NULL;
  EXPECT(TILEBASE_OK, tilebase_tables_open(&options, &tables));
  CHECK(tables != NULL);
  return tables;
}

/* Reads a file into memory that the caller frees. */
static inline tilebase_bytes read_bytes(const char *path) {
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL);
  CHECK(fseek(file, 0, SEEK_END) == 0);
  long size = ftell(file);
  CHECK(size > 0);
  rewind(file);
  unsigned char *data = malloc((size_t)size);
  CHECK(data != NULL);
  CHECK(fread(data, 1, (size_t)size, file) == (size_t)size);
  CHECK(fclose(file) == 0);
  tilebase_bytes bytes = {data, (size_t)size};
  return bytes;
}

#endif
