#include "process_memory.h"

#ifdef __linux__
#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>
#endif

namespace monero {

#ifdef __linux__

namespace {

struct Range {
  uintptr_t begin;
  uintptr_t end;
};

/** Collects the parts of the program that the linker marked as never written. */
int collectConstant(dl_phdr_info* info, size_t, void* data) {
  auto* ranges = static_cast<std::vector<Range>*>(data);
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_W) != 0) continue;
    uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    ranges->push_back({begin, begin + part.p_memsz});
  }
  return 1;  // the program itself comes first
}

/** Returns the read-only mappings of the program's own file. */
std::vector<Range> mappedConstants() {
  std::vector<Range> constants, mapped;
  dl_iterate_phdr(collectConstant, &constants);
  char program[4096];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  FILE* maps = length > 0 ? fopen("/proc/self/maps", "re") : nullptr;
  if (maps == nullptr) return mapped;
  program[length] = '\0';
  char line[8192];
  while (fgets(line, sizeof line, maps) != nullptr) {
    unsigned long begin, end, inode;
    char flags[5];
    int path = 0;
    if (sscanf(line, "%lx-%lx %4s %*x %*s %lu %n", &begin, &end, flags, &inode, &path) < 4)
      continue;
    line[strcspn(line, "\n")] = '\0';
    // Code that Node has moved to large pages is a copy without a file: it would be lost.
    if (flags[1] == 'w' || inode == 0 || path == 0 || strcmp(line + path, program) != 0) continue;
    for (const Range& part : constants)
      if (begin < part.end && end > part.begin) mapped.push_back({begin, end});
  }
  fclose(maps);
  return mapped;
}

}  // namespace

void releaseUnusedMemory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  for (const Range& range : mappedConstants())
    madvise(reinterpret_cast<void*>(range.begin), range.end - range.begin, MADV_DONTNEED);
}

#else

void releaseUnusedMemory() {}

#endif

}  // namespace monero
