import { ConsensusError } from '@monero-node/consensus';
import { sendAnswer } from './pool.ts';

const id = new Uint8Array(32);
const GOOD = { ok: true, notRelayed: false, flags: [], reason: '' };
const FAILED = { ok: false, notRelayed: false, flags: [], reason: '' };

test('answers that a new or known transaction is fine, and whether it is relayed', () => {
  expect(sendAnswer({ status: 'added', id, relay: 'local' })).toEqual(GOOD);
  expect(sendAnswer({ status: 'known', id, where: 'pool', relay: 'fluff' })).toEqual(GOOD);
  const notRelayed = { ...GOOD, notRelayed: true, reason: 'Not relayed' };
  expect(sendAnswer({ status: 'added', id, relay: 'none' })).toEqual(notRelayed);
  expect(sendAnswer({ status: 'known', id, where: 'chain', relay: 'none' })).toEqual(notRelayed);
});

test('answers with the flags of an error, and without a reason', () => {
  const refused = (code: 'pool-double-spend' | 'ring-size' | 'tx-version') =>
    sendAnswer({ status: 'refused', id, error: new ConsensusError(code) });
  expect(refused('pool-double-spend')).toEqual({
    ...FAILED,
    flags: ['double_spend'],
    why: new ConsensusError('pool-double-spend').message,
  });
  expect(refused('ring-size')).toMatchObject({ ...FAILED, flags: ['low_mixin', 'invalid_input'] });
  expect(refused('tx-version')).toMatchObject(FAILED);
});

test('answers without flags when a transaction timed out or too many are waiting', () => {
  const timedOut = sendAnswer({ status: 'timed-out', id });
  expect(timedOut).toEqual({ ...FAILED, why: 'it has left the pool because of its age' });
  const busy = sendAnswer({ status: 'busy' });
  expect(busy).toEqual({ ...FAILED, isBusy: true, why: 'too many transactions are waiting' });
});
