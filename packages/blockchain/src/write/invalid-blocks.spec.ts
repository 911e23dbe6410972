import { ConsensusError } from '@monero-node/consensus';
import { InvalidBlocks } from './invalid-blocks.ts';

const id = new Uint8Array(32).fill(1);

test.each([
  ['bad-ring-signature', true],
  ['timestamp-too-new', false],
  ['bad-membership-proof', true],
  // This node may get to know the tree.
  ['unverified-membership', false],
] as const)('a block with %s is remembered as invalid: %s', (code, isRemembered) => {
  const blocks = new InvalidBlocks();
  const error = new ConsensusError(code, '');
  blocks.add(id, error);
  expect(blocks.get(id)).toBe(isRemembered ? error : undefined);
});
