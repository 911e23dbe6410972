// Measures what a side chain costs as it grows: blocks without transactions beside a main chain with more work, on the
// database, with a hasher that costs nothing.
//
//   npm run bench -- side-chain [--length 1000,5000] [--dir DIR] [--out FILE]
//
// In time linear in the length, all rows have the same milliseconds of processor time per block. Other work on the
// machine affects the wall-clock time.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { silentLogger } from '../../packages/base/dist/index.js';
import { openBlockchain } from '../../packages/blockchain/dist/index.js';
import { encodeBlock, parseBlock } from '../../packages/codec/dist/index.js';
import {
  addGeneratedCoins,
  blockReward,
  NETWORKS,
  rulesFor,
  withOverrides,
} from '../../packages/consensus/dist/index.js';
import {
  createInlineVerificationPool,
  createReferenceBackend,
} from '../../packages/crypto/dist/index.js';
import { openLmdbStore } from '../../packages/storage/dist/index.js';

const VERSION = 16;
const START = 1_700_000_000;
const rules = rulesFor(VERSION);
const network = withOverrides(NETWORKS.regtest, { fixedDifficulty: 1n });
const key = new Uint8Array(32).fill(1);

/** Yields valid blocks without transactions on top of genesis. */
function* branch(length, nonce) {
  let { id: prevId, minerTx } = parseBlock(network.genesisBlob);
  let generatedCoins = minerTx.tx.outputs[0].amount;
  for (let height = 1; height <= length; height++) {
    const reward = blockReward({ medianWeight: 300_000, blockWeight: 100, generatedCoins, rules });
    const parsed = parseBlock(
      encodeBlock({
        majorVersion: VERSION,
        minorVersion: VERSION,
        timestamp: START + 120 * height,
        prevId,
        nonce,
        minerTx: {
          version: 2,
          unlockTime: BigInt(height + 60),
          inputs: [{ kind: 'gen', height }],
          outputs: [{ amount: reward, target: { kind: 'tagged-key', key, viewTag: 7 } }],
          extra: Uint8Array.of(1, ...key),
          rct: { type: 0, fee: 0n, pseudoOuts: [], ecdhInfo: [], outPk: [] },
        },
        txHashes: [],
      }),
    );
    yield { block: parsed, txs: [] };
    prevId = parsed.id;
    generatedCoins = addGeneratedCoins(generatedCoins, reward);
  }
}

/** Seconds of processor time of all threads of this process. */
function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Returns what a side chain of `length` blocks costs in seconds, and its last 100 blocks. */
async function measure(dir, length) {
  const store = await openLmdbStore({ path: join(dir, String(length)), syncMode: 'fastest' });
  const backend = createReferenceBackend();
  const chain = await openBlockchain(
    { network, now: () => START + 200 * length },
    {
      store,
      backend,
      verifier: createInlineVerificationPool(backend),
      pow: { name: 'free', hash: async () => new Uint8Array(32), close: async () => undefined },
      logger: silentLogger,
    },
  );
  await chain.addSpan([...branch(length + 1, 1)]);
  const side = [...branch(length, 2)];
  const began = performance.now();
  const cpu = [cpuSeconds()];
  for (const incoming of side) {
    const { status } = await chain.addBlock(incoming);
    if (status !== 'alternative') throw new Error(`a block of the side chain is ${status}`);
    cpu.push(cpuSeconds());
  }
  const seconds = (performance.now() - began) / 1000;
  await chain.stop();
  await store.close();
  const last = Math.min(100, length);
  return {
    blocks: length,
    seconds,
    cpuMsPerBlock: (1000 * (cpu.at(-1) - cpu[0])) / length,
    cpuMsPerLastBlock: (1000 * (cpu.at(-1) - cpu.at(-1 - last))) / last,
  };
}

export async function sideChain(args) {
  const { values } = parseArgs({
    args,
    options: {
      length: { type: 'string', default: '1000,5000' },
      dir: { type: 'string', default: tmpdir() },
      out: { type: 'string', default: 'bench-side-chain.json' },
    },
  });
  const lengths = values.length.split(',').map(Number);
  if (!lengths.every((length) => Number.isSafeInteger(length) && length > 0)) {
    throw new Error('usage: side-chain [--length BLOCKS[,BLOCKS]...]');
  }
  const dir = mkdtempSync(join(values.dir, 'monero-node-side-chain-'));
  const rows = [];
  try {
    for (const length of lengths) {
      const row = await measure(dir, length);
      rows.push(row);
      console.log(
        `${row.blocks} blocks: ${row.seconds.toFixed(2)} s, ${row.cpuMsPerBlock.toFixed(2)} ms of processor time ` +
          `per block, ${row.cpuMsPerLastBlock.toFixed(2)} ms for each of the last 100`,
      );
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
  writeFileSync(values.out, `${JSON.stringify(rows, null, 2)}\n`);
}
