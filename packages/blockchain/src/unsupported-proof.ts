/**
 * This node has no verifier for a kind of proof that a block carries. Nothing is wrong with the
 * block or with who sent it: the node cannot follow the chain any further.
 */
export class UnsupportedProofError extends Error {
  override readonly name = 'UnsupportedProofError';
}
