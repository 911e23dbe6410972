import { expect } from '@jest/globals';
import { numberOf, objectOf, objectsOf, stringOf, type JsonObject } from './json.ts';
import type { RunningNode } from './monerod.ts';

/** Returns the header of a block of the main chain. */
export async function headerAt(node: RunningNode, height: number): Promise<JsonObject> {
  return objectOf(await node.rpc.call('get_block_header_by_height', { height }), 'block_header');
}

/** Returns what becomes of a block of the main chain. */
function fateOf(header: JsonObject): string {
  const onIt = numberOf(header, 'depth');
  if (onIt >= 59) return 'unlocked';
  return onIt >= 9 ? 'confirmed' : 'pending';
}

/** Returns the blocks that a node has found, the newest first. */
export async function ledgerOf(node: RunningNode): Promise<JsonObject[]> {
  return objectsOf(await node.rpc.call('get_mining_ledger', { count: 1000 }), 'blocks');
}

/** Returns the same, and checks each block against the chain, which must not grow meanwhile. */
export async function checkedLedgerOf(node: RunningNode): Promise<JsonObject[]> {
  const blocks = await ledgerOf(node);
  for (const block of blocks) {
    const header = await headerAt(node, numberOf(block, 'height'));
    const isInChain = stringOf(header, 'hash') === stringOf(block, 'hash');
    expect([block['hash'], block['fate']]).toEqual([
      block['hash'],
      isInChain ? fateOf(header) : 'orphaned',
    ]);
    if (isInChain) expect(block).toMatchObject({ reward: header['reward'] });
  }
  return blocks;
}
