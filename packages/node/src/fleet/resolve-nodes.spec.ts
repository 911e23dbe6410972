import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { jest } from '@jest/globals';
import { decode, encode, type Answer, type Question } from 'dns-packet';
import { guardEmitter } from '@monero-node/base';
import { resolveNodes } from './resolve-nodes.ts';

/** Records of a DNS server, by `TYPE name`. A name without any does not exist; `silent` gets no answer. */
type Zone = Record<string, Answer[] | 'silent'>;

const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) {
    socket.close();
    await once(socket, 'close');
  }
});

/** Starts a DNS server and returns a resolver that asks it. */
async function resolverOf(zone: Zone): Promise<Resolver> {
  const socket = guardEmitter(createSocket('udp4'), () => undefined);
  sockets.push(socket);
  socket.on('message', (message, { port, address }) => {
    const { id, questions } = decode(message);
    const [question] = questions as [Question];
    const found = zone[`${question.type} ${question.name}`];
    if (found === 'silent') return;
    const exists = Object.keys(zone).some((key) => key.endsWith(` ${question.name}`));
    // The low four bits: NXDOMAIN is 3.
    const flags = (1 << 8) | (1 << 7) | (exists ? 0 : 3);
    const answer = { type: 'response' as const, id, flags, questions, answers: found ?? [] };
    socket.send(encode(answer), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const resolver = new Resolver({ timeout: 100, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return resolver;
}

const NAME = 'fleet.example';
const four = (data: string, ttl = 60, name = NAME): Answer => ({ type: 'A', name, ttl, data });
const six = (data: string, ttl = 60, name = NAME): Answer => ({ type: 'AAAA', name, ttl, data });
const unknown = () => Promise.reject(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }));

async function nodesOf(zone: Zone, node = { host: NAME, port: 18089 as number | undefined }) {
  return resolveNodes(node, { resolver: await resolverOf(zone), lookup: unknown });
}

test('a name has the nodes of all its addresses, until its records expire', async () => {
  const zone = { [`A ${NAME}`]: [four('10.0.0.1', 40), four('10.0.0.2', 20)] };
  expect(await nodesOf(zone)).toEqual({
    asked: ['10.0.0.1:18089', '10.0.0.2:18089'],
    addresses: ['10.0.0.1', '10.0.0.2'],
    seconds: 20,
    isCut: false,
    empty: [],
  });
});

test('the time to live is bounded on both sides', async () => {
  const secondsOf = async (ttl: number) =>
    (await nodesOf({ [`A ${NAME}`]: [four('10.0.0.1', ttl)] })).seconds;
  expect(await secondsOf(0)).toBe(5);
  expect(await secondsOf(86_400)).toBe(300);
});

test('a machine with an address of each family is asked at one', async () => {
  const zone = {
    [`A ${NAME}`]: [four('10.0.0.1'), four('10.0.0.2')],
    [`AAAA ${NAME}`]: [six('2001:db8::1'), six('2001:db8::2')],
  };
  const { asked, addresses } = await nodesOf(zone);
  expect(asked).toEqual(['10.0.0.1:18089', '10.0.0.2:18089']);
  // Its peers may come from any.
  expect(addresses).toHaveLength(4);
  const more = { ...zone, [`A ${NAME}`]: [four('10.0.0.1')] };
  expect((await nodesOf(more)).asked).toEqual(['[2001:db8::1]:18089', '[2001:db8::2]:18089']);
});

test('SRV records have the ports, and a target is one node', async () => {
  const name = '_monero._tcp.fleet.example';
  const service = (target: string, port: number): Answer => ({
    type: 'SRV',
    name,
    ttl: 300,
    data: { target, port, priority: 0, weight: 0 },
  });
  const zone = {
    [`SRV ${name}`]: [service('a.example', 18089), service('b.example', 28089)],
    'A a.example': [four('10.0.0.1', 25, 'a.example'), four('10.0.0.9', 25, 'a.example')],
    'AAAA a.example': [six('2001:db8::1', 60, 'a.example')],
    'AAAA b.example': [six('2001:db8::2', 60, 'b.example')],
  };
  const found = await nodesOf(zone, { host: name, port: undefined });
  expect(found.asked).toEqual(['10.0.0.1:18089', '[2001:db8::2]:28089']);
  expect(found.addresses).toHaveLength(4);
  expect(found.seconds).toBe(25);
});

test('the answer of a server is bounded', async () => {
  const all = Array.from({ length: 200 }, (_, i) => `10.0.${i >> 7}.${i & 127}`);
  let turn = 0;
  const resolver = {
    resolve4: () => {
      // Another address comes first each time.
      turn += 70;
      const rotated = [...all.slice(turn), ...all.slice(0, turn)];
      return Promise.resolve(rotated.map((address) => ({ address, ttl: 60 })));
    },
    resolve6: () => Promise.resolve([]),
    cancel: () => undefined,
  };
  const names = { resolver: resolver as unknown as Resolver, lookup: unknown };
  const found = await resolveNodes({ host: NAME, port: 1 }, names);
  expect(found.asked).toHaveLength(128);
  expect(found.isCut).toBe(true);
  // The nodes that are left out are always the same.
  expect((await resolveNodes({ host: NAME, port: 1 }, names)).asked).toEqual(found.asked);
});

test('addresses that are no machine are left out', async () => {
  const zone = {
    [`A ${NAME}`]: [four('0.0.0.0'), four('224.0.0.1'), four('255.255.255.255'), four('10.0.0.1')],
    [`AAAA ${NAME}`]: [six('::'), six('ff02::1')],
  };
  expect((await nodesOf(zone)).addresses).toEqual(['10.0.0.1']);
});

test('half an answer is none', async () => {
  const zone: Zone = { [`A ${NAME}`]: 'silent', [`AAAA ${NAME}`]: [six('2001:db8::1')] };
  await expect(nodesOf(zone)).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('a name that only the system knows is found', async () => {
  const resolver = await resolverOf({});
  const lookup = () => Promise.resolve(['10.0.0.7']);
  const found = await resolveNodes({ host: 'node-2', port: 1 }, { resolver, lookup });
  expect(found).toMatchObject({ asked: ['10.0.0.7:1'], seconds: 30 });
});

test('a name that nobody knows is an error with its code', async () => {
  await expect(nodesOf({})).rejects.toMatchObject({ code: 'ENOTFOUND' });
  const service = { host: '_monero._tcp.fleet.example', port: undefined };
  await expect(nodesOf({}, service)).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

const SERVICE = '_monero._tcp.fleet.example';
const target = (name: string): Answer => ({
  type: 'SRV',
  name: SERVICE,
  ttl: 300,
  data: { target: name, port: 18089, priority: 0, weight: 0 },
});

test('a target without an address is no node, and takes away no other', async () => {
  const zone = {
    [`SRV ${SERVICE}`]: ['gone.example', 'here.example', 'bare.example'].map(target),
    'A here.example': [four('10.0.0.1', 60, 'here.example')],
    'TXT bare.example': [],
  };
  const found = await nodesOf(zone, { host: SERVICE, port: undefined });
  expect(found.asked).toEqual(['10.0.0.1:18089']);
  expect([...found.empty].sort()).toEqual(['bare.example', 'gone.example']);
});

test('a target whose server does not answer makes half an answer', async () => {
  const zone: Zone = {
    [`SRV ${SERVICE}`]: ['silent.example', 'here.example'].map(target),
    'A silent.example': 'silent',
    'A here.example': [four('10.0.0.1', 60, 'here.example')],
  };
  const service = { host: SERVICE, port: undefined };
  await expect(nodesOf(zone, service)).rejects.toMatchObject({ code: 'ETIMEOUT' });
});

/** Stands in for a resolver: 128 targets that nobody answers for. Counts the look-ups that are under way. */
function silentTargets() {
  const running = new Set<(error: Error) => void>();
  let most = 0;
  const never = (): Promise<never> =>
    new Promise((_, reject) => {
      running.add(reject);
      most = Math.max(most, running.size);
    });
  const resolver = {
    resolveSrv: () =>
      Promise.resolve(Array.from({ length: 128 }, (_, i) => ({ name: `t${i}`, port: 1 }))),
    resolve4: never,
    resolve6: never,
    cancel: () => {
      for (const reject of running) reject(new Error('cancelled'));
      running.clear();
    },
  };
  const lookup = jest.fn(unknown);
  const names = { resolver: resolver as unknown as Resolver, lookup };
  return { names, lookup, running, most: () => most };
}

test.each([
  ['ETIMEOUT', 'after its time', () => jest.advanceTimersByTimeAsync(20_000)],
  ['ECANCELLED', 'when it is stopped', (stop: AbortController) => stop.abort()],
])('a look-up of silent targets ends with %s %s, some at a time', async (code, _when, end) => {
  jest.useFakeTimers();
  try {
    const { names, lookup, running, most } = silentTargets();
    const stop = new AbortController();
    const service = { host: SERVICE, port: undefined };
    const result = expect(resolveNodes(service, names, stop.signal)).rejects.toMatchObject({
      code,
    });
    await jest.advanceTimersByTimeAsync(1000);
    expect(running.size).toBe(16);
    await end(stop);
    await result;
    await jest.advanceTimersByTimeAsync(0);
    // Those whose turn would have come now are not asked for.
    expect([running.size, most(), lookup.mock.calls.length]).toEqual([0, 16, 0]);
  } finally {
    jest.useRealTimers();
  }
});

test('an address asks nobody', async () => {
  const found = await resolveNodes(
    { host: '2001:db8::1', port: 7 },
    { resolver: new Resolver(), lookup: unknown },
  );
  expect(found.asked).toEqual(['[2001:db8::1]:7']);
});
