// Preloaded library: write(2), writev(2) and fsync(2) sleep before they touch a file whose name ends with `slow-write.log`.
// SLOW_WRITE_MS is the time in milliseconds.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static const char name[] = "slow-write.log";

static void slow(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path);
  if (length < (ssize_t)sizeof name || memcmp(path + length - (sizeof name - 1), name, sizeof name - 1) != 0) return;
  const char *text = getenv("SLOW_WRITE_MS");
  long ms = text ? atol(text) : 0;
  struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&pause, NULL);
}

ssize_t write(int fd, const void *bytes, size_t count) {
  static ssize_t (*next)(int, const void *, size_t);
  if (!next) next = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  slow(fd);
  return next(fd, bytes, count);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  static ssize_t (*next)(int, const struct iovec *, int);
  if (!next) next = (ssize_t (*)(int, const struct iovec *, int))dlsym(RTLD_NEXT, "writev");
  slow(fd);
  return next(fd, parts, count);
}

int fsync(int fd) {
  static int (*next)(int);
  if (!next) next = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  slow(fd);
  return next(fd);
}
