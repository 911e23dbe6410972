import { randomBelow } from '@monero-node/base';
import type { RandomSource } from '@monero-node/base';

/** Shuffles an array in place (Fisher-Yates). */
export function shuffle(items: unknown[], random: RandomSource): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = randomBelow(i + 1, random);
    [items[i], items[j]] = [items[j], items[i]];
  }
}
