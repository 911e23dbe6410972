import type { RpcServices } from '../context.ts';
import type { HealthFigures } from '../node-process.ts';
import type { Reply } from './answers/reply.ts';

const LIVE = '/health/live';
const READY = '/health/ready';
const VERBS = new Set(['GET', 'HEAD']);
/** Nothing between the node and the prober may answer in its place. */
const HEADERS = ['Cache-Control', 'no-store'];

/** The parts of the node that its readiness depends on. */
export type HealthServices = Pick<RpcServices, 'node' | 'p2p'>;

/** Returns whether a path is one of the two that monitoring programs ask for. */
export function isHealthPath(url: string): boolean {
  return url === LIVE || url === READY;
}

/**
 * Returns the answer to a probe; undefined for every other request. `/health/live` answers as long as this process serves
 * calls. `/health/ready` answers 503, with the reasons, while wallets should ask another node. The
 * figures about this machine are hidden from the public.
 */
export function healthReply(
  verb: string,
  url: string,
  { node, p2p }: HealthServices,
  isPublic: boolean,
): Reply | undefined {
  if (!isHealthPath(url) || !VERBS.has(verb)) return undefined;
  if (url === LIVE) return reply(200, 'Ok', { status: 'live' });
  const reasons = node.notReady?.() ?? (p2p.synchronized ? [] : ['synchronizing']);
  const figures = shownFigures(node.healthFigures?.(), isPublic);
  if (reasons.length === 0) return reply(200, 'Ok', { status: 'ready', ...figures });
  return reply(503, 'Service Unavailable', { status: 'not ready', reasons, ...figures });
}

function shownFigures(figures: HealthFigures | undefined, isPublic: boolean): object {
  if (figures === undefined) return {};
  const { height, targetHeight, tipAge, peers, freeSpace } = figures;
  const chain = {
    height,
    target_height: targetHeight ?? null,
    lag_blocks: targetHeight === undefined ? null : targetHeight - height,
    tip_age_seconds: tipAge,
  };
  return isPublic ? chain : { ...chain, peers, free_disk_bytes: freeSpace };
}

function reply(status: number, phrase: string, answer: object): Reply {
  const text = `${JSON.stringify(answer)}\n`;
  return {
    status,
    phrase,
    contentType: 'application/json',
    close: false,
    headers: HEADERS,
    body: { chunks: [text], length: text.length },
  };
}
