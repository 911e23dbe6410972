// Memory of the whole process that only its start has needed.
#pragma once

namespace monero {

/**
 * Returns to the system what malloc keeps without a use, and the pages of the program's own file: its code and constants are read
 * again from the file, page by page, when they are needed. Does nothing where the system has no way to.
 */
void releaseUnusedMemory();

}  // namespace monero
