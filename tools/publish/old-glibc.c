/* Linked into the addons of a release, so that they load where glibc is older than on the machine that compiles them. */
#include <sys/random.h>
#include <sys/stat.h>

#define HIDDEN __attribute__((visibility("hidden")))

/* Since glibc 2.32: whether the process has one thread only. libstdc++ counts references without locks then. Node has threads. */
HIDDEN char __libc_single_threaded = 0;

/* Since glibc 2.33 these are functions of the library. Before, programs contained them and called versioned ones. */
#if defined(__x86_64__)
#define OLDEST "GLIBC_2.2.5"
#define LAYOUT 1
#else
#define OLDEST "GLIBC_2.17"
#define LAYOUT 0
#endif

extern int versioned_stat(int, const char *, struct stat *);
extern int versioned_fstat(int, int, struct stat *);
extern int versioned_lstat(int, const char *, struct stat *);
__asm__(".symver versioned_stat,__xstat@" OLDEST);
__asm__(".symver versioned_fstat,__fxstat@" OLDEST);
__asm__(".symver versioned_lstat,__lxstat@" OLDEST);

HIDDEN int stat(const char *path, struct stat *to) { return versioned_stat(LAYOUT, path, to); }
HIDDEN int fstat(int file, struct stat *to) { return versioned_fstat(LAYOUT, file, to); }
HIDDEN int lstat(const char *path, struct stat *to) { return versioned_lstat(LAYOUT, path, to); }

/* Large files need nothing else on these processors. */
HIDDEN int stat64(const char *path, struct stat *to) { return stat(path, to); }
HIDDEN int fstat64(int file, struct stat *to) { return fstat(file, to); }
HIDDEN int lstat64(const char *path, struct stat *to) { return lstat(path, to); }

/* Since glibc 2.36. The C++ library asks it for random numbers. */
HIDDEN unsigned int arc4random(void) {
    unsigned int value;
    while (getrandom(&value, sizeof value, 0) != sizeof value) {
    }
    return value;
}
