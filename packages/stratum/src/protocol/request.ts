/** The id of a request, which its answer repeats. */
export type RequestId = string | number | null;

/** What a rig asks for. */
export type Request =
  | {
      readonly method: 'login';
      readonly id: RequestId;
      readonly login: string;
      readonly password: string;
      readonly agent: string;
      /** Name of the rig, where its program has one. */
      readonly rigName: string;
      /** Names of the algorithms that it knows; undefined: it did not say. */
      readonly algorithms: readonly string[] | undefined;
    }
  | { readonly method: 'getjob' | 'keepalived'; readonly id: RequestId; readonly session: string }
  | {
      readonly method: 'submit';
      readonly id: RequestId;
      readonly session: string;
      readonly jobId: string;
      readonly nonce: string;
      readonly result: string;
    };

/** Thrown for a line that is no request; the message is the answer. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  /** The id to answer with. */
  readonly id: RequestId;

  constructor(message: string, id: RequestId = null) {
    super(message);
    this.id = id;
  }
}

/** Characters of an id that is repeated. */
const MAX_ID = 64;
/** Algorithms that are looked at. */
const MAX_ALGORITHMS = 256;

/**
 * Reads a line of a rig: a request of JSON-RPC as xmrig and xmrig-proxy write it. Fields that are missing or of another type are empty.
 *
 * Throws RequestError for anything that is not a request with a known method.
 */
export function readRequest(line: string): Request {
  const request = objectOf(line);
  if (request === undefined) throw new RequestError('Malformed request');
  const id = idOf(request['id']);
  const params = plainObject(request['params']) ?? {};
  const text = (name: string): string => textOf(params[name]);
  const { method } = request;
  switch (method) {
    case 'login':
      return {
        method,
        id,
        login: text('login'),
        password: text('pass'),
        agent: text('agent'),
        rigName: text('rigid'),
        algorithms: algorithmsOf(params['algo']),
      };
    case 'getjob':
    case 'keepalived':
      return { method, id, session: text('id') };
    case 'submit':
      return {
        method,
        id,
        session: text('id'),
        jobId: text('job_id'),
        nonce: text('nonce'),
        result: text('result'),
      };
    default:
      throw new RequestError('Invalid method', id);
  }
}

function objectOf(line: string): Record<string, unknown> | undefined {
  try {
    return plainObject(JSON.parse(line));
  } catch {
    // Not JSON, or nested too deeply.
    return undefined;
  }
}

function plainObject(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Record<string, unknown>;
}

function idOf(value: unknown): RequestId {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.length <= MAX_ID ? value : null;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function algorithmsOf(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.slice(0, MAX_ALGORITHMS).map(textOf) : undefined;
}
