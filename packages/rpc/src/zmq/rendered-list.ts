import { stringifyJson64, type JsonValue } from '@monero-node/codec';

/** A list whose items are JSON text already, so that a long one can be made piece by piece. */
export class RenderedList {
  readonly items: Buffer[] = [];

  add(value: JsonValue): void {
    this.items.push(Buffer.from(stringifyJson64(value)));
  }
}
