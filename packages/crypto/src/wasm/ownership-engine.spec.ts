import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { encodeScalar } from '../curve/scalar.ts';
import { keyDerivation } from '../reference/ownership.ts';
import { oddEncoding, oddPoint, oddScalar } from '../testing/odd-inputs.ts';
import { createTestRandom } from '../testing/random.ts';
import { createDerivationInstance } from './derivation-instance.ts';
import { InputWriter } from './input-writer.ts';
import { createInstance } from './instance.ts';
import { WasmOwnershipEngine } from './ownership-engine.ts';

const wasm = createInstance();

test('the module with vectors is built and runs here', () => {
  expect(createDerivationInstance()).toBeDefined();
});

test.each([
  ['with vectors', createDerivationInstance],
  ['without vectors', () => undefined],
])('derives as the reference does, %s', (_, createVectors) => {
  const engine = new WasmOwnershipEngine(wasm, new InputWriter(wasm), createVectors);
  const random = createTestRandom('ownership engine');
  for (let round = 0; round < 40; round++) {
    const secret = encodeScalar(oddScalar(random));
    const points = Array.from({ length: 1 + (round % 9) }, (_, i) =>
      (i + round) % 3 === 0 ? oddEncoding(random) : oddPoint(random),
    );
    const { results, answers } = engine.derive(secret, concatBytes(...points));
    const found = points.map((_, i) =>
      answers[i] === 1 ? bytesToHex(results.slice(32 * i, 32 * i + 32)) : undefined,
    );
    const expected = points.map((point) => keyDerivation(secret, point));
    expect(found).toEqual(expected.map((bytes) => bytes && bytesToHex(bytes)));
  }
});
