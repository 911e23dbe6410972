// Keccak-256 with the original padding byte 0x01 (FIPS 202 later chose 0x06).
#pragma once

#include "bytes.h"

namespace monero {

namespace {

/** Round constants of Keccak-f[1600]. */
constexpr u64 KECCAK_ROUND[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};

/** Bytes absorbed per permutation: 1600 - 2·256 bits. */
constexpr size_t KECCAK_RATE = 136;

template <int N>
ALWAYS_INLINE u64 rotate(u64 x) {
  return x << N | x >> (64 - N);
}

/** Keccak-f[1600]; lane (x, y) is state[x + 5y]. */
NEVER_INLINE void keccakPermute(u64* s) {
  u64 a0 = s[0], a1 = s[1], a2 = s[2], a3 = s[3], a4 = s[4], a5 = s[5], a6 = s[6], a7 = s[7],
      a8 = s[8], a9 = s[9], a10 = s[10], a11 = s[11], a12 = s[12], a13 = s[13], a14 = s[14],
      a15 = s[15], a16 = s[16], a17 = s[17], a18 = s[18], a19 = s[19], a20 = s[20], a21 = s[21],
      a22 = s[22], a23 = s[23], a24 = s[24];
  for (const u64 constant : KECCAK_ROUND) {
    const u64 c0 = a0 ^ a5 ^ a10 ^ a15 ^ a20, c1 = a1 ^ a6 ^ a11 ^ a16 ^ a21,
              c2 = a2 ^ a7 ^ a12 ^ a17 ^ a22, c3 = a3 ^ a8 ^ a13 ^ a18 ^ a23,
              c4 = a4 ^ a9 ^ a14 ^ a19 ^ a24;
    const u64 d0 = c4 ^ rotate<1>(c1), d1 = c0 ^ rotate<1>(c2), d2 = c1 ^ rotate<1>(c3),
              d3 = c2 ^ rotate<1>(c4), d4 = c3 ^ rotate<1>(c0);
    // theta's second half, rho and pi together
    const u64 b0 = a0 ^ d0, b10 = rotate<1>(a1 ^ d1), b20 = rotate<62>(a2 ^ d2),
              b5 = rotate<28>(a3 ^ d3), b15 = rotate<27>(a4 ^ d4), b16 = rotate<36>(a5 ^ d0),
              b1 = rotate<44>(a6 ^ d1), b11 = rotate<6>(a7 ^ d2), b21 = rotate<55>(a8 ^ d3),
              b6 = rotate<20>(a9 ^ d4), b7 = rotate<3>(a10 ^ d0), b17 = rotate<10>(a11 ^ d1),
              b2 = rotate<43>(a12 ^ d2), b12 = rotate<25>(a13 ^ d3), b22 = rotate<39>(a14 ^ d4),
              b23 = rotate<41>(a15 ^ d0), b8 = rotate<45>(a16 ^ d1), b18 = rotate<15>(a17 ^ d2),
              b3 = rotate<21>(a18 ^ d3), b13 = rotate<8>(a19 ^ d4), b14 = rotate<18>(a20 ^ d0),
              b24 = rotate<2>(a21 ^ d1), b9 = rotate<61>(a22 ^ d2), b19 = rotate<56>(a23 ^ d3),
              b4 = rotate<14>(a24 ^ d4);
    a0 = b0 ^ (~b1 & b2) ^ constant, a1 = b1 ^ (~b2 & b3), a2 = b2 ^ (~b3 & b4);
    a3 = b3 ^ (~b4 & b0), a4 = b4 ^ (~b0 & b1);
    a5 = b5 ^ (~b6 & b7), a6 = b6 ^ (~b7 & b8), a7 = b7 ^ (~b8 & b9);
    a8 = b8 ^ (~b9 & b5), a9 = b9 ^ (~b5 & b6);
    a10 = b10 ^ (~b11 & b12), a11 = b11 ^ (~b12 & b13), a12 = b12 ^ (~b13 & b14);
    a13 = b13 ^ (~b14 & b10), a14 = b14 ^ (~b10 & b11);
    a15 = b15 ^ (~b16 & b17), a16 = b16 ^ (~b17 & b18), a17 = b17 ^ (~b18 & b19);
    a18 = b18 ^ (~b19 & b15), a19 = b19 ^ (~b15 & b16);
    a20 = b20 ^ (~b21 & b22), a21 = b21 ^ (~b22 & b23), a22 = b22 ^ (~b23 & b24);
    a23 = b23 ^ (~b24 & b20), a24 = b24 ^ (~b20 & b21);
  }
  s[0] = a0, s[1] = a1, s[2] = a2, s[3] = a3, s[4] = a4, s[5] = a5, s[6] = a6, s[7] = a7;
  s[8] = a8, s[9] = a9, s[10] = a10, s[11] = a11, s[12] = a12, s[13] = a13, s[14] = a14;
  s[15] = a15, s[16] = a16, s[17] = a17, s[18] = a18, s[19] = a19, s[20] = a20, s[21] = a21;
  s[22] = a22, s[23] = a23, s[24] = a24;
}

/** A running hash. Copying it keeps the midstate of a common prefix. */
class Keccak {
 public:
  Keccak& add(const u8* data, size_t size) {
    u8* bytes = reinterpret_cast<u8*>(state_);
    while (size > 0) {
      if (pending_ % 8 == 0 && size >= 8) {
        state_[pending_ / 8] ^= load64(data);
        pending_ += 8, data += 8, size -= 8;
      } else {
        bytes[pending_++] ^= *data++;
        size--;
      }
      if (pending_ == KECCAK_RATE) {
        keccakPermute(state_);
        pending_ = 0;
      }
    }
    return *this;
  }
  /** Ends the hash; the object is spent. */
  void finish(u8 hash[32]) {
    reinterpret_cast<u8*>(state_)[pending_] ^= 0x01;
    reinterpret_cast<u8*>(state_)[KECCAK_RATE - 1] ^= 0x80;
    keccakPermute(state_);
    std::memcpy(hash, state_, 32);
  }

 private:
  u64 state_[25] = {};
  /** Bytes absorbed since the last permutation. */
  size_t pending_ = 0;
};

inline void keccak256(u8 hash[32], const u8* data, size_t size) {
  Keccak().add(data, size).finish(hash);
}

}  // namespace
}  // namespace monero
