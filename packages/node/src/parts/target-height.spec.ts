import { claimedHeight, syncTarget, targetHeight, type PeerClaim } from './target-height.ts';

const peer = (height: number, other: Partial<PeerClaim> = {}): PeerClaim => ({
  addressType: 1,
  height,
  incoming: false,
  state: 'normal',
  ...other,
});

test('without peers the target is the own height', () => {
  expect(targetHeight(7, [])).toBe(7);
});

test('most peers decide, not the one with the highest claim', () => {
  expect(targetHeight(7, [peer(10), peer(2 ** 40), peer(9)])).toBe(10);
  expect(targetHeight(7, [peer(2 ** 40), peer(9)])).toBe(9);
  expect(targetHeight(70, [peer(10), peer(9)])).toBe(70);
});

test('incoming peers count when there are no others', () => {
  expect(
    targetHeight(7, [peer(9), peer(50, { incoming: true }), peer(51, { incoming: true })]),
  ).toBe(9);
  expect(targetHeight(7, [peer(50, { incoming: true })])).toBe(50);
});

test('peers that have not shaken hands or do not synchronize do not count', () => {
  expect(targetHeight(7, [peer(90, { state: 'before_handshake' })])).toBe(7);
  expect(targetHeight(7, [peer(90, { addressType: 3 }), peer(90, { addressType: 4 })])).toBe(7);
  expect(targetHeight(7, [peer(90, { addressType: 0 }), peer(90, { addressType: 2 })])).toBe(90);
});

test('without peers nobody claims a height', () => {
  expect(claimedHeight([])).toBeUndefined();
  expect(claimedHeight([peer(90, { state: 'before_handshake' })])).toBeUndefined();
  expect(claimedHeight([peer(90, { addressType: 3 })])).toBeUndefined();
  expect(claimedHeight([peer(90)])).toBe(90);
});

test('a synchronization goes to the height that most peers claim, and nowhere once the node is synchronized', () => {
  const goal = (synchronized: boolean, peers: PeerClaim[]): number =>
    syncTarget({ synchronized, connections: () => peers });
  expect(goal(false, [peer(10), peer(2 ** 40), peer(9)])).toBe(10);
  expect(goal(true, [peer(10)])).toBe(0);
  expect(goal(false, [])).toBe(0);
});
