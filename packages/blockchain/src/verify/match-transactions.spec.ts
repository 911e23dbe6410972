import { toHex, type ParsedBlock } from '@monero-node/codec';
import { checkListedOnce } from './match-transactions.ts';

/** Returns an id by its first and its last byte. */
function idOf(first: number, last: number): Uint8Array {
  const id = new Uint8Array(32);
  id[0] = first;
  id[31] = last;
  return id;
}

function check(ids: readonly Uint8Array[]): void {
  checkListedOnce({ block: { txHashes: ids } } as ParsedBlock);
}

test('a block may list ids that begin alike, but none twice', () => {
  const alike = [idOf(1, 1), idOf(1, 2), idOf(2, 1)];
  for (const ids of [[], alike.slice(0, 1), alike]) expect(() => check(ids)).not.toThrow();
  for (const [i, id] of alike.entries()) {
    const twice = [...alike, id.slice()];
    expect(() => check(twice)).toThrow(
      expect.objectContaining({ code: 'duplicate-tx', txId: toHex(alike[i] ?? id) }),
    );
  }
});
