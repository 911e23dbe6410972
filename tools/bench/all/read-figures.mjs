// The figures of each bench, read from the file that it has written.

/** Names of the paths of the crypto addon and of its other backends, as people read them. */
const BACKENDS = {
  'native-portable': 'portable',
  'native-avx2': 'AVX2',
  'native-ifma': 'AVX-512 IFMA',
  wasm: 'WebAssembly',
};

const figure = (bench, group, name, rest) => ({
  id: `${bench}/${name}`,
  ...{ group, label: name, more: false, steady: false },
  ...rest,
});

/** The fastest calls are compared: other programs disturb them least. */
function crypto({ oneThread }) {
  return oneThread
    .filter(({ backend, theirs }) => BACKENDS[backend] !== undefined && theirs)
    .map((row) =>
      figure('crypto', `Crypto, one thread, ${BACKENDS[row.backend]}`, row.case, {
        ...{ id: `crypto/${row.backend}/${row.case}`, unit: 'µs' },
        ...{ ours: row.ours.best, baseline: row.theirs.best, steady: true },
      }),
    );
}

/** Both daemons answer on the same processors, so the requests for a second of processor time are the figure that lasts. */
function rpc({ results }) {
  const row = (bench, group, { call, [bench]: [ours, baseline] }, unit, steady) =>
    figure(`rpc/${bench}`, group, call, { unit, more: true, ours, baseline, steady });
  return results.flatMap((result) => [
    row('perSecond', 'RPC, requests in a second', result, '/s', false),
    row('perCpuSecond', 'RPC, requests for a second of processor time', result, '/CPU s', true),
  ]);
}

const medianOf = (rounds, key) => {
  const values = rounds.map((round) => round[key]).sort((a, b) => a - b);
  return values[values.length >> 1];
};

function startStop({ results }) {
  const [ours, monerod] = results;
  const row = (key, label, unit, steady) =>
    figure('start-stop', 'Start and stop', label, {
      ...{
        unit,
        ours: medianOf(ours.rounds, key),
        baseline: medianOf(monerod.rounds, key),
        steady,
      },
    });
  return [
    row('start', 'ready after', 'ms', false),
    row('startCpu', 'processor time of a start', 'ms', false),
    row('stop', 'stopped after', 'ms', false),
    row('resident', 'resident memory', 'MB', true),
  ];
}

function idle({ results }) {
  const [ours, monerod] = results;
  const row = (key, label, unit) =>
    figure('idle', 'Idle, with eight peers', label, {
      ...{ unit, ours: ours[key], baseline: monerod[key] },
    });
  return [row('cpuPercent', 'processor', '%'), row('resident', 'resident memory', 'MB')];
}

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
              figure('sync', 'Synchronisation', `${label}, ${result.name}`, {
                ...{ unit: 'blocks/s', more: true },
                ...{
                  ours: result[part].blocksPerSecond,
                  baseline: monerod[part].blocksPerSecond,
                },
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
      ...{ unit: 'hashes/s', more: true, ours: perSecond.ours, baseline: perSecond.monerod },
    }),
  );
}

function miningStart({ results, difficulty }) {
  return results.flatMap(({ threads, rows }) =>
    rows
      .filter(({ monerod, ours }) => monerod?.blocks > 0 && ours?.blocks > 0)
      .map(({ from, monerod, ours }) =>
        figure('mining-start', `Mining at difficulty ${difficulty}`, `from second ${from}`, {
          id: `mining-start/${difficulty}/${threads}/${from}`,
          label: `${threads} thread${threads === 1 ? '' : 's'}, from second ${from}`,
          ...{ unit: 'hashes/s', more: true, ours: ours.rate, baseline: monerod.rate },
        }),
      ),
  );
}

function walletScan({ wallet, ours }) {
  return ours.map(({ name, runs }) =>
    figure('wallet-scan', 'Scanning with a view key', BACKENDS[name] ?? name, {
      ...{ unit: 'CPU s', ours: medianOf(runs, 'cpu'), baseline: medianOf(wallet, 'cpu') },
      steady: true,
    }),
  );
}

/** Functions from what a bench has written to its figures, by the name of the bench. */
export const READERS = {
  ...{ crypto, rpc, sync, import: importing, miner, idle },
  ...{ 'start-stop': startStop, 'mining-start': miningStart, 'wallet-scan': walletScan },
};

/**
 * Returns the processor time of our threads, by role, while full blocks are synchronised: seconds, and milliseconds for each
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
