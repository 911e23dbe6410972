// The figures of each bench, read from the file that it has written.
import { median } from '../statistics.mjs';

/** Names of the paths of the crypto addon and of its other backends, as people read them. */
const BACKENDS = {
  'native-portable': 'portable',
  'native-avx2': 'AVX2',
  'native-ifma': 'AVX-512 IFMA',
  wasm: 'WebAssembly',
};

const figure = (bench, group, name, rest) => ({
  id: `${bench}/${name}`,
  group,
  label: name,
  more: false,
  steady: false,
  ...rest,
});

/** The fastest calls are compared: other programs disturb them least. */
function crypto({ oneThread }) {
  return oneThread
    .filter(({ backend, theirs }) => BACKENDS[backend] !== undefined && theirs)
    .map((row) =>
      figure('crypto', `Crypto, one thread, ${BACKENDS[row.backend]}`, row.case, {
        id: `crypto/${row.backend}/${row.case}`,
        unit: 'µs',
        ours: row.ours.best,
        baseline: row.theirs.best,
        steady: true,
      }),
    );
}

/** Both daemons answer on the same processors, so the requests for a second of processor time are the figure that lasts. */
function rpc({ results }) {
  const row = (rate, group, result, unit, steady) => {
    const [ours, baseline] = result[rate];
    return figure(`rpc/${rate}`, group, result.call, { unit, more: true, ours, baseline, steady });
  };
  return results.flatMap((result) => [
    row('perSecond', 'RPC, requests in a second', result, '/s', false),
    row('perCpuSecond', 'RPC, requests for a second of processor time', result, '/CPU s', true),
  ]);
}

const medianOf = (rounds, key) => median(rounds.map((round) => round[key]));

function sync({ results }) {
  const monerod = results.find(({ name }) => name === 'monerod');
  return results
    .filter((result) => result !== monerod)
    .flatMap((result) =>
      [
        ['whole', 'whole chain'],
        ['heavy', 'full blocks'],
      ].flatMap(([part, label]) =>
        result[part] && monerod[part]
          ? [
              figure('sync', 'Synchronization', `${label}, ${result.name}`, {
                unit: 'blocks/s',
                more: true,
                ours: result[part].blocksPerSecond,
                baseline: monerod[part].blocksPerSecond,
              }),
            ]
          : [],
      ),
    );
}

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
 */
export function threadsOf(bench, { results }) {
  if (bench !== 'sync') return undefined;
  const ours = results.find(({ name, heavy }) => name !== 'monerod' && heavy?.threads);
  if (ours === undefined) return undefined;
  const { threads, transactions } = ours.heavy;
  return Object.entries(threads).map(([role, { user, system }]) => {
    const seconds = user + system;
    return { role, seconds, msPerTransaction: (1000 * seconds) / transactions };
  });
}
