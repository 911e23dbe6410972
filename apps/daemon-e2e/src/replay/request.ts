import { formatJson, type Json } from '../harness/json.ts';
import { encodeStorage, type Section } from '../harness/portable-storage.ts';

/** A request that is sent to both daemons. */
export interface ReplayRequest {
  /** A unique description. */
  readonly name: string;
  /** The method or path whose answer is returned. Allowed differences are listed by it. */
  readonly call: string;
  readonly bytes: Uint8Array;
  /** The listeners to which it is sent. */
  readonly listeners: readonly Listener[];
  /** Whether the answer has headers only (HEAD). */
  readonly bodyless?: boolean;
  /** Whether the server may wait for more bytes. */
  readonly open?: boolean;
  /** Whether it changes the answers to other requests and must therefore run alone. */
  readonly alone?: boolean;
  /** Whether both daemons should receive it in the same second, because the answers depend on the time in seconds. */
  readonly inOneSecond?: boolean;
}

/** Returns the request marked to run alone. */
export const alone = (request: ReplayRequest): ReplayRequest => ({ ...request, alone: true });

export type Listener = 'main' | 'restricted';

export const BOTH: readonly Listener[] = ['main', 'restricted'];
export const MAIN: readonly Listener[] = ['main'];
export const RESTRICTED: readonly Listener[] = ['restricted'];

export interface HttpParts {
  readonly verb?: string;
  readonly path: string;
  readonly body?: string | Uint8Array;
  readonly headers?: readonly string[];
}

/** Returns the bytes of an HTTP/1.1 request. */
export function httpBytes({ verb = 'POST', path, body = '', headers = [] }: HttpParts): Buffer {
  const content = Buffer.from(body as Uint8Array);
  const head = [
    `${verb} ${path} HTTP/1.1`,
    'Host: localhost',
    `Content-Length: ${content.length}`,
    ...headers,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), content]);
}

const short = (text: string): string => (text.length > 90 ? `${text.slice(0, 87)}...` : text);

/** Returns a JSON-RPC call. Without `params`, the member is absent. */
export function rpc(
  method: string,
  params?: Json,
  listeners: readonly Listener[] = BOTH,
): ReplayRequest {
  const asked = params === undefined ? {} : { params };
  const body = formatJson({ jsonrpc: '2.0', id: 'x', method, ...asked });
  const name = short(`${method} ${params === undefined ? '' : formatJson(params)}`.trim());
  return { name, call: method, bytes: httpBytes({ path: '/json_rpc', body }), listeners };
}

/** Returns a POST request with any body. Differences are listed by `call`. */
export function post(
  path: string,
  body: string | Uint8Array,
  listeners: readonly Listener[] = BOTH,
  call = path,
): ReplayRequest {
  const shown = typeof body === 'string' ? body : `0x${Buffer.from(body).toString('hex')}`;
  return {
    name: short(`${path} ${shown.replace(/[^\x20-\x7e]/g, '·')}`.trim()),
    call,
    bytes: httpBytes({ path, body }),
    listeners,
  };
}

/** Returns a request to a JSON path. */
export function json(
  path: string,
  body: Json = {},
  listeners: readonly Listener[] = BOTH,
): ReplayRequest {
  return post(path, formatJson(body), listeners);
}

/** Returns a request to a binary path. */
export function binary(
  path: string,
  body: Section,
  listeners: readonly Listener[] = BOTH,
  name?: string,
): ReplayRequest {
  const request = post(path, encodeStorage(body), listeners);
  return name === undefined ? request : { ...request, name: `${path} ${name}` };
}

/** Returns a request to `/json_rpc` whose body may be anything. */
export function envelope(body: string): ReplayRequest {
  return post('/json_rpc', body, BOTH, '/json_rpc');
}
