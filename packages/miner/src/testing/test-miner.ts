import { EventEmitter, once } from 'node:events';
import { silentLogger } from '@monero-node/base';
import { TemplateError, type BlockTemplate, type ChainEvents } from '@monero-node/blockchain';
import { createTransactionKey } from '@monero-node/crypto';
import type { NonceSearch, NonceSearcher } from '@monero-node/pow';
import { Miner } from '../miner.ts';
import type { MinerDependencies } from '../dependencies.ts';

const key = createTransactionKey(3n).publicKey;
export const address = { spendKey: key, viewKey: key };
export const start = { address, threads: 2, background: false, ignoreBattery: false };

function template(height: number, extra: Uint8Array): BlockTemplate {
  return {
    block: {
      majorVersion: 16,
      minorVersion: 16,
      timestamp: 1_700_000_000,
      nonce: 0,
      prevId: new Uint8Array(32).fill(height),
      minerTx: {
        version: 2,
        unlockTime: BigInt(height + 60),
        inputs: [{ kind: 'gen', height }],
        outputs: [{ amount: 5n, target: { kind: 'tagged-key', key, viewTag: 1 } }],
        extra,
        rct: { type: 0, fee: 0n, pseudoOuts: [], ecdhInfo: [], outPk: [] },
      },
      txHashes: [],
    },
    height,
    difficulty: 10n,
    expectedReward: BigInt(height),
    fees: 0n,
    weight: 100,
    transactionKey: key,
    pow: { algorithm: 'randomx', commitment: false },
    seedHeight: 0,
    seedHash: new Uint8Array(32),
  };
}

/** Searches that tests resolve, or that end when they are aborted. */
class ManualSearcher implements NonceSearcher {
  readonly name = 'manual';
  readonly open: { task: NonceSearch; found: (nonce: number) => void }[] = [];
  readonly all: NonceSearch[] = [];
  released = 0;
  readonly #begun = new EventEmitter();

  search(task: NonceSearch) {
    this.all.push(task);
    return new Promise<{ nonce?: number; hashes: number }>((resolve) => {
      const entry = { task, found: (nonce: number) => resolve({ nonce, hashes: 1 }) };
      this.open.push(entry);
      this.#begun.emit('search');
      task.signal?.addEventListener('abort', () => {
        this.open.splice(this.open.indexOf(entry), 1);
        resolve({ hashes: 0 });
      });
    });
  }

  /** Resolves when a search is open. */
  async searching(): Promise<void> {
    if (this.open.length === 0) await once(this.#begun, 'search');
  }

  release() {
    this.released++;
    return Promise.resolve();
  }
}

/** Returns a miner on a chain that grows by the blocks it finds. */
export function setUp(parts: Partial<Pick<MinerDependencies, 'machine' | 'extraMessages'>> = {}) {
  const blockchain = new EventEmitter<ChainEvents>();
  const searcher = new ManualSearcher();
  const submitted: Uint8Array[] = [];
  const state = { height: 1, isTaken: true, hasTemplate: true };
  let held: Promise<void> = Promise.resolve();
  /** Holds the blocks submitted from now on until the returned function is called. */
  const holdSubmit = () => {
    let letGo = (): void => undefined;
    held = new Promise((resolve) => (letGo = resolve));
    return letGo;
  };
  const miner = new Miner(
    {},
    {
      blockchain,
      searcher,
      logger: silentLogger,
      templates: {
        create: ({ extraNonce }) =>
          state.hasTemplate
            ? Promise.resolve(template(state.height, extraNonce))
            : Promise.reject(new TemplateError('tip-moved', 'none')),
      },
      submit: async (block) => {
        submitted.push(block);
        await held;
        if (state.isTaken) {
          state.height++;
          blockchain.emit('blocks-added', []);
        }
        return state.isTaken;
      },
      ...parts,
    },
  );
  return { miner, searcher, submitted, state, blockchain, holdSubmit };
}
