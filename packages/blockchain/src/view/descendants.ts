import { toHex } from '@monero-node/codec';
import type { AltBlock, ChainReader } from '@monero-node/storage';

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
