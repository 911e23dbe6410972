import { pmpRouter, StandInPmp } from '../testing/stand-in-gateway.ts';
import { GatewayError } from './gateway.ts';
import { gatewayIn, NatPmp } from './nat-pmp.ts';

const PORTS = { external: 18_080, internal: 18_081 };
const never = (): AbortSignal => new AbortController().signal;

let gateway: StandInPmp | undefined;
afterEach(() => {
  gateway?.close();
  gateway = undefined;
});

async function against(
  answer?: ReturnType<typeof pmpRouter>,
  waits?: readonly number[],
): Promise<NatPmp> {
  const opened = await StandInPmp.open(answer);
  gateway = opened;
  return new NatPmp(() => Promise.resolve('127.0.0.1'), {
    port: opened.port,
    ...(waits && { waits }),
  });
}

test('maps a port for an hour, tells the address of the router, and takes the port back', async () => {
  const pmp = await against();
  expect(await pmp.map(PORTS, never())).toEqual({ externalHost: '203.0.113.7', seconds: 3600 });
  await pmp.unmap(PORTS, never());
  expect(gateway?.requests.map((each) => each.toString('hex'))).toEqual([
    // Version, operation, two bytes of nothing, internal port, external port, lifetime.
    '0002000046a146a000000e10',
    '0000',
    '0002000046a1000000000000',
  ]);
});

test('a request that got lost is sent again', async () => {
  let lost = 2;
  const router = pmpRouter();
  const pmp = await against((request: Buffer) => (lost-- > 0 ? undefined : router(request)));
  expect(await pmp.map(PORTS, never())).toMatchObject({ seconds: 3600 });
});

test.each([
  [{ result: 2 }, 'it refuses: port mapping may be turned off in its settings'],
  [{ result: 99 }, 'it answers with code 99'],
  [{ external: 5 }, 'its port 18080 is taken, it offers 5'],
  [{ seconds: 0 }, 'it maps the port for no time'],
])('a router that answers %j is told apart', async (options, message) => {
  const pmp = await against(pmpRouter(options));
  await expect(pmp.map(PORTS, never())).rejects.toThrow(new GatewayError(message));
});

test('another port that the router offers is given back', async () => {
  const pmp = await against(pmpRouter({ external: 5 }));
  await expect(pmp.map(PORTS, never())).rejects.toThrow(GatewayError);
  expect(gateway?.requests.at(-1)?.toString('hex')).toBe('0002000046a1000000000000');
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a short answer', Buffer.from('00820000', 'hex')],
  ['another version', Buffer.from(`0282${'00'.repeat(14)}`, 'hex')],
  ['another operation', Buffer.from(`0081${'00'.repeat(14)}`, 'hex')],
  ['a large datagram', Buffer.alloc(60_000, 1)],
])('%s is no answer', async (_case, datagram) => {
  const pmp = await against(() => datagram, [50, 50]);
  await expect(pmp.map(PORTS, never())).rejects.toThrow('it does not answer');
});

test('the end of the node ends the wait', async () => {
  const pmp = await against(() => undefined);
  const ending = new AbortController();
  const mapped = pmp.map(PORTS, ending.signal);
  setTimeout(() => ending.abort(new GatewayError('the node stops')), 20);
  await expect(mapped).rejects.toThrow('the node stops');
});

test('a router that does not tell its address has mapped the port', async () => {
  const router = pmpRouter();
  const pmp = await against(
    (request) => (request.length === 2 ? undefined : router(request)),
    [50],
  );
  expect(await pmp.map(PORTS, never())).toEqual({ externalHost: undefined, seconds: 3600 });
});

test('a router that was not waited for is told to take the port back, one that refused is not', async () => {
  let isSilent = true;
  const router = pmpRouter();
  const pmp = await against((request) => (isSilent ? undefined : router(request)));
  await pmp.unmap(PORTS, never());
  await expect(pmp.map(PORTS, AbortSignal.timeout(50))).rejects.toThrow();
  isSilent = false;
  await pmp.unmap(PORTS, never());
  expect(gateway?.requests.at(-1)?.toString('hex')).toBe('0002000046a1000000000000');
  await pmp.unmap(PORTS, never());
  expect(gateway?.requests).toHaveLength(2);
});

test('a router with a closed port does not speak it', async () => {
  const closed = await StandInPmp.open();
  const { port } = closed;
  closed.close();
  const pmp = new NatPmp(() => Promise.resolve('127.0.0.1'), { port });
  await expect(pmp.map(PORTS, never())).rejects.toThrow('it does not speak NAT-PMP');
});

test('nobody there is an error of its own', async () => {
  const pmp = new NatPmp(() => Promise.reject(new GatewayError('no route')));
  await expect(pmp.map(PORTS, never())).rejects.toThrow('no route');
});

describe('the default gateway', () => {
  const HEAD = 'Iface\tDestination\tGateway \tFlags\n';

  test('is the one of the route to everywhere', () => {
    const local = 'eth0\t0001A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n';
    const route = 'eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n';
    expect(gatewayIn(HEAD + local + route)).toBe('192.168.1.1');
    expect(gatewayIn(HEAD + local)).toBeUndefined();
  });

  test.each(['', 'x', `${HEAD}eth0\t00000000\tzz\n`])('is not made up from %j', (table) => {
    expect(gatewayIn(table)).toBeUndefined();
  });
});
