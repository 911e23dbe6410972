import type { PoolTxMeta } from '../../pool-store.ts';
import { RowReader, RowWriter } from './rows.ts';

/**
 * Size of a `pool_meta` row in bytes. Its fields: weight, fee, time of arrival, time of the last relay, height
 * and id of the newest block used, height and id of the last failure, relay method, flags, fork version and
 * digest of the last verification (zeros when not verified).
 */
const SIZE = 8 + 8 + 8 + 8 + 4 + 32 + 4 + 32 + 1 + 1 + 1 + 32;

const NEVER = (1n << 64n) - 1n;
const NO_DIGEST = new Uint8Array(32);

const RELAYED = 1;
const DOUBLE_SPEND_SEEN = 2;
const VERIFIED = 4;

/** Returns the `pool_meta` row of a pool transaction, 139 bytes. */
export function encodePoolMeta(meta: PoolTxMeta): Uint8Array {
  const row = new RowWriter(SIZE);
  row.u64(meta.weight);
  row.u64(meta.fee);
  row.u64(meta.receiveTime);
  row.u64(meta.lastRelayedTime ?? NEVER);
  row.u32(meta.maxUsedBlockHeight);
  row.put(meta.maxUsedBlockId);
  row.u32(meta.lastFailedHeight);
  row.put(meta.lastFailedId);
  row.u8(meta.relayMethod);
  row.u8(
    (meta.relayed ? RELAYED : 0) |
      (meta.doubleSpendSeen ? DOUBLE_SPEND_SEEN : 0) |
      (meta.verified ? VERIFIED : 0),
  );
  row.u8(meta.verified?.version ?? 0);
  row.put(meta.verified?.ring ?? NO_DIGEST);
  return row.bytes;
}

/** Reads a `pool_meta` row of 139 bytes. Throws StorageError `damaged`. */
export function decodePoolMeta(bytes: Uint8Array): PoolTxMeta {
  const row = new RowReader('pool_meta', bytes);
  const weight = row.num64();
  const fee = row.u64();
  const receiveTime = row.num64();
  const lastRelayed = row.u64();
  const maxUsedBlockHeight = row.u32();
  const maxUsedBlockId = row.bytes(32);
  const lastFailedHeight = row.u32();
  const lastFailedId = row.bytes(32);
  const relayMethod = row.u8();
  const flags = row.u8();
  const verified = { version: row.u8(), ring: row.bytes(32) };
  row.end();
  return {
    weight,
    fee,
    receiveTime,
    ...(lastRelayed === NEVER ? {} : { lastRelayedTime: Number(lastRelayed) }),
    maxUsedBlockHeight,
    maxUsedBlockId,
    lastFailedHeight,
    lastFailedId,
    relayMethod,
    relayed: (flags & RELAYED) !== 0,
    doubleSpendSeen: (flags & DOUBLE_SPEND_SEEN) !== 0,
    ...((flags & VERIFIED) === 0 ? {} : { verified }),
  };
}
