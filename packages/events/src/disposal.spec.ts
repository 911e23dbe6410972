import { EventStream } from './consume/event-stream.ts';
import { EventPublisher } from './publish/event-publisher.ts';

test.each([EventPublisher, EventStream])(
  'to dispose of it is to stop it: %p',
  async ({ prototype }) => {
    const stops: number[] = [];
    const fake = { stop: async () => void stops.push(1) };
    await Reflect.apply(prototype[Symbol.asyncDispose], fake, []);
    expect(stops).toEqual([1]);
  },
);
