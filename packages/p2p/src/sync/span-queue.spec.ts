import { parseBlock } from '@monero-node/codec';
import { NETWORKS } from '@monero-node/consensus';
import type { NetAddress } from '../net/address.ts';
import { PeerChain } from './peer-chain.ts';
import { SpanQueue, spanOverview } from './span-queue.ts';
import type { Span } from './span-queue.ts';

const GENESIS = parseBlock(NETWORKS.regtest.genesisBlob);

const ADDRESS: NetAddress = { kind: 'ipv4', host: '9.9.9.9', port: 1 };

function ids(start: number, count: number, branch = ''): string[] {
  return Array.from({ length: count }, (_, i) => `${branch}${start + i}`);
}

function schedule(queue: SpanQueue, start: number, count: number, owner = 'a', branch = ''): Span {
  return queue.schedule({
    start,
    ids: ids(start, count, branch),
    owner,
    address: ADDRESS,
    requestedAt: 0,
  });
}

function fill(queue: SpanQueue, span: Span, size = 1000, rate = 10): void {
  const blocks = span.ids.map(() => ({ block: GENESIS, txs: [] }));
  queue.fill({ ...span }, { blocks, prevId: String(span.start - 1), size, rate });
}

test('orders spans by height and finds the lowest missing height', () => {
  const queue = new SpanQueue();
  schedule(queue, 120, 20);
  schedule(queue, 100, 20);
  schedule(queue, 160, 20);
  expect(queue.spans.map(({ start }) => start)).toEqual([100, 120, 160]);
  expect(queue.nextNeededHeight(100)).toBe(140);
  expect(queue.nextNeededHeight(90)).toBe(90);
  expect(queue.nextNeededHeight(150)).toBe(150);
  expect(queue.nextNeededHeight(170)).toBe(180);
  expect(queue.nextSpan(99)).toBeUndefined();
  expect(queue.nextSpan(100)?.start).toBe(100);
});

test('counts filled spans and their bytes', () => {
  const queue = new SpanQueue();
  const span = schedule(queue, 100, 20);
  expect([queue.filledCount, queue.bytes]).toEqual([0, 0]);
  expect(queue.filledHeight('105')).toBeUndefined();
  fill(queue, span, 5000);
  expect([queue.filledCount, queue.bytes]).toEqual([1, 5000]);
  expect(queue.filledHeight('105')).toBe(105);
  expect(queue.largestAverageBlock()).toBe(250);
  queue.remove(span);
  queue.remove(span);
  expect([queue.filledCount, queue.bytes, queue.isRequested('105')]).toEqual([0, 0, false]);
});

test('counts a span filled twice once and keeps the first delivery', () => {
  const queue = new SpanQueue();
  const span = schedule(queue, 100, 20, 'slow');
  const asSlow = { ...span };
  queue.reassign(span, 'fast', ADDRESS, 99);
  expect(queue.spans[0]).toMatchObject({ owner: 'fast', requestedAt: 99 });
  fill(queue, span, 700);
  fill(queue, asSlow, 900);
  expect([queue.filledCount, queue.bytes]).toEqual([1, 700]);
  expect(queue.spans[0]?.owner).toBe('fast');
});

test('accepts blocks of a peer thought lost unless they were requested from another', () => {
  const queue = new SpanQueue();
  const lost = schedule(queue, 100, 20, 'lost');
  queue.removeOwned('lost', { filled: false });
  fill(queue, lost);
  expect(queue.filledCount).toBe(1);
  queue.clear();
  schedule(queue, 110, 20, 'other');
  fill(queue, lost);
  expect(queue.filledCount).toBe(0);
});

test('keeps the blocks of a closed connection unless it is to blame', () => {
  const queue = new SpanQueue();
  fill(queue, schedule(queue, 100, 20, 'gone'));
  schedule(queue, 120, 20, 'gone');
  schedule(queue, 140, 20, 'here');
  queue.removeOwned('gone', { filled: false });
  expect(queue.spans.map(({ start }) => start)).toEqual([100, 140]);
  queue.removeOwned('gone', { filled: true });
  expect(queue.spans.map(({ start }) => start)).toEqual([140]);
});

test('draws the overview as monerod does', () => {
  const queue = new SpanQueue();
  expect(spanOverview(queue.spans, 100)).toBe('[]');
  fill(queue, schedule(queue, 100, 20));
  schedule(queue, 120, 20);
  fill(queue, schedule(queue, 140, 20));
  schedule(queue, 220, 20);
  expect(spanOverview(queue.spans, 100)).toBe('[m.o___.]');
  expect(spanOverview(queue.spans, 110)).toBe('[<_.o___.]');
});

test('compares the rates of connections', () => {
  const queue = new SpanQueue();
  fill(queue, schedule(queue, 0, 10, 'a'), 1, 100);
  fill(queue, schedule(queue, 10, 10, 'b'), 1, 400);
  fill(queue, schedule(queue, 20, 10, 'b'), 1, 200);
  expect(queue.relativeSpeed('a')).toBeCloseTo(1 / 3);
  expect(queue.relativeSpeed('b')).toBe(1);
  expect(queue.relativeSpeed('unknown')).toBe(1);
});

describe('the ids of a peer', () => {
  const whole = { height: 1000, pruningSeed: 0 };

  test('returns runs of blocks requested from no peer', () => {
    const queue = new SpanQueue();
    const chain = new PeerChain(100, ids(100, 100));
    chain.countKnown((id) => Number(id) < 110);
    expect(chain.nextRun(queue, 20, whole)).toEqual({ start: 110, ids: ids(110, 20) });
    const span = schedule(queue, 110, 20);
    schedule(queue, 140, 20);
    expect(chain.nextRun(queue, 20, whole)).toEqual({ start: 130, ids: ids(130, 10) });
    schedule(queue, 130, 10);
    expect(chain.nextRun(queue, 200, whole)).toEqual({ start: 160, ids: ids(160, 40) });
    schedule(queue, 160, 40);
    expect(chain.nextRun(queue, 20, whole)).toBeUndefined();
    // A download that failed elsewhere is there again.
    queue.remove(span);
    expect(chain.nextRun(queue, 5, whole)).toEqual({ start: 110, ids: ids(110, 5) });
  });

  test('detects that all are known or downloaded', () => {
    const queue = new SpanQueue();
    const chain = new PeerChain(100, ids(100, 40));
    expect(chain.countKnown((id) => id === '100')).toBe(1);
    expect(chain.firstUnknown).toBe('101');
    expect(chain.isDownloaded(queue)).toBe(false);
    const span = schedule(queue, 101, 39);
    expect(chain.isDownloaded(queue)).toBe(false);
    fill(queue, span);
    expect(chain.isDownloaded(queue)).toBe(true);
    expect([chain.end, chain.lastId, chain.idAt(105), chain.idAt(140)]).toEqual([
      140,
      '139',
      '105',
      undefined,
    ]);
  });

  test('requests from a pruned peer only blocks that it holds whole', () => {
    const queue = new SpanQueue();
    const chain = new PeerChain(4090, ids(4090, 4200));
    const pruned = (stripe: number) => ({ height: 100_000, pruningSeed: 383 + stripe });
    expect(chain.nextRun(queue, 100, pruned(1))).toEqual({ start: 4090, ids: ids(4090, 6) });
    expect(chain.nextRun(queue, 100, pruned(2))?.start).toBe(4096);
    expect(chain.nextRun(queue, 100, pruned(3))).toBeUndefined();
    expect(chain.nextRun(queue, 100, { ...pruned(3), height: 9000 })?.start).toBe(4090);
  });
});
