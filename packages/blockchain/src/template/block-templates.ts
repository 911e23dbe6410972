import { systemSeconds, Yielder, type SecondClock } from '@monero-node/base';
import { bytesEqual } from '@monero-node/codec';
import { blockReward } from '@monero-node/consensus';
import {
  baseAtTip,
  baseOn,
  templateTimestamp,
  type TemplateBase,
  type TemplateChain,
} from './template-base.ts';
import { createMinerTx } from './miner-tx.ts';
import {
  TemplateError,
  type BlockTemplate,
  type ChosenTransactions,
  type TemplateFrame,
  type TemplateRequest,
  type TransactionSource,
} from './template-types.ts';
import { treeFieldAt } from '../view/tree-roots.ts';

export interface BlockTemplatesDependencies {
  readonly blockchain: TemplateChain;
  /** The source of transactions; templates are of empty blocks when absent. */
  readonly transactions?: TransactionSource;
  /** The system clock by default. */
  readonly now?: SecondClock;
}

/** Attempts to make a template while the tip keeps moving. */
const ATTEMPTS = 5;

interface Cached {
  readonly request: TemplateRequest;
  readonly revision: number;
  readonly template: BlockTemplate;
}

/**
 * Makes blocks to be mined. Returns the last one made on the tip again until the tip or the transactions change.
 * Source: create_block_template in src/cryptonote_core/blockchain.cpp.
 */
export class BlockTemplates {
  readonly #chain: TemplateChain;
  readonly #transactions: TransactionSource;
  readonly #now: SecondClock;
  /** The last one with all transactions, and the last with public ones only. */
  readonly #cached = new Map<boolean, Cached>();

  constructor({ blockchain, transactions, now }: BlockTemplatesDependencies) {
    this.#chain = blockchain;
    this.#transactions = transactions ?? NO_TRANSACTIONS;
    this.#now = now ?? systemSeconds;
  }

  /** Changes whenever a new template may hold other transactions. */
  get revision(): number {
    return this.#transactions.revision;
  }

  /** Returns a template for a request. Throws TemplateError when none can be made. */
  async create(request: TemplateRequest): Promise<BlockTemplate> {
    if (request.prevId !== undefined) return this.#make(request, request.prevId);
    const cached = this.#reuse(request);
    if (cached !== undefined) return cached;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { revision } = this.#transactions;
      const template = await this.#make(request);
      if (!this.#isOnTip(template)) continue;
      this.#cached.set(request.publicOnly === true, { request, revision, template });
      return template;
    }
    throw new TemplateError('tip-moved', 'the tip kept moving');
  }

  #isOnTip({ block }: BlockTemplate): boolean {
    return bytesEqual(block.prevId, this.#chain.top.id);
  }

  #reuse(request: TemplateRequest): BlockTemplate | undefined {
    const cached = this.#cached.get(request.publicOnly === true);
    if (cached === undefined || !isSame(cached.request, request)) return undefined;
    if (cached.revision !== this.#transactions.revision) return undefined;
    const { template } = cached;
    if (!this.#isOnTip(template)) return undefined;
    // The cached timestamp was not below the median.
    const timestamp = Math.max(template.block.timestamp, this.#now());
    return { ...template, block: { ...template.block, timestamp } };
  }

  async #make(request: TemplateRequest, prevId?: Uint8Array): Promise<BlockTemplate> {
    const yielder = new Yielder();
    const base = prevId === undefined ? baseAtTip(this.#chain) : await baseOn(this.#chain, prevId);
    const timestamp = templateTimestamp(this.#chain, this.#now());
    const chosen = await this.#transactions.choose(base, request.publicOnly);
    // The first miner transaction takes long as well: it computes a table of multiples of the base point.
    await yielder.yieldIfDue();
    return assemble(this.#chain, request, { base, timestamp, chosen });
  }
}

/** The parts of a template besides its miner transaction. */
interface TemplateParts {
  readonly base: TemplateBase;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly chosen: ChosenTransactions;
}

function assemble(
  { backend, treeRoots }: TemplateChain,
  request: TemplateRequest,
  { base, timestamp, chosen }: TemplateParts,
): BlockTemplate {
  const { height, prevId, majorVersion, minorVersion, difficulty } = base;
  const field = treeFieldAt(treeRoots, majorVersion, base);
  if (field === undefined)
    throw new TemplateError('unknown-block', 'the curve tree of the block to build on is unknown');
  const { tx, blockWeight, publicKey } = createMinerTx({
    ...base,
    backend,
    address: request.address,
    extraNonce: request.extraNonce,
    txsWeight: chosen.weight,
    fees: chosen.fees,
  });
  const header = { majorVersion, minorVersion, timestamp, prevId, nonce: 0 };
  return {
    block: { ...header, minerTx: tx, txHashes: [...chosen.ids], tree: field.tree },
    height,
    difficulty,
    expectedReward: chosen.expectedReward,
    fees: chosen.fees,
    weight: blockWeight,
    transactionKey: publicKey,
    pow: base.pow,
    seedHeight: base.seedHeight,
    seedHash: base.seedHash,
  };
}

function isSame(a: TemplateRequest, b: TemplateRequest): boolean {
  return (
    bytesEqual(a.address.spendKey, b.address.spendKey) &&
    bytesEqual(a.address.viewKey, b.address.viewKey) &&
    (a.address.isSubaddress === true) === (b.address.isSubaddress === true) &&
    bytesEqual(a.extraNonce, b.extraNonce)
  );
}

/** Used without a pool. */
const NO_TRANSACTIONS: TransactionSource = {
  revision: 0,
  choose: ({ rules, medianWeight, generatedCoins }: TemplateFrame) =>
    Promise.resolve({
      ids: [],
      weight: 0,
      fees: 0n,
      expectedReward: blockReward({ rules, medianWeight, blockWeight: 0, generatedCoins }),
    }),
};
