import { formatJson, type Json } from '../harness/json.ts';
import { encodeStorage, type Section } from '../harness/portable-storage.ts';

/** A request that is sent to both daemons. */
export interface ReplayRequest {
  /** Says what it is; unique. */
  readonly name: string;
  /** Method or path whose answer comes back; what differences are listed by. */
  readonly call: string;
  readonly bytes: Uint8Array;
  /** Also, or only, to the restricted listener. */
  readonly listeners: readonly Listener[];
  /** No body follows the headers (HEAD). */
  readonly bodyless?: boolean;
  /** The server may rightly wait for more. */
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

/** The bytes of a request over HTTP/1.1. */
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

/** A JSON-RPC call; without `params` the member is absent. */
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

/** Any body to a path. */
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

/** A JSON path. */
export function json(
  path: string,
  body: Json = {},
  listeners: readonly Listener[] = BOTH,
): ReplayRequest {
  return post(path, formatJson(body), listeners);
}

/** A binary path. */
export function binary(
  path: string,
  body: Section,
  listeners: readonly Listener[] = BOTH,
  name?: string,
): ReplayRequest {
  const request = post(path, encodeStorage(body), listeners);
  return name === undefined ? request : { ...request, name: `${path} ${name}` };
}

/** A body sent to `/json_rpc` that need not be a call. */
export function envelope(body: string): ReplayRequest {
  return post('/json_rpc', body, BOTH, '/json_rpc');
}
