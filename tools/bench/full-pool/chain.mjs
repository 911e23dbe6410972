// A regtest chain whose coinbases have hundreds of outputs each, all of the same amount and with known keys.
import { encodeBlock, parseBlock } from '../../../packages/codec/dist/index.js';
import {
  addGeneratedCoins,
  blockReward,
  COINBASE_UNLOCK,
  NETWORKS,
  rulesFor,
} from '../../../packages/consensus/dist/index.js';
import { addMultiples } from './sums.mjs';

/** Of every output, atomic units. */
export const AMOUNT = 40_000_000_000n;
const OUTPUTS_PER_BLOCK = 800;
const MEDIAN = 300_000;
/** Seconds between two blocks. */
const INTERVAL = 120;

/**
 * Returns the blobs of the blocks above genesis, the last ones without spendable outputs so that all others are
 * unlocked, and the outputs.
 *
 * @param {number} wanted number of outputs
 * @param {number} top time of the newest block, Unix seconds
 */
export function makeChain({ kit, backend, scalars }, wanted, top) {
  const network = NETWORKS.regtest;
  const rules = rulesFor(16);
  const spendable = Math.ceil(wanted / OUTPUTS_PER_BLOCK);
  const heights = spendable + COINBASE_UNLOCK;
  const commitment = kit.commit(1n, AMOUNT);
  const genesis = parseBlock(network.genesisBlob);
  const state = {
    id: genesis.id,
    coins: genesis.block.minerTx.outputs[0]?.amount ?? 0n,
    /** Of the next RingCT output. */
    index: 0,
  };
  const blobs = [];
  const outputs = [];
  for (let height = 1; height <= heights; height++) {
    const keys = makeKeys({ kit, backend, scalars }, height <= spendable ? OUTPUTS_PER_BLOCK : 0);
    const reward = blockReward({
      ...{ medianWeight: MEDIAN, blockWeight: 100 },
      ...{ generatedCoins: state.coins, rules },
    });
    const minerTx = coinbase(height, reward, keys);
    const blob = encodeBlock({
      ...{ majorVersion: 16, minorVersion: 16, nonce: 0, prevId: state.id, txHashes: [], minerTx },
      timestamp: top - INTERVAL * (heights - height),
    });
    for (const { key, secret } of keys) {
      outputs.push({ index: state.index++, key, secret, commitment });
    }
    // The rest of the reward is another output, which nobody spends.
    state.index++;
    state.id = parseBlock(blob).id;
    state.coins = addGeneratedCoins(state.coins, reward);
    blobs.push(blob);
  }
  return { blobs, outputs, height: heights, topId: state.id };
}

function makeKeys({ kit, backend, scalars }, count) {
  if (count === 0) return [];
  const base = kit.G.toBytes();
  const secrets = Array.from({ length: count }, () => scalars.scalar());
  const keys = addMultiples(
    backend,
    secrets.map((secret) => ({ a: kit.encodeScalar(secret), A: base })),
  );
  return keys.map((key, i) => ({ key, secret: secrets[i] }));
}

function coinbase(height, reward, keys) {
  const rest = reward - AMOUNT * BigInt(keys.length);
  const nobody = new Uint8Array(32).fill(1);
  return {
    version: 2,
    unlockTime: BigInt(height + COINBASE_UNLOCK),
    inputs: [{ kind: 'gen', height }],
    outputs: [
      ...keys.map(({ key }) => ({ amount: AMOUNT, key })),
      { amount: rest, key: nobody },
    ].map(({ amount, key }) => ({ amount, target: { kind: 'tagged-key', key, viewTag: 7 } })),
    extra: Uint8Array.of(1, ...new Uint8Array(32).fill(2)),
    rct: { type: 0, fee: 0n, pseudoOuts: [], ecdhInfo: [], outPk: [] },
  };
}
