import type { NodeControl } from './node-process.ts';
import { LiveNode } from './node-process.ts';

test('a program without a process around it is offline, has no folder and does not stop', async () => {
  const node = new LiveNode({}, 1_700_000_000);
  expect(node).toMatchObject({ startTime: 1_700_000_000, version: '', offline: true, dataDir: '' });
  expect([node.log, node.updates, node.notReady()]).toEqual([undefined, undefined, undefined]);
  expect(node.healthFigures()).toBeUndefined();
  node.requestStop();
  await node.flush();
  expect(await node.freeSpace()).toBe(0);
});

test('what changes in the program is seen at once', () => {
  const given: Partial<NodeControl> = { startTime: 5, version: '1' };
  const node = new LiveNode(given, 9);
  expect([node.startTime, node.version, node.offline, node.notReady()]).toEqual([
    ...[5, '1', true, undefined],
  ]);
  Object.assign(given, { version: '2', offline: false, notReady: () => ['no_peers'] });
  expect([node.version, node.offline, node.notReady()]).toEqual(['2', false, ['no_peers']]);
  const figures = {
    height: 7,
    topId: '00'.repeat(32),
    cumulativeDifficulty: '0x7',
    targetHeight: 8,
    lag: 1,
    tipAge: 9,
    peers: 1,
    fleetPeers: 0,
    freeSpace: 2,
    instanceId: undefined,
  };
  given.healthFigures = () => figures;
  expect(node.healthFigures()).toBe(figures);
});

test('an object of a class keeps its own fields and methods', async () => {
  class Process {
    #stops = 0;
    get version() {
      return `${this.#stops} stops`;
    }
    requestStop() {
      this.#stops++;
    }
    freeSpace() {
      return Promise.resolve(this.#stops);
    }
  }
  const node = new LiveNode(new Process(), 0);
  node.requestStop();
  expect([node.version, await node.freeSpace()]).toEqual(['1 stops', 1]);
});
