// Starts monerod, our daemon and monero-wallet-rpc the same way for every benchmark.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LOOPBACK, freePorts, waitFor } from './programs.mjs';
import { Rpc } from './rpc.mjs';

/** @import { Start } from './programs.mjs' */
/**
 * A daemon that runs.
 *
 * @typedef {Awaited<ReturnType<typeof startDaemon>>} Daemon
 */
/**
 * A wallet program that runs.
 *
 * @typedef {Awaited<ReturnType<typeof startWallet>>} Wallet
 */
/**
 * How a daemon is started. quiet: with the default log level; nodeFlags: of Node, for a daemon of ours.
 *
 * @typedef {object} DaemonOptions
 * @property {string} name
 * @property {boolean} [ours]
 * @property {string} dataDir
 * @property {boolean} [offline]
 * @property {string} [peer]
 * @property {number} [zmqPort]
 * @property {boolean} [quiet]
 * @property {string} [rpcSsl]
 * @property {string} [fixedDifficulty]
 * @property {string} [hashes] path of a list of trusted block hashes; every block is verified when absent
 * @property {readonly string[]} [extra]
 * @property {readonly string[]} [nodeFlags]
 * @property {NodeJS.ProcessEnv} [env]
 */

/** Of the recorded wallets: somebody to mine for. */
export const ADDRESS =
  '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A';

const WALLET_RPC = process.env.MONERO_WALLET_RPC ?? 'monero-wallet-rpc';
/** Another build of ours may be measured instead. */
const OUR_DAEMON =
  process.env.MONERO_NODE ?? fileURLToPath(new URL('../apps/daemon/dist/main.js', import.meta.url));
/** A closed port: with it as the only peer, a node listens but has no outgoing connections. */
const NOBODY = `${LOOPBACK}:9`;
/** kB/s, so high that monerod's default bandwidth limit does not affect the results. */
const NO_LIMIT = '1048576';

/**
 * Flags that both daemons take; no outside network.
 *
 * @param {Omit<DaemonOptions, 'name' | 'extra' | 'nodeFlags' | 'env'> & { p2pPort: number, rpcPort: number }} options
 */
function daemonFlags({
  ours,
  dataDir,
  p2pPort,
  rpcPort,
  offline = false,
  peer = NOBODY,
  zmqPort = undefined,
  quiet = false,
  rpcSsl = 'disabled',
  fixedDifficulty = '1',
  hashes = undefined,
}) {
  return [
    '--regtest',
    '--keep-fakechain',
    ...['--fixed-difficulty', fixedDifficulty],
    ...['--data-dir', dataDir],
    ...['--log-file', join(dataDir, 'daemon.log')],
    // Ours writes its figures at the debug level when it stops.
    ...['--log-level', ours && !quiet ? '0,global:DEBUG' : '0'],
    ...['--p2p-bind-ip', LOOPBACK, '--p2p-bind-port', String(p2pPort)],
    ...['--rpc-bind-ip', LOOPBACK, '--rpc-bind-port', String(rpcPort), '--rpc-ssl', rpcSsl],
    ...['--limit-rate-up', NO_LIMIT, '--limit-rate-down', NO_LIMIT],
    ...(hashes ? ['--block-hashes-file', hashes] : ['--fast-block-sync', '0']),
    ...['--disable-dns-checkpoints', '--check-updates', 'disabled'],
    ...(zmqPort ? ['--zmq-rpc-bind-port', String(zmqPort)] : ['--no-zmq']),
    ...['--no-igd', '--disable-rpc-ban', '--allow-local-ip', '--non-interactive'],
    ...(offline ? ['--offline'] : ['--add-exclusive-node', peer]),
  ];
}

/**
 * Returns the program of a daemon and its first arguments; `nodeFlags` are options of Node, for ours.
 *
 * @param {boolean} ours
 * @param {readonly string[]} nodeFlags
 * @returns {[string, ...string[]]}
 */
function daemonCommand(ours, nodeFlags) {
  return ours ? [process.execPath, ...nodeFlags, OUR_DAEMON] : [process.env.MONEROD ?? 'monerod'];
}

/**
 * Starts a daemon and waits until its RPC answers.
 *
 * @param {Start} start of withPrograms.
 * @param {DaemonOptions} options
 */
export async function startDaemon(
  start,
  { name, ours = false, extra = [], nodeFlags = [], env = {}, ...options },
) {
  mkdirSync(options.dataDir, { recursive: true });
  const { p2p: p2pPort, rpc: rpcPort } = await freePorts('p2p', 'rpc');
  const flags = [...daemonFlags({ ...options, ours, p2pPort, rpcPort }), ...extra];
  const [command, ...args] = daemonCommand(ours, nodeFlags);
  const program = start(name, command, [...args, ...flags], {
    cwd: options.dataDir,
    log: join(options.dataDir, 'output.log'),
    env,
  });
  const rpc = new Rpc(rpcPort);
  const info = () => rpc.path('/get_info');
  const answers = async () => (await info()).status === 'OK';
  await waitFor(program, 'an answer to /get_info', answers);
  return { name, program, rpc, rpcPort, peer: `${LOOPBACK}:${p2pPort}`, info };
}

/**
 * Starts monero-wallet-rpc; wallet files live in `dir`.
 *
 * @param {Start} start of withPrograms.
 * @param {{ name: string, dir: string, daemonPort: number, extra?: readonly string[] }} options
 */
export async function startWallet(start, { name, dir, daemonPort, extra = [] }) {
  mkdirSync(dir, { recursive: true });
  const { port } = await freePorts('port');
  const program = start(
    name,
    WALLET_RPC,
    [
      ...['--wallet-dir', dir, '--shared-ringdb-dir', join(dir, 'ringdb')],
      ...['--rpc-bind-ip', LOOPBACK, '--rpc-bind-port', String(port), '--disable-rpc-login'],
      ...['--rpc-ssl', 'disabled', '--daemon-ssl', 'disabled', '--no-dns'],
      ...['--daemon-address', `${LOOPBACK}:${daemonPort}`, '--trusted-daemon'],
      ...['--log-file', join(dir, 'wallet.log'), '--log-level', '0'],
      ...extra,
    ],
    { cwd: dir, log: join(dir, 'output.log') },
  );
  const rpc = new Rpc(port);
  await waitFor(program, 'an answer to get_version', () => rpc.call('get_version'));
  return { name, program, rpc };
}
