// Sums of many multiples.
#pragma once

#include <memory>
#include <vector>

#include "multiply.h"
#include "tables.h"

namespace monero {

namespace {

/**
 * Straus: one chain of doublings, and for each bit the additions that the non-adjacent forms ask
 * for. Some terms have affine tables of fixed points, others get tables of odd multiples here.
 * The best choice up to a few hundred points.
 */
class StrausSum {
 public:
  explicit StrausSum(size_t terms) : stride_((terms + 7) / 8 * 8) {
    digits_.resize(NAF_LENGTH * stride_);
    tables_.reserve(terms);
    ownTables_.reserve(terms);
  }

  /** `table`: FIXED_ENTRIES odd multiples. */
  void addFixed(const Affine* table, const u8* scalar) {
    setDigits(scalar, FIXED_WIDTH);
    tables_.push_back({table, nullptr});
  }

  void addPoint(const Point& point, const u8* scalar) {
    setDigits(scalar, VARIABLE_WIDTH);
    ownTables_.emplace_back();
    fillOddMultiples(&ownTables_.back(), point);
    tables_.push_back({nullptr, ownTables_.back().entry});
  }

  Point total() const {
    Point r = IDENTITY;
    for (int bit = top_; bit >= 0; bit--) {
      doubled<WithT::yes>(&r, &r);
      const int8_t* row = &digits_[bit * stride_];
      for (size_t i = 0; i < tables_.size(); i += 8) {
        u64 eight;
        std::memcpy(&eight, row + i, 8);
        if (eight == 0) continue;
        for (size_t k = i; k < i + 8; k++) {
          if (row[k] != 0) addMultiple(&r, tables_[k], row[k]);
        }
      }
    }
    return r;
  }

 private:
  struct Table {
    const Affine* affine;
    const Cached* cached;
  };

  static void addMultiple(Point* r, const Table& table, int digit) {
    const int index = (digit < 0 ? -digit : digit) >> 1;
    if (table.affine != nullptr) {
      digit > 0 ? add<WithT::yes>(r, r, &table.affine[index])
                : subtract<WithT::yes>(r, r, &table.affine[index]);
    } else {
      digit > 0 ? add<WithT::yes>(r, r, &table.cached[index])
                : subtract<WithT::yes>(r, r, &table.cached[index]);
    }
  }

  void setDigits(const u8* scalar, int width) {
    int8_t digits[NAF_LENGTH];
    const int top = nonAdjacentForm(digits, scalar, width);
    for (int bit = 0; bit <= top; bit++) digits_[bit * stride_ + tables_.size()] = digits[bit];
    top_ = top > top_ ? top : top_;
  }

  size_t stride_;
  int top_ = -1;
  /** Row for row the digits of all terms at one bit. */
  std::vector<int8_t> digits_;
  std::vector<Table> tables_;
  std::vector<OddMultiples> ownTables_;
};

/** The scalars have this many bits at most. */
constexpr int SCALAR_BITS = 253;

/** Windows of `width` bits for signed digits: room for the last carry included. */
inline int windowCount(int width) { return SCALAR_BITS / width + 1; }

/** The window width with the fewest additions for `count` points: windows·(points + 2·buckets). */
inline int bestWindowWidth(size_t count) {
  int best = 4;
  size_t bestCost = SIZE_MAX;
  for (int width = 4; width <= 13; width++) {
    const size_t cost = windowCount(width) * (count + (size_t{2} << (width - 1)));
    if (cost < bestCost) best = width, bestCost = cost;
  }
  return best;
}

/**
 * `windows` signed digits in [-2^(width-1), 2^(width-1)], lowest first, written `stride` apart. The last one begins below bit
 * 256, and has room for the carry.
 */
inline void signedDigits(int16_t* digits, size_t stride, const u8* scalar, int width, int windows) {
  const u64 words[5] = {load64(scalar), load64(scalar + 8), load64(scalar + 16),
                        load64(scalar + 24), 0};
  const int half = 1 << (width - 1);
  int carry = 0;
  for (int w = 0; w < windows; w++) {
    const int bit = w * width;
    u64 window = words[bit >> 6] >> (bit & 63);
    if ((bit & 63) != 0) window |= words[(bit >> 6) + 1] << (64 - (bit & 63));
    int digit = static_cast<int>(window & ((u64{1} << width) - 1)) + carry;
    carry = digit > half ? 1 : 0;
    digit -= carry << width;
    digits[w * stride] = static_cast<int16_t>(digit);
  }
}

/** The sum of k·bucket[k-1] for k = 1 … count, by running sums from the top. */
inline Point sumOfBuckets(const Point* buckets, const bool* used, size_t count) {
  Point running = IDENTITY, total = IDENTITY;
  bool any = false;
  for (size_t k = count; k-- > 0;) {
    if (used[k]) {
      running = any ? sum(running, buckets[k]) : buckets[k];
      any = true;
    }
    if (any) total = sum(total, running);
  }
  return total;
}

/** Pippenger's bucket method; for many points. */
inline Point pippengerSum(const Affine* points, const ScalarBytes* scalars, size_t count) {
  const int width = bestWindowWidth(count);
  const int windows = windowCount(width);
  const size_t bucketCount = size_t{1} << (width - 1);
  std::vector<int16_t> digits(count * windows);
  for (size_t i = 0; i < count; i++) {
    signedDigits(&digits[i], count, scalars[i].bytes, width, windows);
  }

  std::vector<Point> buckets(bucketCount);
  const std::unique_ptr<bool[]> used(new bool[bucketCount]);
  Point total = IDENTITY;
  for (int w = windows - 1; w >= 0; w--) {
    for (int k = 0; k < width; k++) doubled<WithT::yes>(&total, &total);
    std::memset(used.get(), 0, bucketCount);
    const int16_t* row = &digits[w * count];
    for (size_t i = 0; i < count; i++) {
      if (row[i] == 0) continue;
      const size_t k = (row[i] < 0 ? -row[i] : row[i]) - 1;
      if (!used[k]) buckets[k] = IDENTITY, used[k] = true;
      row[i] > 0 ? add<WithT::yes>(&buckets[k], &buckets[k], &points[i])
                 : subtract<WithT::yes>(&buckets[k], &buckets[k], &points[i]);
    }
    total = sum(total, sumOfBuckets(buckets.data(), used.get(), bucketCount));
  }
  return total;
}

}  // namespace
}  // namespace monero
