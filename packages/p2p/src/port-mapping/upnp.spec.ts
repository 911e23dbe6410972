import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DESCRIPTION, StandInUpnp } from '../testing/stand-in-gateway.ts';
import { GatewayError } from './gateway.ts';
import { serviceIn, Upnp } from './upnp.ts';

const PORTS = { external: 18_080, internal: 18_081 };
const never = (): AbortSignal => new AbortController().signal;
const LOCATION = new URL('http://192.168.1.1:5000/root.xml');

const open: { close(): void }[] = [];
afterEach(() => open.splice(0).forEach((each) => each.close()));

async function router(behavior: Parameters<typeof StandInUpnp.open>[0] = {}) {
  const gateway = await StandInUpnp.open(behavior);
  open.push(gateway);
  return { gateway, upnp: new Upnp(() => Promise.resolve([gateway.location])) };
}

test('maps a port for an hour, tells the address of the router, and takes the port back', async () => {
  const { gateway, upnp } = await router();
  expect(await upnp.map(PORTS, never())).toEqual({ externalHost: '203.0.113.7', seconds: 3600 });
  const fields = ['ExternalPort', 'InternalPort', 'InternalClient', 'Protocol', 'LeaseDuration'];
  expect(fields.map((each) => gateway.sent('AddPortMapping', `New${each}`))).toEqual([
    ...['18080', '18081', '127.0.0.1', 'TCP', '3600'],
  ]);
  await upnp.unmap(PORTS, never());
  expect(gateway.sent('DeletePortMapping', 'NewExternalPort')).toBe('18080');
});

test('a router that knows only mappings without an end gets one', async () => {
  const fault = (action: string, body: string): number =>
    action === 'AddPortMapping' && !body.includes('<NewLeaseDuration>0<') ? 725 : 0;
  const { upnp } = await router({ fault });
  expect(await upnp.map(PORTS, never())).toMatchObject({ seconds: 0 });
});

test.each([
  [718, 'the port is taken by another machine'],
  [606, 'it does not allow this machine to map ports'],
  [999, 'it refuses with code 999'],
])('the error %d of a router is told', async (code, message) => {
  const { upnp } = await router({ fault: (action) => (action === 'AddPortMapping' ? code : 0) });
  await expect(upnp.map(PORTS, never())).rejects.toThrow(new GatewayError(message));
});

test('without a router that maps ports there is an error, and nothing to take back', async () => {
  const nobody = new Upnp(() => Promise.resolve([]));
  await expect(nobody.map(PORTS, never())).rejects.toThrow(
    'no router of the local network answers',
  );
  await nobody.unmap(PORTS, never());
  const { upnp } = await router({ description: '<root/>' });
  await expect(upnp.map(PORTS, never())).rejects.toThrow('it does not map ports');
});

describe('a router that was not waited for', () => {
  const stopping = new GatewayError('the node stops');

  test('is told to take the port back, at the first time', async () => {
    const ending = new AbortController();
    const fault = (action: string): number => {
      if (action === 'AddPortMapping') ending.abort(stopping);
      return 0;
    };
    const { gateway, upnp } = await router({ fault });
    await expect(upnp.map(PORTS, ending.signal)).rejects.toThrow();
    await upnp.unmap(PORTS, never());
    expect(gateway.sent('DeletePortMapping', 'NewExternalPort')).toBe('18080');
  });

  test('is told so when the port was to be mapped anew', async () => {
    const { gateway, upnp } = await router();
    await upnp.map(PORTS, never());
    await expect(upnp.map(PORTS, AbortSignal.abort(stopping))).rejects.toThrow();
    await upnp.unmap(PORTS, never());
    expect(gateway.sent('DeletePortMapping', 'NewExternalPort')).toBe('18080');
  });

  test('keeps the port of another machine', async () => {
    const fault = (action: string): number => (action === 'AddPortMapping' ? 718 : 0);
    const { gateway, upnp } = await router({ fault });
    await expect(upnp.map(PORTS, never())).rejects.toThrow(GatewayError);
    await upnp.unmap(PORTS, never());
    expect(gateway.calls.map(([action]) => action)).not.toContain('DeletePortMapping');
  });
});

describe('a description', () => {
  test('names the service that maps ports', () => {
    const { type, url } = serviceIn(DESCRIPTION, LOCATION);
    expect(type).toBe('urn:schemas-upnp-org:service:WANIPConnection:1');
    expect(url.href).toBe('http://192.168.1.1:5000/ctl/IPConn');
  });

  test.each([
    'http://198.51.100.1/ctl',
    'https://192.168.1.1:5000/ctl',
    '//198.51.100.1/ctl',
    'http://192.168.1.1:22/ctl',
  ])('that sends the node to %s is refused', (address) => {
    const description = DESCRIPTION.replace('/ctl/IPConn', address);
    expect(() => serviceIn(description, LOCATION)).toThrow(GatewayError);
  });

  test.each([
    '',
    '<service>',
    '<service><serviceType>urn:x</serviceType>',
    '<'.repeat(100_000),
    // An expression that could split these in many ways would take hours.
    `<service><serviceType>${' '.repeat(250_000)}`,
    `<service><serviceType>${' '.repeat(125_000)}x${' '.repeat(125_000)}`,
    `<service><serviceType${' '.repeat(250_000)}`,
    `<service><${'x'.repeat(250_000)}`,
    `<service>${'<serviceType '.repeat(20_000)}`,
    '<service>'.repeat(27_000),
  ])('that is none is refused', (description) => {
    expect(() => serviceIn(description, LOCATION)).toThrow(GatewayError);
  });

  test('may have space around its texts, and none that are long', () => {
    const spaced = DESCRIPTION.replace('/ctl/IPConn', ' \n /ctl/IPConn\n  ');
    expect(serviceIn(spaced, LOCATION).url.href).toBe('http://192.168.1.1:5000/ctl/IPConn');
    const long = DESCRIPTION.replace('/ctl/IPConn', `/${'x'.repeat(512)}`);
    expect(() => serviceIn(long, LOCATION)).toThrow(GatewayError);
  });
});

describe('a hostile router', () => {
  async function serve(answer: (socket: NodeJS.WritableStream) => void): Promise<Upnp> {
    const server: Server = createServer((_, response) => answer(response));
    server.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    open.push({
      close: () => {
        server.closeAllConnections();
        server.close();
      },
    });
    const { port } = server.address() as AddressInfo;
    return new Upnp(() => Promise.resolve([new URL(`http://127.0.0.1:${port}/`)]));
  }

  test('that sends without an end is left', async () => {
    const upnp = await serve((response) => {
      const send = (): void => {
        if (response.writable) response.write(Buffer.alloc(65_536), () => setImmediate(send));
      };
      send();
    });
    await expect(upnp.map(PORTS, never())).rejects.toThrow('it sent more than 262144 bytes');
  });

  test('that sends nothing is left in time', async () => {
    const upnp = await serve(() => undefined);
    await expect(upnp.map(PORTS, AbortSignal.timeout(50))).rejects.toThrow();
  });

  test('that switches to another protocol is left', async () => {
    const upnp = await serve((response) => {
      const { socket } = response as import('node:http').ServerResponse;
      socket?.write('HTTP/1.1 101\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    });
    await expect(upnp.map(PORTS, never())).rejects.toThrow(
      'it closed the connection without an answer',
    );
  });

  test.each([100, 102, 103])('that says %d for ever is left', async (status) => {
    const upnp = await serve((response) => {
      const { socket } = response as import('node:http').ServerResponse;
      const more = (): void => {
        if (socket?.destroyed !== false) return;
        socket.write(`HTTP/1.1 ${status} x\r\n\r\n`.repeat(100), () => setImmediate(more));
      };
      more();
    });
    await expect(upnp.map(PORTS, never())).rejects.toThrow(
      'it sent more than 16 answers before the one',
    );
  });

  test('is not followed elsewhere', async () => {
    const upnp = await serve((response) => {
      const redirect = response as import('node:http').ServerResponse;
      redirect.writeHead(302, { Location: 'http://198.51.100.1/' }).end();
    });
    await expect(upnp.map(PORTS, never())).rejects.toThrow('status 302');
  });
});
