// A private chain on which a block of 30 MB is allowed, and such a block, with valid signatures. Both are made once and kept outside
// the repository.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { openBlockchain } from '@monero-node/blockchain';
import { parseBlock, parseTransaction } from '@monero-node/codec';
import { feeOf, transactionWeight } from '@monero-node/consensus';
import { commit, SYSTEM_SCALARS } from '@monero-node/crypto/insecure-signer';
import { createPowHasher } from '@monero-node/pow';
import { openLmdbStore } from '@monero-node/storage';
import { COINBASE_UNLOCK, makeBlock, NETWORK } from '../made-chain/block.mjs';
import { present } from '../values.mjs';
import { AMOUNT, signAll } from './sign.mjs';

/**
 * @import { ParsedBlock } from '@monero-node/codec'
 * @import { ChainChange, CopyableStore } from '@monero-node/storage'
 * @import { Coin } from './sign.mjs'
 */
/**
 * The block, which no node has yet, and its transactions.
 *
 * @typedef {{ height: number, topHash: string, block: Buffer, txs: Buffer[] }} BigBlock
 */

/** What every block of the chain is said to weigh, so that the median allows the big one without a penalty. */
const STATED_WEIGHT = 40_000_000;
const BYTES = 30_000_000;
const OUTPUTS_PER_COINBASE = 5000;
/** Bytes of a transaction of two inputs and two outputs; they vary by a few. */
const LEAST_TX_BYTES = 2150;

/** Returns the folder that holds the chain between runs. */
export function defaultBigBlockDir() {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  return join(cache, 'monero-node', 'big-block');
}

/**
 * Returns a store that writes down larger weights than blocks have. Nothing in a block tells them.
 *
 * @param {CopyableStore} store
 */
function overstating(store) {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'commit')
        return (/** @type {ChainChange} */ change) => {
          for (const { meta } of change.append ?? []) {
            meta.weight = STATED_WEIGHT;
            meta.longTermWeight = STATED_WEIGHT;
          }
          return target.commit(change);
        };
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/**
 * Makes the chain: coinbases with many outputs, then enough blocks that these can be spent. Returns its outputs and the place of
 * the next block.
 *
 * @param {string} path of the store
 * @param {number} coinbases
 */
async function makeChain(path, coinbases) {
  mkdirSync(path, { recursive: true });
  const store = await openLmdbStore({ path });
  const pow = createPowHasher({ engine: 'auto' });
  const chain = await openBlockchain(
    { network: NETWORK, skipEasiestWork: true },
    { store: overstating(store), pow },
  );
  const genesis = parseBlock(NETWORK.genesisBlob);
  const generated = present(genesis.block.minerTx.outputs[0]).amount;
  let place = { height: 1, below: genesis, generatedCoins: generated, medianWeight: STATED_WEIGHT };
  /** @type {Coin[]} */
  const coins = [];
  try {
    for (; place.height <= coinbases + COINBASE_UNLOCK;) {
      const secrets = Array.from(
        { length: place.height <= coinbases ? OUTPUTS_PER_COINBASE : 1 },
        () => SYSTEM_SCALARS.scalar(),
      );
      const keys = secrets.map((secret) => commit(secret, 0n));
      const first = coins.length;
      coins.push(...secrets.map((secret, i) => coinOf(secret, present(keys[i]), first + i)));
      // The first output has the rest of the reward.
      present(coins[first]).isSpendable = false;
      const { blob, generatedCoins } = makeBlock(place, {
        keys,
        amount: AMOUNT,
        txHashes: [],
        fees: 0n,
      });
      const block = parseBlock(blob);
      const result = await chain.addBlock({ block, txs: [] });
      if (result.status !== 'added') throw new Error(`block ${place.height}: ${result.status}`);
      place = { ...place, height: place.height + 1, below: block, generatedCoins };
    }
  } finally {
    await chain.stop();
    await pow.close();
    await store.close();
  }
  return { coins, place };
}

/**
 * @param {bigint} secret
 * @param {Uint8Array} key
 * @param {number} index among RingCT outputs
 * @returns {Coin}
 */
const coinOf = (secret, key, index) => ({ secret, key, index, isSpendable: true });

/**
 * @param {string} dir
 * @param {(text: string) => void} say
 */
async function record(dir, say) {
  const count = Math.ceil(BYTES / LEAST_TX_BYTES);
  const coinbases = Math.ceil((2 * count) / (OUTPUTS_PER_COINBASE - 1));
  const { coins, place } = await makeChain(join(dir, 'fake', 'chain'), coinbases);
  const spendable = coins.filter(({ isSpendable }) => isSpendable).slice(0, 2 * count);
  say(`signing up to ${count} transactions, which takes minutes`);
  const txs = await signAll(spendable, say);
  let bytes = 0;
  const used = txs.filter((tx) => bytes < BYTES && (bytes += tx.length));
  const parsed = used.map((tx) => parseTransaction(tx));
  const fees = parsed.reduce((sum, tx) => sum + feeOf(tx), 0n);
  const weight = parsed.reduce((sum, tx) => sum + transactionWeight(tx), 0);
  if (weight + 1000 > STATED_WEIGHT) throw new Error(`a weight of ${weight}`);
  const txHashes = parsed.map(({ id }) => id);
  const { blob } = makeBlock(place, { keys: [commit(9n, 0n)], amount: AMOUNT, txHashes, fees });
  say(`a block of ${used.length} transactions, ${bytes} bytes, weight ${weight}`);
  writeBlock(dir, { blob, txs: used, place });
}

/**
 * @param {string} dir
 * @param {{ blob: Uint8Array, txs: readonly Uint8Array[], place: { height: number, below: ParsedBlock } }} content
 */
function writeBlock(dir, { blob, txs, place }) {
  const parts = [blob, ...txs];
  writeFileSync(join(dir, 'block.bin'), Buffer.concat(parts));
  const description = {
    height: place.height,
    topHash: Buffer.from(place.below.id).toString('hex'),
    sizes: parts.map(({ length }) => length),
  };
  writeFileSync(join(dir, 'block.json'), JSON.stringify(description));
}

/**
 * Returns the block for the chain in `dir`, and makes both when they are not there yet. `height` and `topHash` are those of the
 * chain: `height` blocks, the last of which is `topHash`.
 *
 * @param {string} dir
 * @param {(text: string) => void} say
 * @returns {Promise<BigBlock>}
 */
export async function openBigBlock(dir, say) {
  const file = join(dir, 'block.json');
  if (!existsSync(file)) {
    rmSync(join(dir, 'fake'), { recursive: true, force: true });
    await record(dir, say);
  }
  const { height, topHash, sizes } = JSON.parse(readFileSync(file, 'utf8'));
  const bytes = readFileSync(join(dir, 'block.bin'));
  let at = 0;
  const [block, ...txs] = sizes.map((/** @type {number} */ size) =>
    bytes.subarray(at, (at += size)),
  );
  return { height, topHash, block, txs };
}
