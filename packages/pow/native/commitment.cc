#include "commitment.h"

#include <cstddef>
#include <cstring>
#include <vector>

namespace monero {

namespace {

constexpr size_t HASH_SIZE = 32;
constexpr size_t BLOCK_SIZE = 128;

/** RFC 7693, 2.6: the initialization vector. */
constexpr uint64_t IV[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};

/** RFC 7693, 2.7: the order of the message words. Rounds 10 and 11 have those of 0 and 1. */
constexpr uint8_t SIGMA[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

uint64_t rotateRight(uint64_t word, int bits) { return word >> bits | word << (64 - bits); }

void mix(uint64_t* v, int a, int b, int c, int d, uint64_t x, uint64_t y) {
  v[a] += v[b] + x;
  v[d] = rotateRight(v[d] ^ v[a], 32);
  v[c] += v[d];
  v[b] = rotateRight(v[b] ^ v[c], 24);
  v[a] += v[b] + y;
  v[d] = rotateRight(v[d] ^ v[a], 16);
  v[c] += v[d];
  v[b] = rotateRight(v[b] ^ v[c], 63);
}

/** RFC 7693, 3.2. `end`: bytes hashed up to the end of this block. */
void compress(uint64_t* h, const uint8_t* block, uint64_t end, bool isLast) {
  uint64_t m[16];
  for (int i = 0; i < 16; i++) {
    m[i] = 0;
    for (int k = 7; k >= 0; k--) m[i] = m[i] << 8 | block[8 * i + k];
  }
  uint64_t v[16];
  for (int i = 0; i < 8; i++) {
    v[i] = h[i];
    v[8 + i] = IV[i];
  }
  v[12] ^= end;
  if (isLast) v[14] = ~v[14];
  for (int round = 0; round < 12; round++) {
    const uint8_t* s = SIGMA[round % 10];
    for (int i = 0; i < 4; i++) mix(v, i, 4 + i, 8 + i, 12 + i, m[s[2 * i]], m[s[2 * i + 1]]);
    for (int i = 0; i < 4; i++) {
      mix(v, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, m[s[8 + 2 * i]],
          m[s[9 + 2 * i]]);
    }
  }
  for (int i = 0; i < 8; i++) h[i] ^= v[i] ^ v[8 + i];
}

}  // namespace

void commit(const std::string& blob, const uint8_t* hash, uint8_t* out) {
  const size_t size = blob.size() + HASH_SIZE;
  const size_t blocks = (size + BLOCK_SIZE - 1) / BLOCK_SIZE;
  std::vector<uint8_t> message(blocks * BLOCK_SIZE, 0);
  std::memcpy(message.data(), blob.data(), blob.size());
  std::memcpy(message.data() + blob.size(), hash, HASH_SIZE);
  uint64_t h[8];
  std::memcpy(h, IV, sizeof(h));
  // The parameter block: digest of 32 bytes, no key, fanout and depth 1.
  h[0] ^= 0x01010000 ^ HASH_SIZE;
  for (size_t i = 0; i < blocks; i++) {
    const bool isLast = i + 1 == blocks;
    compress(h, message.data() + i * BLOCK_SIZE, isLast ? size : (i + 1) * BLOCK_SIZE, isLast);
  }
  for (size_t i = 0; i < HASH_SIZE; i++) out[i] = static_cast<uint8_t>(h[i / 8] >> (8 * (i % 8)));
}

}  // namespace monero
