import { request } from 'node:http';

export interface HttpReply {
  readonly status: number;
  readonly phrase: string;
  readonly type: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Sends one request to the loopback interface, on a connection of its own. */
export function ask(
  port: number,
  options: {
    verb?: string;
    path: string;
    body?: Uint8Array | string;
    headers?: Record<string, string>;
  },
): Promise<HttpReply> {
  const body = Buffer.from(options.body ?? '');
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: '127.0.0.1',
        port,
        method: options.verb ?? 'POST',
        path: options.path,
        agent: false,
        headers: { ...options.headers, 'Content-Length': body.length },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            phrase: response.statusMessage ?? '',
            type: response.headers['content-type'],
            headers: response.headers,
            body: Buffer.concat(chunks),
          });
        });
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}
