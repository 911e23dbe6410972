import { setTimeout as delay } from 'node:timers/promises';
import { ipAddress } from '../net/parse-address.ts';
import type { NetAddress } from '../net/address.ts';
import type { Transport, TransportListener, TransportStream } from '../transport/transport.ts';

/** Two machines of the kind of network under test. */
export interface TransportPair {
  server: Transport;
  /** Address the server is to listen on. */
  host: string;
  client: Transport;
  /** An address that nobody listens on. */
  nobody: NetAddress;
  /** An address that never answers, if there is one. */
  blackHole?: NetAddress;
}

interface End {
  stream: TransportStream;
  received: () => string;
  closed: Promise<void>;
  drained: () => Promise<void>;
}

function attach(stream: TransportStream): End {
  const chunks: Uint8Array[] = [];
  let onClosed = (): void => {};
  const closed = new Promise<void>((resolve) => (onClosed = resolve));
  let onDrained = (): void => {};
  stream.open({
    onData: (chunk) => void chunks.push(chunk.slice()),
    onDrain: () => onDrained(),
    onClose: () => onClosed(),
  });
  return {
    stream,
    received: () => Buffer.concat(chunks).toString('latin1'),
    closed,
    drained: () => new Promise((resolve) => (onDrained = resolve)),
  };
}

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

async function eventually(condition: () => boolean): Promise<void> {
  for (let i = 0; !condition(); i++) {
    if (i > 500) throw new Error('the condition never came true');
    await delay(5);
  }
}

/** Tests that every transport must pass. Run it from the spec of each. */
export function describeTransport(name: string, make: () => Promise<TransportPair>): void {
  describe(`the transport ${name}`, () => {
    let pair: TransportPair;
    let listener: TransportListener;
    let accepted: TransportStream[];

    beforeEach(async () => {
      pair = await make();
      accepted = [];
      const at = { host: pair.host, port: 0 };
      listener = await pair.server.listen(at, (stream) => void accepted.push(stream));
    });
    afterEach(async () => {
      for (const stream of accepted) stream.destroy();
      await listener.close();
    });

    const address = (): NetAddress => ipAddress(pair.host, listener.port) as NetAddress;

    async function connected(): Promise<{ client: End; server: End }> {
      const client = attach(await pair.client.connect(address(), { timeoutMs: 1000 }));
      await eventually(() => accepted.length > 0);
      const stream = accepted.at(-1);
      if (!stream) throw new Error('nothing was accepted');
      return { client, server: attach(stream) };
    }

    test('carries bytes both ways, in order', async () => {
      const { client, server } = await connected();
      client.stream.write(bytes('one '));
      client.stream.write(bytes('two'));
      server.stream.write(bytes('three'));
      await eventually(() => server.received() === 'one two' && client.received() === 'three');
    });

    test('keeps bytes that arrive before the stream is opened', async () => {
      const client = attach(await pair.client.connect(address(), { timeoutMs: 1000 }));
      client.stream.write(bytes('early'));
      await eventually(() => accepted.length > 0);
      await delay(20);
      const stream = accepted[0];
      const server = stream && attach(stream);
      await eventually(() => server?.received() === 'early');
    });

    test('knows who is at the other end', async () => {
      const { client, server } = await connected();
      expect(client.stream.remote).toEqual(address());
      expect(server.stream.remote.kind).toBe(address().kind);
      expect(server.stream.remote.port).toBeGreaterThan(0);
    });

    test('both ends hear of a close, once', async () => {
      for (const closer of ['client', 'server'] as const) {
        const ends = await connected();
        ends[closer].stream.destroy();
        ends[closer].stream.destroy();
        await Promise.all([ends.client.closed, ends.server.closed]);
        ends[closer].stream.write(bytes('into the void'));
        expect(ends.server.received()).toBe('');
      }
    });

    test('ending sends what is queued first', async () => {
      const { client, server } = await connected();
      const text = 'x'.repeat(500_000);
      client.stream.write(bytes(text));
      client.stream.end();
      await Promise.all([client.closed, server.closed]);
      expect(server.received().length).toBe(text.length);
    });

    test('nothing is delivered while paused', async () => {
      const { client, server } = await connected();
      server.stream.pause();
      client.stream.write(bytes('hello'));
      await delay(50);
      expect(server.received()).toBe('');
      server.stream.resume();
      await eventually(() => server.received() === 'hello');
    });

    test('a writer is told to wait, and when to go on', async () => {
      const { client, server } = await connected();
      server.stream.pause();
      const chunk = bytes('x'.repeat(100_000));
      let sent = 0;
      while (sent < 500 && client.stream.write(chunk)) sent++;
      expect(sent).toBeLessThan(500);
      const drained = client.drained();
      server.stream.resume();
      await drained;
      await eventually(() => server.received().length === (sent + 1) * chunk.length);
    });

    test('rejects when nobody listens', async () => {
      await expect(pair.client.connect(pair.nobody, { timeoutMs: 1000 })).rejects.toThrow();
    });

    test('rejects when connecting takes too long or is aborted', async () => {
      const { blackHole } = pair;
      const before = AbortSignal.abort();
      await expect(
        pair.client.connect(address(), { timeoutMs: 1000, signal: before }),
      ).rejects.toThrow();
      if (!blackHole) return;
      await expect(pair.client.connect(blackHole, { timeoutMs: 50 })).rejects.toThrow();
      const signal = AbortSignal.timeout(50);
      await expect(pair.client.connect(blackHole, { timeoutMs: 60_000, signal })).rejects.toThrow();
    });

    test('an address is listened on once', async () => {
      const again = { host: pair.host, port: listener.port };
      await expect(pair.server.listen(again, () => {})).rejects.toThrow();
    });

    test('a closed listener accepts nobody', async () => {
      await listener.close();
      await expect(pair.client.connect(address(), { timeoutMs: 1000 })).rejects.toThrow();
      listener = await pair.server.listen({ host: pair.host, port: 0 }, () => {});
    });
  });
}
