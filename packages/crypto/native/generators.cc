#include "generators.h"

#include <memory>

#include "multiply.h"
#include "tables.h"

namespace monero {

namespace {

/** Hp(Keccak-256(H ‖ domain ‖ varint(index))); the hash is taken once here and once inside Hp. */
Point generator(size_t index) {
  static const char domain[] = "bulletproof_plus";
  u8 varint[2] = {static_cast<u8>(index), 0};
  size_t size = 1;
  if (index >= 0x80) {
    varint[0] = static_cast<u8>(0x80 | (index & 0x7f));
    varint[1] = static_cast<u8>(index >> 7);
    size = 2;
  }
  u8 hash[32];
  Keccak()
      .add(H_BYTES, 32)
      .add(reinterpret_cast<const u8*>(domain), sizeof domain - 1)
      .add(varint, size)
      .finish(hash);
  return hashToPoint(hash, 32);
}

std::unique_ptr<Affine[]> makeVector() {
  const size_t count = 2 * MAX_PAIRS;
  auto points = std::make_unique<Point[]>(count);
  auto products = std::make_unique<Field[]>(count);
  auto vector = std::make_unique<Affine[]>(count);
  for (size_t i = 0; i < count; i++) {
    points[i] = generator(i);
    products[i] = i == 0 ? points[i].Z : products[i - 1] * points[i].Z;
  }
  Field inverse = invert(products[count - 1]);
  for (size_t i = count; i-- > 0;) {
    const Field inverseZ = i == 0 ? inverse : inverse * products[i - 1];
    inverse = inverse * points[i].Z;
    const Field x = points[i].X * inverseZ, y = points[i].Y * inverseZ;
    vector[i] = toAffine({x, y, FIELD_ONE, x * y});
  }
  return vector;
}

std::unique_ptr<Affine[]> makeTables() {
  auto tables = std::make_unique<Affine[]>(2 * TABLED_PAIRS * FIXED_ENTRIES);
  auto scratch = std::make_unique<Point[]>(FIXED_ENTRIES);
  for (size_t i = 0; i < 2 * TABLED_PAIRS; i++) {
    fillAffineOddMultiples(&tables[i * FIXED_ENTRIES], FIXED_ENTRIES, generator(i), scratch.get());
  }
  return tables;
}

std::unique_ptr<Affine[]> makeMultiples(size_t generators) {
  auto multiples = std::make_unique<Affine[]>((2 + generators + 7) * FIXED_MULTIPLES);
  Point scratch[FIXED_MULTIPLES];
  Affine* next = multiples.get();
  const auto append = [&](const Point& point) {
    fillAffineMultiples(next, FIXED_MULTIPLES, point, point, scratch);
    next += FIXED_MULTIPLES;
  };
  append(baseTables().pointG);
  append(baseTables().pointH);
  for (size_t i = 0; i < generators; i++) append(generator(i));
  return multiples;
}

}  // namespace

const Affine* generatorVector() {
  static const std::unique_ptr<const Affine[]> vector = makeVector();
  return vector.get();
}

const Affine* generatorTables() {
  static const std::unique_ptr<const Affine[]> tables = makeTables();
  return tables.get();
}

const Affine* generatorMultiples(size_t generators) {
  if (generators <= 2 * TABLED_PAIRS) {
    static const std::unique_ptr<const Affine[]> few = makeMultiples(2 * TABLED_PAIRS);
    return few.get();
  }
  static const std::unique_ptr<const Affine[]> many = makeMultiples(2 * MAX_PAIRS);
  return many.get();
}

}  // namespace monero
