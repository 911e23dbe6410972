#include "claim_line.h"

#include "prime_field.h"

namespace monero {

namespace {

/** Writes elements one after another. */
template <typename Prime>
class Writer {
 public:
  explicit Writer(u8* out) : out_(out) {}

  void write(const Element<Prime>& element) {
    elementToBytes(out_, element);
    out_ += 32;
  }

 private:
  u8* out_;
};

/** A point of the line. */
template <typename Prime>
struct LinePoint {
  Element<Prime> x, y;
};

template <typename Prime>
class Weighing {
 public:
  Weighing(u8* out, const ClaimLine& line)
      : out_(out), line_(line), a_(elementFromBytes<Prime>(line.a)) {}

  bool run() {
    if (!findPoints()) return false;
    out_.write(slope_);
    out_.write(intercept_);
    for (const auto& point : points_) weighDivisor(point);
    return weighMultiples();
  }

 private:
  using F = Element<Prime>;

  /** The line and its third point. The slope of the curve at each has 2y as its denominator, so no y may be zero. */
  bool findPoints() {
    for (int i = 0; i < 2; i++) {
      points_[i].x = elementFromBytes<Prime>(line_.points + 64 * i);
      points_[i].y = elementFromBytes<Prime>(line_.points + 64 * i + 32);
    }
    const F& x = points_[0].x;
    const F run = points_[1].x - x;
    if (isZero(run)) return false;
    slope_ = (points_[1].y - points_[0].y) * invert(run);
    intercept_ = points_[0].y - slope_ * x;
    points_[2].x = square(slope_) - x - points_[1].x;
    points_[2].y = slope_ * points_[2].x + intercept_;
    return !isZero(points_[0].y) && !isZero(points_[1].y) && !isZero(points_[2].y);
  }

  void weighDivisor(const LinePoint<Prime>& point) {
    const F& x = point.x;
    const size_t ofY = (line_.bits + 2) / 2 - 1, ofX = (line_.bits + 1) / 2;
    std::vector<F> powers(ofX + 1, F::one());
    for (size_t i = 1; i <= ofX; i++) powers[i] = powers[i - 1] * x;
    const F xx = square(x), twoY = doubled(point.y);
    // 3x² + a, which is also 2y·dy/dx.
    const F tangent = doubled(xx) + xx + a_;
    const F scale = tangent - twoY * slope_;

    out_.write(twoY);
    out_.write(tangent);
    const F twoYY = twoY * point.y;
    // k times a factor, by additions.
    F multiple = F::zero();
    for (size_t k = 1; k < ofY; k++) {
      multiple = multiple + twoYY;
      out_.write(tangent * powers[k] + multiple * powers[k - 1]);
    }
    multiple = twoY;
    for (size_t k = 2; k <= ofX; k++) {
      multiple = multiple + twoY;
      out_.write(multiple * powers[k - 1]);
    }
    out_.write(F::zero());

    const F scaledY = scale * point.y;
    out_.write(scale * x);
    for (size_t k = 0; k < ofY; k++) out_.write(scaledY * powers[k]);
    for (size_t k = 2; k <= ofX; k++) out_.write(scale * powers[k]);
    out_.write(scale);
  }

  /** Of each multiple, 1/(intercept - (Y - slope·X)). */
  bool weighMultiples() {
    std::vector<F> weights;
    weights.reserve(line_.count);
    for (size_t i = 0; i < line_.count; i++) {
      const u8* point = line_.multiples + 64 * i;
      const F X = elementFromBytes<Prime>(point), Y = elementFromBytes<Prime>(point + 32);
      weights.push_back(intercept_ - (Y - slope_ * X));
      if (isZero(weights.back())) return false;
    }
    invertAll(&weights);
    for (const F& weight : weights) out_.write(weight);
    return true;
  }

  Writer<Prime> out_;
  const ClaimLine& line_;
  const F a_;
  LinePoint<Prime> points_[3];
  F slope_, intercept_;
};

}  // namespace

template <typename Prime>
bool weighClaims(u8* out, const ClaimLine& line) {
  return Weighing<Prime>(out, line).run();
}

template <typename Prime>
bool rootOfBytes(u8* out, const u8* bytes) {
  Element<Prime> root;
  if (!squareRoot(&root, elementFromBytes<Prime>(bytes))) return false;
  elementToBytes(out, root);
  return true;
}

template bool weighClaims<PrimeP>(u8*, const ClaimLine&);
template bool weighClaims<PrimeQ>(u8*, const ClaimLine&);
template bool rootOfBytes<PrimeP>(u8*, const u8*);
template bool rootOfBytes<PrimeQ>(u8*, const u8*);

}  // namespace monero
