#include "tables.h"

#include <memory>

#include "multiply.h"

namespace monero {

namespace {

std::unique_ptr<const BaseTables> makeBaseTables() {
  auto tables = std::make_unique<BaseTables>();
  auto scratch = std::make_unique<Point[]>(FIXED_ENTRIES);
  decode(&tables->pointG, G_BYTES);
  decode(&tables->pointH, H_BYTES);
  fillAffineOddMultiples(tables->G, FIXED_ENTRIES, tables->pointG, scratch.get());
  fillAffineOddMultiples(tables->H, FIXED_ENTRIES, tables->pointH, scratch.get());
  return tables;
}

std::unique_ptr<Affine[]> makeBaseMultiples() {
  auto multiples = std::make_unique<Affine[]>(BASE_QUARTERS * BASE_MULTIPLES);
  auto scratch = std::make_unique<Point[]>(BASE_MULTIPLES);
  Point point = baseTables().pointG;
  for (int quarter = 0; quarter < BASE_QUARTERS; quarter++) {
    fillAffineMultiples(&multiples[quarter * BASE_MULTIPLES], BASE_MULTIPLES, point, point,
                        scratch.get());
    for (int i = 0; i < 64; i++) doubled<WithT::yes>(&point, &point);
  }
  return multiples;
}

std::unique_ptr<Affine[]> makeAmountMultiples() {
  auto multiples = std::make_unique<Affine[]>(AMOUNT_DIGITS * AMOUNT_MULTIPLES);
  Point scratch[AMOUNT_MULTIPLES];
  Point point = baseTables().pointH;
  for (int position = 0; position < AMOUNT_DIGITS; position++) {
    fillAffineMultiples(&multiples[position * AMOUNT_MULTIPLES], AMOUNT_MULTIPLES, point, point,
                        scratch);
    for (int i = 0; i < 4; i++) doubled<WithT::yes>(&point, &point);
  }
  return multiples;
}

}  // namespace

const BaseTables& baseTables() {
  // C++ initializes this once, in whichever thread comes first; the others wait.
  static const std::unique_ptr<const BaseTables> tables = makeBaseTables();
  return *tables;
}

const Affine* baseMultiples() {
  static const std::unique_ptr<const Affine[]> multiples = makeBaseMultiples();
  return multiples.get();
}

const Affine* amountMultiples() {
  static const std::unique_ptr<const Affine[]> multiples = makeAmountMultiples();
  return multiples.get();
}

}  // namespace monero
