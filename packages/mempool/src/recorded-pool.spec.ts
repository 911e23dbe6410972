import { fromHex, parseBlock, parseTransaction, toHex } from '@monero-node/codec';
import { silentLogger } from '@monero-node/base';
import { parseBundle } from '@monero-node/blockchain';
import { startTestChain } from '@monero-node/blockchain/testing';
import type { ConsensusErrorCode } from '@monero-node/consensus';
import type { AddTxResult } from './admission/tx-admission.ts';
import type { PoolTransaction } from './store/pool-entry.ts';
import { readRecording, type RecordedStep, type RecordedTx } from './testing/recorded.ts';
import { TxPool } from './tx-pool.ts';

const { blocks, steps } = readRecording();

type Step<K extends RecordedStep['do']> = Extract<RecordedStep, { do: K }>;

/**
 * Where later releases differ from 0.18.0.0, which was recorded: what is asked of unlock times and the size of
 * tx_extra, and flags for a transaction's own rules. Source of both: src/cryptonote_core/tx_pool.cpp and
 * tx_verification_utils.cpp.
 */
const SINCE_THEN: Readonly<Record<string, readonly string[]>> = {
  'extra of 1061 bytes': ['tx_extra_too_big'],
  'unlock time': ['nonzero_unlock_time'],
  'large extra, unlock time': ['tx_extra_too_big'],
  'too heavy': ['tx_extra_too_big'],
  'unlock time, double spend in the pool': ['nonzero_unlock_time'],
  'bad range proof': ['invalid_input'],
  'low fee, bad range proof': ['fee_too_low'],
  unbalanced: ['invalid_input'],
  'the same ring member twice': ['invalid_input'],
  'the same key image twice': ['invalid_input'],
  'output key of no point': ['invalid_output'],
  'output without view tag': ['invalid_output'],
};

/** The flags monerod sets for the errors that occur in the recording. */
const FLAGS: Partial<Record<ConsensusErrorCode, readonly string[]>> = {
  'bad-balance': ['invalid_input'],
  'bad-key-image': ['invalid_input'],
  'key-image-encoding': [],
  'bad-range-proof': ['invalid_input'],
  'bad-ring-signature': ['invalid_input'],
  'bad-tx-blob': [],
  'double-spend': ['double_spend', 'invalid_input'],
  'duplicate-key-image': ['invalid_input'],
  'duplicate-ring-member': ['invalid_input'],
  'fee-too-low': ['fee_too_low'],
  'nonzero-unlock-time': ['nonzero_unlock_time'],
  'output-amount': ['invalid_output'],
  'output-key': ['invalid_output'],
  'output-type': ['invalid_output'],
  'pool-double-spend': ['double_spend'],
  'ring-member-locked': ['invalid_input'],
  'ring-member-missing': ['invalid_input'],
  'ring-size': ['low_mixin', 'invalid_input'],
  'too-few-outputs': ['invalid_input', 'too_few_outputs'],
  'tx-extra-too-big': ['tx_extra_too_big'],
  'tx-too-big': ['too_big'],
  'unsorted-inputs': ['invalid_input'],
};

function answerOf(result: AddTxResult) {
  if (result.status === 'added' || result.status === 'known') {
    return { ok: true, notRelayed: result.relay === 'none', flags: [] };
  }
  if (result.status !== 'refused') throw new Error(result.status);
  const flags = FLAGS[result.error.code];
  if (flags === undefined) throw new Error(`no flags for ${result.error.code}`);
  return { ok: false, notRelayed: false, flags };
}

const receiveTimes = new Map<string, number>();
for (const step of steps) {
  if (step.do !== 'look') continue;
  for (const tx of step.pool) {
    if (!tx.kept_by_block) receiveTimes.set(tx.id_hash, tx.receive_time);
  }
}

function idOf(hex: string): string {
  try {
    return toHex(parseTransaction(fromHex(hex)).id);
  } catch {
    return '';
  }
}

function described(tx: PoolTransaction): Omit<RecordedTx, 'last_relayed_time'> {
  return {
    id_hash: toHex(tx.id),
    blob_size: tx.blob.length,
    weight: tx.weight,
    fee: Number(tx.fee),
    do_not_relay: tx.doNotRelay,
    double_spend_seen: tx.doubleSpendSeen,
    kept_by_block: tx.keptByBlock,
    last_failed_height: tx.lastFailedHeight,
    last_failed_id_hash: toHex(tx.lastFailedId),
    max_used_block_height: tx.maxUsedBlockHeight,
    max_used_block_id_hash: toHex(tx.maxUsedBlockId),
    receive_time: tx.receiveTime,
    relayed: tx.relayed,
  };
}

test('does with every transaction what monerod did', async () => {
  const { chain, store } = await startTestChain();
  await chain.addSpan(blocks.map((hex) => parseBundle({ block: fromHex(hex), txs: [] })));
  expect(chain.height).toBe(blocks.length + 1);
  let now = 0;
  const pool = new TxPool({ now: () => now }, { blockchain: chain, store, logger: silentLogger });
  // The recording node had no peers, so a relayed transaction is public a moment later.
  pool.on('relay', ({ transactions }) => {
    now += 1;
    pool.markRelayed(
      transactions.map(({ id }) => id),
      'fluff',
    );
  });
  await pool.start();

  const send = async ({ name, hex, doNotRelay, answer, time }: Step<'send'>) => {
    now = receiveTimes.get(idOf(hex)) ?? time;
    const result = await pool.add(fromHex(hex), { source: 'local', doNotRelay });
    const said = answerOf(result);
    const flags = Object.keys(answer).filter((key) => answer[key] === true);
    const later = SINCE_THEN[name];
    const expected = later
      ? { ok: false, notRelayed: false, flags: [...later].sort() }
      : {
          ok: answer['status'] === 'OK',
          notRelayed: answer['not_relayed'] === true,
          flags: flags.filter((flag) => flag !== 'not_relayed').sort(),
        };
    const { ok, notRelayed } = said;
    expect({ name, ok, notRelayed, flags: [...said.flags].sort() }).toEqual({ name, ...expected });
  };

  const look = async (step: Step<'look'>) => {
    now = step.time;
    expect(pool.transactions().map(described)).toEqual(
      step.pool.map((tx): Partial<RecordedTx> => {
        const { ...rest }: Partial<RecordedTx> = tx;
        // With no peers, the exact time of sending is not comparable.
        delete rest.last_relayed_time;
        return rest;
      }),
    );
    const stats = await pool.stats(now);
    expect({
      bytes_max: stats.weightMax,
      bytes_med: stats.weightMedian,
      bytes_min: stats.weightMin,
      bytes_total: stats.weightTotal,
      fee_total: Number(stats.feeTotal),
      histo_98pc: stats.age98,
      num_10m: stats.olderThanTenMinutes,
      num_double_spends: stats.doubleSpends,
      num_failing: stats.failing,
      num_not_relayed: stats.notRelayed,
      oldest: stats.oldest,
      txs_total: stats.count,
      ...(stats.histogram.length > 0 && {
        histo: stats.histogram.map(({ weight, count }) => ({ bytes: weight, txs: count })),
      }),
    }).toEqual(step.stats);
    const selection = await pool.selectForBlock();
    expect(selection.transactions.map(({ id }) => toHex(id))).toEqual(step.template);
    expect(String(selection.expectedReward)).toBe(step.expectedReward);
    expect(selection.height).toBe(step.height);
    expect(
      (await pool.templateBacklog()).map(({ id, weight, fee }) => ({
        id: toHex(id),
        weight,
        fee: Number(fee),
      })),
    ).toEqual(step.backlog);
  };

  for (const step of steps) {
    if (step.do === 'send') await send(step);
    else if (step.do === 'look') await look(step);
    else if (step.do === 'block') {
      const { txHashes } = parseBlock(fromHex(step.hex)).block;
      const txs = txHashes.flatMap((id) => pool.transactionBlob(id) ?? []);
      const result = await chain.addBlock(parseBundle({ block: fromHex(step.hex), txs }));
      expect(result.status).toBe('added');
      // No transaction was verified again.
      expect(chain.counters).toMatchObject({ cached: txs.length, transactions: 0, clsags: 0 });
    } else {
      now = step.time;
      await chain.popBlocks(step.count);
      await pool.idle();
    }
  }
  await pool.stop();
}, 120_000);
