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

}  // namespace

const BaseTables& baseTables() {
  // The language makes this once, whichever thread comes first; others wait.
  static const std::unique_ptr<const BaseTables> tables = makeBaseTables();
  return *tables;
}

}  // namespace monero
