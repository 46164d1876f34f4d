/*
 * A look-up allocates nothing. The linker hands every allocation of the library to these functions
 * (-Wl,--wrap=malloc and so on).
 *
 *   allocation FOLDER SPEC..
 */
#include "check.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *data, size_t size);
int __real_posix_memalign(void **data, size_t alignment, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *data, size_t size);
int __wrap_posix_memalign(void **data, size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

/* Threads of the library have ended when a call returns, so this needs no atomic. */
static volatile unsigned long allocations;

void *__wrap_malloc(size_t size) {
  allocations++;
  return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
  allocations++;
  return __real_calloc(count, size);
}

void *__wrap_realloc(void *data, size_t size) {
  allocations++;
  return __real_realloc(data, size);
}

int __wrap_posix_memalign(void **data, size_t alignment, size_t size) {
  allocations++;
  return __real_posix_memalign(data, alignment, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  allocations++;
  return __real_aligned_alloc(alignment, size);
}

int main(int argc, char **argv) {
  CHECK(argc > 2);
  for (int i = 2; i < argc; i++) {
    tilebase_open_options options = TILEBASE_OPEN_OPTIONS;
    options.folder = argv[1];
    options.spec = argv[i];
    options.rows = options.cols = 3;
    tilebase_tables *tables = NULL;
    unsigned long before = allocations;
    EXPECT(TILEBASE_OK, tilebase_tables_open(&options, &tables));
    CHECK(allocations > before);

    /* The first look-up counts too. Moves around the board lead through many. */
    tilebase_board board = board_of("8 6 7/2 5 4/3 0 1");
    before = allocations;
    uint32_t first = 0;
    EXPECT(TILEBASE_OK, tilebase_estimate(tables, &board, &first));
    CHECK(allocations == before);
    CHECK(first > 0 && first <= 31);
    for (int round = 0; round < 500; round++) {
      static const char *const ways[] = {"DRUL", "RDLU", "DLUR", "RURDLDLU", "DDRUUL"};
      tilebase_board_apply(&board, ways[round % 5], NULL);
      before = allocations;
      uint32_t estimate = 0, same = 1;
      EXPECT(TILEBASE_OK, tilebase_estimate(tables, &board, &estimate));
      EXPECT(TILEBASE_OK, tilebase_estimate_all(tables, board.cells, 1, &same, NULL));
      CHECK(allocations == before);
      CHECK(same == estimate);
    }
    tilebase_board never = board_of("2 1 3/4 5 6/7 8 0");
    before = allocations;
    EXPECT(TILEBASE_OK, tilebase_estimate(tables, &never, &first));
    CHECK(allocations == before && first == TILEBASE_INFINITE);
    tilebase_tables_free(tables);
  }
  printf("allocations: none\n");
  return 0;
}
