#include "ed25519.h"

#include "../../crypto/native/msm.h"

namespace monero {

namespace {

/** From so many points on, buckets are faster than tables of multiples. */
constexpr size_t PIPPENGER_FROM = 300;

Point pointOf(const u8* coordinates) {
  const Field x = fieldFromBytes(coordinates), y = fieldFromBytes(coordinates + 32);
  return {x, y, FIELD_ONE, x * y};
}

void writeCoordinates(u8* out, const Point& point) {
  const Field inverse = invert(point.Z);
  fieldToBytes(out, point.X * inverse);
  fieldToBytes(out + 32, point.Y * inverse);
}

}  // namespace

bool decodePrimePoint(u8* out, const u8* bytes) {
  Point point;
  if (!decode(&point, bytes) || !isInPrimeSubgroup(point)) return false;
  fieldToBytes(out, point.X);
  fieldToBytes(out + 32, point.Y);
  return true;
}

void sumOfEdMultiples(u8* out, const u8* points, const u8* scalars, size_t count) {
  if (count < PIPPENGER_FROM) {
    StrausSum sum(count);
    for (size_t i = 0; i < count; i++) sum.addPoint(pointOf(points + 64 * i), scalars + 32 * i);
    writeCoordinates(out, sum.total());
    return;
  }
  std::vector<Affine> affine(count);
  for (size_t i = 0; i < count; i++) affine[i] = toAffine(pointOf(points + 64 * i));
  static_assert(sizeof(ScalarBytes) == 32, "scalars lie one after another");
  const auto* bytes = reinterpret_cast<const ScalarBytes*>(scalars);
  writeCoordinates(out, pippengerSum(affine.data(), bytes, count));
}

}  // namespace monero
