// Long work that JavaScript can watch and end. Independent of Node.
#pragma once

#include <atomic>
#include <cstdint>

namespace monero {

/** Progress and cancellation of long work. */
struct Task {
  std::atomic<bool> canceled{false};
  std::atomic<uint64_t> done{0};
  std::atomic<uint64_t> total{0};
};

}  // namespace monero
