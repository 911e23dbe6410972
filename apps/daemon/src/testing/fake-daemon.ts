import { parseJson64, stringifyJson64, type JsonValue } from '@monero-node/codec';
import { RpcClient, RpcHttpError, type RpcTransport } from '@monero-node/rpc-client';

/** Answers by method or path. Objects are sent with the status OK. */
type Answers = Readonly<Record<string, { [name: string]: JsonValue } | Error>>;

/** A client of a daemon that sends prepared answers and records the requests. */
export class FakeDaemon extends RpcClient {
  readonly asked: readonly [target: string, request: JsonValue][];

  constructor(answers: Answers) {
    const asked: [string, JsonValue][] = [];
    super({ transport: transportTo(answers, asked) });
    this.asked = asked;
  }
}

function transportTo(answers: Answers, asked: [string, JsonValue][]): RpcTransport {
  return {
    post: (path, _contentType, body) => {
      const request = parseJson64(body) as { method?: string; params?: JsonValue };
      const isCall = path === '/json_rpc';
      const target = isCall ? (request.method ?? '') : path;
      asked.push([target, isCall ? (request.params ?? {}) : request]);
      const answer = answers[target] ?? new RpcHttpError(path, 404);
      if (answer instanceof Error) return Promise.reject(answer);
      const result = { status: 'OK', ...answer };
      const whole = isCall ? { jsonrpc: '2.0', id: 0, result } : result;
      return Promise.resolve(Buffer.from(stringifyJson64(whole)));
    },
    close: () => undefined,
  };
}
