// The figures of each bench, read from the file that it has written.
import { median } from '../statistics.mjs';

/**
 * @import { Row } from '../crypto.mjs'
 * @import { Costs } from '../import.mjs'
 * @import { Comparison } from '../miner.mjs'
 * @import { CallResult } from '../rpc-load.mjs'
 * @import { SyncResult } from '../sync/measure-sync.mjs'
 * @import { Scan } from '../wallet-scan.mjs'
 * @import { Figure } from './summary.mjs'
 */
/**
 * The processor time of our threads, by role.
 *
 * @typedef {{ role: string, seconds: number, msPerTransaction: number }[]} Threads
 */

/** Names of the paths of the crypto addon and of its other backends, as people read them. */
/** @type {Record<string, string>} */
const BACKENDS = {
  'native-portable': 'portable',
  'native-avx2': 'AVX2',
  'native-ifma': 'AVX-512 IFMA',
  wasm: 'WebAssembly',
};

/**
 * Returns a figure whose label is its name.
 *
 * @param {string} bench
 * @param {string} group
 * @param {string} name
 * @param {Pick<Figure, 'unit' | 'ours' | 'baseline'> & Partial<Figure>} rest
 * @returns {Figure}
 */
const figure = (bench, group, name, rest) => ({
  id: `${bench}/${name}`,
  group,
  label: name,
  more: false,
  steady: false,
  ...rest,
});

/**
 * The fastest calls are compared: other programs disturb them least.
 *
 * @param {{ oneThread: readonly Row[] }} written
 */
function crypto({ oneThread }) {
  return oneThread.flatMap(({ case: name, backend, ours, theirs }) => {
    const path = BACKENDS[backend];
    if (path === undefined || !theirs) return [];
    return figure('crypto', `Crypto, one thread, ${path}`, name, {
      id: `crypto/${backend}/${name}`,
      unit: 'µs',
      ours: ours.best,
      baseline: theirs.best,
      steady: true,
    });
  });
}

/**
 * Both daemons answer on the same processors, so the requests for a second of processor time are the figure that lasts.
 *
 * @param {{ results: readonly CallResult[] }} written
 */
function rpc({ results }) {
  /** @type {(rate: 'perSecond' | 'perCpuSecond', group: string, result: CallResult, unit: string, steady: boolean) => Figure} */
  const row = (rate, group, result, unit, steady) => {
    // Without monerod there is no figure: that of our only daemon has no ratio.
    const [ours = NaN, baseline = NaN] = result[rate];
    return figure(`rpc/${rate}`, group, result.call, { unit, more: true, ours, baseline, steady });
  };
  return results.flatMap((result) => [
    row('perSecond', 'RPC, requests in a second', result, '/s', false),
    row('perCpuSecond', 'RPC, requests for a second of processor time', result, '/CPU s', true),
  ]);
}

/**
 * @template {string} K
 * @param {readonly Record<K, number>[]} rounds
 * @param {K} key
 */
const medianOf = (rounds, key) => median(rounds.map((round) => round[key]));

/** @type {['whole' | 'heavy', string][]} */
const PARTS = [
  ['whole', 'whole chain'],
  ['heavy', 'full blocks'],
];

/** @param {{ results: readonly SyncResult[] }} written */
function sync({ results }) {
  const monerod = results.find(({ name }) => name === 'monerod');
  return results
    .filter((result) => result !== monerod)
    .flatMap((result) =>
      PARTS.flatMap(([part, label]) => {
        const [ours, theirs] = [result[part], monerod?.[part]];
        if (!ours || !theirs) return [];
        return figure('sync', 'Synchronization', `${label}, ${result.name}`, {
          unit: 'blocks/s',
          more: true,
          ours: ours.blocksPerSecond,
          baseline: theirs.blocksPerSecond,
        });
      }),
    );
}

/** @param {{ results: readonly [Costs, ...Costs[]] }} written */
function importing({ results }) {
  const [monerod, ...ours] = results;
  return ours.map(({ name, costs }) =>
    figure('import', 'Import of a file', name.replace(/^ours,? ?/, '') || 'unverified', {
      unit: 's',
      ours: medianOf(costs, 'seconds'),
      baseline: medianOf(monerod.costs, 'seconds'),
    }),
  );
}

/** @param {{ results: readonly Comparison[] }} written */
function miner({ results }) {
  return results.map(({ what, perSecond }) =>
    figure('miner', 'RandomX', what, {
      unit: 'hashes/s',
      more: true,
      ours: perSecond.ours,
      baseline: perSecond.monerod,
    }),
  );
}

/** @param {Scan} written */
function walletScan({ wallet, ours }) {
  return ours.map(({ name, runs }) =>
    figure('wallet-scan', 'Scanning with a view key', BACKENDS[name] ?? name, {
      unit: 'CPU s',
      ours: medianOf(runs, 'cpu'),
      baseline: medianOf(wallet, 'cpu'),
      steady: true,
    }),
  );
}

/** Functions from what a bench has written to its figures, by the name of the bench. */
export const READERS = {
  crypto,
  rpc,
  sync,
  import: importing,
  miner,
  'wallet-scan': walletScan,
};

/**
 * Returns the processor time of our threads, by role, while full blocks are synchronized: seconds, and milliseconds for each
 * transaction. Undefined where a bench has not measured it.
 *
 * @param {string} bench
 * @param {{ results: readonly SyncResult[] }} written of `sync`
 * @returns {Threads | undefined}
 */
export function threadsOf(bench, { results }) {
  if (bench !== 'sync') return undefined;
  const ours = results.find(({ name, heavy }) => name !== 'monerod' && heavy?.threads);
  if (ours?.heavy === undefined) return undefined;
  const { threads, transactions } = ours.heavy;
  return Object.entries(threads).map(([role, { user, system }]) => {
    const seconds = user + system;
    return { role, seconds, msPerTransaction: (1000 * seconds) / transactions };
  });
}
