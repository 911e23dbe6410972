#include "primitives.h"

#include "multiply.h"
#include "tables.h"

namespace monero {

namespace {

/** `point` + amount·H, without a doubling: digits of four bits with a sign. */
Point plusAmountTimesH(Point point, u64 amount) {
  const Affine* multiples = amountMultiples();
  int carry = 0;
  for (int position = 0; position < AMOUNT_DIGITS; position++) {
    const int value = static_cast<int>(amount & 15) + carry;
    amount >>= 4;
    carry = value > AMOUNT_MULTIPLES ? 1 : 0;
    const int digit = value - 16 * carry;
    if (digit > 0) add<WithT::yes>(&point, &point, &multiples[digit - 1]);
    if (digit < 0) subtract<WithT::yes>(&point, &point, &multiples[-digit - 1]);
    multiples += AMOUNT_MULTIPLES;
  }
  return point;
}

bool addAll(Point* total, const u8* points, size_t count) {
  *total = IDENTITY;
  for (size_t i = 0; i < count; i++) {
    Point point;
    if (!decode(&point, points + 32 * i)) return false;
    *total = sum(*total, point);
  }
  return true;
}

}  // namespace

void hashBytes(u8 hash[32], const u8* data, size_t size) { keccak256(hash, data, size); }

void hashToPointBytes(u8 point[32], const u8* data, size_t size) {
  encode(point, hashToPoint(data, size));
}

bool isPoint(const u8 bytes[32]) {
  Point point;
  return decode(&point, bytes);
}

bool isValidKeyImage(const u8 keyImage[32]) {
  Point point;
  return decode(&point, keyImage) && !isIdentity(point) && isInPrimeSubgroup(point);
}

void commitToAmount(u8 commitment[32], u64 amount) {
  encode(commitment, plusAmountTimesH(baseTables().pointG, amount));
}

bool verifyBalance(const u8* inputs, size_t inputCount, const u8* outputs, size_t outputCount,
                   u64 fee) {
  Point in, out;
  if (!addAll(&in, inputs, inputCount) || !addAll(&out, outputs, outputCount)) return false;
  return isIdentity(difference(in, plusAmountTimesH(out, fee)));
}

}  // namespace monero
