/*
 * Preloaded into the daemon (LD_PRELOAD): makes calls that change files fail, when the files are below a folder.
 *
 * FAULT_FOLDER names the folder, FAULT_CONTROL a file of eight 32-bit integers that is mapped and shared with the test:
 *   0  calls that still succeed; the next one fails. Negative: none fails
 *   1  errno of the failure
 *   2  kinds of calls that count: sum of 1 write, 2 flush, 4 open for writing, 8 rename, 16 truncate
 *   3  0: one call fails; 1: every later one as well, as on a full disk
 *   4  calls counted so far (written here)
 *   5  calls that failed (written here)
 *   6  kind of the first call that failed (written here)
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITE = 1, FLUSH = 2, OPEN = 4, RENAME = 8, TRUNCATE = 16 };
enum { LEFT, ERRNO, KINDS, STAYS, SEEN, FAILED, FIRST_KIND, FIELDS = 8 };

static _Atomic int *control;
static const char *folder;
static size_t folder_length;

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("FAULT_CONTROL");
  folder = getenv("FAULT_FOLDER");
  if (path == NULL || folder == NULL) return;
  folder_length = strlen(folder);
  int (*real_open)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  int file = real_open(path, O_RDWR);
  if (file < 0) return;
  void *map = mmap(NULL, FIELDS * sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (map != MAP_FAILED) control = map;
}

static int below_folder(const char *path) {
  return strncmp(path, folder, folder_length) == 0 && path[folder_length] == '/';
}

static int is_file_below(int descriptor) {
  char link[32], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return below_folder(path);
}

/* Counts a call; returns whether it has to fail, with errno set. */
static int fails(int kind) {
  if (!(control[KINDS] & kind)) return 0;
  atomic_fetch_add(&control[SEEN], 1);
  if (control[LEFT] < 0) return 0;
  int left = atomic_fetch_sub(&control[LEFT], 1);
  if (left > 0) return 0;
  if (control[STAYS]) control[LEFT] = 0;
  if (atomic_fetch_add(&control[FAILED], 1) == 0) control[FIRST_KIND] = kind;
  errno = control[ERRNO];
  return 1;
}

static int file_fails(int descriptor, int kind) {
  int saved = errno;
  if (control == NULL || !is_file_below(descriptor)) {
    errno = saved;
    return 0;
  }
  errno = saved;
  return fails(kind);
}

static int path_fails(const char *path, int kind) {
  return control != NULL && below_folder(path) && fails(kind);
}

/*
 * The lmdb package frees memory twice when LMDB cannot open its files. Our store therefore opens the same files just
 * before, and only those calls count.
 */
static int is_lmdb(const void *caller) {
  Dl_info library;
  return dladdr(caller, &library) && library.dli_fname != NULL &&
         strstr(library.dli_fname, "lmdb") != NULL;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define ON_FILE(kind, result, name, parameters, arguments)                                        \
  result name parameters {                                                                        \
    static result(*real) parameters;                                                              \
    if (real == NULL) real = REAL(name);                                                          \
    return file_fails(fd, kind) ? -1 : real arguments;                                            \
  }

ON_FILE(WRITE, ssize_t, write, (int fd, const void *data, size_t size), (fd, data, size))
ON_FILE(WRITE, ssize_t, pwrite, (int fd, const void *data, size_t size, off_t at),
        (fd, data, size, at))
ON_FILE(WRITE, ssize_t, pwrite64, (int fd, const void *data, size_t size, off64_t at),
        (fd, data, size, at))
ON_FILE(WRITE, ssize_t, writev, (int fd, const struct iovec *parts, int count), (fd, parts, count))
ON_FILE(WRITE, ssize_t, pwritev, (int fd, const struct iovec *parts, int count, off_t at),
        (fd, parts, count, at))
ON_FILE(WRITE, ssize_t, pwritev64, (int fd, const struct iovec *parts, int count, off64_t at),
        (fd, parts, count, at))
ON_FILE(FLUSH, int, fsync, (int fd), (fd))
ON_FILE(FLUSH, int, fdatasync, (int fd), (fd))
ON_FILE(TRUNCATE, int, ftruncate, (int fd, off_t size), (fd, size))
ON_FILE(TRUNCATE, int, ftruncate64, (int fd, off64_t size), (fd, size))

/* A flush of mapped memory names no file; the maps of the daemon that are flushed are those of its database. */
int msync(void *address, size_t size, int flags) {
  static int (*real)(void *, size_t, int);
  if (real == NULL) real = REAL(msync);
  return control != NULL && fails(FLUSH) ? -1 : real(address, size, flags);
}

int rename(const char *from, const char *to) {
  static int (*real)(const char *, const char *);
  if (real == NULL) real = REAL(rename);
  return path_fails(from, RENAME) ? -1 : real(from, to);
}

#define OPENED_TO_WRITE (O_WRONLY | O_RDWR | O_CREAT)

#define OPENING(name, parameters, arguments)                                                      \
  int name parameters {                                                                           \
    static int(*real) parameters;                                                                 \
    if (real == NULL) real = REAL(name);                                                          \
    va_list rest;                                                                                 \
    va_start(rest, flags);                                                                        \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;                       \
    va_end(rest);                                                                                 \
    if (flags & OPENED_TO_WRITE && !is_lmdb(__builtin_return_address(0)) &&                       \
        path_fails(path, OPEN))                                                                   \
      return -1;                                                                                  \
    return real arguments;                                                                        \
  }

OPENING(open, (const char *path, int flags, ...), (path, flags, mode))
OPENING(open64, (const char *path, int flags, ...), (path, flags, mode))
OPENING(openat, (int at, const char *path, int flags, ...), (at, path, flags, mode))
OPENING(openat64, (int at, const char *path, int flags, ...), (at, path, flags, mode))
