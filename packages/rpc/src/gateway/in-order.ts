import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';

/** Requests a client may send ahead on one connection. */
const MAX_PIPELINED = 64;

interface Queue {
  last: Promise<void>;
  length: number;
}

/**
 * Starts a request only when the one before it on the same connection is answered. Its body is not read before, so that what a
 * client sends ahead stays in the socket. A client that goes on asking without reading loses its connection: when it has
 * too many requests waiting, or more than `softLimit` bytes of the answer being sent.
 */
export function inOrder(
  softLimit: number,
  unsentBytes: (socket: Socket) => number,
): RequestHandler {
  const queues = new WeakMap<Socket, Queue>();
  return (request, response, next) => {
    const { socket } = request;
    const queue = queues.get(socket) ?? { last: Promise.resolve(), length: 0 };
    queues.set(socket, queue);
    if (queue.length >= MAX_PIPELINED || unsentBytes(socket) > softLimit) {
      socket.destroy();
      return;
    }
    const before = queue.last;
    queue.length++;
    queue.last = new Promise((resolve) => {
      response.once('close', () => {
        queue.length--;
        resolve();
      });
    });
    void before.then(() => {
      if (!socket.destroyed) next();
    });
  };
}
