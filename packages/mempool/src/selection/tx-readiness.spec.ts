import type { Blockchain, InputCheck } from '@monero-node/blockchain';
import { parseTransaction, fromHex } from '@monero-node/codec';
import { ConsensusError, type ConsensusErrorCode } from '@monero-node/consensus';
import { PoolEntry } from '../store/pool-entry.ts';
import { readRecording } from '../testing/recorded.ts';
import { TxReadiness } from './tx-readiness.ts';

const bytes32 = (byte: number) => new Uint8Array(32).fill(byte);
const sent = readRecording().steps.find((step) => step.do === 'send');
const blob = fromHex(sent?.hex ?? '');

function newEntry(): PoolEntry {
  return new PoolEntry({
    id: parseTransaction(blob).id,
    keyImages: [],
    blob,
    load: () => undefined,
    meta: {
      weight: 1,
      fee: 1n,
      receiveTime: 1,
      lastRelayedTime: 1,
      maxUsedBlockHeight: 0,
      maxUsedBlockId: bytes32(0),
      lastFailedHeight: 0,
      lastFailedId: bytes32(0),
      relayMethod: 0,
      relayed: false,
      doubleSpendSeen: false,
    },
  });
}

/** A chain on which every proof fails with an error, and which counts how many it was asked to verify. */
function failingWith(code: ConsensusErrorCode) {
  const now = { tip: 1, version: 17, ring: 1, verified: 0 };
  const transactionVerifier = {
    get tip() {
      return { height: now.tip, id: bytes32(now.tip) };
    },
    checkInputs: () => {
      const verification = { version: now.version, ring: bytes32(now.ring) };
      return { verification } as unknown as InputCheck;
    },
    isVerified: () => false,
    verifyInputs: () => {
      now.verified++;
      return Promise.reject(new ConsensusError(code));
    },
  };
  const chain = { transactionVerifier } as unknown as Pick<Blockchain, 'transactionVerifier'>;
  return { now, readiness: new TxReadiness(chain, () => undefined) };
}

test.each(['bad-membership-proof', 'spend-proof-encoding', 'bad-ring-signature'] as const)(
  'a proof that fails with %s is verified again only for other ring members, another tree or another version',
  async (code) => {
    const { now, readiness } = failingWith(code);
    const entry = newEntry();
    for (const [change, verified] of [
      [{}, 1],
      [{ tip: 2 }, 1],
      [{ tip: 3, ring: 2 }, 2],
      [{ tip: 4 }, 2],
      [{ tip: 5, version: 18 }, 3],
    ] as const) {
      Object.assign(now, change);
      expect(await readiness.verify(entry)).toBe(false);
      expect(now.verified).toBe(verified);
      expect(entry.lastFailedHeight).toBe(now.tip);
    }
  },
);

test('an error that another tip may lift is asked again', async () => {
  const { now, readiness } = failingWith('tx-version');
  const entry = newEntry();
  for (const tip of [1, 2]) {
    now.tip = tip;
    expect(await readiness.verify(entry)).toBe(false);
    expect(now.verified).toBe(tip);
  }
});
