// The code of items.h for one kind of vectors. It is compiled once for each, with MONERO_PATH as its name.
#include <immintrin.h>

#include "items.h"

namespace monero {
namespace MONERO_PATH {

namespace {

#ifdef __AVX512DQ__

using Vector = __m512i;

inline Vector all(uint64_t word) { return _mm512_set1_epi64(static_cast<long long>(word)); }
inline Vector add(Vector a, Vector b) { return _mm512_add_epi64(a, b); }
inline Vector sub(Vector a, Vector b) { return _mm512_sub_epi64(a, b); }
inline Vector exclusiveOr(Vector a, Vector b) { return _mm512_xor_si512(a, b); }
inline Vector both(Vector a, Vector b) { return _mm512_and_si512(a, b); }
inline Vector left(Vector a, unsigned bits) {
  return _mm512_sll_epi64(a, _mm_cvtsi32_si128(static_cast<int>(bits)));
}
inline Vector upper(Vector a) { return _mm512_srli_epi64(a, 32); }
inline Vector rotateRight(Vector a, unsigned bits) { return _mm512_rorv_epi64(a, all(bits)); }
inline Vector multiplyHalves(Vector a, Vector b) { return _mm512_mul_epu32(a, b); }
inline Vector multiply(Vector a, Vector b) { return _mm512_mullo_epi64(a, b); }
/** b where a is negative, otherwise 0. */
inline Vector whereNegative(Vector a, Vector b) {
  return _mm512_maskz_mov_epi64(_mm512_movepi64_mask(a), b);
}

/** Makes eight vectors of the lanes from eight rows of eight words, or the reverse. */
inline void transpose(const Vector* rows, Vector* columns) {
  Vector a[8], b[8];
  for (int i = 0; i < 8; i += 2) {
    a[i] = _mm512_unpacklo_epi64(rows[i], rows[i + 1]);
    a[i + 1] = _mm512_unpackhi_epi64(rows[i], rows[i + 1]);
  }
  for (int i = 0; i < 2; i++) {
    for (int half = 0; half < 8; half += 4) {
      b[half + i] = _mm512_shuffle_i64x2(a[half + i], a[half + i + 2], 0x88);
      b[half + i + 2] = _mm512_shuffle_i64x2(a[half + i], a[half + i + 2], 0xdd);
    }
  }
  for (int i = 0; i < 4; i++) {
    columns[i] = _mm512_shuffle_i64x2(b[i], b[i + 4], 0x88);
    columns[i + 4] = _mm512_shuffle_i64x2(b[i], b[i + 4], 0xdd);
  }
}

#else

using Vector = __m256i;

inline Vector all(uint64_t word) { return _mm256_set1_epi64x(static_cast<long long>(word)); }
inline Vector add(Vector a, Vector b) { return _mm256_add_epi64(a, b); }
inline Vector sub(Vector a, Vector b) { return _mm256_sub_epi64(a, b); }
inline Vector exclusiveOr(Vector a, Vector b) { return _mm256_xor_si256(a, b); }
inline Vector both(Vector a, Vector b) { return _mm256_and_si256(a, b); }
inline Vector left(Vector a, unsigned bits) {
  return _mm256_sll_epi64(a, _mm_cvtsi32_si128(static_cast<int>(bits)));
}
inline Vector upper(Vector a) { return _mm256_srli_epi64(a, 32); }
inline Vector rotateRight(Vector a, unsigned bits) {
  return _mm256_or_si256(_mm256_srl_epi64(a, _mm_cvtsi32_si128(static_cast<int>(bits))),
                         _mm256_sll_epi64(a, _mm_cvtsi32_si128(static_cast<int>(64 - bits))));
}
inline Vector multiplyHalves(Vector a, Vector b) { return _mm256_mul_epu32(a, b); }
inline Vector multiply(Vector a, Vector b) {
  const Vector crossed = _mm256_mullo_epi32(a, _mm256_shuffle_epi32(b, 0xb1));
  const Vector sums = _mm256_add_epi32(crossed, _mm256_slli_epi64(crossed, 32));
  return _mm256_add_epi64(_mm256_mul_epu32(a, b), _mm256_and_si256(sums, all(0xffffffff00000000)));
}
inline Vector whereNegative(Vector a, Vector b) {
  return _mm256_and_si256(_mm256_cmpgt_epi64(_mm256_setzero_si256(), a), b);
}

#endif

constexpr size_t LANES = sizeof(Vector) / 8;
/** Vectors of one register. */
constexpr size_t VECTORS = ITEM_BATCH / LANES;
constexpr uint64_t MULTIPLIER = 6364136223846793005;
/** Start values of the registers are r0 xor these (specification, 7.3). */
constexpr uint64_t INITIAL[8] = {0,
                                 9298411001130361340u,
                                 12065312585734608966u,
                                 9306329213124626780u,
                                 5281919268842080866u,
                                 10536153434571861004u,
                                 3398623926847679864u,
                                 9549104520008361294u};

/** The registers of a batch. */
struct alignas(64) Batch {
  Vector r[8][VECTORS];
  const uint8_t* places[ITEM_BATCH];
};

inline Vector multiplyHigh(Vector a, Vector b) {
  const Vector a1 = upper(a), b1 = upper(b);
  const Vector low = multiplyHalves(a, b);
  const Vector middle = add(multiplyHalves(a1, b), upper(low));
  const Vector other = add(multiplyHalves(a, b1), both(middle, all(0xffffffff)));
  return add(add(multiplyHalves(a1, b1), upper(middle)), upper(other));
}

inline Vector multiplyHighSigned(Vector a, Vector b) {
  return sub(sub(multiplyHigh(a, b), whereNegative(a, b)), whereNegative(b, a));
}

template <typename Operation>
inline __attribute__((always_inline)) void each(Vector* d, const Vector* s, Operation operation) {
  for (size_t i = 0; i < VECTORS; i++) d[i] = operation(d[i], s[i]);
}

void run(const SuperscalarProgram& program, Batch& batch) {
  for (const SuperscalarInstruction& each_ : program.instructions) {
    Vector* d = batch.r[each_.destination];
    const Vector* s = batch.r[each_.source];
    switch (each_.operation) {
      case ISUB_R:
        each(d, s, [](Vector a, Vector b) { return sub(a, b); });
        break;
      case IXOR_R:
        each(d, s, [](Vector a, Vector b) { return exclusiveOr(a, b); });
        break;
      case IADD_RS:
        each(d, s, [&](Vector a, Vector b) { return add(a, left(b, each_.shift)); });
        break;
      case IMUL_R:
        each(d, s, [](Vector a, Vector b) { return multiply(a, b); });
        break;
      case IROR_C:
        each(d, s, [&](Vector a, Vector) { return rotateRight(a, each_.shift); });
        break;
      case IADD_C7:
      case IADD_C8:
      case IADD_C9: {
        const Vector constant = all(each_.constant);
        each(d, s, [=](Vector a, Vector) { return add(a, constant); });
        break;
      }
      case IXOR_C7:
      case IXOR_C8:
      case IXOR_C9: {
        const Vector constant = all(each_.constant);
        each(d, s, [=](Vector a, Vector) { return exclusiveOr(a, constant); });
        break;
      }
      case IMULH_R:
        each(d, s, [](Vector a, Vector b) { return multiplyHigh(a, b); });
        break;
      case ISMULH_R:
        each(d, s, [](Vector a, Vector b) { return multiplyHighSigned(a, b); });
        break;
      case IMUL_RCP: {
        const Vector constant = all(each_.constant);
        each(d, s, [=](Vector a, Vector) { return multiply(a, constant); });
        break;
      }
    }
  }
}

/** Fetches the places of the cache that the words of a register select. */
void fetch(const uint8_t* cache, const uint64_t* words, Batch& batch) {
  for (size_t i = 0; i < ITEM_BATCH; i++) {
    batch.places[i] = cache + (words[i] & (CACHE_ITEMS - 1)) * ITEM_SIZE;
    _mm_prefetch(reinterpret_cast<const char*>(batch.places[i]), _MM_HINT_T0);
  }
}

void mix(Batch& batch);
void write(const Batch& batch, uint8_t* out);

#ifdef __AVX512DQ__

void mix(Batch& batch) {
  for (size_t i = 0; i < VECTORS; i++) {
    Vector rows[8], columns[8];
    for (size_t lane = 0; lane < 8; lane++)
      rows[lane] = _mm512_loadu_si512(batch.places[8 * i + lane]);
    transpose(rows, columns);
    for (size_t k = 0; k < 8; k++) batch.r[k][i] = exclusiveOr(batch.r[k][i], columns[k]);
  }
}

void write(const Batch& batch, uint8_t* out) {
  for (size_t i = 0; i < VECTORS; i++) {
    Vector rows[8], columns[8];
    for (size_t k = 0; k < 8; k++) rows[k] = batch.r[k][i];
    transpose(rows, columns);
    for (size_t lane = 0; lane < 8; lane++)
      _mm512_storeu_si512(out + (8 * i + lane) * ITEM_SIZE, columns[lane]);
  }
}

#else

/** Makes four vectors of the lanes from four rows of four words, or the reverse. */
inline void transpose(const Vector* rows, Vector* columns) {
  const Vector a0 = _mm256_unpacklo_epi64(rows[0], rows[1]);
  const Vector a1 = _mm256_unpackhi_epi64(rows[0], rows[1]);
  const Vector a2 = _mm256_unpacklo_epi64(rows[2], rows[3]);
  const Vector a3 = _mm256_unpackhi_epi64(rows[2], rows[3]);
  columns[0] = _mm256_permute2x128_si256(a0, a2, 0x20);
  columns[1] = _mm256_permute2x128_si256(a1, a3, 0x20);
  columns[2] = _mm256_permute2x128_si256(a0, a2, 0x31);
  columns[3] = _mm256_permute2x128_si256(a1, a3, 0x31);
}

void mix(Batch& batch) {
  for (size_t i = 0; i < VECTORS; i++) {
    for (size_t half = 0; half < 8; half += 4) {
      Vector rows[4], columns[4];
      for (size_t lane = 0; lane < 4; lane++)
        rows[lane] = _mm256_loadu_si256(
            reinterpret_cast<const Vector*>(batch.places[4 * i + lane] + 8 * half));
      transpose(rows, columns);
      for (size_t k = 0; k < 4; k++)
        batch.r[half + k][i] = exclusiveOr(batch.r[half + k][i], columns[k]);
    }
  }
}

void write(const Batch& batch, uint8_t* out) {
  for (size_t i = 0; i < VECTORS; i++) {
    for (size_t half = 0; half < 8; half += 4) {
      Vector rows[4], columns[4];
      for (size_t k = 0; k < 4; k++) rows[k] = batch.r[half + k][i];
      transpose(rows, columns);
      for (size_t lane = 0; lane < 4; lane++)
        _mm256_storeu_si256(reinterpret_cast<Vector*>(out + (4 * i + lane) * ITEM_SIZE + 8 * half),
                            columns[lane]);
    }
  }
}

#endif

}  // namespace

void makeItems(const uint8_t* cache, const SuperscalarProgram* programs, uint64_t first,
               size_t count, uint8_t* out) {
  Batch batch;
  alignas(64) uint64_t numbers[ITEM_BATCH];
  for (size_t done = 0; done < count; done += ITEM_BATCH) {
    for (size_t i = 0; i < ITEM_BATCH; i++) numbers[i] = first + done + i;
    fetch(cache, numbers, batch);
    for (size_t i = 0; i < ITEM_BATCH; i++) {
      const uint64_t r0 = (numbers[i] + 1) * MULTIPLIER;
      for (size_t k = 0; k < 8; k++) reinterpret_cast<uint64_t*>(batch.r[k])[i] = r0 ^ INITIAL[k];
    }
    for (size_t i = 0; i < PROGRAMS; i++) {
      run(programs[i], batch);
      mix(batch);
      if (i + 1 < PROGRAMS)
        fetch(cache, reinterpret_cast<const uint64_t*>(batch.r[programs[i].addressRegister]),
              batch);
    }
    write(batch, out + done * ITEM_SIZE);
  }
}

}  // namespace MONERO_PATH
}  // namespace monero
