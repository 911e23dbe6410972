import type { IncomingMessage } from 'node:http';
import type { Server, Socket } from 'node:net';
import { webSockets } from '@libp2p/websockets';
import { unmapped } from '../net/ip-address.ts';
import { ipAddress } from '../net/parse-address.ts';
import type { InboundGate } from './inbound-gate.ts';

/** Milliseconds that a socket has to become a WebSocket. */
const UPGRADE_MS = 10_000;
/** Bytes of one WebSocket message; an encrypted frame has at most 64 KiB. */
const MAX_MESSAGE = 1024 * 1024;

/** The parts of libp2p's listener that are guarded: its TCP server and the WebSocket server behind it. */
interface ListenerParts {
  readonly server: Server;
  readonly wsServer: {
    readonly options: { maxPayload?: number };
    on(event: 'connection', listener: (socket: unknown, request: IncomingMessage) => void): void;
  };
}

/**
 * Returns libp2p's WebSocket transport with three limits that it lacks: on the time until a socket speaks, on the
 * sockets per host, and on the length of a message.
 */
export function guardedWebSockets(gate: InboundGate): ReturnType<typeof webSockets> {
  const make = webSockets();
  return (components) => {
    const transport = make(components);
    const createListener = transport.createListener.bind(transport);
    transport.createListener = (options) => {
      const listener = createListener(options);
      guard(listener as unknown as ListenerParts, gate);
      return listener;
    };
    return transport;
  };
}

function guard({ server, wsServer }: ListenerParts, gate: InboundGate): void {
  const upgraded = new WeakSet<Socket>();
  wsServer.options.maxPayload = MAX_MESSAGE;
  wsServer.on('connection', (_, request) => upgraded.add(request.socket));
  server.prependListener('connection', (socket: Socket) => {
    const from = ipAddress(socket.remoteAddress ?? '', socket.remotePort ?? 0);
    const leave = from && gate.enter(unmapped(from));
    // libp2p waits for the socket to become readable, which a destroyed socket never does.
    if (!leave) return void socket.destroy();
    const timer = setTimeout(() => {
      if (!upgraded.has(socket)) socket.destroy();
    }, UPGRADE_MS);
    timer.unref();
    socket.once('close', () => {
      clearTimeout(timer);
      leave();
    });
    socket.on('error', () => {}); // until libp2p adds its listener; every error is followed by 'close'
  });
}
