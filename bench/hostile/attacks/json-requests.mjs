// Rows 5, 7 and 8: RPC requests whose answers are long, or long in the making.
import { count, crowd } from '../crowd.mjs';
import { HttpConnection, postRequest } from '../http.mjs';

/** @import { Attack, ChainFacts, Run } from '../attack.d.ts' */

/**
 * Asks the same again and again, on `attackers` connections at once.
 *
 * @type {(attackers: number, port: 'rpc' | 'restricted', requestOf: (chain: ChainFacts) => Buffer) => Run}
 */
const keepAsking =
  (attackers, port, requestOf) =>
  ({ ports, chain }, counts) => {
    const request = requestOf(chain);
    return crowd(attackers, counts, async (address) => {
      const connection = await HttpConnection.open(ports[port], address);
      try {
        for (;;) count(counts, `HTTP ${await connection.ask(request)}`);
      } finally {
        connection.close();
      }
    });
  };

/** Objects in objects: in the answer, every member of the innermost one is indented 96 times. */
function nestedId() {
  const [depth, members] = [96, 50_000];
  const inner = Array.from({ length: members }, (_, i) => `"${i.toString(36)}":1`).join();
  return `${'{"a":'.repeat(depth - 1)}{${inner}}${'}'.repeat(depth - 1)}`;
}

/**
 * @param {string} method
 * @param {string} params
 */
const call = (method, params, id = '0') =>
  postRequest('/json_rpc', `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`);
/** @param {number} length */
const amounts = (length) => `[${Array.from({ length }, (_, i) => i).join()}]`;

/** @type {readonly Attack[]} */
export const attacks = [
  {
    id: '5',
    kind: 'rpc',
    what: 'id nested 96 deep, 525 kB (12 clients, restricted port)',
    run: keepAsking(12, 'restricted', () => call('get_version', '{}', nestedId())),
  },
  {
    id: '7a',
    kind: 'rpc',
    what: 'one large transaction 15,000 times as JSON (2 clients)',
    run: keepAsking(2, 'rpc', ({ largest }) => {
      const ids = Array.from({ length: 15_000 }, () => largest.id);
      const asked = { txs_hashes: ids, decode_as_json: true };
      return postRequest('/get_transactions', JSON.stringify(asked));
    }),
  },
  {
    id: '7b',
    kind: 'rpc',
    what: 'output distribution of 500,000 amounts (2 clients)',
    run: keepAsking(2, 'rpc', () =>
      call('get_output_distribution', `{"amounts":[${'0,'.repeat(499_999)}0],"binary":false}`),
    ),
  },
  {
    id: '8',
    kind: 'rpc',
    what: 'histogram of 100,000 amounts (24 clients, restricted port)',
    run: keepAsking(24, 'restricted', () =>
      call('get_output_histogram', `{"amounts":${amounts(100_000)},"recent_cutoff":${now()}}`),
    ),
  },
];

/** A restricted port answers only about recent outputs. */
function now() {
  return Math.floor(Date.now() / 1000);
}
