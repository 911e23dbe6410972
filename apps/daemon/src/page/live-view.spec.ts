import type { StateMessage } from '@monero-node/dashboard';
import { LiveView } from './live-view.ts';

/** Opens the stream. Returns the id, the name and the data of its first message, and what ends it. */
async function firstMessage(view: LiveView, lastId?: string) {
  const reader = view.channel.open(lastId);
  const [bytes = new Uint8Array()] = (await reader.next(5)) ?? [];
  const [, id, event, data = ''] =
    /^id: (.*)\nevent: (.*)\ndata: (.*)\n/.exec(Buffer.from(bytes).toString()) ?? [];
  return { id, event, data: JSON.parse(data) as StateMessage, close: () => reader.close() };
}

test('a client that comes back gets the points that were measured while nobody read', async () => {
  const view = new LiveView({
    node: { network: 'fakechain', view: 'public' },
    script: '/page/x.js',
    series: ['pool'],
    log: undefined,
    blocks: () => [],
    onWatched: () => undefined,
    now: () => 0,
  });
  const { id, close } = await firstMessage(view);
  close();
  view.addPoints(view.history.add(1000, { pool: 7 }));
  const { event, data } = await firstMessage(view, id);
  expect(event).toBe('state');
  expect(data.history.hour.series.pool).toEqual([7]);
});
