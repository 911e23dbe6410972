// The paths through the code: the portable one, and the vector code for some kinds of processors.
#pragma once

#include <cstdint>

namespace monero {

struct VectorCode;

/** The numbers are those of PATHS in src/native/addon.ts. */
enum class Path : uint32_t { portable, avx2, ifma };

/** True if the path was compiled in and processor and operating system support it. */
bool isAvailable(Path path);

/** The vector code of an available path; null for the portable one. */
const VectorCode* vectorCode(Path path);

}  // namespace monero
