import { jest } from '@jest/globals';
import { Caller, CallerGroup } from '../../scheduling/time-shares.ts';
import { ask } from '../../testing/http.ts';
import { recordedServer } from '../../testing/recorded-server.ts';
import { onceTrue } from '../../testing/rounds.ts';
import { AbandonedCallError, Admission } from './admission.ts';
import { LongCallSlot } from './long-call-slot.ts';

describe('a slot', () => {
  function setUp() {
    const admission = new Admission();
    const state = { isGone: false };
    const caller = new Caller(new CallerGroup());
    return { admission, state, slot: new LongCallSlot(admission, caller, () => state.isGone) };
  }

  test('is given back while the call only waits, and taken again', () => {
    const { admission, slot } = setUp();
    slot.rest();
    expect(admission.running).toBe(0);
    expect(slot.enter()).toBeUndefined();
    slot.rest();
    slot.rest();
    expect(admission.running).toBe(0);
    expect(slot.enter()).toBeUndefined();
    expect(admission.running).toBe(1);
    slot.end();
    slot.rest();
    expect(admission.running).toBe(0);
  });

  test('the rest of an answer is not made for a client that has left', async () => {
    const { state, slot } = setUp();
    slot.end();
    expect(slot.enter()).toBeUndefined();
    state.isGone = true;
    await expect(slot.enter()).rejects.toThrow(AbandonedCallError);
  });
});

/** A request that needs a slot from its start because it is long. */
const long = (method: string, params = '{}'): { path: string; body: string } => ({
  path: '/json_rpc',
  body: `{"method":"${method}","params":${params}}${' '.repeat(70_000)}`,
});

test('calls that wait for the search through all ids leave their slots to others', async () => {
  const node = await recordedServer();
  const { store } = node.chain;
  let isSearching = true;
  const id = new Uint8Array(32).fill(1);
  const spy = jest.spyOn(store, 'txIds').mockImplementation(() => (isSearching ? [id] : []));
  const template = `{"txid_template":"${'00'.repeat(32)}","num_matching_bits":256}`;
  // One host may hold three slots of the four.
  const searches = [1, 2, 3].map(() => ask(node.restrictedPort, long('get_txids_loose', template)));
  await onceTrue(() => spy.mock.calls.length > 0);
  // Not answered before the searches end, if they keep their slots.
  expect((await ask(node.restrictedPort, long('get_version'))).status).toBe(200);
  isSearching = false;
  for (const { body } of await Promise.all(searches)) expect(String(body)).toContain('"OK"');
  spy.mockRestore();
  await node.stop();
});
