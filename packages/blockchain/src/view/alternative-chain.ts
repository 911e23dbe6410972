import { toHex } from '@monero-node/codec';
import type { AltBlock, ChainReader } from '@monero-node/storage';

/** A side chain: the height where it leaves the main chain, and its blocks from there upwards. */
export interface AlternativeChain {
  /** Height of its first block; the main chain below is shared. */
  readonly splitHeight: number;
  /** Oldest first; empty when the parent is on the main chain. */
  readonly blocks: readonly AltBlock[];
}

/**
 * Returns the chain that ends in the block with the 32-byte id `parentId`; undefined when the block, or one of its
 * ancestors, is unknown.
 */
export function alternativeChain(
  store: ChainReader,
  parentId: Uint8Array,
): AlternativeChain | undefined {
  const blocks: AltBlock[] = [];
  let id = parentId;
  for (;;) {
    const height = store.heightOf(id);
    if (height !== undefined) return { splitHeight: height + 1, blocks: blocks.reverse() };
    const block = store.altBlock(id);
    if (block === undefined) return undefined;
    blocks.push(block);
    id = block.prevId;
  }
}

/** Returns `id` and the 32-byte ids of every alternative block that builds on it. */
export function withDescendants(store: ChainReader, id: Uint8Array): Uint8Array[] {
  const children = new Map<string, AltBlock[]>();
  for (const block of store.altBlocks()) {
    const parent = toHex(block.prevId);
    const list = children.get(parent);
    if (list === undefined) children.set(parent, [block]);
    else list.push(block);
  }
  const found: Uint8Array[] = [];
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    found.push(next);
    open.push(...(children.get(toHex(next)) ?? []).map((block) => block.id));
  }
  return found;
}
