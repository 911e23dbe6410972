// Verifies a transaction of two inputs and two outputs with WebAssembly in headless Chromium and in Node, and compares.
//
//   npm run bench -- browser-verify [--rounds 5] [--out FILE]
//
// One bundle, made by esbuild without any shim, runs in both, by turns: signatures, range proof, balance, key images and keys.
// Each round is a fresh process and the median of 40 verifications after a warm-up. Needs Chromium.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { build } from 'esbuild';
import { warnWhenBusy } from './machine.mjs';
import { transaction } from './crypto/proofs.mjs';
import { median } from './statistics.mjs';

const run = promisify(execFile);
const LIMIT_MS = 120_000;
const CRYPTO = fileURLToPath(new URL('../packages/crypto/dist/index.js', import.meta.url));

/**
 * Returns a value as JavaScript source.
 *
 * @param {unknown} value
 * @returns {string}
 */
function sourceOf(value) {
  if (value instanceof Uint8Array) return `Uint8Array.of(${value.join(',')})`;
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return `[${value.map(sourceOf).join(',')}]`;
  const fields = Object.entries(Object(value)).map(([name, field]) => `${name}:${sourceOf(field)}`);
  return `{${fields.join(',')}}`;
}

const program = `
import { createWasmBackend } from ${JSON.stringify(CRYPTO)};
const { clsags, rangeProof, balance, keyImages, outputKeys } = ${sourceOf(transaction)};
const backend = createWasmBackend();
function verify() {
  const answers = [
    ...keyImages.map((each) => backend.isValidKeyImage(each)),
    ...outputKeys.map((each) => backend.isPoint(each)),
    backend.verifyBalance(balance),
    backend.verifyBulletproofPlus([rangeProof]),
    ...backend.verifyClsag(clsags),
  ];
  if (!answers.every(Boolean)) throw new Error('a recorded proof does not verify');
}
function timed() {
  const begin = performance.now();
  verify();
  return performance.now() - begin;
}
const WARM_UP = 20;
const times = Array.from({ length: WARM_UP + 40 }, timed).slice(WARM_UP).sort((a, b) => a - b);
const result = 'median ' + times[20] + ' ms';
if (typeof document === 'undefined') console.log(result);
else document.body.textContent = result;
`;

/**
 * Returns the milliseconds in the output of the program. Throws Error when there are none.
 *
 * @param {string} output
 */
function millisecondsIn(output) {
  const [, text] = /median ([\d.]+) ms/.exec(output) ?? [];
  if (text === undefined) throw new Error(`the program printed no time: ${output.slice(0, 500)}`);
  return Number(text);
}

/** @param {string} dir */
async function inNode(dir) {
  const { stdout } = await run(process.execPath, [join(dir, 'program.js')], { timeout: LIMIT_MS });
  return millisecondsIn(stdout);
}

/** @param {string} dir */
async function inChromium(dir) {
  const profile = mkdtempSync(join(dir, 'profile-'));
  const flags = [
    ...['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run'],
    ...['--disable-background-networking', `--user-data-dir=${profile}`],
    ...['--dump-dom', `file://${join(dir, 'page.html')}`],
  ];
  const { stdout } = await run(process.env.CHROMIUM ?? 'chromium', flags, { timeout: LIMIT_MS });
  return millisecondsIn(stdout);
}

/** @param {string[]} args */
export async function browserVerify(args) {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '5' },
      out: { type: 'string', default: 'bench-browser-verify.json' },
    },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds needs a whole number');
  const dir = mkdtempSync(join(tmpdir(), 'monero-node-bench-'));
  try {
    await build({
      stdin: { contents: program, resolveDir: dir },
      outfile: join(dir, 'program.js'),
      bundle: true,
      format: 'iife',
      platform: 'browser',
      target: 'es2022',
      logLevel: 'error',
    });
    writeFileSync(
      join(dir, 'page.html'),
      '<!doctype html><body></body><script src="program.js"></script>',
    );
    /** @type {Record<'node' | 'chromium', number[]>} */
    const runs = { node: [], chromium: [] };
    for (let round = 0; round < rounds; round++) {
      runs.node.push(await inNode(dir));
      runs.chromium.push(await inChromium(dir));
    }
    const [node, chromium] = [median(runs.node), median(runs.chromium)];
    const ratio = chromium / node;
    console.table([
      { 'Node, ms': node.toFixed(2), 'Chromium, ms': chromium.toFixed(2), ratio: ratio.toFixed(2) },
    ]);
    warnWhenBusy();
    const report = { date: new Date().toISOString(), node, chromium, ratio, runs };
    writeFileSync(values.out, `${JSON.stringify(report, null, 2)}\n`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
