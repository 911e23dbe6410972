import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Lies beside the messages. Source: MINER_CONFIG_FILE_NAME in src/cryptonote_config.h. */
const CONFIG_FILE = 'miner_conf.json';
const INDEX = 'current_extra_message_index';
/** Bytes that fit into the extra nonce of a miner transaction. Source: TX_EXTRA_NONCE_MAX_COUNT in src/cryptonote_basic/tx_extra.h. */
const MAX_BYTES = 255;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const NONE = new Uint8Array(0);

/**
 * Messages for the miner transactions of the blocks that are found, one after the other, and which of them is next.
 * After the last one blocks carry none. Source: request_block_template and worker_thread in
 * src/cryptonote_basic/miner.cpp.
 */
export class ExtraMessages {
  readonly #messages: readonly Uint8Array[];
  readonly #configFile: string;
  #index: number;
  #saved: Promise<void> = Promise.resolve();

  constructor(messages: readonly Uint8Array[], configFile: string, index: number) {
    this.#messages = messages;
    this.#configFile = configFile;
    this.#index = index;
  }

  get count(): number {
    return this.#messages.length;
  }

  /** Of the current message; at or past {@link count} when all were used. */
  get index(): number {
    return this.#index;
  }

  /** Extra nonce of the next block; empty for none. */
  get current(): Uint8Array {
    return this.#messages[this.#index] ?? NONE;
  }

  /** A block with the current message was found. */
  next(): void {
    this.#index++;
  }

  /** The block found was not taken: its message is due again. */
  back(): void {
    this.#index--;
  }

  /** Keeps the index for the next run. */
  save(): Promise<void> {
    // Blocks may be found faster than files are written.
    const saved = this.#saved.then(() => this.#write());
    this.#saved = saved.catch(() => undefined);
    return saved;
  }

  /** The file is replaced whole, so that a crash leaves one that can be read. */
  async #write(): Promise<void> {
    const unfinished = `${this.#configFile}.tmp`;
    await writeFile(unfinished, `{\n  "${INDEX}": ${this.#index}\n}`);
    await rename(unfinished, this.#configFile);
  }
}

/**
 * Reads a file of messages, one base64 text per line, and the index stored beside it. A blank line, or `MA==`, means a
 * block without a message. This differs from monerod in two ways: a line that is not base64 is an error instead of being
 * read up to the first bad character, and without a stored index the first message is the current one, while monerod
 * does not start.
 *
 * Throws Error, with the line number, when a line is not base64 or too long, and when the index cannot be read.
 *
 * Source: miner::init in src/cryptonote_basic/miner.cpp.
 */
export function loadExtraMessages(file: string): ExtraMessages {
  const text = readFileSync(file, 'utf8');
  const messages: Uint8Array[] = [];
  let line = 1;
  // Several line ends count as one, so that an index means the same message as it does to monerod.
  for (const part of text.split(/(\n+)/)) {
    if (part.startsWith('\n')) line += part.length;
    else messages.push(decode(part.trim(), line));
  }
  const configFile = join(dirname(resolve(file)), CONFIG_FILE);
  return new ExtraMessages(messages, configFile, loadIndex(configFile));
}

function decode(text: string, line: number): Uint8Array {
  if (text === '') return NONE;
  const digits = text.replace(/=+$/, '').length;
  if (!BASE64.test(text) || digits % 4 === 1) throw new Error(`line ${line} is not base64`);
  const message = Buffer.from(text, 'base64');
  if (message.length > MAX_BYTES) {
    throw new Error(`line ${line} holds ${message.length} bytes, more than ${MAX_BYTES}`);
  }
  return message.toString('latin1') === '0' ? NONE : new Uint8Array(message);
}

function loadIndex(file: string): number {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
  const index = indexIn(text);
  if (index === undefined) throw new Error(`${file} needs a whole number as "${INDEX}"`);
  return index;
}

/** 0 where there is none, as monerod reads it; undefined for what is no index. */
function indexIn(text: string): number | undefined {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof content !== 'object' || content === null) return undefined;
  const index = (content as { [INDEX]?: unknown })[INDEX] ?? 0;
  return typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 ? index : undefined;
}
