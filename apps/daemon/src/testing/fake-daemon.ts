import { RpcCallError, type JsonObject, type RpcCaller } from '@monero-node/rpc';

/** A daemon that gives prepared answers and remembers what it was asked. */
export class FakeDaemon implements RpcCaller {
  readonly asked: [target: string, request: unknown][] = [];
  readonly #answers: Readonly<Record<string, JsonObject | Error>>;

  constructor(answers: Readonly<Record<string, JsonObject | Error>>) {
    this.#answers = answers;
  }

  method(name: string, params: unknown = {}): Promise<JsonObject> {
    return this.#answer(name, params);
  }

  path(path: string, request: unknown = {}): Promise<JsonObject> {
    return this.#answer(path, request);
  }

  #answer(target: string, request: unknown): Promise<JsonObject> {
    this.asked.push([target, request]);
    const answer = this.#answers[target] ?? new RpcCallError('not available from this daemon');
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  }
}
