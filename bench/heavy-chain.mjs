// Records a regtest chain that ends in blocks full of transactions, by running monerod and
// monero-wallet-rpc. `npm run bench -- sync` measures synchronization with it.
//
//   npm run bench -- heavy-chain --out DIR [--blocks 200] [--txs-per-block 40] [--wallets 3]
//
// DIR will hold data/ (the data directory of monerod), wallets/ and chain.json (a description). Started
// again with the same DIR, it resumes an interrupted recording.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Recorder } from './chain/recorder.mjs';
import { Spender } from './chain/wallets.mjs';
import { startDaemon } from './nodes.mjs';
import { withPrograms } from './programs.mjs';

/** @param {string[]} args */
function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      out: { type: 'string' },
      blocks: { type: 'string', default: '200' },
      'txs-per-block': { type: 'string', default: '40' },
      wallets: { type: 'string', default: '3' },
    },
  });
  const blocks = Number(values.blocks);
  const txsPerBlock = Number(values['txs-per-block']);
  const wallets = Number(values.wallets);
  const areCounts = [blocks, txsPerBlock, wallets].every((n) => Number.isSafeInteger(n) && n > 0);
  if (values.out === undefined || !areCounts) {
    throw new Error('usage: heavy-chain --out DIR [--blocks N] [--txs-per-block N] [--wallets N]');
  }
  return { out: resolve(values.out), blocks, txsPerBlock, wallets };
}

/** @param {string[]} args */
export async function heavyChain(args) {
  const { out, wallets: walletCount, ...options } = readOptions(args);
  const begun = performance.now();
  const seconds = () => Math.round((performance.now() - begun) / 1000);
  /** @param {string} text */
  const say = (text) => console.log(`[${String(seconds()).padStart(4)} s] ${text}`);
  mkdirSync(out, { recursive: true });

  await withPrograms(async (start) => {
    const dataDir = join(out, 'data');
    const node = await startDaemon(start, { name: 'monerod', dataDir, offline: true });
    const wallets = await Promise.all(
      Array.from({ length: walletCount }, (_, i) => {
        const name = `wallet-${i}`;
        const dir = join(out, 'wallets', name);
        return Spender.open(start, { name, dir, node });
      }),
    );
    say(`monerod and ${walletCount} wallets run`);
    const recorder = new Recorder(options, { node, wallets, say });
    await recorder.mineCoinbases();
    await recorder.splitCoinbases();
    await recorder.mineHeavyBlocks();
    await Promise.all(wallets.map((wallet) => wallet.save()));
    const chain = { ...(await recorder.describe()), secondsToRecord: seconds() };
    writeFileSync(join(out, 'chain.json'), `${JSON.stringify(chain, null, 2)}\n`);
    say(`${chain.transactions} transactions in ${chain.height} blocks, top ${chain.topHash}`);
    say('stopping');
  });
  say(`done: ${join(out, 'chain.json')}`);
}
