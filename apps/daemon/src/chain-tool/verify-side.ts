import {
  bytesEqual,
  DecodeError,
  parseBlock,
  parseTransaction,
  toHex,
  type ParsedBlock,
} from '@monero-node/codec';
import { transactionWeight } from '@monero-node/consensus';
import type { AltBlock, Finding, SideRow, StoreCheck } from '@monero-node/storage';

/**
 * Checks an alternative block or a pool transaction: its bytes, and its place above its parent. A block that was popped leaves
 * alternative blocks without a parent, so a parent that is missing is no damage.
 */
export function checkSideRow(row: SideRow, check: Pick<StoreCheck, 'heightOf'>): Finding[] {
  if ('finding' in row) return [row.finding];
  const [table, id] = 'alt' in row ? ['alt_block', row.alt.id] : ['pool_tx', row.poolId];
  const problem = 'alt' in row ? problemOfAlt(row.alt, check) : problemOfTx(row.blob, row.poolId);
  return problem === undefined ? [] : [{ table, key: toHex(id), height: undefined, problem }];
}

function problemOfAlt(alt: AltBlock, check: Pick<StoreCheck, 'heightOf'>): string | undefined {
  const parsed = decode<ParsedBlock>(() => parseBlock(alt.blob));
  if (parsed === undefined) return 'is no block';
  const { prevId, txHashes } = parsed.block;
  if (!bytesEqual(parsed.id, alt.id)) return `hashes to ${toHex(parsed.id)}`;
  if (!bytesEqual(prevId, alt.prevId)) return 'names another parent than its block';
  const below = check.heightOf(prevId);
  if (below !== undefined && alt.height !== below + 1) return `is not above its parent`;
  const [input] = parsed.block.minerTx.inputs;
  if (input?.kind === 'gen' && input.height !== alt.height)
    return 'has another height than its block';
  const txs = alt.txs.map((blob) => decode(() => parseTransaction(blob)));
  const weight = [parsed.minerTx, ...txs].reduce(
    (sum, tx) => sum + (tx ? transactionWeight(tx) : 0),
    0,
  );
  const isOwn = (blob: Uint8Array, i: number) =>
    problemOfTx(blob, txHashes[i] ?? new Uint8Array()) === undefined;
  if (alt.txs.length !== txHashes.length || !alt.txs.every(isOwn))
    return 'does not hold the transactions of its block';
  return alt.weight === weight ? undefined : 'has another weight than its block';
}

function problemOfTx(blob: Uint8Array, id: Uint8Array): string | undefined {
  const parsed = decode(() => parseTransaction(blob));
  if (parsed === undefined) return 'is no transaction';
  return bytesEqual(parsed.id, id) ? undefined : `hashes to ${toHex(parsed.id)}`;
}

function decode<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}
