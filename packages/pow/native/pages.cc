#include "pages.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace monero {

const char* pagesName(Pages pages) {
  switch (pages) {
    case Pages::Gigantic:
      return "1-gib";
    case Pages::Huge:
      return "2-mib";
    case Pages::Transparent:
      return "transparent";
    default:
      return "plain";
  }
}

#ifdef __linux__

namespace {

constexpr uintptr_t PAGE = 4096;
constexpr uintptr_t HUGE_PAGE = uintptr_t{1} << 21;
constexpr uintptr_t GIGANTIC_PAGE = uintptr_t{1} << 30;
// mmap takes the logarithm of the page size, shifted (linux/mman.h).
constexpr int HUGE_SHIFT = 26;
constexpr int HUGE_FLAGS = MAP_HUGETLB | (21 << HUGE_SHIFT);
constexpr int GIGANTIC_FLAGS = MAP_HUGETLB | (30 << HUGE_SHIFT);

size_t freePages(const char* kilobytes) {
  char path[96];
  std::snprintf(path, sizeof(path), "/sys/kernel/mm/hugepages/hugepages-%skB/free_hugepages",
                kilobytes);
  std::FILE* file = std::fopen(path, "r");
  if (file == nullptr) return 0;
  unsigned long count = 0;
  if (std::fscanf(file, "%lu", &count) != 1) count = 0;
  std::fclose(file);
  return count;
}

bool transparentPagesAllowed() {
  std::FILE* file = std::fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
  if (file == nullptr) return false;
  char text[64] = "";
  const bool read = std::fgets(text, sizeof(text), file) != nullptr;
  std::fclose(file);
  return read && std::strstr(text, "[never]") == nullptr;
}

uintptr_t roundUp(uintptr_t value, uintptr_t unit) { return (value + unit - 1) & ~(unit - 1); }

/** Maps other pages at the same addresses; plain ones if that fails, as mmap may have unmapped. */
bool remap(uintptr_t begin, uintptr_t end, int flags) {
  void* at = reinterpret_cast<void*>(begin);
  constexpr int BASE = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  constexpr int ACCESS = PROT_READ | PROT_WRITE;
  if (mmap(at, end - begin, ACCESS, BASE | flags, -1, 0) != MAP_FAILED) return true;
  if (mmap(at, end - begin, ACCESS, BASE, -1, 0) == MAP_FAILED) throw std::bad_alloc();
  return false;
}

/** Covers the range with huge pages of one size where they fit, and its two ends with `rest`. */
template <typename Rest>
Pages cover(uintptr_t begin, uintptr_t end, uintptr_t unit, int flags, Pages kind, Rest rest) {
  const uintptr_t first = roundUp(begin, unit);
  const uintptr_t last = end & ~(unit - 1);
  if (first >= last || !remap(first, last, flags)) return rest(begin, end);
  if (begin < first) rest(begin, first);
  if (last < end) rest(last, end);
  return kind;
}

Pages coverTransparent(uintptr_t begin, uintptr_t end) {
  return adviseTransparent(reinterpret_cast<void*>(begin), end - begin);
}

Pages coverHuge(uintptr_t begin, uintptr_t end) {
  if (freePages("2048") == 0) return coverTransparent(begin, end);
  return cover(begin, end, HUGE_PAGE, HUGE_FLAGS, Pages::Huge, coverTransparent);
}

}  // namespace

bool hasGiganticPages() { return freePages("1048576") > 0; }

Pages replacePages(void* memory, size_t size) {
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  // Rounded inwards to whole pages, because the bytes around the memory belong to others.
  return cover(roundUp(begin, PAGE), (begin + size) & ~(PAGE - 1), GIGANTIC_PAGE, GIGANTIC_FLAGS,
               Pages::Gigantic, coverHuge);
}

Pages adviseTransparent(void* memory, size_t size) {
  const uintptr_t begin = roundUp(reinterpret_cast<uintptr_t>(memory), PAGE);
  const uintptr_t end = (reinterpret_cast<uintptr_t>(memory) + size) & ~(PAGE - 1);
  if (begin >= end || !transparentPagesAllowed()) return Pages::Plain;
  const int result = madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  return result == 0 ? Pages::Transparent : Pages::Plain;
}

#else

bool hasGiganticPages() { return false; }
Pages replacePages(void*, size_t) { return Pages::Plain; }
Pages adviseTransparent(void*, size_t) { return Pages::Plain; }

#endif

}  // namespace monero
