import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

// What the largest proof takes over the tables, in a process that does nothing else. Linux alone tells the most that a process had since a moment.

const at = (path: string): string => new URL(path, import.meta.url).href;
const addon = fileURLToPath(at('../../native/build/fcmp.node'));
const hasAll = existsSync(addon) && existsSync('/proc/self/clear_refs');

const MOST_MEGABYTES = 150;
const LAYERS = 7;
const INPUTS = 128;

/** Makes the tables, then verifies, and prints the verdict and by how many bytes the process grew at the most. */
const PROGRAM = `
  import { readFileSync, writeFileSync } from 'node:fs';
  import { gunzipSync } from 'node:zlib';
  import { rows } from '@monero-node/codec/fcmp-proof-size';
  const { createFcmpBackend, verifyFcmpPlusPlus } = await import('${at('../../dist/index.js')}');
  const generators = await import('${at('../../dist/curves/generators.js')}');
  const fixture = new URL('${at('../../fixtures/published-128-inputs.json.gz')}');
  const bytes = (hex) => new Uint8Array(Buffer.from(hex, 'hex'));
  const { layers, ...hex } = JSON.parse(gunzipSync(readFileSync(fixture)));
  const proof = {
    layers,
    message: bytes(hex.message),
    root: bytes(hex.root),
    proof: bytes(hex.proof),
    pseudoOuts: hex.pseudoOuts.map(bytes),
    keyImages: hex.keyImages.map(bytes),
  };
  const backend = createFcmpBackend('native');
  const { helios, selene } = rows(${INPUTS}, ${LAYERS});
  for (const [own, count] of [
    [generators.HELIOS_GENERATORS, helios],
    [generators.SELENE_GENERATORS, selene],
  ]) {
    const ones = Array(count).fill(1n);
    backend.sum(own, { points: [], scalars: [], g: 1n, h: 1n, G: ones, H: ones });
  }
  gc();
  const kilobytes = (name) =>
    Number(new RegExp(name + ':\\\\s+(\\\\d+)').exec(readFileSync('/proc/self/status', 'utf8'))[1]);
  // The most so far is what there is now.
  writeFileSync('/proc/self/clear_refs', '5');
  const before = kilobytes('VmRSS');
  const valid = verifyFcmpPlusPlus(proof, backend);
  console.log(JSON.stringify({ valid, layers, inputs: proof.pseudoOuts.length, grown: (kilobytes('VmHWM') - before) * 1024 }));
`;

(hasAll ? test : test.skip)(
  `a proof of ${INPUTS} inputs needs at most ${MOST_MEGABYTES} MB over the tables`,
  async () => {
    const program = ['--expose-gc', '--input-type=module', '--eval', PROGRAM];
    const { stdout } = await promisify(execFile)(process.execPath, program, {
      cwd: fileURLToPath(at('../..')),
      env: {},
    });
    const { grown, ...verdict } = JSON.parse(stdout) as { grown: number };
    expect(verdict).toEqual({ valid: true, layers: LAYERS, inputs: INPUTS });
    // As many bytes as the arguments of its sums at least.
    expect(grown).toBeGreaterThan(4_000_000);
    expect(grown).toBeLessThanOrEqual(MOST_MEGABYTES * 1e6);
  },
);
