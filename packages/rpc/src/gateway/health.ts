import type { RpcServices } from '../context.ts';
import type { HealthFigures } from '../node-process.ts';
import { NOT_FOUND, type Reply } from './answers/reply.ts';

/** Paths that monitoring programs ask for. */
export const LIVE_PATH = '/health/live';
export const READY_PATH = '/health/ready';
/** What other nodes of a fleet ask for. */
export const FLEET_PATH = '/health/fleet';
/** Nothing between the node and the prober may answer in its place. */
const HEADERS = ['Cache-Control', 'no-store'];

/** The parts of the node that its readiness depends on. */
export type HealthServices = Pick<RpcServices, 'node' | 'p2p'>;

/** Returns the answer of a process that serves calls. */
export const liveReply = (): Reply => reply(200, 'Ok', { status: 'live' });

/**
 * Returns whether wallets should ask this node: 503, with the reasons, while they should ask another one. The figures about this
 * machine are hidden from the public.
 */
export function readyReply({ node, p2p }: HealthServices, isPublic: boolean): Reply {
  const reasons = node.notReady?.() ?? (p2p.synchronized ? [] : ['synchronizing']);
  const figures = shownFigures(node.healthFigures?.(), isPublic);
  if (reasons.length === 0) return reply(200, 'Ok', { status: 'ready', ...figures });
  return reply(503, 'Service Unavailable', { status: 'not ready', reasons, ...figures });
}

/** Returns what this node tells the others of its fleet. */
export function fleetReply({ node }: Pick<RpcServices, 'node'>): Reply {
  const answer = node.fleetAnswer?.();
  return answer === undefined ? NOT_FOUND : jsonReply(200, 'Ok', `${answer}\n`);
}

function shownFigures(figures: HealthFigures | undefined, isPublic: boolean): object {
  if (figures === undefined) return {};
  const { height, targetHeight, tipAge, peers, fleetPeers, freeSpace } = figures;
  const chain = {
    height,
    top_hash: figures.topId,
    // The name and the form of get_info.
    wide_cumulative_difficulty: figures.cumulativeDifficulty,
    target_height: targetHeight ?? null,
    lag_blocks: figures.lag ?? null,
    tip_age_seconds: tipAge,
    // At restricted ports too: it is in what nodes of a fleet tell each other there.
    instance_id: figures.instanceId,
  };
  if (isPublic) return chain;
  return { ...chain, peers, fleet_peers: fleetPeers, free_disk_bytes: freeSpace };
}

const reply = (status: number, phrase: string, answer: object): Reply =>
  jsonReply(status, phrase, `${JSON.stringify(answer)}\n`);

function jsonReply(status: number, phrase: string, text: string): Reply {
  return {
    status,
    phrase,
    contentType: 'application/json',
    close: false,
    headers: HEADERS,
    body: { chunks: [text], length: text.length },
  };
}
