import { formatAddress, parseBlock, fromHex, toHex, type Transaction } from '@monero-node/codec';
import {
  commit,
  createTestRandom,
  decodePoint,
  Fn,
  G,
  hashToScalar,
  type TestRandom,
} from '@monero-node/crypto/testing';
import { isObject, numberOf, stringOf, type JsonObject } from '../harness/json.ts';
import type { RpcClient } from '../harness/rpc-client.ts';

const LOCKED_BLOCKS = 60;

/** An output whose keys are known. */
export interface Coin {
  /** Secret key of its one-time key. */
  readonly secret: bigint;
  readonly amount: bigint;
  /** Mask of its commitment; 1 where the amount is open. */
  readonly mask: bigint;
  /** The amount field of an input that spends it: 0 for RingCT outputs. */
  readonly field: bigint;
  /** Index among the outputs of that amount. */
  readonly index: number;
  readonly height: number;
  /** Height of the first block that may spend it. */
  readonly ripe: number;
}

/** A ring member as stored in the chain. */
export interface Member {
  readonly index: number;
  readonly key: Uint8Array;
  readonly commitment: Uint8Array;
  readonly height: number;
  readonly unlocked: boolean;
}

/** Amount and mask of an output to be created. */
export interface Opening {
  readonly amount: bigint;
  readonly mask: bigint;
}

const arrayIn = (value: JsonObject, name: string): JsonObject[] => {
  const list = value[name];
  return Array.isArray(list) ? list.filter(isObject) : [];
};

/** The outputs of an owner on a chain, and all other outputs for the rings. */
export class Coins {
  readonly random: TestRandom;
  readonly address: string;
  readonly #rpc: RpcClient;
  readonly #spend: bigint;
  readonly #view: bigint;
  /** Own outputs by one-time key in hex. */
  readonly #secrets = new Map<string, Opening & { secret: bigint }>();
  readonly #coins: Coin[] = [];
  readonly #spent = new Set<Coin>();
  #members = new Map<bigint, Member[]>();

  constructor(rpc: RpcClient, seed: string) {
    this.#rpc = rpc;
    this.random = createTestRandom(seed);
    this.#spend = this.random.scalar();
    this.#view = this.random.scalar();
    this.address = formatAddress({
      network: 'stagenet',
      kind: 'standard',
      spendKey: G.multiply(this.#spend).toBytes(),
      viewKey: G.multiply(this.#view).toBytes(),
    });
  }

  /** Returns a new one-time key for an output of a transaction to be made. */
  newKey(opening: Opening): Uint8Array {
    const secret = this.random.scalar();
    const key = G.multiply(secret).toBytes();
    this.#secrets.set(toHex(key), { ...opening, secret });
    return key;
  }

  /** Adds the outputs of a new block. */
  async scan(height: number): Promise<void> {
    this.#members = new Map();
    const answer = await this.#rpc.call('get_block', { height });
    const { minerTx, block } = parseBlock(fromHex(stringOf(answer, 'blob')));
    const ids = [minerTx.id, ...block.txHashes].map(toHex);
    const found = await this.#rpc.path('/get_transactions', { txs_hashes: ids });
    const indices = new Map(
      arrayIn(found, 'txs').map((tx) => [
        stringOf(tx, 'tx_hash'),
        (tx['output_indices'] as number[]).map(Number),
      ]),
    );
    this.#takeCoinbase(minerTx.tx, indices.get(toHex(minerTx.id)) ?? [], height);
    for (const tx of arrayIn(found, 'txs')) {
      this.#takeOwn(stringOf(tx, 'as_hex'), indices.get(stringOf(tx, 'tx_hash')) ?? [], height);
    }
  }

  #takeCoinbase(tx: Transaction, indices: number[], height: number): void {
    const transactionKey = decodePoint(tx.extra.subarray(1, 33));
    if (transactionKey === undefined) throw new Error('a coinbase without a transaction key');
    const shared = transactionKey.multiplyUnsafe(Fn.mul(8n, this.#view)).toBytes();
    tx.outputs.forEach(({ amount, target }, i) => {
      const secret = Fn.add(hashToScalar(shared, Uint8Array.of(i)), this.#spend);
      const own = toHex(G.multiplyUnsafe(secret).toBytes());
      if (!('key' in target) || toHex(target.key) !== own) return;
      const field = tx.version === 1 ? amount : 0n;
      const index = indices[i] as number;
      const ripe = height + LOCKED_BLOCKS;
      this.#coins.push({ secret, amount, mask: 1n, field, index, height, ripe });
    });
  }

  /** Finds outputs with keys from `newKey`. */
  #takeOwn(transaction: string, indices: number[], height: number): void {
    for (const [key, { secret, amount, mask }] of this.#secrets) {
      const position = this.#positions.get(key);
      if (position === undefined || !transaction.includes(key)) continue;
      const field = position.version === 1 ? amount : 0n;
      const index = indices[position.output] as number;
      this.#coins.push({ secret, amount, mask, field, index, height, ripe: height + 1 });
      this.#secrets.delete(key);
    }
  }

  readonly #positions = new Map<string, { version: 1 | 2; output: number }>();

  /** Records the position of an own output in its transaction. */
  placed(tx: Transaction): void {
    tx.outputs.forEach(({ target }, output) => {
      if ('key' in target) this.#positions.set(toHex(target.key), { version: tx.version, output });
    });
  }

  /** Returns the unspent outputs that a block at `height` may spend, the oldest first. */
  ripe(height: number, wanted: (coin: Coin) => boolean): Coin[] {
    return this.#coins.filter(
      (coin) => coin.ripe <= height && !this.#spent.has(coin) && wanted(coin),
    );
  }

  spend(coins: readonly Coin[]): void {
    for (const coin of coins) this.#spent.add(coin);
  }

  /** Returns all outputs that an input with the amount `field` may have as ring members, in order. */
  async members(field: bigint): Promise<Member[]> {
    const known = this.#members.get(field);
    if (known !== undefined) return known;
    const histogram = await this.#rpc.call('get_output_histogram', { amounts: [Number(field)] });
    const [entry] = arrayIn(histogram, 'histogram');
    const count = entry === undefined ? 0 : numberOf(entry, 'total_instances');
    const outputs = Array.from({ length: count }, (_, index) => ({ amount: Number(field), index }));
    const answer = await this.#rpc.path('/get_outs', { outputs });
    const members = arrayIn(answer, 'outs').map((out, index) => ({
      index,
      key: fromHex(stringOf(out, 'key')),
      commitment: fromHex(stringOf(out, 'mask')),
      height: numberOf(out, 'height'),
      unlocked: out['unlocked'] === true,
    }));
    this.#members.set(field, members);
    return members;
  }
}

/** Returns the commitment of an opening, 32 bytes. */
export const commitmentOf = ({ amount, mask }: Opening): Uint8Array =>
  commit(mask, Fn.create(amount));
