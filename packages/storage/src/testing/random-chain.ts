import { createCipheriv, createHash, type Cipher } from 'node:crypto';
import type { AltBlock, StoredTx } from '../records.ts';
import type { NewPoolTx } from '../pool-store.ts';
import type { LooseBlock, NewOutput } from '../record-objects.ts';

/** Bytes that a stream makes at a time beyond those that were asked for. */
const AHEAD = 16_384;

/** A deterministic stream of bytes: the same seed produces the same chain. */
export class Random {
  readonly #stream: Cipher;
  /** Bytes that are made and not taken: most calls want a few. */
  #ready = Buffer.alloc(0);

  constructor(seed: string) {
    const key = createHash('sha256').update(seed).digest();
    this.#stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  }

  bytes(length: number): Uint8Array {
    if (length > this.#ready.length) {
      const more = this.#stream.update(Buffer.alloc(length + AHEAD));
      this.#ready = Buffer.concat([this.#ready, more]);
    }
    const taken = new Uint8Array(this.#ready.subarray(0, length));
    this.#ready = this.#ready.subarray(length);
    return taken;
  }

  /** 32 random bits. */
  word(): number {
    return new DataView(this.bytes(4).buffer).getUint32(0);
  }

  /** An integer below `limit`. */
  below(limit: number): number {
    return this.word() % limit;
  }
}

export interface ChainShape {
  /** Non-coinbase transactions per block. */
  txs: number;
  /** Share of version 1 transactions, whose outputs have clear amounts. */
  v1Share: number;
  /** Bytes of a prunable part; version 1 transactions have none. */
  prunableSize: number;
  /** Transaction ids and key images begin with one of 16 pairs of bytes, so that many share a slice and a bucket. */
  crowded?: boolean;
}

const SMALL: ChainShape = { txs: 3, v1Share: 0.4, prunableSize: 200 };

const DENOMINATIONS = [1_000_000_000n, 20_000_000n, 7n, 18_446_744_073_709_551_615n];

/** Makes blocks of random bytes that hang together as a chain's do; it remembers nothing but totals. */
export class RandomChain {
  readonly random: Random;
  readonly #shape: ChainShape;
  #difficulty = 0n;
  #coins = 0n;
  #txCount = 0;
  #rctOutputs = 0;

  constructor(seed: string, shape: ChainShape = SMALL) {
    this.random = new Random(seed);
    this.#shape = shape;
  }

  blocks(from: number, count: number): LooseBlock[] {
    return Array.from({ length: count }, (_, i) => this.block(from + i));
  }

  block(height: number): LooseBlock {
    const txs: StoredTx[] = [];
    const outputs: NewOutput[][] = [];
    const keyImages: Uint8Array[] = [];
    for (let position = 0; position <= this.#shape.txs; position += 1) {
      const v1 = this.random.below(1000) < this.#shape.v1Share * 1000;
      const inputs =
        position === 0 ? [] : Array.from({ length: 1 + this.random.below(3) }, () => this.#hash());
      const txOutputs = this.#outputs(v1, height);
      txs.push(this.#tx(v1, inputs, txOutputs));
      outputs.push(txOutputs);
      keyImages.push(...inputs);
    }
    return {
      meta: this.#meta(height, outputs.flat().filter(({ amount }) => amount === 0n).length),
      blob: this.random.bytes(80 + 32 * this.#shape.txs),
      txs,
      outputs,
      keyImages,
    };
  }

  altBlock(height: number): AltBlock {
    return {
      id: this.random.bytes(32),
      height,
      prevId: this.random.bytes(32),
      cumulativeDifficulty: (1n << 100n) + BigInt(this.random.word()),
      weight: this.random.below(300_000),
      generatedCoins: this.#coins,
      blob: this.random.bytes(200),
      txs: [this.random.bytes(1500), this.random.bytes(0), this.random.bytes(33)],
    };
  }

  poolTx(): NewPoolTx {
    const { random } = this;
    return {
      id: random.bytes(32),
      blob: random.bytes(1500 + random.below(5000)),
      meta: {
        weight: 1500 + random.below(100_000),
        fee: (1n << 63n) + BigInt(random.word()),
        receiveTime: 1_700_000_000 + random.below(1_000_000),
        ...(random.below(2) === 0 && { lastRelayedTime: 1_700_000_000 + random.below(1_000_000) }),
        maxUsedBlockHeight: random.word(),
        maxUsedBlockId: random.bytes(32),
        lastFailedHeight: random.word(),
        lastFailedId: random.bytes(32),
        relayMethod: random.below(256),
        relayed: random.below(2) === 0,
        doubleSpendSeen: random.below(2) === 0,
        ...(random.below(2) === 0 && {
          verified: { version: random.below(256), ring: random.bytes(32) },
        }),
      },
    };
  }

  #meta(height: number, newRctOutputs: number): LooseBlock['meta'] {
    this.#difficulty += BigInt(this.random.word()) << 40n;
    this.#coins += 600_000_000_000n;
    this.#txCount += this.#shape.txs;
    this.#rctOutputs += newRctOutputs;
    return {
      height,
      id: this.random.bytes(32),
      timestamp: 1_400_000_000 + height * 120,
      weight: 1000 + this.random.below(300_000),
      longTermWeight: 1000 + this.random.below(300_000),
      cumulativeDifficulty: this.#difficulty,
      generatedCoins: this.#coins,
      cumulativeTxCount: this.#txCount,
      // On purpose not the length of the RCT list: a store must not rely on it.
      cumulativeRctOutputs: this.#rctOutputs + 1000,
      majorVersion: 1 + (height % 16),
      minorVersion: 16,
    };
  }

  #hash(): Uint8Array {
    const hash = this.random.bytes(32);
    if (this.#shape.crowded === true) for (const at of [0, 1]) hash[at] = (hash[at] ?? 0) % 4;
    return hash;
  }

  #outputs(v1: boolean, height: number): NewOutput[] {
    return Array.from({ length: 1 + this.random.below(v1 ? 6 : 3) }, () => {
      const unlockTime = this.random.below(4) === 0 ? BigInt(height + 60) : 0n;
      const key = this.random.bytes(32);
      if (!v1) return { amount: 0n, key, commitment: this.random.bytes(32), unlockTime };
      return {
        amount: DENOMINATIONS[this.random.below(DENOMINATIONS.length)] ?? 1n,
        key,
        unlockTime,
      };
    });
  }

  /** The base form holds the key images, as real ones do. */
  #tx(v1: boolean, inputs: readonly Uint8Array[], outputs: readonly NewOutput[]): StoredTx {
    const parts = [
      this.random.bytes(10),
      ...inputs,
      ...outputs.map(({ key }) => key),
      this.random.bytes(44),
    ];
    return {
      id: this.#hash(),
      pruned: Uint8Array.from(Buffer.concat(parts)),
      prunable: v1 ? new Uint8Array() : this.random.bytes(this.#shape.prunableSize),
      prunableHash: v1 ? new Uint8Array(32) : this.random.bytes(32),
    };
  }
}
