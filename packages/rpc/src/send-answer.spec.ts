import { ConsensusError } from '@monero-node/consensus';
import { sendAnswer } from './send-answer.ts';

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
  expect(refused('pool-double-spend')).toEqual({ ...FAILED, flags: ['double_spend'] });
  expect(refused('ring-size')).toEqual({ ...FAILED, flags: ['low_mixin', 'invalid_input'] });
  expect(refused('tx-version')).toEqual(FAILED);
});

test('answers without flags when a transaction timed out or too many are waiting', () => {
  expect(sendAnswer({ status: 'timed-out', id })).toEqual(FAILED);
  expect(sendAnswer({ status: 'busy' })).toEqual(FAILED);
});
