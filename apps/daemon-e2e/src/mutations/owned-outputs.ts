import { encodeScalar, Fn, G, hashToScalar, keyImageOf, Point } from '@monero-node/crypto/testing';
import { bytesToNumberLE } from '@noble/curves/utils.js';
import { hex, unhex, varint } from '../chain/bytes.ts';
import type { ChainWallet } from '../chain/fixture.ts';
import type { ChainOutput } from './output-table.ts';

/** An output whose secrets are known. */
export interface OwnedOutput {
  output: ChainOutput;
  /** One-time secret key. */
  key: bigint;
  amount: bigint;
  mask: bigint;
  keyImage: Buffer;
}

const TX_PUBLIC_KEY = 0x01;

/**
 * Finds the coinbase outputs that pay one of the wallets' main addresses, as every wallet does
 * (8·a·R, Hs(derivation ‖ index)·G + B). Source: derive_public_key in src/crypto/crypto.cpp.
 */
export function ownedCoinbases(
  wallets: readonly ChainWallet[],
  outputs: readonly ChainOutput[],
): OwnedOutput[] {
  return wallets.flatMap((wallet) => {
    const view = bytesToNumberLE(unhex(wallet.viewKey));
    const spend = bytesToNumberLE(unhex(wallet.spendKey));
    return outputs
      .filter((output) => output.coinbase)
      .flatMap((output) => {
        const { extra } = output.tx;
        if (extra[0] !== TX_PUBLIC_KEY) return [];
        const shared = Point.fromBytes(extra.subarray(1, 33)).multiply(Fn.mul(8n, view)).toBytes();
        const tweak = hashToScalar(shared, varint(output.position));
        const key = Fn.add(tweak, spend);
        if (hex(G.multiply(key).toBytes()) !== hex(output.key)) return [];
        const amount = output.tx.outputs[output.position]?.amount ?? 0n;
        return [{ output, key, amount, mask: 1n, keyImage: Buffer.from(keyImageOf(key)) }];
      });
  });
}

/** Creates an output with chosen, not derived, secrets. */
export function ownOutput(
  output: ChainOutput,
  key: bigint,
  amount: bigint,
  mask: bigint,
): OwnedOutput {
  return { output, key, amount, mask, keyImage: Buffer.from(keyImageOf(key)) };
}

/** Returns the scalar plus the group order, an encoding that must be rejected. */
export function unreduced(scalar: Uint8Array): Buffer {
  const value = bytesToNumberLE(scalar) + Fn.ORDER;
  const bytes = Buffer.alloc(32);
  let rest = value;
  for (let i = 0; i < 32; i++) {
    bytes[i] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  return bytes;
}

export const scalarBytes = (value: bigint): Buffer => Buffer.from(encodeScalar(Fn.create(value)));
