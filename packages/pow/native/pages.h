// What kind of pages stand behind large memory: the bigger, the fewer misses of the address cache, which is worth a third
// of the hash rate in fast mode.
#pragma once

#include <cstddef>

enum class Pages { kPlain, kTransparent, kHuge, kGigantic };

const char* pagesName(Pages pages);

// Whether the system has pages of 1 GiB to give.
bool hasGiganticPages();

// Puts pages of 1 GiB where they fit between the addresses, then pages of 2 MiB, and asks for transparent ones for the
// rest; answers the biggest kind that was had. The memory must be private and anonymous, and what it holds is lost.
// Throws std::bad_alloc if it is left with a hole.
Pages replacePages(void* begin, size_t size);

// Asks for transparent huge pages. Only a hint: what the memory holds stays, and a wrong address does no harm.
Pages adviseTransparent(void* begin, size_t size);
