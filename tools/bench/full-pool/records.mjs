// Files of byte strings: the length of each (32 bits, little-endian) before its bytes.
import { createWriteStream, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { guardEmitter } from '../../../packages/base/dist/index.js';

/** Writes byte strings to a new file, in order. */
export class RecordWriter {
  #stream;

  constructor(file) {
    this.#stream = guardEmitter(createWriteStream(file));
  }

  async add(bytes) {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    this.#stream.write(length);
    if (!this.#stream.write(bytes)) await once(this.#stream, 'drain');
  }

  async close() {
    this.#stream.end();
    await finished(this.#stream);
  }
}

/** Returns the byte strings of a file; they share its memory. */
export function readRecords(file) {
  const bytes = readFileSync(file);
  const records = [];
  for (let at = 0; at < bytes.length;) {
    const length = bytes.readUInt32LE(at);
    records.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return records;
}
