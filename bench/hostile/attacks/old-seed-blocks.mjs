// Row seeds: blocks on old parents, each of another RandomX seed than the block before.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ADDRESS } from '../../nodes.mjs';
import { Rpc } from '../../rpc.mjs';
import { present } from '../../values.mjs';
import { count, crowd } from '../crowd.mjs';
import { HttpConnection, postRequest } from '../http.mjs';
import { COMMAND, Peer, notify } from '../peer.mjs';
import { body, object, string, u64 } from '../storage.mjs';

/** @import { Attack, Counts, Target } from '../attack.d.ts' */

/** Seeds change every 64 blocks, so that the chain of the bench has ten. */
const env = { SEEDHASH_EPOCH_BLOCKS: '64', SEEDHASH_EPOCH_LAG: '8' };
/** Every second hash is bad. */
const fixedDifficulty = '2';
const SEED_BLOCKS = 64;
/** Position of the nonce in a block of the bench, after two versions, a timestamp and the id of the parent. */
const NONCE = 39;
const GIVE_UP_MS = 500;
const ANSWER_MS = 500;

/**
 * Returns blocks on parents in different epochs.
 *
 * @param {Target} target
 */
async function templates({ ports, chain }) {
  const rpc = new Rpc(ports.rpc);
  /** @type {Buffer[]} */
  const blocks = [];
  for (let height = SEED_BLOCKS; height < chain.height - 2 * SEED_BLOCKS; height += SEED_BLOCKS) {
    const { blocktemplate_blob: blob } = await rpc.call('get_block_template', {
      wallet_address: ADDRESS,
      reserve_size: 8,
      prev_block: chain.ids[height],
    });
    blocks.push(Buffer.from(blob, 'hex'));
  }
  rpc.close();
  return blocks;
}

/**
 * Returns a function that returns a new block at each call, of another seed than the last one.
 *
 * @param {Target} target
 */
async function manyBlocks(target) {
  const blocks = await templates(target);
  let made = 0;
  return () => {
    const block = Buffer.from(present(blocks[made++ % blocks.length]));
    randomBytes(4).copy(block, NONCE);
    return block;
  };
}

/** @param {Buffer} block */
const submission = (block) =>
  postRequest(
    '/json_rpc',
    JSON.stringify({
      jsonrpc: '2.0',
      id: '0',
      method: 'submit_block',
      params: [block.toString('hex')],
    }),
  );

/**
 * Clients that submit blocks; every second one leaves before it has the answer.
 *
 * @param {Target} target
 * @param {Counts} counts
 */
async function submitAll(target, counts) {
  const next = await manyBlocks(target);
  await crowd(20, counts, async (address) => {
    const connection = await HttpConnection.open(target.ports.restricted, address);
    const answered = connection.ask(submission(next())).then(() => count(counts, 'answers'));
    const waits = Math.random() < 0.5 ? [answered] : [answered, sleep(GIVE_UP_MS)];
    await Promise.race(waits).finally(() => connection.close());
    answered.catch(() => {});
  });
}

/**
 * @param {Target} target
 * @param {Counts} counts
 */
async function tellAll(target, counts) {
  const { ports, chain } = target;
  const next = await manyBlocks(target);
  await crowd(15, counts, async (address) => {
    const peer = await Peer.open(ports.p2p, address, chain);
    while (!peer.isClosed) {
      const entry = object('b', [string('block', next())]);
      const fields = [entry, u64('current_blockchain_height', chain.height)];
      await peer.send(notify(COMMAND.newFluffyBlock, body(fields)));
      count(counts, 'blocks');
      await Promise.race([peer.closed, sleep(ANSWER_MS)]);
    }
  });
}

/** @type {readonly Attack[]} */
export const attacks = [
  {
    id: 'seeds-a',
    kind: 'rpc',
    what: 'blocks of ten old seeds (20 clients, restricted port)',
    node: { env, fixedDifficulty },
    maxBlockMs: 1000,
    run: submitAll,
  },
  {
    id: 'seeds-b',
    kind: 'p2p',
    what: 'blocks of ten old seeds (15 peers)',
    node: { env, fixedDifficulty },
    maxBlockMs: 3000,
    run: tellAll,
  },
];
