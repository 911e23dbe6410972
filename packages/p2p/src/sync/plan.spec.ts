import { parseBlock } from '@monero-node/codec';
import { NETWORKS } from '@monero-node/consensus';
import type { LevinConnection } from '../levin/connection.ts';
import { Peer } from '../peers/peer.ts';
import { REMOTE } from '../testing/memory-stream.ts';
import { batchSize } from './downloads.ts';
import { PeerChain } from './peer-chain.ts';
import { planStep } from './plan.ts';
import type { PlanContext } from './plan.ts';
import { SpanQueue } from './span-queue.ts';
import { SyncPeer } from './sync-peer.ts';

const GENESIS = parseBlock(NETWORKS.regtest.genesisBlob);

const NOW = 1_000_000;

function peerWith(
  chain: PeerChain | undefined,
  changes: {
    height?: number;
    pruningSeed?: number;
    best?: number;
    speed?: number;
    heard?: number;
  } = {},
): SyncPeer {
  const connection = {
    remote: REMOTE,
    incoming: false,
    lastReceive: changes.heard ?? NOW,
    speedDown: { max: changes.best ?? 0, current: changes.speed ?? 0 },
  } as unknown as LevinConnection;
  const peer = new SyncPeer(new Peer(connection));
  peer.claim(changes.height ?? chain?.end ?? 0, changes.pruningSeed ?? 0);
  peer.begin();
  if (chain) peer.show(chain);
  return peer;
}

function ids(start: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `id${start + i}`);
}

function context(changes: Partial<PlanContext> = {}): PlanContext {
  return {
    queue: new SpanQueue(),
    chainHeight: 100,
    now: NOW,
    batch: 20,
    room: true,
    where: (id) => (Number(id.slice(2)) < 100 ? 'main' : undefined),
    peer: () => undefined,
    ...changes,
  };
}

function scheduled(
  queue: SpanQueue,
  start: number,
  count: number,
  owner: SyncPeer,
  requestedAt = NOW,
) {
  return queue.schedule({
    start,
    ids: ids(start, count),
    owner: owner.peer.id,
    address: REMOTE,
    requestedAt,
  });
}

test('requests ids first, then blocks', () => {
  expect(planStep(peerWith(undefined), context())).toEqual({ do: 'request-chain' });
  const peer = peerWith(new PeerChain(99, ids(99, 50)));
  expect(planStep(peer, context())).toEqual({
    do: 'request-blocks',
    run: { start: 100, ids: ids(100, 20) },
  });
});

test('finishes with a peer whose blocks are all known, and requests more ids if it has more', () => {
  const chain = new PeerChain(90, ids(90, 10));
  expect(planStep(peerWith(chain), context())).toEqual({ do: 'finish' });
  expect(planStep(peerWith(chain, { height: 300 }), context())).toEqual({
    do: 'request-chain',
    after: 'id99',
  });
});

test('alternative blocks count as known', () => {
  const peer = peerWith(new PeerChain(90, ids(90, 20)));
  expect(planStep(peer, context({ where: () => 'alt' }))).toEqual({ do: 'finish' });
});

test('drops a peer whose chain has an invalid block', () => {
  const where = (id: string) => (id === 'id100' ? 'invalid' : ('main' as const));
  const peer = peerWith(new PeerChain(99, ids(99, 5)));
  expect(planStep(peer, context({ where }))).toMatchObject({ do: 'drop', penalty: 1 });
});

test('waits when the queue is full, except for the blocks needed next', () => {
  const queue = new SpanQueue();
  const other = peerWith(undefined);
  const peer = peerWith(new PeerChain(99, ids(99, 100)));
  expect(planStep(peer, context({ queue, room: false }))).toMatchObject({ do: 'request-blocks' });
  const span = scheduled(queue, 100, 20, other);
  const owners = { peer: () => other };
  expect(planStep(peer, context({ queue, room: false, ...owners }))).toEqual({
    do: 'wait',
    lacksStripe: false,
  });
  expect(planStep(peer, context({ queue, ...owners }))).toMatchObject({ run: { start: 120 } });
  // The gap is filled before anything else once the span is lost.
  scheduled(queue, 120, 20, other);
  queue.remove(span);
  expect(planStep(peer, context({ queue, room: false, ...owners }))).toMatchObject({
    run: { start: 100, ids: ids(100, 20) },
  });
});

describe('the span that verification waits for', () => {
  const list = () => new PeerChain(99, ids(99, 21));

  function planAfter(waited: number, idle: SyncPeer, owner: SyncPeer) {
    const queue = new SpanQueue();
    scheduled(queue, 100, 20, owner, NOW - waited);
    return planStep(idle, context({ queue, peer: () => owner })).do;
  }

  test('is requested again after thirty seconds', () => {
    const owner = peerWith(list(), { speed: 1e9 });
    expect(planAfter(29_999, peerWith(list()), owner)).toBe('wait');
    expect(planAfter(30_000, peerWith(list()), owner)).toBe('request-again');
    expect(planAfter(30_000, owner, owner)).toBe('wait');
  });

  test('is requested again after five seconds when its peer stalls', () => {
    const stalled = peerWith(list(), { heard: NOW - 2_001 });
    expect(planAfter(4_999, peerWith(list()), stalled)).toBe('wait');
    expect(planAfter(5_000, peerWith(list()), stalled)).toBe('request-again');
    const alive = peerWith(list(), { heard: NOW - 2_000 });
    expect(planAfter(5_000, peerWith(list()), alive)).toBe('wait');
  });

  test('is taken over by a much faster peer, sooner the faster it is', () => {
    const owner = peerWith(list(), { speed: 1000 });
    const fast = (best: number) => peerWith(list(), { best });
    expect(planAfter(5_000, fast(12_400), owner)).toBe('wait');
    expect(planAfter(5_000, fast(12_600), owner)).toBe('request-again');
    expect(planAfter(17_500, fast(7_100), owner)).toBe('request-again');
    expect(planAfter(17_500, fast(6_900), owner)).toBe('wait');
  });

  test('is taken over only by a peer with exactly these blocks', () => {
    const owner = peerWith(list());
    const elsewhere = peerWith(new PeerChain(99, ['id99', ...ids(200, 20)]));
    const queue = new SpanQueue();
    scheduled(queue, 100, 20, owner, NOW - 60_000);
    scheduled(queue, 200, 20, owner, NOW);
    expect(planStep(elsewhere, context({ queue, peer: () => owner })).do).toBe('wait');
  });
});

test('requests further ids when all known ones are downloaded', () => {
  const queue = new SpanQueue();
  const peer = peerWith(new PeerChain(99, ids(99, 21)), { height: 500 });
  const span = scheduled(queue, 100, 20, peer);
  expect(planStep(peer, context({ queue, peer: () => peer })).do).toBe('wait');
  const blocks = span.ids.map(() => ({ block: GENESIS, txs: [] }));
  queue.fill({ ...span }, { blocks, prevId: 'id99', size: 1, rate: 1 });
  expect(planStep(peer, context({ queue }))).toEqual({ do: 'request-chain', after: 'id119' });
  expect(planStep(peer, context({ queue, room: false })).do).toBe('wait');
});

test('waits with a pruned peer that lacks the needed blocks', () => {
  const pruned = peerWith(new PeerChain(99, ids(99, 100)), { height: 50_000, pruningSeed: 385 });
  expect(planStep(pruned, context())).toEqual({ do: 'wait', lacksStripe: true });
});

test('downloads pruned blocks from a pruned peer, in requests of their own', () => {
  const chain = new PeerChain(99, ids(99, 100));
  const pruned = peerWith(chain, { height: 50_000, pruningSeed: 385 });
  const mayBePruned = (height: number) => height < 110;
  expect(planStep(pruned, context({ mayBePruned }))).toEqual({
    do: 'request-blocks',
    run: { start: 100, ids: ids(100, 10), prune: true },
  });
  const queue = new SpanQueue();
  scheduled(queue, 100, 10, peerWith(chain));
  const there = { queue, peer: () => pruned, mayBePruned };
  expect(planStep(pruned, context(there))).toEqual({ do: 'wait', lacksStripe: true });
  expect(planStep(peerWith(chain), context(there))).toEqual({
    do: 'request-blocks',
    run: { start: 110, ids: ids(110, 20) },
  });
});

test('a pruned peer takes over only spans that it has in the requested form', () => {
  const chain = new PeerChain(99, ids(99, 21));
  const pruned = peerWith(chain, { height: 50_000, pruningSeed: 385 });
  for (const prune of [false, true]) {
    const queue = new SpanQueue();
    const owner = peerWith(chain);
    const span = { start: 100, ids: ids(100, 20), owner: owner.peer.id, address: REMOTE, prune };
    queue.schedule({ ...span, requestedAt: NOW - 60_000 });
    const step = planStep(pruned, context({ queue, peer: () => owner, room: false }));
    expect(step.do).toBe(prune ? 'request-again' : 'wait');
  }
});

test('requests as many blocks as fit in ten megabytes', () => {
  expect(batchSize(20, 1e9)).toBe(20);
  expect(batchSize(2048, 0)).toBe(100);
  expect(batchSize(0, 0)).toBe(100);
  expect(batchSize(0, 99_999)).toBe(100);
  expect(batchSize(0, 300_000)).toBe(33);
  expect(batchSize(0, 4_999_999)).toBe(2);
  expect(batchSize(0, 5_000_000)).toBe(1);
});
