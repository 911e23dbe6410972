import type { Random } from '../recorder/random.ts';
import { httpBytes, type ReplayRequest } from './request.ts';

/** Calls that change the node even when half of their parameters are garbage. */
const ACTS = new Set([
  ...['stop_daemon', 'set_bans', 'pop_blocks', 'generateblocks', 'prune_blockchain', 'set_limit'],
  ...['start_mining', 'stop_mining', 'set_log_level', 'set_log_categories', 'set_bootstrap_daemon'],
  ...['in_peers', 'out_peers', 'set_log_hash_rate', 'save_bc', 'flush_txpool', 'flush_cache'],
]);

/** Largest invented body in bytes. */
const LONGEST = 4096;
const JSON_PIECES = [
  ...['{', '}', '[', ']', ',', ':', '"', '\\u', '\\', 'null', 'true', '-', '1e999', '0x', '\0'],
  ...['99999999999999999999999', '"params":', '"id":', '"method":', '"get_info"', '{"a":'],
];
const SIGNATURE = Buffer.from('011101010101020101', 'hex');

/** Returns the requests to corrupt: those with parameters that do not change the node. */
export function garblable(requests: readonly ReplayRequest[]): readonly ReplayRequest[] {
  return requests.filter(
    ({ call, open }) => open !== true && !ACTS.has(call.replace(/^\//, '')) && call !== 'HTTP',
  );
}

/** Returns the bytes of a request that no client would send: a corrupted valid request, or random pieces. */
export function garbage(random: Random, good: readonly ReplayRequest[]): Uint8Array {
  const { bytes } = random.choice(good);
  switch (random.integer(0, 7)) {
    case 0:
      return randomBytes(random, random.integer(1, LONGEST));
    case 1:
      return withBody(bytes, randomBytes(random, random.integer(0, LONGEST)));
    case 2:
      return withBody(bytes, jsonPieces(random));
    case 3:
      return withBody(
        bytes,
        Buffer.concat([SIGNATURE, randomBytes(random, random.integer(0, 200))]),
      );
    case 4:
      return withBody(bytes, garbled(random, bodyOf(bytes)));
    case 5:
      return withBody(bytes, bodyOf(bytes).subarray(0, random.integer(0, bodyOf(bytes).length)));
    case 6:
      return nested(random, bytes);
    default:
      return garbled(random, bytes);
  }
}

/** Flips, removes and repeats parts of the bytes. */
function garbled(random: Random, bytes: Uint8Array): Buffer {
  let result = Buffer.from(bytes);
  for (let i = random.integer(1, 8); i > 0 && result.length > 0; i--) {
    const at = random.integer(0, result.length - 1);
    const length = random.integer(1, Math.min(64, result.length - at));
    const kind = random.integer(0, 2);
    if (kind === 0) result[at] = random.integer(0, 255);
    else if (kind === 1) result = Buffer.concat([result.subarray(0, at), result.subarray(at + 1)]);
    else result = Buffer.concat([result.subarray(0, at + length), result.subarray(at)]);
  }
  return result;
}

function nested(random: Random, bytes: Uint8Array): Buffer {
  const depth = random.integer(50, 20_000);
  const opening = random.choice(['{"a":', '[', '{"params":[', '\u0004\u0001a\u000c']);
  const start = opening.startsWith('\u0004') ? SIGNATURE : Buffer.alloc(0);
  return withBody(bytes, Buffer.concat([start, Buffer.from(opening.repeat(depth), 'latin1')]));
}

const randomBytes = (random: Random, length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => random.integer(0, 255)));

const jsonPieces = (random: Random): Buffer =>
  Buffer.from(
    `{${Array.from({ length: random.integer(1, 60) }, () => random.choice(JSON_PIECES)).join('')}`,
    'latin1',
  );

const bodyOf = (request: Uint8Array): Buffer => {
  const bytes = Buffer.from(request);
  return bytes.subarray(bytes.indexOf('\r\n\r\n') + 4);
};

/** Returns the request with another body and a matching length header. */
function withBody(request: Uint8Array, body: Uint8Array): Buffer {
  const [, path = '/'] = Buffer.from(request).toString('latin1').split(' ', 2);
  return httpBytes({ path, body });
}
