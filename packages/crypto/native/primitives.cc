#include "primitives.h"

#include "multiply.h"
#include "tables.h"

namespace monero {

namespace {

Point amountTimesH(u64 amount) {
  u8 scalar[32] = {};
  store64(scalar, amount);
  return sumOfMultiples({nafTerm(scalar, baseTables().H, FIXED_WIDTH)});
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
  encode(commitment, sum(baseTables().pointG, amountTimesH(amount)));
}

bool verifyBalance(const u8* inputs, size_t inputCount, const u8* outputs, size_t outputCount,
                   u64 fee) {
  Point in, out;
  if (!addAll(&in, inputs, inputCount) || !addAll(&out, outputs, outputCount)) return false;
  return isIdentity(difference(in, sum(out, amountTimesH(fee))));
}

}  // namespace monero
