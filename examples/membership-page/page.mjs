// A page that verifies FCMP++ proofs of the next fork, with the WebAssembly backend, or without WebAssembly the reference.
// With --minify the bundle has 291 kB, of which 212 are the recorded proofs.
// Bundle it, with the recorded proofs inside, then serve the folder (file: has no modules):
// npx esbuild examples/membership-page/page.mjs --bundle --format=esm --loader:.gz=binary --outfile=examples/membership-page/page.js
import { fromHex } from '@monero-node/codec/bytes';
import { verifyFcmpPlusPlus } from '@monero-node/fcmp';
import packed from '../../packages/fcmp/fixtures/recorded.json.gz';

const form = document.querySelector('form');
const output = document.querySelector('output');
const { proof: choice, changed } = form.elements;

const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
const recorded = await new Response(unpacked).json();
for (const [i, { keyImages, layers, proof }] of recorded.entries()) {
  const text = `${keyImages.length} input(s) over ${layers} layers, ${proof.length / 2} bytes`;
  choice.add(new Option(text, i));
}

function verify() {
  const { message, layers, root, pseudoOuts, keyImages, proof: hex } = recorded[choice.value];
  const proof = fromHex(hex);
  if (changed.checked) proof[proof.length >> 1] ^= 1;
  const start = performance.now();
  const isValid = verifyFcmpPlusPlus({
    message: fromHex(message),
    layers,
    root: fromHex(root),
    pseudoOuts: pseudoOuts.map((each) => fromHex(each)),
    keyImages: keyImages.map((each) => fromHex(each)),
    proof,
  });
  const took = Math.round(performance.now() - start);
  output.value = `${isValid ? 'Valid' : 'Not valid'}, verified in ${took} ms.`;
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  output.value = 'Verifying …';
  // The browser shows that first.
  setTimeout(verify, 50);
});
