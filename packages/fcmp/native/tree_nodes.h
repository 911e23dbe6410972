// The nodes of the curve tree: the rules are those of src/tree/hash.ts.
#pragma once

#include <vector>

#include "cycle_curve.h"

namespace monero {

/** The most children of a node: 18 on Helios; 38 leaves of six elements on Selene. */
template <typename Curve>
constexpr size_t MOST_CHILDREN = 0;
template <>
constexpr size_t MOST_CHILDREN<Helios> = 18;
template <>
constexpr size_t MOST_CHILDREN<Selene> = 228;

/** A node that is to grow. */
struct TreeNode {
  /** The node before, in place of which the node afterwards is written, 32 bytes. */
  u8* node;
  /** What the child at `offset` was before, 32 bytes: zero if there was none. */
  const u8* childBefore;
  /** Children from `offset` on, 32 bytes each. */
  const u8* children;
  size_t offset, count;
};

/**
 * Grows nodes, all with one inversion. Places of children are below `MOST_CHILDREN`. False, before anything is written, if a node is no
 * point of the curve or a child no scalar.
 */
template <typename Curve>
bool growNodes(const std::vector<TreeNode>& nodes);

/** Makes what is kept for all nodes: some 90 ms once in a process, and 0.4 MB for Helios and 0.9 MB for Selene. */
void prepareTree();

}  // namespace monero
