import { expect } from '@jest/globals';
import { withoutAllowed } from './allowed-differences.ts';
import { formatJson, parseJson, type Json } from './json.ts';
import type { RpcClient } from './rpc-client.ts';
import {
  decodeStorage,
  encodeStorage,
  isSection,
  type Section,
  type Value,
} from './portable-storage.ts';

/** Returns a value with its bytes in hex, so that differences are readable. */
function readable(value: Value): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Array.isArray(value)) return value.map(readable);
  if (!isSection(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, readable(each)]));
}

/**
 * Sends the same request to two nodes and compares the answers: status, content type and every field in
 * which no difference is allowed.
 */
export class Comparison {
  readonly #ours: RpcClient;
  readonly #theirs: RpcClient;

  constructor(ours: RpcClient, theirs: RpcClient) {
    this.#ours = ours;
    this.#theirs = theirs;
  }

  /** Compares a JSON-RPC call, including error answers. */
  async call(method: string, params?: Json): Promise<void> {
    const request = {
      jsonrpc: '2.0',
      id: '0',
      method,
      params,
    };
    await this.#json('/json_rpc', formatJson(request), (answer) => {
      const { result, ...envelope } = answer as { result?: Json };
      return { call: method, result: result ?? null, envelope: envelope as Json };
    });
  }

  /** Compares a JSON path. */
  async path(path: string, body: Json = {}): Promise<void> {
    await this.#json(path, formatJson(body), (answer) => ({
      call: path,
      result: answer,
      envelope: null,
    }));
  }

  async #json(
    path: string,
    body: string,
    take: (answer: Json) => { call: string; result: Json; envelope: Json },
  ): Promise<void> {
    const [mine, theirs] = await Promise.all(
      [this.#ours, this.#theirs].map((client) => client.post(path, body, 'application/json')),
    );
    if (mine === undefined || theirs === undefined) throw new Error('no answers');
    const head = { asked: `${path} ${body.slice(0, 300)}` };
    expect({ ...head, status: mine.status, type: mine.contentType }).toEqual({
      ...head,
      status: theirs.status,
      type: theirs.contentType,
    });
    if (theirs.status !== 200) return;
    // Most answers are equal byte for byte; only the others are decoded.
    if (mine.body.equals(theirs.body)) return;
    const left = take(parseJson(mine.body.toString('latin1')));
    const right = take(parseJson(theirs.body.toString('latin1')));
    const [ours, wanted] = withoutAllowed(left.call, left.result, right.result);
    expect({ ...head, result: ours, envelope: left.envelope }).toEqual({
      ...head,
      result: wanted,
      envelope: right.envelope,
    });
  }

  /** Compares a binary path. */
  async binary(path: string, asked: Section): Promise<void> {
    const [mine, theirs] = await Promise.all(
      [this.#ours, this.#theirs].map((client) =>
        client.post(path, encodeStorage(asked), 'application/octet-stream'),
      ),
    );
    if (mine === undefined || theirs === undefined) throw new Error('no answers');
    expect({ path, status: mine.status }).toEqual({ path, status: theirs.status });
    if (theirs.status !== 200 || mine.body.equals(theirs.body)) return;
    const [ours, wanted] = withoutAllowed(
      path,
      decodeStorage(mine.body),
      decodeStorage(theirs.body),
    );
    expect(readable(ours)).toEqual(readable(wanted));
  }
}
