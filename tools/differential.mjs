// Runs the same cases on all crypto backends in one process and compares their verdicts: the reference,
// WebAssembly, and every path of the native addon that this machine can run.
//
//   npm run differential [-- --cases N] [--seed TEXT] [--kind NAME [--index N]] [--out DIR]
//
// 100,000 cases take about 20 minutes on one core, nearly all of it for the reference. Prints the number of
// cases of each kind and of each verdict. On a disagreement the case is written to DIR as JSON and the exit
// code is 1; `--kind NAME --index N` with the same seed repeats that case.
import './setup.mjs';
import { mkdirSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

register('./typescript-hooks.mjs', import.meta.url);
const source = '../packages/crypto/src';
const { createReferenceBackend } = await import(`${source}/reference/backend.ts`);
const { loadNativeBackend } = await import(`${source}/native/backend.ts`);
const { PATHS } = await import(`${source}/native/paths.ts`);
const { loadWasmBackend } = await import(`${source}/wasm/backend.ts`);
const { addToCount, differentialKinds, runCase, runKind } = await import(
  `${source}/testing/differential/run.ts`
);
const { toJson } = await import(`${source}/testing/differential/describe.ts`);

const PROGRESS_MS = 15_000;
/** Largest number of cases to report. A defect usually affects many. */
const MOST_SAVED = 20;

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '1000' },
    seed: { type: 'string', default: 'differential' },
    kind: { type: 'string' },
    index: { type: 'string' },
    out: { type: 'string', default: '.' },
  },
});

function wholeNumber(name, fewest) {
  const value = Number(values[name]);
  if (!Number.isSafeInteger(value) || value < fewest) {
    throw new Error(`--${name} must be a whole number, at least ${fewest}`);
  }
  return value;
}

/** Returns all backends that work on this machine and prints the others. */
function createSubjects() {
  const made = {
    reference: createReferenceBackend(),
    wasm: loadWasmBackend(),
    ...Object.fromEntries(PATHS.map((path) => [`native (${path})`, loadNativeBackend({ path })])),
  };
  for (const [name, backend] of Object.entries(made)) {
    if (backend === undefined) console.log(`${name} is not available on this machine`);
  }
  return Object.entries(made).flatMap(([name, backend]) => (backend ? [{ name, backend }] : []));
}

let disagreements = 0;

function report(outcome) {
  disagreements++;
  const { kind, index } = outcome;
  console.error(`disagreement: --kind ${kind} --index ${index}`);
  if (disagreements > MOST_SAVED) return;
  mkdirSync(values.out, { recursive: true });
  const file = join(values.out, `differential-${kind}-${index}.json`);
  writeFileSync(file, `${toJson({ seed: values.seed, ...outcome })}\n`);
  console.error(`  saved as ${file}`);
}

function formatRow(name, { cases, accepted, refused }, seconds) {
  const verdicts = accepted + refused > 0 ? [accepted, refused] : ['–', '–'];
  return [
    name.padEnd(18),
    ...[cases, ...verdicts, seconds.toFixed(0)].map((cell) => String(cell).padStart(10)),
  ].join('');
}

/** Runs all cases of a kind and returns their counts. */
function runCounted(kind, outcomes) {
  const count = { cases: 0, accepted: 0, refused: 0 };
  let next = performance.now() + PROGRESS_MS;
  for (const outcome of outcomes) {
    addToCount(count, outcome);
    if (!outcome.agreed) report(outcome);
    if (performance.now() < next) continue;
    next += PROGRESS_MS;
    console.error(`  ${kind.name}: ${count.cases} cases`);
  }
  return count;
}

function main() {
  const { seed } = values;
  const cases = wholeNumber('cases', 1);
  const kinds = differentialKinds(seed).filter(({ name }) => name === (values.kind ?? name));
  if (kinds.length === 0) throw new Error(`there are no cases of kind ${values.kind}`);
  if (values.index !== undefined && values.kind === undefined) {
    throw new Error('--index needs --kind');
  }
  const subjects = createSubjects();
  console.log(`${subjects.map(({ name }) => name).join(', ')}; seed '${seed}'\n`);
  console.log('kind                   cases  accepted   refused   seconds');
  const total = { cases: 0, accepted: 0, refused: 0 };
  const start = performance.now();
  for (const kind of kinds) {
    const kindStart = performance.now();
    const outcomes =
      values.index === undefined
        ? runKind(kind, { cases, seed }, subjects)
        : [runCase(kind, { index: wholeNumber('index', 0), seed }, subjects)];
    const count = runCounted(kind, outcomes);
    for (const key of Object.keys(total)) total[key] += count[key];
    console.log(formatRow(kind.name, count, (performance.now() - kindStart) / 1000));
  }
  console.log(formatRow('total', total, (performance.now() - start) / 1000));
  console.log(`\n${disagreements} disagreements`);
  process.exitCode = disagreements > 0 ? 1 : 0;
}

try {
  main();
} catch (error) {
  console.error(`differential: ${error.stack}`);
  process.exitCode = 2;
}
