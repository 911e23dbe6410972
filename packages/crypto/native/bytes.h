// Little-endian words, and what every header here relies on.
//
// All functions of these headers have internal linkage (an unnamed namespace). That is more than
// tidiness: some object files are compiled for AVX2 or AVX-512, and were a function shared between
// objects, the linker could pick a copy that the processor cannot run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words are copied to and from bytes");

#define ALWAYS_INLINE inline __attribute__((always_inline))
#define NEVER_INLINE __attribute__((noinline, unused))

namespace monero {

using u8 = uint8_t;
using u64 = uint64_t;
__extension__ typedef unsigned __int128 u128;

/** Bytes of somebody else. */
struct Bytes {
  u8* data;
  size_t size;
};

namespace {

ALWAYS_INLINE u64 load64(const u8* bytes) {
  u64 word;
  std::memcpy(&word, bytes, 8);
  return word;
}

ALWAYS_INLINE void store64(u8* bytes, u64 word) { std::memcpy(bytes, &word, 8); }

}  // namespace
}  // namespace monero
