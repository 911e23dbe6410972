import { silentLogger } from '@monero-node/base';
import { until } from '@monero-node/base/testing';
import { jest } from '@jest/globals';
import { GatewayError, type Mapping, type PortPair, type PortProtocol } from './gateway.ts';
import { PortMapper, protocolsOf } from './port-mapper.ts';

const PORTS = { external: 18_080, internal: 18_080 };
const GOOD: Mapping = { externalHost: '203.0.113.7', seconds: 3600 };

/** A router that does what a test says. */
class FakeProtocol implements PortProtocol {
  readonly name;
  readonly calls: [string, PortPair][] = [];
  answer: () => Promise<Mapping> = () => Promise.resolve(GOOD);

  constructor(name: PortProtocol['name'] = 'upnp') {
    this.name = name;
  }

  map(ports: PortPair): Promise<Mapping> {
    this.calls.push(['map', ports]);
    return this.answer();
  }

  unmap(ports: PortPair): Promise<void> {
    this.calls.push(['unmap', ports]);
    return Promise.resolve();
  }
}

const refuse = (why: string) => (): Promise<Mapping> => Promise.reject(new GatewayError(why));

const mapper = (...protocols: PortProtocol[]): PortMapper =>
  new PortMapper({ ports: PORTS, protocols, logger: silentLogger });

afterEach(() => jest.useRealTimers());

test('a port is mapped and taken back', async () => {
  const protocol = new FakeProtocol();
  const one = mapper(protocol);
  expect(one.state).toEqual({ kind: 'trying' });
  one.start();
  await until(() => one.state.kind !== 'trying');
  expect(one.state).toEqual({ kind: 'mapped', protocol: 'upnp', externalHost: '203.0.113.7' });
  await one.stop();
  expect(protocol.calls).toEqual([
    ['map', PORTS],
    ['unmap', PORTS],
  ]);
});

test('it is asked for again before it ends, also when a router grants next to no time', async () => {
  jest.useFakeTimers();
  const protocol = new FakeProtocol();
  const one = mapper(protocol);
  one.start();
  await jest.advanceTimersByTimeAsync(1_199_000);
  expect(protocol.calls).toHaveLength(1);
  protocol.answer = () => Promise.resolve({ ...GOOD, seconds: 1 });
  await jest.advanceTimersByTimeAsync(2000);
  expect(protocol.calls).toHaveLength(2);
  await jest.advanceTimersByTimeAsync(58_000);
  expect(protocol.calls).toHaveLength(2);
  protocol.answer = () => Promise.resolve({ ...GOOD, seconds: 0 });
  await jest.advanceTimersByTimeAsync(2000);
  expect(protocol.calls).toHaveLength(3);
  await one.stop();
});

test('with auto the other protocol is tried, and first the next time', async () => {
  jest.useFakeTimers();
  const [first, second] = [new FakeProtocol('nat-pmp'), new FakeProtocol('upnp')];
  first.answer = refuse('it does not answer');
  const one = mapper(first, second);
  one.start();
  await jest.advanceTimersByTimeAsync(0);
  expect(one.state).toMatchObject({ kind: 'mapped', protocol: 'upnp' });
  await jest.advanceTimersByTimeAsync(1_300_000);
  expect([first.calls.length, second.calls.length]).toEqual([1, 2]);
  await one.stop();
  expect(protocolsOf('auto').map(({ name }) => name)).toEqual(['nat-pmp', 'upnp']);
});

test('a failure says why, and is tried again', async () => {
  jest.useFakeTimers();
  const [first, second] = [new FakeProtocol('nat-pmp'), new FakeProtocol('upnp')];
  first.answer = refuse('no route');
  second.answer = refuse('nobody answers');
  const one = mapper(first, second);
  one.start();
  await jest.advanceTimersByTimeAsync(0);
  expect(one.state).toEqual({ kind: 'failed', why: 'nat-pmp: no route; upnp: nobody answers' });
  second.answer = () => Promise.resolve(GOOD);
  await jest.advanceTimersByTimeAsync(601_000);
  expect(one.state).toMatchObject({ kind: 'mapped' });
  await one.stop();
});

test('a stop does not wait for a router', async () => {
  const hanging: PortProtocol = {
    name: 'upnp',
    map: (_ports, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
    unmap: () => Promise.reject(new GatewayError('never mapped')),
  };
  const one = mapper(hanging);
  one.start();
  await one.stop();
  expect(one.state).toEqual({ kind: 'trying' });
});

test('every protocol that was used takes the port back, whatever came of it', async () => {
  const [first, second, third] = [
    new FakeProtocol('nat-pmp'),
    new FakeProtocol('upnp'),
    new FakeProtocol('upnp'),
  ];
  first.answer = refuse('no answer');
  first.unmap = (ports) => {
    first.calls.push(['unmap', ports]);
    return Promise.reject(new GatewayError('no answer'));
  };
  const one = mapper(first, second, third);
  one.start();
  await until(() => one.state.kind !== 'trying');
  await one.stop();
  const names = [first, second, third].map(({ calls }) => calls.map(([name]) => name));
  expect(names).toEqual([['map', 'unmap'], ['map', 'unmap'], []]);
});
