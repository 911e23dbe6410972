import { fromHex, parseBlock, parseTransaction, type ParsedTransaction } from '@monero-node/codec';
import { listOf, numberOf, objectsOf, stringOf, type JsonObject } from '../harness/json.ts';
import type { RunningNode } from '../harness/monerod.ts';

/** A transaction of a chain with what only a node knows of it. */
export interface ChainTransaction {
  readonly height: number;
  readonly transaction: ParsedTransaction;
  /** The index of each output among those of its amount. */
  readonly outputIndices: readonly number[];
}

/** Transactions per request. */
const STEP = 90;

/** Returns all transactions of a node's chain, coinbases included, in order. */
export async function chainTransactions(node: RunningNode): Promise<ChainTransaction[]> {
  const { height } = await node.tip();
  const wanted: string[] = [];
  const blobs = new Map<string, ParsedTransaction>();
  const heights = new Map<string, number>();
  for (let at = 0; at < height; at++) {
    const answer = await node.rpc.call('get_block', { height: at });
    const { minerTx, block } = parseBlock(fromHex(stringOf(answer, 'blob')));
    const minerId = stringOf(answer, 'miner_tx_hash');
    blobs.set(minerId, minerTx);
    for (const id of [
      minerId,
      ...block.txHashes.map((hash) => Buffer.from(hash).toString('hex')),
    ]) {
      wanted.push(id);
      heights.set(id, at);
    }
  }
  const transactions: ChainTransaction[] = [];
  for (let from = 0; from < wanted.length; from += STEP) {
    const hashes = wanted.slice(from, from + STEP);
    const answer = await node.rpc.path('/gettransactions', { txs_hashes: hashes });
    for (const tx of objectsOf(answer, 'txs')) {
      const id = stringOf(tx, 'tx_hash');
      transactions.push({
        height: heights.get(id) as number,
        transaction: blobs.get(id) ?? parseTransaction(fromHex(stringOf(tx, 'as_hex'))),
        outputIndices: listOf(tx, 'output_indices').map(Number),
      });
    }
  }
  return transactions;
}

/** Returns for each input of a transaction the one-time keys of its ring members, as a node knows them. */
export async function ringsOf(
  node: RunningNode,
  { tx }: ParsedTransaction,
): Promise<Uint8Array[][]> {
  const rings: Uint8Array[][] = [];
  for (const input of tx.inputs) {
    if (input.kind !== 'key') continue;
    let index = 0n;
    const outputs = input.keyOffsets.map((offset) => {
      index += offset;
      return { amount: Number(input.amount), index: Number(index) };
    });
    const answer: JsonObject = await node.rpc.path('/get_outs', { outputs });
    rings.push(objectsOf(answer, 'outs').map((out) => fromHex(stringOf(out, 'key'))));
  }
  return rings;
}

/** Returns the chain's height and its adjusted time, in seconds since 1970. */
export async function chainClock(
  node: RunningNode,
): Promise<{ chainHeight: number; time: number }> {
  const info = await node.info();
  return { chainHeight: numberOf(info, 'height'), time: numberOf(info, 'adjusted_time') };
}
