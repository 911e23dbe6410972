import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { guardEmitter } from '@monero-node/base';
import { NODE_HEADER } from '../harness/haproxy.ts';
import { LOOPBACK } from '../harness/ports.ts';

export interface FleetAnswer {
  readonly status: number;
  readonly body: Buffer;
  /** Name of the node that answered; empty when the balancer did. */
  readonly node: string;
}

/** A client of the balancer with an address of its own, which keeps one connection, as wallets do. It never asks twice. */
export class FleetClient {
  readonly #port: number;
  readonly #address: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(port: number, address: string) {
    this.#port = port;
    this.#address = address;
  }

  /** Rejects when the connection fails, or nothing comes for 40 seconds. */
  async post(path: string, body: Uint8Array): Promise<FleetAnswer> {
    const { status, headers, bytes } = await new Promise<{
      status: number;
      headers: IncomingHttpHeaders;
      bytes: Buffer;
    }>((resolve, reject) => {
      const sent = guardEmitter(
        request({
          host: LOOPBACK,
          port: this.#port,
          path,
          method: 'POST',
          timeout: 40_000,
          localAddress: this.#address,
          agent: this.#agent,
          headers: { 'Content-Length': body.length },
        }),
        reject,
      );
      sent.once('timeout', () => sent.destroy(new Error(`${path}: no answer in time`)));
      sent.once('response', (response) => {
        buffer(response).then((received) => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: received });
        }, reject);
      });
      sent.end(body);
    });
    return { status, body: bytes, node: String(headers[NODE_HEADER] ?? '') };
  }

  close(): void {
    this.#agent.destroy();
  }
}
