// Entry points of the AVX-512 IFMA code; the functions live in an object file of their own.
#pragma once

#include "bytes.h"

namespace monero {

/** True if IFMA code was compiled in and processor and operating system support it. */
bool isIfmaAvailable();

}  // namespace monero
