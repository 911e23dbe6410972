import { isIP as nodeIsIP } from 'node:net';
import { isIP } from './ip-text.ts';

/** Numbers in [0, 1) that are the same at every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}

const WHOLE = [
  ...['', '0.0.0.0', '255.255.255.255', '256.1.1.1', '1.2.3', '1.2.3.4.5', '01.2.3.4', '1.2.3.4 '],
  ...['::', '::1', '1::', '1::2::3', ':::', ':1', '1:', '1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8:9'],
  ...['1:2:3:4:5:6:7::', '::2:3:4:5:6:7:8', '1::3:4:5:6:7:8', '1:2:3:4::5:6:7:8', '12345::'],
  ...['::ffff:1.2.3.4', '::1.2.3.4', '1.2.3.4::', '::1.2.3.4:5', '1:2:3:4:5:6:1.2.3.4', 'g::'],
  ...['1:2:3:4:5:6:7:1.2.3.4', '1:2:3:4:5::1.2.3.4', '1:2:3:4:5:6::1.2.3.4', 'fe80::1%eth0'],
  ...['fe80::1%', 'fe80::1%a_b', '1.2.3.4%a', '%a', '::1%a:b', '[::1]', '::1.2.3.04', '::01.2.3.4'],
];

test.each(WHOLE)('%j', (text) => {
  expect(isIP(text)).toBe(nodeIsIP(text));
});

test('agrees with Node.js on texts composed of parts of addresses', () => {
  const random = generator(7);
  const parts = ['1', '0', '25', '255', '256', 'ab', 'ffff', '::', ':', ':', ':', '.', '.', '.'];
  const more = ['1.2.3.4', '%', 'g', '00'];
  const valid = { 0: 0, 4: 0, 6: 0 };
  for (let i = 0; i < 200_000; i++) {
    const from = random() < 0.3 ? [...parts, ...more] : parts;
    const length = 1 + Math.floor(random() * 16);
    let text = '';
    for (let n = 0; n < length; n++) text += from[Math.floor(random() * from.length)] ?? '';
    const expected = nodeIsIP(text) as 0 | 4 | 6;
    valid[expected]++;
    if (isIP(text) !== expected) throw new Error(`${text} is ${expected}`);
  }
  expect(valid[4]).toBeGreaterThan(20);
  expect(valid[6]).toBeGreaterThan(200);
});

test('agrees with Node.js on addresses with one change', () => {
  const random = generator(11);
  for (let i = 0; i < 50_000; i++) {
    const groups = Array.from({ length: 8 }, () => Math.floor(random() * 65536).toString(16));
    const cut = Math.floor(random() * 8);
    const count = Math.floor(random() * 4);
    if (random() < 0.7) groups.splice(cut, count, '');
    if (random() < 0.3) groups.splice(-2, 2, `1.2.${Math.floor(random() * 300)}.4`);
    const text = groups.join(':');
    if (isIP(text) !== nodeIsIP(text)) throw new Error(`${text} is ${nodeIsIP(text)}`);
  }
});
