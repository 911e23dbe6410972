import { toHex } from '@monero-node/codec/bytes';

/** Node's Buffer, which is faster than portable code for long texts; undefined in browsers. */
const NodeBuffer = (globalThis as { readonly Buffer?: typeof Buffer }).Buffer;

/** Characters made in one call, so that the arguments fit the stack. */
const CHARACTERS_PER_CALL = 8192;

/** Returns a function that reads parts of `bytes`, from a start to an end offset, as one character per byte. */
export function latin1Reader(bytes: Uint8Array): (start: number, end: number) => string {
  if (NodeBuffer !== undefined) {
    const buffer = NodeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return (start, end) => buffer.toString('latin1', start, end);
  }
  return (start, end) => {
    let text = '';
    for (let at = start; at < end; at += CHARACTERS_PER_CALL) {
      const part = bytes.subarray(at, Math.min(end, at + CHARACTERS_PER_CALL));
      text += String.fromCharCode(...part);
    }
    return text;
  };
}

/** Returns one character per byte. */
export function bytesToLatin1(bytes: Uint8Array): string {
  return latin1Reader(bytes)(0, bytes.length);
}

/** Returns one byte per character; every character must be below 256. */
export function latin1ToBytes(text: string): Uint8Array {
  if (NodeBuffer !== undefined) return NodeBuffer.from(text, 'latin1');
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Returns the UTF-8 bytes of a text, one character per byte. */
export function utf8AsLatin1(text: string): string {
  if (isAscii(text)) return text;
  return bytesToLatin1(new TextEncoder().encode(text));
}

function isAscii(text: string): boolean {
  if (NodeBuffer !== undefined) return NodeBuffer.byteLength(text, 'utf8') === text.length;
  // eslint-disable-next-line no-control-regex
  return /^[\u0000-\u007f]*$/.test(text);
}

/** Returns the text of UTF-8 bytes; U+FFFD stands for bytes that are not UTF-8. */
export function utf8ToText(bytes: Uint8Array): string {
  if (NodeBuffer === undefined) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return NodeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/** Returns lower-case hex. */
export function hexText(bytes: Uint8Array): string {
  if (NodeBuffer === undefined) return toHex(bytes);
  return NodeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
