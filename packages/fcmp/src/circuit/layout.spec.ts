import { commitments } from '@monero-node/codec/fcmp-proof-size';
import { layoutOf } from './layout.ts';

it('lays out as many commitments as a proof has', () => {
  for (const inputs of [1, 2, 5]) {
    for (let layers = 1; layers <= 12; layers++) {
      expect(layoutOf(inputs, layers).commitments).toEqual(commitments(inputs, layers));
    }
  }
});
