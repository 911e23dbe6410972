// Keccak-256 of eight messages of the same length at a time; see keccak.h.
#pragma once

#include "ifma_field.h"
#include "keccak.h"

namespace monero {

namespace {

ALWAYS_INLINE Lanes xor3(Lanes a, Lanes b, Lanes c) {
  return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}
/** a ^ (~b & c) */
ALWAYS_INLINE Lanes chi(Lanes a, Lanes b, Lanes c) {
  return _mm512_ternarylogic_epi64(a, b, c, 0xd2);
}

/** Distance by which rho rotates lane x + 5y, and where pi then moves it. */
// clang-format off
constexpr int KECCAK_ROTATION[25] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                                     25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};
constexpr int KECCAK_TARGET[25] = {0,  10, 20, 5, 15, 16, 1,  11, 21, 6, 7,  17, 2,
                                   12, 22, 23, 8, 18, 3,  13, 14, 24, 9, 19, 4};
// clang-format on

template <int I>
ALWAYS_INLINE void rhoPi(Lanes* b, const Lanes* a, const Lanes* d) {
  b[KECCAK_TARGET[I]] = _mm512_rol_epi64(_mm512_xor_si512(a[I], d[I % 5]), KECCAK_ROTATION[I]);
  if constexpr (I + 1 < 25) rhoPi<I + 1>(b, a, d);
}

NEVER_INLINE void keccakPermute8(Lanes* state) {
  Lanes a[25];
#pragma GCC unroll 25
  for (int i = 0; i < 25; i++) a[i] = state[i];
  for (const u64 constant : KECCAK_ROUND) {
    Lanes b[25], c[5], d[5];
#pragma GCC unroll 5
    for (int x = 0; x < 5; x++) {
      c[x] = xor3(xor3(a[x], a[x + 5], a[x + 10]), a[x + 15], a[x + 20]);
    }
#pragma GCC unroll 5
    for (int x = 0; x < 5; x++) {
      d[x] = _mm512_xor_si512(c[(x + 4) % 5], _mm512_rol_epi64(c[(x + 1) % 5], 1));
    }
    rhoPi<0>(b, a, d);
#pragma GCC unroll 25
    for (int i = 0; i < 25; i++) {
      a[i] = chi(b[i], b[i / 5 * 5 + (i + 1) % 5], b[i / 5 * 5 + (i + 2) % 5]);
    }
    a[0] = _mm512_xor_si512(a[0], all(constant));
  }
#pragma GCC unroll 25
  for (int i = 0; i < 25; i++) state[i] = a[i];
}

/** Eight running hashes over parts whose lengths are multiples of 8 bytes. */
struct Keccak8 {
  Lanes state[25];
  /** Words absorbed since the last permutation. */
  size_t pending;
};

inline void start(Keccak8* hash) {
  for (Lanes& lane : hash->state) lane = _mm512_setzero_si512();
  hash->pending = 0;
}

/** Absorbs `words` 8-byte words from each of eight places. */
inline void absorb(Keccak8* hash, const u8* const parts[8], size_t words) {
  for (size_t i = 0; i < words; i++) {
    const auto word = [&](int lane) { return static_cast<long long>(load64(parts[lane] + 8 * i)); };
    Lanes& lane = hash->state[hash->pending++];
    lane = _mm512_xor_si512(lane, _mm512_set_epi64(word(7), word(6), word(5), word(4), word(3),
                                                   word(2), word(1), word(0)));
    if (hash->pending == KECCAK_RATE / 8) {
      keccakPermute8(hash->state);
      hash->pending = 0;
    }
  }
}

inline void finish(Keccak8* hash, u8 (*hashes)[32]) {
  Lanes& first = hash->state[hash->pending];
  first = _mm512_xor_si512(first, all(0x01));
  Lanes& last = hash->state[KECCAK_RATE / 8 - 1];
  last = _mm512_xor_si512(last, all(u64{0x80} << 56));
  keccakPermute8(hash->state);
  alignas(64) u64 words[8];
  for (int i = 0; i < 4; i++) {
    _mm512_store_si512(words, hash->state[i]);
    for (int lane = 0; lane < 8; lane++) store64(hashes[lane] + 8 * i, words[lane]);
  }
}

}  // namespace
}  // namespace monero
