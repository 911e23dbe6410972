// N-API functions over the arithmetic of the curve tree. Everything is computed on the calling thread.
//
//   treeLeaves(outputs, kinds, leaves): boolean
//   treeNodes(curve, nodes, childrenBefore, places, children): boolean
//   prepareTree()
//
// `places` has two numbers for each node, the place of its first child and how many there are. Wrong arguments throw a TypeError:
// they are mistakes of the caller, never the result of hostile bytes.
#include "tree_binding.h"

#include "../../crypto/native/node_arguments.h"
#include "tree_leaves.h"
#include "tree_nodes.h"

namespace monero {

namespace {

enum Curve : uint32_t { HELIOS = 0, SELENE = 1 };

napi_value TreeLeaves(napi_env env, napi_callback_info info) {
  NodeArguments args(env, info);
  const Bytes outputs = args.bytes(0), kinds = args.bytes(1), leaves = args.bytes(2);
  const size_t count = kinds.size;
  bool isRight = args.ok && outputs.size / TREE_OUTPUT_BYTES == count &&
                 outputs.size % TREE_OUTPUT_BYTES == 0 && leaves.size / TREE_LEAF_BYTES == count &&
                 leaves.size % TREE_LEAF_BYTES == 0;
  for (size_t i = 0; isRight && i < count; i++) isRight = kinds.data[i] <= CARROT;
  if (!isRight) return fail(env, "treeLeaves(outputs, kinds, leaves): wrong arguments");
  return boolean(env, makeLeaves(leaves.data, kinds.data, outputs.data, count));
}

/** Divides children among nodes. False unless all are divided, and each has its place. */
template <typename Curve>
bool nodesOf(std::vector<TreeNode>* nodes, const Bytes& bytes, const Bytes& before,
             const Bytes& places, const Bytes& children) {
  constexpr size_t MOST = MOST_CHILDREN<Curve>;
  const auto* numbers = reinterpret_cast<const uint32_t*>(places.data);
  const size_t count = bytes.size / 32, total = children.size / 32;
  size_t at = 0;
  nodes->reserve(count);
  for (size_t i = 0; i < count; i++) {
    const size_t offset = numbers[2 * i], own = numbers[2 * i + 1];
    if (offset > MOST || own > MOST - offset || own > total - at) return false;
    nodes->push_back(
        {bytes.data + 32 * i, before.data + 32 * i, children.data + 32 * at, offset, own});
    at += own;
  }
  return at == total;
}

template <typename Curve>
napi_value grow(napi_env env, const Bytes& bytes, const Bytes& before, const Bytes& places,
                const Bytes& children) {
  std::vector<TreeNode> nodes;
  if (!nodesOf<Curve>(&nodes, bytes, before, places, children)) {
    return fail(env, "treeNodes: children without a place");
  }
  return boolean(env, growNodes<Curve>(nodes));
}

napi_value TreeNodes(napi_env env, napi_callback_info info) {
  NodeArguments args(env, info);
  const uint32_t curve = args.number(0);
  const Bytes nodes = args.bytes(1), before = args.bytes(2), places = args.words(3);
  const Bytes children = args.bytes(4);
  if (!args.ok || curve > SELENE || nodes.size % 32 != 0 || before.size != nodes.size ||
      places.size != nodes.size / 32 * 8 || children.size % 32 != 0) {
    return fail(env, "treeNodes(curve, nodes, childrenBefore, places, children): wrong arguments");
  }
  return curve == HELIOS ? grow<Helios>(env, nodes, before, places, children)
                         : grow<Selene>(env, nodes, before, places, children);
}

napi_value PrepareTree(napi_env, napi_callback_info) {
  prepareTree();
  return nullptr;
}

}  // namespace

void defineTree(napi_env env, napi_value exports) {
  define<TreeLeaves>(env, exports, "treeLeaves");
  define<TreeNodes>(env, exports, "treeNodes");
  define<PrepareTree>(env, exports, "prepareTree");
}

}  // namespace monero
