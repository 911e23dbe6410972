// Runs targets one after another in this process:
//
//   node child.mjs MILLISECONDS SEED NAME=FILE…      prints a line of JSON for each
//   node child.mjs --executions N NAME=FILE…         the same, for a number of inputs
//   node child.mjs --input INPUT NAME=FILE           runs one input and lets its error through
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { register } from 'node:module';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Coverage } from './coverage.mjs';
import { Engine } from './engine.mjs';
import { TargetFiles } from './files.mjs';

register('./hooks.mjs', import.meta.url);
new Coverage(); // makes the counters, which instrumented modules need when they load

const [first, second, ...list] = process.argv.slice(2);
const targets = list.map((entry) => entry.split('='));

async function load([name, file]) {
  const target = await import(pathToFileURL(file).href);
  if (typeof target.fuzz !== 'function' || !Array.isArray(target.seeds)) {
    throw new Error(`${file} does not export 'fuzz' and 'seeds'`);
  }
  return { name, target, found: formerFindings(name, file) };
}

/** The inputs that once failed: the files of fixtures/fuzz/NAME in the target's package. */
function formerFindings(name, file) {
  const folder = join(file.slice(0, file.lastIndexOf('/src/')), 'fixtures/fuzz', name);
  return existsSync(folder)
    ? readdirSync(folder).map((entry) => readFileSync(join(folder, entry)))
    : [];
}

/** Takes the errors that no call threw, such as an unhandled rejection: they belong to the input that runs. */
let running;
for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.on(event, (error) => {
    if (running !== undefined) return running(error);
    console.error(error);
    process.exit(1);
  });
}

/** How long a target runs: a time, or a number of inputs. */
const limits =
  first === '--executions'
    ? { milliseconds: Infinity, executions: Number(second), seed: 1 }
    : { milliseconds: Number(first), executions: Infinity, seed: Number(second) };

async function runTarget({ name, target, found }) {
  const files = new TargetFiles(name);
  const engine = new Engine({ ...target, seeds: [...found, ...target.seeds] }, limits.seed, files);
  running = (error) => engine.fail(error);
  const start = performance.now();
  await engine.run(limits);
  // Unhandled rejections of the last input come now.
  await nextTurn();
  running = undefined;
  files.close();
  const { executions, places, corpusSize, findings, slowest } = engine;
  const seconds = (performance.now() - start) / 1000;
  const result = { name, executions, seconds, places, corpusSize, findings, slowest };
  process.stdout.write(`${JSON.stringify(result)}\n`);
  return findings;
}

if (first === '--input') {
  const { target } = await load(targets[0]);
  const start = process.cpuUsage();
  await target.fuzz(Uint8Array.from(readFileSync(second)));
  await nextTurn();
  console.log(`no error; ${(process.cpuUsage(start).user / 1000).toFixed(0)} ms of CPU`);
} else {
  let findings = 0;
  for (const entry of targets) findings += await runTarget(await load(entry));
  process.exitCode = findings > 0 ? 1 : 0;
}
process.exit();
