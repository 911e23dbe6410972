import { setTimeout as sleep } from 'node:timers/promises';
import {
  BlockTemplates,
  findNonce,
  minedBlock,
  type ChosenTransactions,
  type TemplateRequest,
} from '@monero-node/blockchain';
import { parseBlock, parseTransaction, type ParsedTransaction } from '@monero-node/codec';
import { feeOf, transactionWeight } from '@monero-node/consensus';
import type { MoneroNode } from '@monero-node/node';
import { HashingNonceSearcher, type NonceSearcher } from '@monero-node/pow';
import { addressNetwork } from '@monero-node/rpc';
import type { DevClock } from './dev-clock.ts';
import { networkAddress } from './network-address.ts';

const NO_NONCE = new Uint8Array(0);
/** A transaction can be mined once it was sent to peers, or there were none to send it to. */
const RETRY_MS = 20;
const ATTEMPTS = 250;

/** A block that was mined. */
export interface DevBlock {
  readonly height: number;
  /** 32 bytes. */
  readonly id: Uint8Array;
  /** Reward and fees, atomic units. */
  readonly reward: bigint;
}

/** Where blocks are built. */
export interface BlockPlace {
  readonly count: number;
  readonly address: string;
  /** The 32-byte id of the first block's parent; the top of the chain when absent. Such blocks have no transactions of the pool. */
  readonly parentId?: Uint8Array;
  /** Full blobs of transactions, and the block of a branch that has them: 0 for the first one. */
  readonly transactions?: { readonly at: number; readonly blobs: readonly Uint8Array[] };
}

/** Mines blocks one after another, at once where the difficulty is 1. */
export class BlockMaker {
  readonly #node: MoneroNode;
  readonly #search: NonceSearcher;
  /** For side chains, on which transactions of the pool may be invalid. */
  readonly #empty: BlockTemplates;
  readonly #clock: DevClock;

  constructor(node: MoneroNode, clock: DevClock) {
    this.#node = node;
    this.#clock = clock;
    this.#search = new HashingNonceSearcher(node.pow);
    this.#empty = new BlockTemplates({ blockchain: node.blockchain, now: () => clock.now() });
  }

  /** Mines blocks and sends them to peers. Throws RangeError for an address that cannot be mined to, and ConsensusError. */
  async make({ count, address, parentId, transactions }: BlockPlace): Promise<DevBlock[]> {
    if (!Number.isSafeInteger(count) || count < 0)
      throw new RangeError('the number of blocks is whole and 0 or more');
    const keys = this.#keysOf(address);
    const txs = transactions?.blobs.map((blob) => parseTransaction(blob)) ?? [];
    const made: DevBlock[] = [];
    let prevId = parentId;
    for (let i = 0; i < count; i++) {
      const block = await this.#makeOne(keys, prevId, i === transactions?.at ? txs : []);
      if (parentId !== undefined) prevId = block.id;
      made.push(block);
    }
    await this.#node.pool.idle();
    return made;
  }

  #keysOf(address: string): TemplateRequest['address'] {
    const own = addressNetwork(this.#node.network);
    const { spendKey, viewKey, kind } = networkAddress(address, own);
    return { spendKey, viewKey, isSubaddress: kind === 'subaddress' };
  }

  async #makeOne(
    address: TemplateRequest['address'],
    prevId: Uint8Array | undefined,
    txs: readonly ParsedTransaction[],
  ): Promise<DevBlock> {
    const { blockchain, p2p, pool, templates } = this.#node;
    const request = { address, extraNonce: NO_NONCE };
    const template =
      prevId === undefined
        ? await templates.create(request)
        : await this.#templatesWith(txs).create({ ...request, prevId });
    const parsed = parseBlock(minedBlock(template, await this.#nonce(template)));
    const result = await blockchain.addBlock(
      { block: parsed, txs },
      { origin: 'the devnet', findTransaction: (id) => pool.transactionBlob(id) },
    );
    switch (result.status) {
      case 'added':
      case 'reorganized':
        p2p.relayBlock(result.height);
        break;
      case 'alternative':
        break;
      case 'invalid':
        throw result.error;
      default:
        throw new Error(`the chain did not take the block: ${result.status}`);
    }
    const reward = parsed.block.minerTx.outputs.reduce((sum, { amount }) => sum + amount, 0n);
    return { id: parsed.id, reward, height: template.height };
  }

  #templatesWith(txs: readonly ParsedTransaction[]): BlockTemplates {
    if (txs.length === 0) return this.#empty;
    const chosen: ChosenTransactions = {
      ids: txs.map(({ id }) => id),
      weight: txs.reduce((sum, tx) => sum + transactionWeight(tx), 0),
      fees: txs.reduce((sum, tx) => sum + feeOf(tx), 0n),
      expectedReward: 0n,
    };
    return new BlockTemplates({
      blockchain: this.#node.blockchain,
      now: () => this.#clock.now(),
      transactions: { revision: 0, choose: () => Promise.resolve(chosen) },
    });
  }

  /** Returns a nonce that meets the difficulty. Every nonce meets difficulty 1. */
  async #nonce(template: Parameters<typeof findNonce>[0]): Promise<number> {
    if (template.difficulty === 1n) return 0;
    const nonce = await findNonce(template, this.#search);
    if (nonce === undefined) throw new Error('no nonce meets the difficulty');
    return nonce;
  }
}

/** Mines a block whenever the pool has transactions that can be in one. */
export class AutoMiner {
  readonly #pool: MoneroNode['pool'];
  readonly #mineIfDue: () => Promise<boolean>;
  #isWaiting = false;
  #isStopped = false;

  /** @param mineIfDue mines a block if a transaction can be in it; returns whether it did */
  constructor({ pool, logger }: MoneroNode, mineIfDue: () => Promise<boolean>) {
    this.#pool = pool;
    this.#mineIfDue = mineIfDue;
    pool.on('added', () => {
      this.#mineWhenReady().catch((error: unknown) => logger.error(`devnet: ${String(error)}`));
    });
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #mineWhenReady(): Promise<void> {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    try {
      for (let i = 0; i < ATTEMPTS && !this.#isStopped && this.#pool.size > 0; i++) {
        if (!(await this.#mineIfDue())) await sleep(RETRY_MS);
      }
    } finally {
      this.#isWaiting = false;
    }
  }
}
