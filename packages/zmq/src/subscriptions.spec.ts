import { Subscriptions, TOPICS } from './subscriptions.ts';

const message = (what: number, prefix: string): Buffer =>
  Buffer.concat([Uint8Array.of(what), Buffer.from(prefix)]);

describe('subscriptions', () => {
  test.each([
    ['', TOPICS.length],
    ['json-', TOPICS.length],
    ['json-full', 3],
    ['json-minimal-chain_main', 1],
    ['json-minimal-chain_main:', 0],
    ['nonsense', 0],
  ])('"%s" asks for %i topics', (prefix, count) => {
    const subscriptions = new Subscriptions();
    subscriptions.note(message(1, prefix));
    expect(TOPICS.filter((topic) => subscriptions.wanted(topic))).toHaveLength(count);
    subscriptions.note(message(0, prefix));
    expect(TOPICS.some((topic) => subscriptions.wanted(topic))).toBe(false);
  });

  test('a subscriber that leaves does not affect the others', () => {
    const subscriptions = new Subscriptions();
    subscriptions.note(message(1, 'json-full'));
    subscriptions.note(message(1, 'json'));
    subscriptions.note(message(0, 'json'));
    expect(subscriptions.wanted('json-full-chain_main')).toBe(true);
    expect(subscriptions.wanted('json-minimal-chain_main')).toBe(false);
  });

  test('other messages are ignored', () => {
    const subscriptions = new Subscriptions();
    subscriptions.note(new Uint8Array(0));
    subscriptions.note(message(7, 'json'));
    expect(TOPICS.some((topic) => subscriptions.wanted(topic))).toBe(false);
  });
});
