// What this processor and its operating system support.
#include "cpu.h"

#include "lanes.h"

#if defined(MONERO_AVX2) || defined(MONERO_IFMA)
#include <cpuid.h>
#endif

namespace monero {

#ifdef MONERO_AVX2
namespace avx2 {
extern const VectorCode CODE;
}
#endif
#ifdef MONERO_IFMA
namespace ifma {
extern const VectorCode CODE;
}
#endif

namespace {

#if defined(MONERO_AVX2) || defined(MONERO_IFMA)

/** What the objects of a path are compiled for: bits of EBX of leaf 7, and of XCR0. */
struct Needs {
  uint32_t features;
  u64 state;
};

constexpr uint32_t BMI1 = 1u << 3, AVX2 = 1u << 5, BMI2 = 1u << 8;
constexpr uint32_t F = 1u << 16, DQ = 1u << 17, IFMA = 1u << 21, BW = 1u << 30, VL = 1u << 31;
/** SSE and AVX state, and the three parts of AVX-512 state: masks, upper halves, registers 16-31. */
constexpr u64 AVX_STATE = 0x06, AVX512_STATE = 0xe6;

constexpr Needs AVX2_NEEDS = {BMI1 | AVX2 | BMI2, AVX_STATE};
constexpr Needs IFMA_NEEDS = {AVX2_NEEDS.features | F | DQ | IFMA | BW | VL, AVX512_STATE};

/** Register state the operating system saves: XCR0, read with XGETBV. */
u64 savedState() {
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return static_cast<u64>(high) << 32 | low;
}

/** What there is of these needs. */
Needs detect() {
  uint32_t a, b, c, d;
  constexpr uint32_t OSXSAVE = 1u << 27;
  if (!__get_cpuid(1, &a, &b, &c, &d) || (c & OSXSAVE) == 0) return {0, 0};
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return {0, 0};
  return {b, savedState()};
}

bool fulfils(const Needs& needs) {
  static const Needs found = detect();
  return (found.features & needs.features) == needs.features &&
         (found.state & needs.state) == needs.state;
}

#endif

}  // namespace

const VectorCode* vectorCode(Path path) {
  switch (path) {
#ifdef MONERO_AVX2
    case Path::avx2:
      return fulfils(AVX2_NEEDS) ? &avx2::CODE : nullptr;
#endif
#ifdef MONERO_IFMA
    case Path::ifma:
      return fulfils(IFMA_NEEDS) ? &ifma::CODE : nullptr;
#endif
    default:
      return nullptr;
  }
}

bool isAvailable(Path path) { return path == Path::portable || vectorCode(path) != nullptr; }

}  // namespace monero
