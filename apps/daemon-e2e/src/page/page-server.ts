import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { EVENTS_PATH, readPage } from '@monero-node/dashboard';
import { LOOPBACK } from '../harness/ports.ts';
import { MadeUpNode } from './made-up-node.ts';

/** A call of the page about bans. */
interface BanCall {
  readonly method: string;
  readonly params: { readonly bans?: readonly { readonly host: string; readonly ban: boolean }[] };
}

/** Serves the built page with the events of a node that does not exist. */
export class PageServer {
  readonly #server: Server;
  readonly #page = readPage();
  readonly #start: number;
  #stream: ServerResponse | undefined;
  #node: MadeUpNode | undefined;
  #id = 0;
  /** Hosts that the page has banned. */
  bans: readonly string[] = [];

  /** @param start Unix seconds at which the time of the node begins */
  constructor(start: number) {
    this.#start = start;
    this.#server = createServer((request, response) => {
      if (request.url === EVENTS_PATH) this.#open(response);
      else if (request.method === 'POST') void this.#call(request, response);
      else this.#file(request.url ?? '', response);
    });
  }

  /** Listens. Returns the address of the page. */
  async listen(): Promise<string> {
    this.#server.listen(0, LOOPBACK);
    await once(this.#server, 'listening');
    return `http://${LOOPBACK}:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Sends the changes of a number of seconds, as fast as the page takes them. Throws Error when no page is open. */
  async pass(seconds: number): Promise<void> {
    const [stream, node] = [this.#stream, this.#node];
    if (stream === undefined || node === undefined) throw new Error('no page is open');
    for (let i = 0; i < seconds; i++) {
      if (!this.#say('change', node.next())) await once(stream, 'drain');
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #open(response: ServerResponse): void {
    this.#stream = response;
    this.#node = new MadeUpNode(this.#start);
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    this.#say('state', this.#node.state(this.#page.script));
  }

  /** Returns whether the page keeps up. */
  #say(event: string, data: object): boolean {
    const text = `id: ${++this.#id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    return this.#stream?.write(text) ?? true;
  }

  /** Answers calls about bans. */
  async #call(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, params } = JSON.parse(await textOf(request)) as BanCall;
    for (const { ban, host } of params.bans ?? []) {
      const others = this.bans.filter((banned) => banned !== host);
      this.bans = ban ? [...others, host] : others;
    }
    const bans = this.bans.map((host) => ({ host, ip: 0, seconds: 86_400 }));
    const result = { status: 'OK', ...(method === 'get_bans' ? { bans } : {}) };
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ result }));
  }

  #file(path: string, response: ServerResponse): void {
    const file = this.#page.files.find((candidate) => candidate.path === path);
    response.writeHead(file ? 200 : 404, { 'Content-Type': file?.contentType ?? 'text/plain' });
    response.end(file?.body);
  }
}
