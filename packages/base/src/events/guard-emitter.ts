/** An emitter that ends the process when it emits 'error' and nobody listens: sockets, streams, servers, workers. */
export interface ErrorEmitter {
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/**
 * Adds an error listener to an emitter and returns the emitter, so that a creation can be wrapped:
 * `const socket = guardEmitter(connect(options))`. Without `onError` errors are ignored, which suits sockets:
 * every error is followed by 'close'. Do not call `removeAllListeners` on a guarded emitter.
 */
export function guardEmitter<T extends ErrorEmitter>(
  emitter: T,
  onError: (error: Error) => void = () => {},
): T {
  emitter.on('error', onError);
  return emitter;
}

/** A server of node:net, node:tls, node:http or node:https. */
export interface SocketServer extends ErrorEmitter {
  prependListener(
    event: string,
    listener: (first: ErrorEmitter, second?: ErrorEmitter) => void,
  ): unknown;
}

/**
 * Adds error listeners to a server and, before anything else sees them, to all sockets it accepts and all responses it
 * writes, and returns the server. `onError` hears of errors of the server itself, such as a failed accept. An HTTP server
 * stops listening to a socket once it is upgraded; this listener stays.
 */
export function guardServer<T extends SocketServer>(
  server: T,
  onError: (error: Error) => void = () => {},
): T {
  const guard = (socket: ErrorEmitter): void => void guardEmitter(socket);
  server.prependListener('connection', guard);
  server.prependListener('secureConnection', guard);
  // Writing to a response after its end is an error of the response.
  server.prependListener('request', (_, response) => void (response && guardEmitter(response)));
  return guardEmitter(server, onError);
}
