// Makes the chain and the transactions of the benchmark, once.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseTransaction, toHex } from '../../../packages/codec/dist/index.js';
import { transactionWeight } from '../../../packages/consensus/dist/index.js';
import { createBackend } from '../../../packages/crypto/dist/index.js';
import { makeChain } from './chain.mjs';
import { RecordWriter } from './records.mjs';
import { ScalarSource } from './secrets.mjs';
import { loadTestKit } from './test-kit.mjs';
import { makeTransactions, outputsFor } from './transactions.mjs';

/** Time of the newest block before that of the recording, seconds. */
const AGE = 3600;

/**
 * Returns the description of the recording in `dir`, which is made if it is not there: blocks.bin and txs.bin hold blobs as
 * records.mjs writes them.
 */
export async function makeRecording(dir, count, say) {
  const description = join(dir, 'recording.json');
  if (existsSync(description)) return JSON.parse(readFileSync(description, 'utf8'));
  mkdirSync(dir, { recursive: true });
  const begun = performance.now();
  const kit = await loadTestKit();
  const tools = {
    ...{ kit, backend: createBackend('native') },
    scalars: new ScalarSource('a full pool', kit.reduceScalar),
  };
  const newest = Math.floor(Date.now() / 1000) - AGE;
  const chain = makeChain(tools, outputsFor(count), newest);
  await write(join(dir, 'blocks.bin'), chain.blobs);
  say(`${chain.height} blocks with ${chain.outputs.length} outputs`);
  const totals = { bytes: 0, weight: 0, made: 0 };
  const counted = function* () {
    for (const blob of makeTransactions(tools, chain.outputs, count)) {
      totals.bytes += blob.length;
      totals.weight += transactionWeight(parseTransaction(blob));
      if (++totals.made % 5000 === 0) say(`${totals.made} transactions, ${totals.bytes} bytes`);
      yield blob;
    }
  };
  await write(join(dir, 'txs.bin'), counted());
  const made = {
    ...{ height: chain.height + 1, topHash: toHex(chain.topId), transactions: count },
    ...{ bytes: totals.bytes, weight: totals.weight },
    secondsToMake: Math.round((performance.now() - begun) / 1000),
  };
  writeFileSync(`${description}.new`, `${JSON.stringify(made, null, 2)}\n`);
  renameSync(`${description}.new`, description);
  return made;
}

async function write(file, records) {
  const writer = new RecordWriter(file);
  for (const record of records) await writer.add(record);
  await writer.close();
}
