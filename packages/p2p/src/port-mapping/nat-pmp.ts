import { createSocket, type Socket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { guardEmitter } from '@monero-node/base';
import { GatewayError, LEASE, type Mapping, type PortPair, type PortProtocol } from './gateway.ts';

// Source: RFC 6886, NAT Port Mapping Protocol.

const SERVER_PORT = 5351;
const VERSION = 0;
const OP_ADDRESS = 0;
const OP_MAP_TCP = 2;
/** Set in the operation of an answer. */
const ANSWER = 128;
/** Milliseconds to wait for an answer before each try but the first, and at last. Section 3.1 begins the same and tries for longer. */
const WAITS = [250, 500, 1000, 2000];
const RESULTS: readonly string[] = [
  'it does not speak this version',
  'it refuses: port mapping may be turned off in its settings',
  'it has no address of its own yet',
  'it has no port left',
  'it does not know the operation',
];

/** Returns the request that maps a TCP port for so many seconds; 0 takes it back. */
function mapRequest({ external, internal }: PortPair, seconds: number): Buffer {
  const request = Buffer.alloc(12);
  request.writeUInt8(VERSION, 0);
  request.writeUInt8(OP_MAP_TCP, 1);
  request.writeUInt16BE(internal, 4);
  request.writeUInt16BE(seconds === 0 ? 0 : external, 6);
  request.writeUInt32BE(seconds, 8);
  return request;
}

/** Returns whether a datagram answers an operation. Throws GatewayError when it refuses. */
function isAnswer(datagram: Buffer, operation: number, bytes: number): boolean {
  if (datagram.length < 4 || datagram.readUInt8(0) !== VERSION) return false;
  if (datagram.readUInt8(1) !== (operation | ANSWER)) return false;
  const result = datagram.readUInt16BE(2);
  if (result !== 0) throw new GatewayError(RESULTS[result - 1] ?? `it answers with code ${result}`);
  return datagram.length >= bytes;
}

/** Sends a request until it is answered. Rejects with GatewayError. */
async function ask(
  { host, port, waits }: Gateway,
  request: Buffer,
  bytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const operation = request.readUInt8(1);
  const failures = new AbortController();
  const socket: Socket = guardEmitter(createSocket('udp4'), (error) => failures.abort(error));
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      const give = (error: unknown): void => reject(error as Error);
      failures.signal.addEventListener('abort', () => {
        const { code, message } = failures.signal.reason as NodeJS.ErrnoException;
        give(new GatewayError(code === 'ECONNREFUSED' ? 'it does not speak NAT-PMP' : message));
      });
      if (signal.aborted) return give(signal.reason);
      signal.addEventListener('abort', () => give(signal.reason), { once: true });
      socket.on('message', (datagram) => {
        try {
          if (isAnswer(datagram, operation, bytes)) resolve(datagram);
        } catch (error) {
          give(error);
        }
      });
      const send = (tries: number): void => {
        const wait = waits[tries];
        if (wait === undefined) return give(new GatewayError('it does not answer'));
        socket.send(request);
        timer = setTimeout(() => send(tries + 1), wait);
      };
      // A connected socket takes datagrams of that address only.
      socket.once('connect', () => send(0));
      socket.connect(port, host);
    });
  } finally {
    clearTimeout(timer);
    socket.close();
  }
}

interface Gateway {
  readonly host: string;
  readonly port: number;
  readonly waits: readonly number[];
}

/** The protocol of Apple's and many other routers. */
export class NatPmp implements PortProtocol {
  readonly name = 'nat-pmp';
  readonly #find: () => Promise<string>;
  readonly #port: number;
  readonly #waits: readonly number[];
  /** The router was asked to forward the port, and not yet to take it back. */
  #mayBeMapped = false;

  /**
   * @param find resolves with the IPv4 address of the router. Rejects with GatewayError.
   * @param tests the port of the router and the milliseconds of its patience, for tests
   */
  constructor(
    find: () => Promise<string>,
    { port = SERVER_PORT, waits = WAITS }: { port?: number; waits?: readonly number[] } = {},
  ) {
    this.#find = find;
    this.#port = port;
    this.#waits = waits;
  }

  async map(ports: PortPair, signal: AbortSignal): Promise<Mapping> {
    const gateway = await this.#gateway();
    const answer = await this.#ask(gateway, ports, signal);
    const given = answer.readUInt16BE(10);
    const seconds = answer.readUInt32BE(12);
    if (answer.readUInt16BE(8) !== ports.internal)
      throw new GatewayError('it answers for another port');
    if (given !== ports.external) {
      await ask(gateway, mapRequest(ports, 0), 16, signal);
      this.#mayBeMapped = false;
      throw new GatewayError(`its port ${ports.external} is taken, it offers ${given}`);
    }
    if (seconds === 0) throw new GatewayError('it maps the port for no time');
    return {
      externalHost: await this.#address(gateway, signal),
      seconds: Math.min(seconds, LEASE),
    };
  }

  async #ask(gateway: Gateway, ports: PortPair, signal: AbortSignal): Promise<Buffer> {
    const before = this.#mayBeMapped;
    this.#mayBeMapped = true;
    try {
      return await ask(gateway, mapRequest(ports, LEASE), 16, signal);
    } catch (error) {
      // A router that was not waited for may have done it.
      if (!signal.aborted) this.#mayBeMapped = before;
      throw error;
    }
  }

  /** Resolves with the public address; undefined when the router does not say it, for the port is mapped all the same. */
  async #address(gateway: Gateway, signal: AbortSignal): Promise<string | undefined> {
    try {
      const address = await ask(gateway, Buffer.from([VERSION, OP_ADDRESS]), 12, signal);
      return address.subarray(8, 12).join('.');
    } catch {
      return undefined;
    }
  }

  async #gateway(): Promise<Gateway> {
    return { host: await this.#find(), port: this.#port, waits: this.#waits };
  }

  async unmap(ports: PortPair, signal: AbortSignal): Promise<void> {
    if (!this.#mayBeMapped) return;
    const gateway = await this.#gateway();
    await ask(gateway, mapRequest(ports, 0), 16, signal);
    this.#mayBeMapped = false;
  }
}

const ROUTES = '/proc/net/route';

/** Returns the IPv4 address of the default gateway in a table of routes as Linux has it; undefined when there is none. */
export function gatewayIn(table: string): string | undefined {
  for (const line of table.split('\n').slice(1)) {
    const [, destination, gateway = ''] = line.split('\t');
    // Four bytes in the order of the machine, which is little-endian wherever this runs.
    if (destination === '00000000' && /^[0-9A-F]{8}$/.test(gateway) && gateway !== '00000000')
      return Buffer.from(gateway, 'hex').reverse().join('.');
  }
  return undefined;
}

/** Resolves with the IPv4 address of the router. Rejects with GatewayError when it is not known. */
export async function defaultGateway(): Promise<string> {
  const table = await readFile(ROUTES, 'utf8').catch(() => undefined);
  if (table === undefined)
    throw new GatewayError('this system does not tell the address of the router');
  const gateway = gatewayIn(table);
  if (gateway === undefined) throw new GatewayError('this machine has no route to a router');
  return gateway;
}
