import type { RpcMethod } from '../../method.ts';
import { asText, type Body } from './write-answer.ts';

/** An HTTP answer without the headers that every answer has. */
export interface Reply {
  readonly status: number;
  /** Reason phrase. */
  readonly phrase: string;
  readonly contentType: string | undefined;
  readonly body: Body;
  readonly close: boolean;
  /** Name of the method that was called, when the path does not name it. */
  readonly method?: string | undefined;
  /** Set for an answer with status 200 that says why the call failed. */
  readonly failed?: true | undefined;
  /** The method of the answer, if the answer stays valid until the chain changes. */
  readonly steady?: RpcMethod | undefined;
  /** The method that a JSON-RPC call named, as the client wrote it. */
  readonly called?: string;
  /** More headers, names and values alternating; sent last. */
  readonly headers?: readonly string[] | undefined;
}

const EMPTY: Body = { chunks: [], length: 0 };

/** monerod's spelling, which is `Ok` for everything but OPTIONS. */
export const jsonReply = (body: Body): Reply => ok('application/json', body);

/**
 * Returns an answer of a method in the form in which it is kept until the chain changes, if the method is steady: its body is one
 * text, which takes no more memory than it is long. A long answer, whose rest is made only once, is not kept. The fields are
 * named, because copies of objects of several shapes take V8 microseconds.
 */
export function keptForm(reply: Reply, method: RpcMethod): Reply {
  const { chunks, length, rest } = reply.body;
  if (method.steady !== true || rest !== undefined) return reply;
  return {
    status: reply.status,
    phrase: reply.phrase,
    contentType: reply.contentType,
    body: { chunks: [asText(chunks)], length },
    close: reply.close,
    steady: method,
  };
}

/**
 * Returns the answer to a call of a method under the name that the client gave. The fields are named for
 * speed, as in `keptForm`.
 */
export function callReply(reply: Reply, { name }: RpcMethod, called: string): Reply {
  return {
    status: reply.status,
    phrase: reply.phrase,
    contentType: reply.contentType,
    body: reply.body,
    close: reply.close,
    failed: reply.failed,
    steady: reply.steady,
    headers: reply.headers,
    method: name,
    called,
  };
}

/** monerod sends two spaces before this type; the second is part of the value here. */
export const binaryReply = (body: Body): Reply => ok(' application/octet-stream', body);

function ok(contentType: string, body: Body): Reply {
  return { status: 200, phrase: 'Ok', contentType, body, close: false };
}

/** Marks an answer that says why the call failed. */
export const asFailed = (reply: Reply): Reply => ({ ...reply, failed: true });

function plain(status: number, phrase: string, close = false): Reply {
  return { status, phrase, contentType: 'text/plain', body: EMPTY, close };
}

const UNAUTHORIZED_BODY = Buffer.from(
  '<html><head><title>Unauthorized Access</title></head><body><h1>401 Unauthorized</h1></body></html>',
);

/** Returns the reply that requests a login with the given challenge headers. */
export const unauthorized = (headers: readonly string[]): Reply => ({
  status: 401,
  phrase: 'Unauthorized',
  contentType: 'text/html',
  body: { chunks: [UNAUTHORIZED_BODY], length: UNAUTHORIZED_BODY.length },
  close: false,
  headers,
});

/** Returns the refusal of a request that a web page made, with the reason as its text. */
export function forbidden(reason: string): Reply {
  const body = `${reason}\n`;
  return { ...plain(403, 'Forbidden'), body: { chunks: [body], length: body.length } };
}

const TOO_MANY_TEXT = 'Too many connections of this address are in use.\n';
/** The answer to a request of a client whose proxy uses too many connections for it. */
export const TOO_MANY_CONNECTIONS: Reply = {
  ...plain(429, 'Too Many Requests', true),
  body: { chunks: [TOO_MANY_TEXT], length: TOO_MANY_TEXT.length },
};

/** Seconds after which a client that was refused for lack of time should ask again. */
const RETRY_AFTER = ['Retry-After', '2'];
const GREEDY_TEXT = 'This client calls more than its share while others wait.\n';
/** The answer to a call that had to wait for too long, of a client that has more of them than others. */
export const TOO_MANY_CALLS: Reply = {
  ...plain(429, 'Too Many Requests'),
  body: { chunks: [GREEDY_TEXT], length: GREEDY_TEXT.length },
  headers: RETRY_AFTER,
};
const OVERLOADED_TEXT = 'The node has more calls than it can answer.\n';
/** The answer to a call that had to wait for too long; another node may answer it. */
export const OVERLOADED: Reply = {
  ...plain(503, 'Service Unavailable'),
  body: { chunks: [OVERLOADED_TEXT], length: OVERLOADED_TEXT.length },
  headers: RETRY_AFTER,
};

export const NOT_FOUND: Reply = plain(404, 'Not found');
export const BAD_REQUEST: Reply = plain(400, 'Bad request');
export const SERVER_ERROR: Reply = plain(500, 'Internal Server Error', true);
/** The only failure of `/json_rpc` without a JSON body: `method` is not a string. */
export const JSON_RPC_SERVER_ERROR: Reply = { ...SERVER_ERROR, contentType: 'application/json' };
export const OPTIONS_REPLY: Reply = {
  status: 200,
  phrase: 'OK',
  contentType: undefined,
  body: EMPTY,
  close: false,
};
