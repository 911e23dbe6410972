import type { EventChannel } from '@monero-node/rpc';

/** Reads the messages of a channel one by one. */
export interface EventReader {
  /** Resolves with the data of the next message of that kind. */
  next(event: 'state' | 'change'): Promise<unknown>;
}

/** Opens a channel as a visitor does. */
export function eventsOf(channel: EventChannel): EventReader {
  const reader = channel.open(undefined);
  const waiting: string[] = [];
  return {
    next: async (event) => {
      for (;;) {
        const text = waiting.shift();
        if (text === undefined) {
          const messages = await reader.next(60_000);
          if (messages === undefined) throw new Error('the channel is closed');
          waiting.push(...messages.map((bytes) => Buffer.from(bytes).toString()));
          continue;
        }
        const [, name, data] = /^event: (\w+)\ndata: (.*)$/m.exec(text) ?? [];
        if (name === event) return JSON.parse(data ?? '') as unknown;
      }
    },
  };
}
