import { rulesFor } from '@monero-node/consensus';
import { parseSocksEndpoint } from '@monero-node/p2p/socks';
import { wideNumber } from '../encoding/wide-number.ts';
import { RpcStatus } from '../errors.ts';
import type { Availability, HandlerOf, MethodRows } from '../method.ts';

const GIB = 1024 ** 3;
const MAX_U64 = (1n << 64n) - 1n;

/**
 * Returns the state of the chain, the network and the pool. Restricted listeners show defaults in place of private
 * fields.
 */
const getInfo: HandlerOf<'getInfo'> = async (_request, context) => {
  const {
    services: { chain, p2p, node, bootstrap },
    restricted,
  } = context;
  const freeSpace = restricted ? MAX_U64 : await node.freeSpace();
  const { nettype } = chain.network;
  const { top } = chain;
  const weights = chain.weightState();
  const difficulty = wideNumber(chain.nextDifficulty());
  const cumulative = wideNumber(top.cumulativeDifficulty);
  const unlessRestricted = (value: number): number => (restricted ? 0 : value);
  return {
    adjusted_time: chain.adjustedTime(),
    alt_blocks_count: unlessRestricted(chain.store.altBlockCount),
    block_size_limit: weights.limit,
    block_size_median: weights.effectiveMedian,
    block_weight_limit: weights.limit,
    block_weight_median: weights.effectiveMedian,
    bootstrap_daemon_address: restricted ? '' : bootstrap.address,
    busy_syncing: chain.busy,
    cumulative_difficulty: cumulative.low,
    cumulative_difficulty_top64: cumulative.top,
    database_size: databaseSize(chain.store.sizeOnDisk, restricted),
    difficulty: difficulty.low,
    difficulty_top64: difficulty.top,
    free_space: freeSpace,
    grey_peerlist_size: unlessRestricted(p2p.grayCount),
    height: chain.height,
    height_without_bootstrap: unlessRestricted(chain.height),
    incoming_connections_count: unlessRestricted(p2p.incomingCount),
    mainnet: nettype === 'mainnet',
    nettype,
    offline: node.offline,
    outgoing_connections_count: unlessRestricted(p2p.outgoingCount),
    restricted,
    rpc_connections_count: unlessRestricted(context.rpcConnections),
    stagenet: nettype === 'stagenet',
    start_time: unlessRestricted(node.startTime),
    synchronized: p2p.synchronized,
    target: rulesFor(chain.nextVersion()).difficultyTarget,
    target_height: p2p.synchronized ? 0 : p2p.targetHeight,
    testnet: nettype === 'testnet',
    top_block_hash: top.id,
    tx_count: top.cumulativeTxCount,
    tx_pool_size: context.services.pool.count(!restricted),
    update_available: !restricted && node.updates?.isAvailable === true,
    version: restricted ? '' : node.version,
    was_bootstrap_ever_used: !restricted && bootstrap.everUsed,
    white_peerlist_size: unlessRestricted(p2p.whiteCount),
    wide_cumulative_difficulty: cumulative.wide,
    wide_difficulty: difficulty.wide,
  };
};

/** Restricted callers see it in steps of 5 GiB. */
function databaseSize(bytes: number, restricted: boolean): number {
  return restricted ? Math.ceil(bytes / (5 * GIB)) * 5 * GIB : bytes;
}

/**
 * Sets or removes the bootstrap daemon. Without `proxy` it is called directly, unless the node has a proxy for all
 * connections. Throws RpcStatus for an address or proxy that is malformed.
 */
const setBootstrapDaemon: HandlerOf<'setBootstrapDaemon'> = (
  { address, username, password, proxy },
  { services: { bootstrap } },
) => {
  const login = username === '' && password === '' ? undefined : { username, password };
  const endpoint = proxy === '' ? undefined : parseSocksEndpoint(proxy);
  const isProxy = proxy === '' || endpoint !== undefined;
  if (!isProxy || !bootstrap.set(address, { login, proxy: endpoint })) {
    throw new RpcStatus('Failed to set bootstrap daemon');
  }
  return {};
};

const MAX_LEVEL = 4;

/** Sets the log level. Throws RpcStatus for a level outside 0 to 4. */
const setLogLevel: HandlerOf<'setLogLevel'> = ({ level }, { services: { node } }) => {
  if (level < 0 || level > MAX_LEVEL) throw new RpcStatus('Error: log level not valid');
  node.log?.set(String(level));
  return {};
};

/**
 * Sets the log categories: empty text turns everything off, as in monerod; an absent field sets the defaults, as
 * documented.
 */
const setLogCategories: HandlerOf<'setLogCategories'> = (
  { categories },
  { services: { node } },
) => {
  node.log?.set(categories);
  return { categories: node.log?.categories ?? '' };
};

/** Writes the chain to disk. Throws RpcStatus when that fails. */
const saveBlockchain: HandlerOf<'saveBlockchain'> = async (
  _request,
  { services: { node, logger } },
) => {
  try {
    await node.flush();
  } catch (error) {
    logger.error(`flushing the chain failed: ${String(error)}`);
    throw new RpcStatus('Error while storing blockchain');
  }
  return {};
};

/** Begins an orderly shutdown and returns at once. */
const stopDaemon: HandlerOf<'stopDaemon'> = (_request, { services: { node } }) => {
  node.requestStop();
  return {};
};

const COMMANDS: readonly string[] = ['check', 'download', 'update'];

/**
 * Looks for a newer version of this program, and downloads it when told to. Throws RpcStatus when that fails, and for
 * `update` always: nothing is ever installed. Source: on_update in src/rpc/core_rpc_server.cpp.
 */
const update: HandlerOf<'update'> = async ({ command, path }, { services: { node }, resting }) => {
  if (node.offline) throw new RpcStatus('Daemon is running offline');
  if (!COMMANDS.includes(command)) throw new RpcStatus(`unknown command: '${command}'`);
  const { updates } = node;
  if (updates === undefined) throw new RpcStatus('Error checking for updates');
  const newer = await resting(updates.check()).catch((error: unknown) => {
    throw new RpcStatus(`Error checking for updates: ${(error as Error).message}`);
  });
  if (newer === undefined) return noUpdate;
  const { version, uri, hash } = newer;
  const found = { ...noUpdate, update: true, version, user_uri: uri, auto_uri: uri, hash };
  if (command === 'check') return found;
  const kept = updates.download(newer, path === '' ? undefined : path);
  // In monerod the status of a download that failed is empty.
  const downloaded = await resting(kept).catch((error: unknown) => {
    throw new RpcStatus(`Failed to download: ${(error as Error).message}`, found);
  });
  const answer = { ...found, path: downloaded };
  if (command === 'download') return answer;
  // monerod cannot either; these are its words.
  throw new RpcStatus("'update' not implemented yet", answer);
};

const noUpdate = { auto_uri: '', hash: '', path: '', update: false, user_uri: '', version: '' };

/** Obsolete, without effect; kept because clients may still call it. */
const saveGraph: HandlerOf<'saveGraph'> = () => ({});

const withLog: Availability = ({ node }) => node.log !== undefined;

export const NODE_ROWS = {
  // With figures that the main process sends as they change.
  getInfo: { handler: getInfo, answeredBy: 'worker', isForwarded: true },
  setBootstrapDaemon: { handler: setBootstrapDaemon, answeredBy: 'main' },
  setLogLevel: { handler: setLogLevel, answeredBy: 'main', available: withLog },
  setLogCategories: { handler: setLogCategories, answeredBy: 'main', available: withLog },
  saveBlockchain: { handler: saveBlockchain, answeredBy: 'main' },
  stopDaemon: { handler: stopDaemon, answeredBy: 'main' },
  update: { handler: update, answeredBy: 'main' },
  saveGraph: { handler: saveGraph, answeredBy: 'main' },
} satisfies Partial<MethodRows>;
