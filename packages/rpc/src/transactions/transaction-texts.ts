import { ReusedText } from '@monero-node/codec/portable-storage';
import { LRUCache } from 'lru-cache';

const MAX_KEPT = 2000;
const MAX_KEPT_CHARACTERS = 8 * 1024 * 1024;

/**
 * Transactions as JSON text, those asked for lately: explorers ask for the newest ones again and again. The id determines
 * the text, so that a reorganization changes nothing. With the form in which it is written, a text takes up to three bytes a
 * character.
 */
export class TransactionTexts {
  readonly #kept = new LRUCache<string, ReusedText>({
    max: MAX_KEPT,
    maxSize: MAX_KEPT_CHARACTERS,
    sizeCalculation: ({ text }) => text.length + 1,
  });

  /** Returns the text of a transaction with that 32-byte id, whole or without its prunable part; `make` is called for a new one. */
  get(id: Uint8Array, pruned: boolean, make: () => string): ReusedText {
    const key = `${pruned ? 'p' : 'w'}${Buffer.from(id.buffer, id.byteOffset, id.length).toString('latin1')}`;
    let text = this.#kept.get(key);
    if (text === undefined) {
      text = new ReusedText(make());
      this.#kept.set(key, text);
    }
    return text;
  }
}
