#include "generators.h"

#include <memory>

#include "multiply.h"
#include "tables.h"

namespace monero {

namespace {

/** Hp(Keccak-256(H ‖ domain ‖ varint(index))); the hash is taken once here and once inside Hp. */
Point generator(GeneratorKind kind, size_t index) {
  const char* domain = kind == GeneratorKind::bulletproofPlus ? "bulletproof_plus" : "bulletproof";
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
      .add(reinterpret_cast<const u8*>(domain), std::strlen(domain))
      .add(varint, size)
      .finish(hash);
  return hashToPoint(hash, 32);
}

std::unique_ptr<Affine[]> makeVector(GeneratorKind kind) {
  const size_t count = 2 * MAX_PAIRS;
  auto points = std::make_unique<Point[]>(count);
  auto products = std::make_unique<Field[]>(count);
  auto vector = std::make_unique<Affine[]>(count);
  for (size_t i = 0; i < count; i++) {
    points[i] = generator(kind, i);
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

std::unique_ptr<Affine[]> makeTables(GeneratorKind kind) {
  auto tables = std::make_unique<Affine[]>(2 * TABLED_PAIRS * FIXED_ENTRIES);
  auto scratch = std::make_unique<Point[]>(FIXED_ENTRIES);
  for (size_t i = 0; i < 2 * TABLED_PAIRS; i++) {
    fillAffineOddMultiples(&tables[i * FIXED_ENTRIES], FIXED_ENTRIES, generator(kind, i),
                           scratch.get());
  }
  return tables;
}

std::unique_ptr<Affine[]> makeMultiples(GeneratorKind kind) {
  auto multiples = std::make_unique<Affine[]>((FIXED_POINTS + 7) * FIXED_MULTIPLES);
  auto scratch = std::make_unique<Point[]>(FIXED_MULTIPLES);
  Affine* next = multiples.get();
  const auto append = [&](const Point& point) {
    fillAffineMultiples(next, FIXED_MULTIPLES, point, point, scratch.get());
    next += FIXED_MULTIPLES;
  };
  append(baseTables().pointG);
  append(baseTables().pointH);
  for (size_t i = 0; i < 2 * TABLED_PAIRS; i++) append(generator(kind, i));
  return multiples;
}

// One static table for each kind; C++ initializes it once, in whichever thread comes first.

template <GeneratorKind KIND>
const Affine* vectorOf() {
  static const std::unique_ptr<const Affine[]> vector = makeVector(KIND);
  return vector.get();
}

template <GeneratorKind KIND>
const Affine* tablesOf() {
  static const std::unique_ptr<const Affine[]> tables = makeTables(KIND);
  return tables.get();
}

template <GeneratorKind KIND>
const Affine* multiplesOf() {
  static const std::unique_ptr<const Affine[]> multiples = makeMultiples(KIND);
  return multiples.get();
}

constexpr GeneratorKind OLD = GeneratorKind::bulletproof, PLUS = GeneratorKind::bulletproofPlus;

}  // namespace

const Affine* generatorVector(GeneratorKind kind) {
  return kind == PLUS ? vectorOf<PLUS>() : vectorOf<OLD>();
}

const Affine* generatorTables(GeneratorKind kind) {
  return kind == PLUS ? tablesOf<PLUS>() : tablesOf<OLD>();
}

const Affine* generatorMultiples(GeneratorKind kind) {
  return kind == PLUS ? multiplesOf<PLUS>() : multiplesOf<OLD>();
}

}  // namespace monero
