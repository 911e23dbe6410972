// Keccak-256 of one message in every lane, all of the same length; see keccak.h.
#pragma once

#include "keccak.h"
#include "lanes_field.h"

namespace monero {
namespace MONERO_PATH {

namespace {

/** Distance by which rho rotates lane x + 5y, and where pi then moves it. */
// clang-format off
constexpr int KECCAK_ROTATION[25] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                                     25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};
constexpr int KECCAK_TARGET[25] = {0,  10, 20, 5, 15, 16, 1,  11, 21, 6, 7,  17, 2,
                                   12, 22, 23, 8, 18, 3,  13, 14, 24, 9, 19, 4};
// clang-format on

template <int I>
ALWAYS_INLINE void rhoPi(Lanes* b, const Lanes* a, const Lanes* d) {
  b[KECCAK_TARGET[I]] = rotate<KECCAK_ROTATION[I]>(differing(a[I], d[I % 5]));
  if constexpr (I + 1 < 25) rhoPi<I + 1>(b, a, d);
}

NEVER_INLINE void permuteLanes(Lanes* state) {
  Lanes a[25];
#pragma GCC unroll 25
  for (int i = 0; i < 25; i++) a[i] = state[i];
  for (const u64 constant : KECCAK_ROUND) {
    Lanes b[25], c[5], d[5];
#pragma GCC unroll 5
    for (int x = 0; x < 5; x++) {
      c[x] = differing(differing(a[x], a[x + 5], a[x + 10]), a[x + 15], a[x + 20]);
    }
#pragma GCC unroll 5
    for (int x = 0; x < 5; x++) {
      d[x] = differing(c[(x + 4) % 5], rotate<1>(c[(x + 1) % 5]));
    }
    rhoPi<0>(b, a, d);
#pragma GCC unroll 25
    for (int i = 0; i < 25; i++) {
      a[i] = chi(b[i], b[i / 5 * 5 + (i + 1) % 5], b[i / 5 * 5 + (i + 2) % 5]);
    }
    a[0] = differing(a[0], all(constant));
  }
#pragma GCC unroll 25
  for (int i = 0; i < 25; i++) state[i] = a[i];
}

/** Running hashes over parts whose lengths are multiples of 8 bytes. */
struct LaneKeccak {
  Lanes state[25];
  /** Words absorbed since the last permutation. */
  size_t pending;
};

inline void start(LaneKeccak* hash) {
  for (Lanes& lane : hash->state) lane = zeros();
  hash->pending = 0;
}

/** Absorbs `words` 8-byte words from the place of each lane. */
inline void absorb(LaneKeccak* hash, const u8* const parts[LANES], size_t words) {
  for (size_t i = 0; i < words; i++) {
    Lanes& lane = hash->state[hash->pending++];
    lane = differing(lane, eachLane([&](int k) { return load64(parts[k] + 8 * i); }));
    if (hash->pending == KECCAK_RATE / 8) {
      permuteLanes(hash->state);
      hash->pending = 0;
    }
  }
}

/** The first 32 bytes of every state. */
inline void storeHashes(u8 (*hashes)[32], const LaneKeccak& hash) {
  alignas(64) u64 words[LANES];
  for (int i = 0; i < 4; i++) {
    storeLanes(words, hash.state[i]);
    for (int lane = 0; lane < LANES; lane++) store64(hashes[lane] + 8 * i, words[lane]);
  }
}

inline void finish(LaneKeccak* hash, u8 (*hashes)[32]) {
  Lanes& first = hash->state[hash->pending];
  first = differing(first, all(0x01));
  Lanes& last = hash->state[KECCAK_RATE / 8 - 1];
  last = differing(last, all(u64{0x80} << 56));
  permuteLanes(hash->state);
  storeHashes(hashes, *hash);
}

}  // namespace
}  // namespace MONERO_PATH
}  // namespace monero
