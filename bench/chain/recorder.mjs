import { RpcError } from '../rpc.mjs';
import { OUTPUTS_PER_SPLIT } from './wallets.mjs';
import { present } from '../values.mjs';

/**
 * @import { BlockHeader } from '../answers.d.ts'
 * @import { Daemon } from '../nodes.mjs'
 * @import { Spender } from './wallets.mjs'
 */
/**
 * A recorded chain, as chain.json describes it; heavy: the blocks full of transactions at its top.
 *
 * @typedef {Awaited<ReturnType<Recorder['describe']>>} RecordedChain
 */

const COINBASE_UNLOCK = 60;
const OUTPUT_UNLOCK = 10;
/** Each transaction spends two outputs, which return after the unlock time; the rest is reserve. */
const OUTPUTS_PER_TRANSACTION = 2 * (OUTPUT_UNLOCK + 4);
/** Height below which the wallet does not find enough other outputs for its rings. */
const ENOUGH_DECOYS = 140;
const HEADERS_PER_CALL = 1000;
/** Number of transactions that monerod's block template occasionally leaves in the pool. */
const SPARE_IN_POOL = 2;

/**
 * Makes a chain heavy in phases. Each phase first inspects the chain, so that an interrupted recording can
 * be resumed.
 */
export class Recorder {
  #node;
  #wallets;
  #options;
  #say;

  /**
   * @param {{ blocks: number, txsPerBlock: number }} options txsPerBlock is a minimum.
   * @param {{ node: Daemon, wallets: readonly Spender[], say: (text: string) => void }} network
   */
  constructor(options, { node, wallets, say }) {
    this.#options = options;
    this.#node = node;
    this.#wallets = wallets;
    this.#say = say;
  }

  get #splitsPerWallet() {
    const outputs = this.#options.txsPerBlock * OUTPUTS_PER_TRANSACTION;
    return Math.ceil(outputs / OUTPUTS_PER_SPLIT / this.#wallets.length);
  }

  async #height() {
    return (await this.#node.info()).height;
  }

  /**
   * Mines one block to the wallet whose turn it is.
   *
   * @param {number} height
   */
  async #mine(height) {
    const { address } = this.#walletAt(height);
    const answer = await this.#node.rpc.call('generateblocks', {
      amount_of_blocks: 1,
      wallet_address: address,
    });
    if (answer.status !== 'OK') throw new Error(`generateblocks: ${answer.status}`);
  }

  /**
   * Mines until the chain has `wanted` blocks.
   *
   * @param {number} wanted
   */
  async mineTo(wanted) {
    for (let height = await this.#height(); height < wanted; height++) await this.#mine(height);
  }

  /** @param {number} turn */
  #walletAt(turn) {
    return present(this.#wallets[turn % this.#wallets.length]);
  }

  /**
   * @template T
   * @param {(wallet: Spender, i: number) => Promise<T>} task
   */
  #all(task) {
    return Promise.all(this.#wallets.map(task));
  }

  /** Mines coinbases for every wallet until they are old enough to be spent. */
  async mineCoinbases() {
    const coinbases = this.#splitsPerWallet * this.#wallets.length;
    const wanted = Math.max(coinbases + COINBASE_UNLOCK + 1, ENOUGH_DECOYS);
    this.#say(`mining to height ${wanted}`);
    await this.mineTo(wanted);
    await this.#all((wallet) => wallet.refresh());
  }

  /** Splits coinbases into enough outputs for a steady flow of transactions. */
  async splitCoinbases() {
    const missing = await this.#all(async (wallet) => {
      const outputs = await wallet.smallOutputs();
      return Math.max(0, this.#splitsPerWallet - Math.ceil(outputs / OUTPUTS_PER_SPLIT));
    });
    const total = missing.reduce((sum, count) => sum + count, 0);
    if (total === 0) return;
    this.#say(`splitting ${total} coinbases into ${total * OUTPUTS_PER_SPLIT} outputs`);
    await this.#all((wallet, i) => wallet.split(missing[i] ?? 0));
    await this.mineTo((await this.#height()) + OUTPUT_UNLOCK + 1);
    await this.#all((wallet) => wallet.refresh());
  }

  /**
   * Returns the headers of blocks `from` to the top.
   *
   * @param {number} from
   */
  async #headers(from) {
    const height = await this.#height();
    /** @type {BlockHeader[]} */
    const headers = [];
    for (let start = from; start < height; start += HEADERS_PER_CALL) {
      const answer = await this.#node.rpc.call('get_block_headers_range', {
        start_height: start,
        end_height: Math.min(height, start + HEADERS_PER_CALL) - 1,
      });
      headers.push(...answer.headers);
    }
    return headers;
  }

  /** Returns the number of consecutive blocks at the top that are heavy enough. */
  async #heavyBlocks() {
    const headers = await this.#headers(0);
    const light = headers.findLastIndex((header) => header.num_txes < this.#options.txsPerBlock);
    return headers.length - 1 - light;
  }

  /** Mines the heavy blocks. */
  async mineHeavyBlocks() {
    const { blocks, txsPerBlock } = this.#options;
    const begun = performance.now();
    let made = 0;
    for (let heavy = await this.#heavyBlocks(); heavy < blocks; made++) {
      if (made > blocks + 20) throw new Error('blocks stay lighter than they should be');
      await this.#fillPool();
      const height = await this.#height();
      await this.#mine(height);
      const { block_header: header } = await this.#node.rpc.call('get_last_block_header');
      heavy = header.num_txes >= txsPerBlock ? heavy + 1 : 0;
      await this.#all((wallet) => wallet.refresh());
      if ((made + 1) % 5 === 0 || heavy === blocks) {
        const seconds = (performance.now() - begun) / 1000;
        const left = ((blocks - heavy) * seconds) / (made + 1);
        this.#say(
          `height ${height + 1}: ${heavy}/${blocks} heavy blocks, ${header.num_txes} transactions, ` +
            `${header.block_weight} bytes in the last; ${seconds.toFixed(0)} s, ${left.toFixed(0)} s left`,
        );
      }
      // After a kill, only little has to be scanned again.
      if ((made + 1) % 50 === 0) await this.#all((wallet) => wallet.save());
    }
  }

  /** Has all wallets send until the pool holds a block's worth of transactions. */
  async #fillPool() {
    const { tx_pool_size: pool } = await this.#node.info();
    let wanted = this.#options.txsPerBlock + SPARE_IN_POOL - pool;
    /** @type {string[]} */
    const problems = [];
    await this.#all(async (wallet, i) => {
      const to = this.#walletAt(i + 1);
      while (wanted > 0) {
        wanted--;
        try {
          await wallet.send(to);
        } catch (error) {
          if (!(error instanceof RpcError)) throw error;
          // Usually nothing is unlocked. The other wallets take over until the next block.
          wanted++;
          problems.push(error.message);
          return;
        }
      }
    });
    if (wanted > 0) throw new Error(`no wallet could send: ${problems.join('; ')}`);
  }

  /** Returns a description of the chain for chain.json. It omits transactions that are not in a block. */
  async describe() {
    await this.#node.rpc.call('flush_txpool');
    const info = await this.#node.info();
    const heavyBlocks = await this.#heavyBlocks();
    const headers = await this.#headers(0);
    const heavy = headers.slice(headers.length - heavyBlocks);
    const counts = heavy.map((header) => header.num_txes);
    /** @param {readonly number[]} values */
    const sum = (values) => values.reduce((total, value) => total + value, 0);
    return {
      height: info.height,
      topHash: info.top_block_hash,
      transactions: sum(headers.map((header) => header.num_txes)),
      heavy: {
        from: info.height - heavyBlocks,
        to: info.height - 1,
        blocks: heavyBlocks,
        transactions: sum(counts),
        fewestPerBlock: Math.min(...counts),
        mostPerBlock: Math.max(...counts),
        weight: sum(heavy.map((header) => header.block_weight)),
      },
      monerod: info.version,
    };
  }
}
