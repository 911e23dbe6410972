// The proofs of a block of FCMP++ transactions through a verification pool, and how long the event loop stands still meanwhile.
//
//   npm run bench -- fcmp-block [--threads N] [--rounds N] [--out FILE]
//
// A block has 40 transactions of one or two inputs over a tree of seven layers. Time is that of the clock, so a machine that does
// other work needs longer; the processor time of all threads stands beside it. Of a stall, the time in which the thread waited for
// a processor is left out.
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { clearInterval, setInterval } from 'node:timers';
import { parseArgs } from 'node:util';
import { createVerificationPool } from '@monero-node/crypto';
import { publishedProof } from './fcmp.mjs';
import { schedule } from './hostile/report-stalls.mjs';
import { machineText, warnWhenBusy } from './machine.mjs';
import { median } from './statistics.mjs';

/** @import { VerificationPool } from '@monero-node/crypto' */

const TRANSACTIONS = 40;
const LOOK_MS = 2;
const INPUTS = [1, 2];
/** Every thread has loaded the verifier and made its tables by then. */
const WARM_UP_ROUNDS = 2;

/**
 * Watches the event loop of this thread, and returns a function that ends this and returns the most milliseconds for which it ran
 * without a break.
 */
function watchLoop() {
  const descriptor = openSync('/proc/self/schedstat', 'r');
  const buffer = Buffer.alloc(128);
  let last = schedule(descriptor, buffer).ran;
  let longest = 0;
  const look = () => {
    const { ran } = schedule(descriptor, buffer);
    longest = Math.max(longest, ran - last);
    last = ran;
  };
  const timer = setInterval(look, LOOK_MS);
  return () => {
    clearInterval(timer);
    look();
    closeSync(descriptor);
    return longest;
  };
}

/**
 * Verifies one block. Throws Error when a proof is refused.
 *
 * @param {VerificationPool} pool
 * @param {number} inputs of each transaction
 * @returns {Promise<{ milliseconds: number, processorMilliseconds: number, stall: number }>} the stall in milliseconds too
 */
async function verifyBlock(pool, inputs) {
  const proofs = Array.from({ length: TRANSACTIONS }, () => publishedProof(inputs));
  const stopWatching = watchLoop();
  const processor = process.cpuUsage();
  const before = performance.now();
  const [valid] = await pool.check({ kind: 'fcmp-plus-plus', proofs });
  const milliseconds = performance.now() - before;
  const { user, system } = process.cpuUsage(processor);
  const stall = stopWatching();
  if (valid !== true) throw new Error('a valid proof was refused');
  return {
    milliseconds,
    processorMilliseconds: (user + system) / 1000,
    stall,
  };
}

/** @param {string[]} args */
export async function fcmpBlock(args) {
  const { values } = parseArgs({
    args,
    options: {
      threads: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '7' },
      out: { type: 'string', default: 'bench-fcmp-block.json' },
    },
  });
  const threads = Number(values.threads);
  const rounds = Number(values.rounds);
  const pool = createVerificationPool({
    threads,
    fcmpModule: import.meta.resolve('@monero-node/fcmp/verifier'),
  });
  const rows = [];
  try {
    for (const inputs of INPUTS) {
      for (let i = 0; i < WARM_UP_ROUNDS; i++) await verifyBlock(pool, inputs);
      const blocks = [];
      for (let i = 0; i < rounds; i++) blocks.push(await verifyBlock(pool, inputs));
      rows.push({
        inputs,
        median: median(blocks.map(({ milliseconds }) => milliseconds)),
        longest: Math.max(...blocks.map(({ milliseconds }) => milliseconds)),
        processor: median(blocks.map(({ processorMilliseconds }) => processorMilliseconds)),
        stall: Math.max(...blocks.map(({ stall }) => stall)),
      });
    }
  } finally {
    await pool.close();
  }
  const machine = machineText();
  console.log(
    `\n${machine}; milliseconds for ${TRANSACTIONS} transactions of seven layers on ${threads} threads, ${rounds} times\n`,
  );
  for (const { inputs, median: middle, longest, processor, stall } of rows) {
    const numbers = [middle, longest, processor, stall].map((each) => each.toFixed(0));
    const [usual, most, used, still] = numbers;
    console.log(
      `inputs of each ${inputs}: median ${usual}, longest ${most}, processor time ${used}; longest stall of the event loop ${still}`,
    );
  }
  warnWhenBusy();
  const result = { date: new Date().toISOString(), machine, threads, rounds, rows };
  writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`);
}
