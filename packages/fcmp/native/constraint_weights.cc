#include "constraint_weights.h"

#include "prime_field.h"

namespace monero {

namespace {

enum Kind : uint32_t { LEFT = 0, RIGHT = 1, OUTPUT = 2, SLOT = 3, SINGLE = 4 };
constexpr uint32_t KIND_BITS = 3;

/** Runs a program. */
template <typename Prime>
class Weigher {
 public:
  Weigher(Bytes state, const ConstraintProgram& program)
      : state_(state), program_(program), z_(elementFromBytes<Prime>(program.powers.data)) {}

  bool run() {
    while (ok_ && at_ < program_.count) addConstraint();
    return ok_;
  }

 private:
  using F = Element<Prime>;

  uint32_t next() {
    if (at_ < program_.count) return program_.words[at_++];
    ok_ = false;
    return 0;
  }

  F value(size_t index) {
    if (index < program_.values.size / 32) {
      return elementFromBytes<Prime>(program_.values.data + 32 * index);
    }
    ok_ = false;
    return F::zero();
  }

  void addTo(size_t element, const F& amount) {
    u8* bytes = state_.data + 32 * element;
    const F sum = elementFromBytes<Prime>(bytes) + amount;
    for (int i = 0; i < 4; i++) store64(bytes + 8 * i, sum.word[i]);
  }

  /** Takes a variable, and adds a multiple of the current power of z for it. */
  void addVariable(const F& weight) {
    const uint32_t first = next(), index = next();
    const uint32_t kind = first & ((1u << KIND_BITS) - 1), commitment = first >> KIND_BITS;
    const bool isSingle = kind == SINGLE;
    // After z, the powers of x begin with 1.
    const size_t xPower = size_t{commitment} + 2;
    if (!ok_ || kind > SINGLE || index >= (isSingle ? program_.single : program_.gates) ||
        (kind == SLOT && xPower >= program_.powers.size / 32)) {
      ok_ = false;
      return;
    }
    addTo(STATE_HEAD + program_.gates * kind + index,
          weight * (kind == SLOT ? scaledPower(xPower) : zPower_));
  }

  /** The current power of z times a power of x; neighbors mostly ask for the same. */
  const F& scaledPower(size_t xPower) {
    if (xPower != scaled_) {
      scaledPower_ = zPower_ * elementFromBytes<Prime>(program_.powers.data + 32 * xPower);
      scaled_ = xPower;
    }
    return scaledPower_;
  }

  void addConstraint() {
    zPower_ = elementFromBytes<Prime>(state_.data) * z_;
    elementToBytes(state_.data, zPower_);
    scaled_ = 0;
    const uint32_t terms = next(), products = next();
    addTo(1, zPower_ * value(next()));
    for (uint32_t i = 0; ok_ && i < terms; i++) addVariable(value(next()));
    for (uint32_t i = 0; ok_ && i < products; i++) addProduct();
  }

  void addProduct() {
    const uint32_t count = next(), from = next();
    const bool isNegated = next() != 0;
    for (uint32_t i = 0; ok_ && i < count; i++) {
      const F weight = value(size_t{from} + i);
      addVariable(isNegated ? negate(weight) : weight);
    }
  }

  Bytes state_;
  const ConstraintProgram& program_;
  const F z_;
  F zPower_;
  /** The place of the power of x that `scaledPower_` is for; 0 for none. */
  size_t scaled_ = 0;
  F scaledPower_;
  size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace

template <typename Prime>
bool addConstraints(Bytes state, const ConstraintProgram& program) {
  if (!Weigher<Prime>(state, program).run()) return false;
  for (size_t i = 0; i < state.size / 32; i++) {
    elementToBytes(state.data + 32 * i, elementFromBytes<Prime>(state.data + 32 * i));
  }
  return true;
}

template bool addConstraints<PrimeP>(Bytes, const ConstraintProgram&);
template bool addConstraints<PrimeQ>(Bytes, const ConstraintProgram&);

}  // namespace monero
