// Follows the chain through a broker and appends to a file what it is told, a line a call. It is killed at any moment; when
// it starts again, the file says where it was.
//
//   node journal-consumer.mjs SERVER PREFIX STREAM FILE
import { closeSync, existsSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { fromHex, toHex } from '@monero-node/codec';
import { connectEvents, EventStream } from '@monero-node/events';

const [, , servers, prefix, stream, path] = process.argv;

/** Returns where the file ends: the newest line that is whole, and those below that were not removed. */
function readJournal() {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) truncateSync(path, whole.length);
  const blocks = [];
  let sequence;
  for (const line of whole.split('\n')) {
    if (line === '') continue;
    const entry = JSON.parse(line);
    if (entry.type === 'apply') blocks.push(entry);
    else blocks.pop();
    ({ sequence } = entry);
  }
  return { blocks, sequence };
}

let { blocks, sequence: last } = readJournal();
const file = openSync(path, 'a');

/** One call of the system writes all lines, so that a kill leaves all of them or none, or cuts one that is dropped. */
function write(entries) {
  writeSync(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
}

const handler = {
  tip: async () => {
    const top = blocks.at(-1);
    return top && { height: top.height, id: fromHex(top.id), sequence: last };
  },
  apply: (block, position) => handler.applyMany([{ block, position }]),
  applyMany: async (placed) => {
    const entries = placed.map(({ block, position }) => ({
      type: 'apply',
      height: block.height,
      id: toHex(block.id),
      sequence: position.sequence,
    }));
    write(entries);
    blocks.push(...entries);
    last = entries.at(-1).sequence;
  },
  revert: async ({ height, id }, { sequence }) => {
    write([{ type: 'revert', height, id: toHex(id), sequence }]);
    blocks.pop();
    last = sequence;
  },
};

const connection = await connectEvents({ servers });
const events = new EventStream({ prefix, stream }, { connection, handler });
await events.start();
process.on('SIGTERM', async () => {
  await events.stop();
  await connection.close();
  closeSync(file);
  process.exit(0);
});
