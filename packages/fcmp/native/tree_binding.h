// The functions of the curve tree in the addon.
#pragma once

#include <node_api.h>

namespace monero {

void defineTree(napi_env env, napi_value exports);

}  // namespace monero
