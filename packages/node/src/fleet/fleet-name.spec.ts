import { silentLogger } from '@monero-node/base';
import { FleetName } from './fleet-name.ts';
import type { FoundNodes } from './resolve-nodes.ts';

/** A name whose look-ups find what the test says, with the lines of its log. */
function nameOf(node = { host: 'fleet.example', port: 18089 }) {
  const lines: string[] = [];
  const line = (text: string) => void lines.push(text);
  const state = {
    now: 0,
    lookUps: 0,
    addresses: undefined as string[] | undefined,
    empty: [] as string[],
  };
  const resolve = (): Promise<FoundNodes> => {
    state.lookUps++;
    const { addresses, empty } = state;
    if (addresses === undefined)
      return Promise.reject(Object.assign(new Error('no'), { code: 'ETIMEOUT' }));
    const asked = addresses.map((address) => `${address}:18089`);
    return Promise.resolve({ asked, addresses, seconds: 60, isCut: asked.length > 2, empty });
  };
  const logger = { ...silentLogger, warn: line, info: line };
  const name = new FleetName({ node, logger, resolve, now: () => state.now });
  const at = async (seconds: number, addresses?: string[]) => {
    state.now = seconds * 1000;
    state.addresses = addresses;
    await name.refresh();
  };
  return { name, lines, state, at };
}

test('a name is resolved again when its records have expired, and not before', async () => {
  const { name, state, at } = nameOf();
  await at(0, ['10.0.0.1']);
  await at(59, ['10.0.0.2']);
  expect([state.lookUps, name.asked]).toEqual([1, ['10.0.0.1:18089']]);
  await at(60, ['10.0.0.2']);
  expect([state.lookUps, name.asked]).toEqual([2, ['10.0.0.2:18089']]);
});

test('nodes that come and go are said', async () => {
  const { lines, at } = nameOf();
  await at(0, ['10.0.0.1']);
  await at(60, ['10.0.0.1']);
  expect(lines).toEqual([]);
  await at(120, ['10.0.0.1', '10.0.0.2']);
  await at(180, ['10.0.0.2']);
  expect(lines).toEqual([
    '--fleet-node fleet.example:18089: the name has 2 nodes now; new: 10.0.0.2:18089',
    '--fleet-node fleet.example:18089: the name has 1 nodes now; gone: 10.0.0.1:18089',
  ]);
});

test('a name that does not resolve keeps its nodes for an hour, and is tried every five seconds', async () => {
  const { name, lines, state, at } = nameOf();
  await at(0, ['10.0.0.1', '10.0.0.2']);
  for (const seconds of [60, 62, 65, 3599]) await at(seconds);
  expect([state.lookUps, name.asked.length, name.addresses.length]).toEqual([4, 2, 2]);
  await at(3700);
  expect([name.asked.length, name.addresses.length]).toEqual([0, 0]);
  await at(3800);
  await at(3900, ['10.0.0.1']);
  const option = '--fleet-node fleet.example:18089: the name';
  expect(lines).toEqual([
    `${option} does not resolve (ETIMEOUT), so the nodes that it had (2) are asked for another hour`,
    `${option} has not resolved for an hour (ETIMEOUT); its nodes have no vote any more`,
    `${option} resolves again`,
  ]);
});

test('a name that never resolved is said once', async () => {
  const { lines, at } = nameOf();
  for (const seconds of [0, 10, 20, 4000]) await at(seconds);
  expect(lines).toEqual([
    '--fleet-node fleet.example:18089: the name does not resolve (ETIMEOUT), so its nodes have no vote',
  ]);
});

test('a name with too many nodes is said once, until it has fewer', async () => {
  const { lines, at } = nameOf();
  const line =
    '--fleet-node fleet.example:18089: the name has more than 128 nodes; the others are not asked';
  const saidBy = () => lines.splice(0).filter((each) => each === line).length;
  await at(0, ['10.0.0.1', '10.0.0.2', '10.0.0.3']);
  expect(saidBy()).toBe(1);
  await at(60, ['10.0.0.1', '10.0.0.2', '10.0.0.4']);
  expect(saidBy()).toBe(0);
  await at(120, ['10.0.0.1', '10.0.0.2']);
  await at(180, ['10.0.0.1', '10.0.0.2', '10.0.0.4']);
  expect(saidBy()).toBe(1);
});

test('targets without an address are said once, until they have one', async () => {
  const { lines, state, at } = nameOf();
  const addresses = ['10.0.0.1'];
  for (const [round, empty] of [['a.example'], ['a.example'], [], ['a.example']].entries()) {
    state.empty = empty;
    await at(round * 60, addresses);
  }
  const line =
    '--fleet-node fleet.example:18089: targets of its SRV records have no address; without one: a.example';
  expect(lines).toEqual([line, line]);
});

test('a name that is stopped ends its look-up, says nothing, and is not resolved any more', async () => {
  const lines: string[] = [];
  const line = (text: string) => void lines.push(text);
  let lookUps = 0;
  const name = new FleetName({
    node: { host: 'fleet.example', port: 18089 },
    logger: { ...silentLogger, warn: line, info: line },
    resolve: (_node, stop) => {
      lookUps++;
      return new Promise((_, reject) => {
        stop.addEventListener('abort', () => reject(new Error('stopped')));
      });
    },
    now: () => 0,
  });
  const running = name.refresh();
  name.stop();
  await running;
  await name.refresh();
  expect([lookUps, lines]).toEqual([1, []]);
});

test('look-ups do not run side by side', async () => {
  const { name, state } = nameOf();
  await Promise.all([name.refresh(), name.refresh()]);
  expect(state.lookUps).toBe(1);
});
