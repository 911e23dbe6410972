// Row 13: what a web page in the operator's browser can send to the owner's port. The method has no effect.
import { count, crowd } from '../crowd.mjs';
import { HttpConnection, postRequest } from '../http.mjs';

/** @import { Attack } from '../attack.d.ts' */

const BODY = '{"jsonrpc":"2.0","id":"0","method":"get_bans"}';
/** @type {readonly { name: string, headers: Record<string, string> }[]} */
const ATTEMPTS = [
  {
    name: 'foreign Origin',
    headers: { 'Content-Type': 'text/plain', Origin: 'http://evil.example' },
  },
  { name: 'rebound Host', headers: { Host: 'evil.example:18081' } },
];
const REQUESTS = ATTEMPTS.map(({ name, headers }) => ({
  name,
  bytes: postRequest('/json_rpc', BODY, headers),
}));

/** @type {readonly Attack[]} */
export const attacks = [
  {
    id: '13',
    kind: 'rpc',
    judge: (counts) => Object.keys(counts).filter((name) => name.endsWith('HTTP 200')),
    what: "a web page calls a method of the owner's port",
    run: ({ ports }, counts) =>
      crowd(2, counts, async (address) => {
        for (const { name, bytes } of REQUESTS) {
          const connection = await HttpConnection.open(ports.rpc, address);
          count(counts, `${name}: HTTP ${await connection.ask(bytes)}`);
          connection.close();
        }
      }),
  },
];
