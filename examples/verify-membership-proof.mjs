// Verifies the FCMP++ proof of a recorded transaction of the next fork, and shows that a changed one is refused.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { verifyFcmpPlusPlus } from '@monero-node/fcmp';

const file = new URL('../packages/fcmp/fixtures/recorded.json.gz', import.meta.url);
const [recorded] = JSON.parse(gunzipSync(readFileSync(file)).toString());

const bytes = (hex) => Uint8Array.from(Buffer.from(hex, 'hex'));
const { layers } = recorded;
const [message, root, proof] = [recorded.message, recorded.root, recorded.proof].map(bytes);
const [pseudoOuts, keyImages] = [recorded.pseudoOuts, recorded.keyImages].map((all) =>
  all.map(bytes),
);

const good = verifyFcmpPlusPlus({ message, layers, root, pseudoOuts, keyImages, proof });
const other = new Uint8Array(32);
const bad = verifyFcmpPlusPlus({ message: other, layers, root, pseudoOuts, keyImages, proof });
console.log(`${keyImages.length} input(s), ${layers} layers, ${proof.length} bytes`);
console.log(`proof: ${good}; over another message: ${bad}`);
if (!good || bad) throw new Error('wrong verdict');
