import { BlockTemplates } from '@monero-node/blockchain';
import { EASY, NOW, startTestChain } from '@monero-node/blockchain/testing';
import { parseBlock, parseTxExtra, toHex } from '@monero-node/codec';
import { parsePrivateForks, withOverrides } from '@monero-node/consensus';
import { createTransactionKey } from '@monero-node/crypto';
import { EXTRA_NONCE_SIZE, Work } from './work.ts';

test.each([16, 17, 18])(
  'jobs of version %i vary the extra nonce of a block that the chain takes',
  async (version) => {
    const hardForks = parsePrivateForks(`${version}:1`);
    const { chain } = await startTestChain(withOverrides(EASY, { hardForks }));
    const templates = new BlockTemplates({ blockchain: chain, now: () => NOW });
    const template = await templates.create({
      address: {
        spendKey: createTransactionKey(11n).publicKey,
        viewKey: createTransactionKey(22n).publicKey,
      },
      extraNonce: new Uint8Array(EXTRA_NONCE_SIZE),
    });
    const work = Work.of(template, 0);
    const nonce = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
    const parsed = parseBlock(work?.blockBlob(nonce, 0) ?? new Uint8Array());
    expect(toHex(work?.hashingBlob(nonce) ?? new Uint8Array())).toBe(toHex(parsed.hashingBlob));
    expect(parsed.block.majorVersion).toBe(version);
    expect(parseTxExtra(parsed.block.minerTx.extra)).toContainEqual(
      expect.objectContaining({ kind: 'nonce', nonce }),
    );
    expect(await chain.addBlock({ block: parsed, txs: [] })).toMatchObject({ status: 'added' });
  },
);
