// Borromean range proofs (upstream `verRange` and `verifyBorromean`; Noether, "Ring Confidential
// Transactions", and Maxwell, Poelstra, "Borromean Ring Signatures"). The C_i add up to the
// commitment, and for every bit
//
//   LL = s0·G + ee·C_i        L = s1·G + Hs(LL)·(C_i - 2^i·H)
//
// where the hash of all L is ee. s0 and s1 need not be below l.
#include <vector>

#include "batch.h"
#include "lanes.h"
#include "old_signatures.h"
#include "tables.h"

namespace monero {

namespace {

constexpr int MAX_DIGIT = 15;
/** Number of bits that a window looks ahead. */
constexpr int REACH = 6;
constexpr int BITS = 256;

/** 2^256 mod l: TO_MONTGOMERY, 2^512 mod l, is its Montgomery form. */
constexpr Scalar TWO_TO_256 = TO_MONTGOMERY;

/** Propagates a carry upwards from digit k; true if it is lost past the last digit. */
bool carryFrom(int8_t* digits, int k) {
  for (; k < BITS; k++) {
    if (digits[k] == 0) {
      digits[k] = 1;
      return false;
    }
    digits[k] = 0;
  }
  return true;
}

/**
 * The scalar that upstream multiplies with when it is given these 32 bytes (its `slide`). The
 * recoding into signed windows keeps the value, except that a carry out of bit 255 is forgotten: then
 * 2^256 is missing. That happens at most once, since no digit above it is left. Such proofs are on
 * the chain.
 */
Scalar slidScalar(const u8* bytes) {
  int8_t digits[BITS];
  for (int i = 0; i < BITS; i++) digits[i] = (bytes[i >> 3] >> (i & 7)) & 1;
  bool lost = false;
  for (int i = 0; i < BITS; i++) {
    if (digits[i] == 0) continue;
    for (int b = 1; b <= REACH && i + b < BITS; b++) {
      if (digits[i + b] == 0) continue;
      const int further = digits[i + b] << b;
      if (digits[i] + further <= MAX_DIGIT) {
        digits[i] = static_cast<int8_t>(digits[i] + further);
        digits[i + b] = 0;
      } else if (digits[i] - further >= -MAX_DIGIT) {
        digits[i] = static_cast<int8_t>(digits[i] - further);
        lost = carryFrom(digits, i + b) || lost;
      } else {
        break;
      }
    }
  }
  const Scalar value = scalarFromBytes(bytes);
  return lost ? value - TWO_TO_256 : value;
}

/** Encodes s·G + challenge·P at every bit. */
void encodeRow(ScalarBytes* encoded, const u8* s, const ScalarBytes* challenges,
               const Point* points, const VectorCode* code) {
  PairSum sums[BORROMEAN_BITS];
  for (size_t i = 0; i < BORROMEAN_BITS; i++) {
    sums[i].A = pointG();
    sums[i].B = &points[i];
    scalarToBytes(sums[i].s, slidScalar(s + 32 * i));
    std::memcpy(sums[i].c, challenges[i].bytes, 32);
  }
  encodePairSums(encoded, sums, BORROMEAN_BITS, code);
}

/** Decodes the C_i; false if one is no point or their sum is not the commitment. */
bool readBits(Point* bits, const Borromean& proof, const VectorCode* code) {
  const u8* encoded[BORROMEAN_BITS];
  for (size_t i = 0; i < BORROMEAN_BITS; i++) encoded[i] = proof.Ci + 32 * i;
  Point commitment;
  if (!decode(&commitment, proof.commitment) || !decodeAll(bits, encoded, BORROMEAN_BITS, code)) {
    return false;
  }
  Point total = bits[0];
  for (size_t i = 1; i < BORROMEAN_BITS; i++) total = sum(total, bits[i]);
  return isIdentity(difference(total, commitment));
}

bool verifyBorromean(const Borromean& proof, const VectorCode* code) {
  Point bits[BORROMEAN_BITS];
  // It is compared with a hash modulo l.
  if (!isCanonicalScalar(proof.ee) || !readBits(bits, proof, code)) return false;

  ScalarBytes challenges[BORROMEAN_BITS], row[BORROMEAN_BITS];
  for (ScalarBytes& challenge : challenges) std::memcpy(challenge.bytes, proof.ee, 32);
  encodeRow(row, proof.s0, challenges, bits, code);

  Point power = baseTables().pointH;
  for (size_t i = 0; i < BORROMEAN_BITS; i++) {
    Keccak hash;
    hash.add(row[i].bytes, 32);
    scalarToBytes(challenges[i].bytes, finishToScalar(hash));
    bits[i] = difference(bits[i], power);
    doubled<WithT::yes>(&power, &power);
  }
  encodeRow(row, proof.s1, challenges, bits, code);
  Keccak hash;
  for (const ScalarBytes& encoded : row) hash.add(encoded.bytes, 32);
  return isEqual(finishToScalar(hash), scalarFromBytes(proof.ee));
}

}  // namespace

void verifyBorromeans(const Borromean* proofs, size_t count, u8* answers, const VectorCode* code) {
  for (size_t i = 0; i < count; i++) answers[i] = verifyBorromean(proofs[i], code) ? 1 : 0;
}

}  // namespace monero
