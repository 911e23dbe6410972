import { takeMessages, type ClosableMessages } from './take-messages.ts';

/** Messages like those of the client: a request to close is queued, and met only by a reader of them. */
class Queue implements ClosableMessages<number> {
  readonly #queue: (number | 'close')[];
  readonly #closed: Promise<void>;
  #ended!: () => void;
  #wake: (() => void) | undefined;
  isClosed = false;

  constructor(...messages: number[]) {
    this.#queue = messages;
    this.#closed = new Promise((resolve) => (this.#ended = resolve));
  }

  getPending(): number {
    return this.#queue.length;
  }

  push(message: number): void {
    if (!this.#queue.includes('close')) this.#queue.push(message);
  }

  close(): Promise<void> {
    this.#queue.push('close');
    this.#wake?.();
    return this.#closed;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<number> {
    try {
      for (;;) {
        const next = this.#queue.shift();
        if (next === 'close') return;
        if (next !== undefined) yield next;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.isClosed = true;
      this.#ended();
    }
  }
}

let taken: number[];
let aborter: AbortController;
beforeEach(() => {
  taken = [];
  aborter = new AbortController();
});

const wanted = (maxWaiting = 10) => ({ signal: aborter.signal, maxWaiting });

const take = (message: number): Promise<void> => {
  taken.push(message);
  return Promise.resolve();
};

test('ends when the signal was aborted before the first message was read', async () => {
  aborter.abort();
  for (const messages of [new Queue(), new Queue(1, 2)]) {
    await takeMessages(messages, take, wanted());
    expect(messages.isClosed).toBe(true);
  }
  expect(taken).toEqual([]);
});

test('ends when the signal is aborted while there is no message', async () => {
  const messages = new Queue(1, 2);
  const ended = takeMessages(messages, take, wanted());
  await new Promise(setImmediate);
  expect(taken).toEqual([1, 2]);
  aborter.abort();
  await ended;
  expect(messages.isClosed).toBe(true);
});

test('leaves the messages that wait when the signal is aborted', async () => {
  const messages = new Queue(1, 2);
  const abort = (message: number): Promise<void> => {
    aborter.abort();
    return take(message);
  };
  await takeMessages(messages, abort, wanted());
  expect(taken).toEqual([1]);
  expect(messages.isClosed).toBe(true);
});

test('closes the messages when one cannot be taken', async () => {
  const messages = new Queue(1, 2);
  const fail = (): Promise<void> => Promise.reject(new Error('full'));
  await expect(takeMessages(messages, fail, wanted())).rejects.toThrow('full');
  expect(messages.isClosed).toBe(true);
});

test('a server that sends more than it was asked for is left, also while a message is being taken', async () => {
  const messages = new Queue(1, 2, 3, 4);
  const error = 'the server sends more messages than it was asked for';
  await expect(takeMessages(messages, take, wanted(2))).rejects.toThrow(error);
  expect(taken).toEqual([]);
  expect(messages.isClosed).toBe(true);

  const later = new Queue(1);
  // Ends only once the messages are closed.
  const flooded = async (): Promise<void> => {
    for (let n = 0; n < 10; n++) later.push(n);
    const before = later.getPending();
    while (later.getPending() === before) await new Promise(setImmediate);
  };
  await expect(takeMessages(later, flooded, wanted(2))).rejects.toThrow(error);
});
