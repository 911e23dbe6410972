// What this processor and its operating system support.
#include "ifma.h"

#ifdef MONERO_IFMA
#include <cpuid.h>
#endif

namespace monero {

#ifdef MONERO_IFMA

namespace {

/** Register state the operating system saves: XCR0, read with XGETBV. */
u64 savedState() {
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return static_cast<u64>(high) << 32 | low;
}

bool detectIfma() {
  uint32_t a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return false;
  constexpr uint32_t OSXSAVE = 1u << 27;
  if ((c & OSXSAVE) == 0) return false;
  // SSE and AVX state, and the three parts of AVX-512 state: masks, upper halves, registers 16-31.
  constexpr u64 AVX512_STATE = 0xe6;
  if ((savedState() & AVX512_STATE) != AVX512_STATE) return false;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
  // What the IFMA objects are compiled for: AVX-512 F, DQ, IFMA, BW, VL; and AVX2, BMI1, BMI2.
  constexpr uint32_t F = 1u << 16, DQ = 1u << 17, IFMA = 1u << 21, BW = 1u << 30, VL = 1u << 31;
  constexpr uint32_t BMI1 = 1u << 3, AVX2 = 1u << 5, BMI2 = 1u << 8;
  constexpr uint32_t NEEDED = F | DQ | IFMA | BW | VL | BMI1 | AVX2 | BMI2;
  return (b & NEEDED) == NEEDED;
}

}  // namespace

bool isIfmaAvailable() {
  static const bool available = detectIfma();
  return available;
}

#else

bool isIfmaAvailable() { return false; }

#endif

}  // namespace monero
