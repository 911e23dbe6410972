import { bytesEqual, FIRST_TREE_VERSION } from '@monero-node/codec';
import type { CryptoBackend } from '@monero-node/crypto';
import type { MoneroNode } from '@monero-node/node';
import {
  CarrotScanner,
  isCarrotAccount,
  isOutputUnlocked,
  outputSecret,
  Scanner,
  SubaddressTable,
  type Account,
  type BlockScanResult,
  type CarrotAccount,
} from '@monero-node/wallet-primitives';
import type { SpentOutput } from '../insecure-signer/transaction.ts';
import { CarrotCoins, type CarrotCoin } from './carrot-coins.ts';

/** An output of an account in the chain. */
export interface Coin extends Omit<SpentOutput, 'ring'> {
  readonly height: number;
  readonly unlockTime: bigint;
  /** What the secret key has of T, 32 bytes: zeros before Carrot. */
  readonly secretT: Uint8Array;
}

/** Whose coins can be spent: an account of the old hierarchy or of that of Carrot. */
export type SpendingAccount = Account | CarrotAccount;

/** A block that was scanned. */
interface Scanned {
  /** 32 bytes. */
  readonly id: Uint8Array;
  readonly coins: readonly Coin[];
}

/** Enough for accounts of tests, and made in no time; the table grows with the addresses that are used. */
const LOOKAHEAD = { accounts: 10, addresses: 50 } as const;
/** Blocks that are scanned together. */
const STEP = 100;

const NO_SECRET = new Uint8Array(32);

/** The outputs of one account, found again where the chain has changed. */
export class AccountCoins {
  readonly #node: MoneroNode;
  readonly #account: SpendingAccount;
  /** Of outputs before Carrot, which accounts of its hierarchy have none of. */
  readonly #scanner: Scanner | undefined;
  readonly #carrot: CarrotCoins;
  /** By height. */
  readonly #blocks: Scanned[] = [];

  constructor(node: MoneroNode, account: SpendingAccount, backend: CryptoBackend) {
    this.#node = node;
    this.#account = account;
    const subaddresses = new SubaddressTable(account, backend, LOOKAHEAD);
    this.#scanner = isCarrotAccount(account)
      ? undefined
      : new Scanner({ account, backend, subaddresses });
    const scanner = new CarrotScanner({ account, backend, subaddresses });
    this.#carrot = new CarrotCoins(account, backend, scanner);
  }

  /** Returns all outputs of the account in the chain, oldest first. */
  all(): readonly Coin[] {
    this.#follow();
    return this.#blocks.flatMap(({ coins }) => coins);
  }

  /** Returns those that the next block may spend, the largest first. Those that the pool spends are not among them. */
  spendable(): readonly Coin[] {
    const { blockchain, pool } = this.#node;
    const chain = {
      chainHeight: blockchain.height,
      time: blockchain.top.timestamp,
      network: 'mainnet',
    } as const;
    return this.all()
      .filter(({ height, unlockTime }) => isOutputUnlocked({ ...chain, height, unlockTime }))
      .filter(({ keyImage }) => blockchain.store.keyImageHeight(keyImage) === undefined)
      .filter(({ keyImage }) => !pool.isSpent(keyImage, true))
      .toSorted((a, b) => (a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : a.index - b.index));
  }

  /** Forgets blocks that left the chain, and scans those that are new. */
  #follow(): void {
    const { blockchain } = this.#node;
    while (!this.#isTopKnown()) this.#blocks.pop();
    while (this.#blocks.length < blockchain.height) {
      const from = this.#blocks.length;
      this.#scan(from, Math.min(from + STEP, blockchain.height));
    }
  }

  #isTopKnown(): boolean {
    const top = this.#blocks.at(-1);
    if (top === undefined) return true;
    const meta = this.#node.blockchain.store.blockMeta(this.#blocks.length - 1);
    return meta !== undefined && bytesEqual(meta.id, top.id);
  }

  #scan(from: number, to: number): void {
    const { blockchain } = this.#node;
    const { store } = blockchain;
    const blocks = Array.from({ length: to - from }, (_, i) => {
      const bundle = blockchain.blockBundle(from + i);
      if (bundle === undefined) throw new Error(`block ${from + i} is not in the store`);
      return { pruned: false, block: bundle.block, txs: [...bundle.txs] };
    });
    const results = this.#scanner?.scanBlocks(blocks) ?? [];
    for (let height = from; height < to; height++) {
      const meta = store.blockMeta(height);
      const block = blocks[height - from];
      if (meta === undefined || block === undefined)
        throw new Error(`the chain lost block ${height}`);
      const old = results.filter(({ blockIndex }) => blockIndex === height - from);
      const carrot =
        meta.majorVersion < FIRST_TREE_VERSION
          ? []
          : this.#carrot.of(block.block, block.txs, height);
      const coins = [
        ...old.flatMap((result) => this.#oldCoins(result, height)),
        ...carrot.map((coin) => this.#carrotCoin(coin, height)),
      ];
      this.#blocks.push({ id: meta.id, coins });
    }
  }

  #oldCoins({ transaction, transactionIndex, outputs }: BlockScanResult, height: number): Coin[] {
    const account = this.#account;
    if (!('spendSecret' in account)) return [];
    const indices = this.#node.blockchain.store.outputIndices(height, transactionIndex);
    const { unlockTime } = transaction.tx;
    return outputs.map((output) => ({
      index: indices[output.index] as number,
      keyImage: output.keyImage as Uint8Array,
      secret: outputSecret(output, account),
      secretT: NO_SECRET,
      mask: output.mask,
      amount: output.amount,
      height,
      unlockTime,
    }));
  }

  #carrotCoin(
    { transaction, transactionIndex, output, secrets }: CarrotCoin,
    height: number,
  ): Coin {
    const indices = this.#node.blockchain.store.outputIndices(height, transactionIndex);
    return {
      index: indices[output.index] as number,
      keyImage: output.keyImage as Uint8Array,
      secret: secrets.x,
      secretT: secrets.y,
      mask: output.mask,
      amount: output.amount,
      height,
      unlockTime: transaction.tx.unlockTime,
    };
  }
}
