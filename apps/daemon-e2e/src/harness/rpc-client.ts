import { Agent, request } from 'node:http';
import { formatJson, isObject, parseJson, stringOf, type Json, type JsonObject } from './json.ts';
import { LOOPBACK } from './ports.ts';
import { decodeStorage, encodeStorage, type Section } from './portable-storage.ts';

/** The server answered a JSON-RPC call with an error object. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly reason: string;

  constructor(method: string, code: number, reason: string) {
    super(`${method}: ${reason} (${code})`);
    this.code = code;
    this.reason = reason;
  }
}

export interface HttpAnswer {
  status: number;
  contentType: string;
  body: Buffer;
}

/** HTTP client for one node or wallet, on loopback unless another host is named. */
export class RpcClient {
  readonly port: number;
  readonly timeout: number;
  readonly #host: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 2 });

  constructor(port: number, timeout = 120_000, host = LOOPBACK) {
    this.port = port;
    this.timeout = timeout;
    this.#host = host;
  }

  /** Sends a POST request. Repeats it once if the server has closed the kept connection in the meantime. */
  async post(path: string, body: string | Uint8Array, contentType: string): Promise<HttpAnswer> {
    try {
      return await this.#post(path, body, contentType);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code !== 'ECONNRESET' && code !== 'EPIPE') throw error;
      return this.#post(path, body, contentType);
    }
  }

  #post(path: string, body: string | Uint8Array, contentType: string): Promise<HttpAnswer> {
    const bytes = Buffer.from(body as Uint8Array);
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: this.#host,
          port: this.port,
          path,
          method: 'POST',
          agent: this.#agent,
          timeout: this.timeout,
          headers: { 'Content-Type': contentType, 'Content-Length': bytes.length },
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.once('error', reject);
          response.once('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              contentType: response.headers['content-type'] ?? '',
              body: Buffer.concat(parts),
            }),
          );
        },
      );
      sent.once('timeout', () => sent.destroy(new Error(`${path}: no answer in time`)));
      sent.once('error', reject);
      sent.end(bytes);
    });
  }

  /** Makes a JSON-RPC call. Throws RpcError for an error answer. */
  async call(method: string, params?: Json): Promise<JsonObject> {
    const result = await this.callRaw(method, params);
    if (!isObject(result)) throw new Error(`${method}: the result is not an object`);
    return result;
  }

  /** Like {@link call}, for methods whose result is a string. */
  async callRaw(method: string, params?: Json): Promise<Json> {
    const envelope = {
      jsonrpc: '2.0',
      id: '0',
      method,
      params,
    };
    const answer = await this.post('/json_rpc', formatJson(envelope), 'application/json');
    if (answer.status !== 200) throw new RpcError(method, answer.status, `HTTP ${answer.status}`);
    // latin1, because some strings hold raw bytes and no compared text needs UTF-8
    const document = parseJson(answer.body.toString('latin1'));
    if (!isObject(document)) throw new Error(`${method}: the answer is not an object`);
    const error = document['error'];
    if (isObject(error)) {
      throw new RpcError(method, Number(error['code']), stringOf(error, 'message'));
    }
    return document['result'] ?? null;
  }

  /** Calls a JSON path, for example /get_info. Throws RpcError when the HTTP status is not 200. */
  async path(path: string, body: JsonObject = {}): Promise<JsonObject> {
    const answer = await this.post(path, formatJson(body), 'application/json');
    if (answer.status !== 200) throw new RpcError(path, answer.status, `HTTP ${answer.status}`);
    const document = parseJson(answer.body.toString('latin1'));
    if (!isObject(document)) throw new Error(`${path}: the answer is not an object`);
    return document;
  }

  /** Calls a binary path; returns the bytes of the answer. */
  async binaryRaw(path: string, body: Section): Promise<Buffer> {
    const answer = await this.post(path, encodeStorage(body), 'application/octet-stream');
    if (answer.status !== 200) throw new RpcError(path, answer.status, `HTTP ${answer.status}`);
    return answer.body;
  }

  async binary(path: string, body: Section): Promise<Section> {
    return decodeStorage(await this.binaryRaw(path, body));
  }

  close(): void {
    this.#agent.destroy();
  }
}
