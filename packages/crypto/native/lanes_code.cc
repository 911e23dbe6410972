// The table of a path's functions.
#include "lanes.h"
#include "lanes_field.h"

namespace monero {
namespace MONERO_PATH {

const VectorCode CODE = {LANES,          verifyClsags,   decodeAll,         hashAllToPoints,
                         encodePairSums, sumOfMultiples, multiplyAndEncode, keyDerivations,
                         spendKeys};

}  // namespace MONERO_PATH
}  // namespace monero
