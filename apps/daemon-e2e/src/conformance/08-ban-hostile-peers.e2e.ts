import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { BlockPusher } from '../harness/block-pusher.ts';
import {
  dialAsPeer,
  EvilChain,
  ListeningPeer,
  served,
  type EvilPeerOptions,
  type ServedBlock,
} from '../harness/evil-peer.ts';
import { objectsOf } from '../harness/json.ts';
import { COMMAND, LevinConnection, nodeData } from '../harness/levin.ts';
import { startMonerod, waitForSameTip, type RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { monerodDataWithChain } from '../harness/prepared-chains.ts';
import { u64, type Section } from '../harness/portable-storage.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { within } from '../harness/wait.ts';
import { CASE_GROUPS } from '../mutations/all-cases.ts';
import { ChainBuilder, RECORDED, type Bundle } from '../mutations/chain-builder.ts';

/** How long the daemon may take to close a connection to a peer that misbehaves, in milliseconds. */
const PATIENCE = 20_000;

/** Cases that are served as the next block of a synchronization. All others are announced as new blocks. */
const SERVED_IN_SYNC = [
  'one atomic unit too much',
  'a timestamp below the median',
  'major version above the fork',
  'unlocked a block too early',
  'two transactions that spend the same output',
  'an output spent in an earlier block',
  'a ring member that does not exist yet',
  'a ring member of the block before',
  'range proof: another A1',
  'both sides inflated: balanced, but the range proof is for less',
  'ring signature: another s',
  'a key image with torsion',
];

describeWithMonero('our daemon drops hostile peers', () => {
  let builder: ChainBuilder;
  let good: ServedBlock[];
  let ours: RunningNode;
  let host = 0;

  /** Each attack uses a different address, so that a ban for one does not hide another. */
  const nextHost = (): string => `127.1.${1 + (host >> 7)}.${1 + (host++ & 127)}`;
  const tipOfLab = (): { height: number; id: string } => ({
    height: builder.height,
    id: builder.topId.toString('hex'),
  });

  beforeAll(async () => {
    builder = new ChainBuilder();
    good = builder.blocks.map(({ block, txs }) => served(block, txs));
    const peer = await ListeningPeer.start({ chain: good });
    ours = await startOurDaemon({ peers: [peer.address] });
    await waitForSameTip(ours, tipOfLab(), 120_000);
    await peer.stop();
  }, 180_000);

  afterAll(() => ours.stop());

  /** Serves `chain` over a new connection; resolves when the daemon has closed it. */
  async function attack(options: Partial<EvilPeerOptions>): Promise<void> {
    const { connection } = await dialAsPeer(
      ours.p2pPort,
      { chain: good, claimedHeight: builder.height + 1, ...options },
      nextHost(),
    );
    try {
      await within(PATIENCE, 'closing the connection', connection.closed);
    } finally {
      connection.close();
    }
    expect(await ours.tip()).toEqual(tipOfLab());
  }

  const withNext = ({ block, txs }: Bundle, id?: Buffer): ServedBlock[] => [
    ...good,
    served(block, txs, id),
  ];

  describe('that serve a changed block during synchronization', () => {
    const cases = CASE_GROUPS.flatMap(([, list]) => list).filter(({ name }) =>
      SERVED_IN_SYNC.includes(name),
    );

    test('uses only cases that exist', () => {
      expect(cases.map(({ name }) => name).sort()).toEqual([...SERVED_IN_SYNC].sort());
    });

    test('that serve a known wrong block from new addresses', async () => {
      const bad = withNext(builder.block({ edit: (block) => (block.minerTx.unlockTime = 1n) }));
      // Another block on top: like monerod, the daemon ignores a peer whose top block is known to be
      // wrong.
      const above = builder.block({
        edit: (block) => (block.prevId = bad.at(-1)?.id ?? builder.topId),
      });
      const chain = [...bad, served(above.block, [])];
      for (let i = 0; i < 3; i++) {
        await attack({ chain, claimedHeight: chain.length, peerId: BigInt(1000 + i) });
      }
    }, 80_000);

    for (const each of cases) {
      test(each.name, () => attack({ chain: withNext(each.make(builder)) }), PATIENCE + 10_000);
    }
  });

  describe('that break the protocol', () => {
    const next = (): ServedBlock[] => withNext(builder.blockWith(builder.signed()));
    const objects = (change: (body: Section) => Section): Partial<EvilPeerOptions> => {
      const chain = next();
      const honest = new EvilChain({ chain });
      return {
        chain,
        misbehave: {
          [COMMAND.getObjects]: (connection, frame) =>
            connection.notify(COMMAND.objects, change(honest.objects(frame.body))),
        },
      };
    };
    const entry = (change: (body: Section) => Section): Partial<EvilPeerOptions> => {
      const chain = next();
      const honest = new EvilChain({ chain });
      return {
        chain,
        misbehave: {
          [COMMAND.getChain]: (connection, frame) =>
            connection.notify(COMMAND.chainEntry, change(honest.chainEntry(frame.body))),
        },
      };
    };
    const attacks: [name: string, options: () => Partial<EvilPeerOptions>][] = [
      [
        'a block other than the announced one',
        () => ({ chain: withNext(builder.block(), Buffer.alloc(32, 7)) }),
      ],
      [
        'a block without its transactions',
        () => ({ chain: next().map((each) => ({ ...each, txs: [] })) }),
      ],
      [
        'a transaction that the block does not list',
        () => ({
          chain: next().map((each, height) =>
            height === builder.height ? { ...each, txs: [...each.txs, ...each.txs] } : each,
          ),
        }),
      ],
      [
        'bytes that are not a block',
        () => ({
          chain: [...good, { ...served(builder.block().block, []), block: Buffer.from('junk') }],
        }),
      ],
      [
        'an empty answer to a request for blocks',
        () => objects(() => ({ current_blockchain_height: u64(builder.height + 1) })),
      ],
      [
        'a chain entry without ids',
        () => entry((body) => ({ ...body, m_block_ids: Buffer.alloc(0) })),
      ],
      [
        'a chain entry with half an id',
        () => entry((body) => ({ ...body, m_block_ids: Buffer.alloc(40) })),
      ],
      [
        'a chain entry that starts with an unknown block',
        () => entry((body) => ({ ...body, m_block_ids: Buffer.alloc(64, 9) })),
      ],
      [
        'a chain entry with too few weights',
        () => entry((body) => ({ ...body, m_block_weights: Buffer.alloc(8) })),
      ],
      [
        'a chain entry with an id twice',
        () => entry((body) => ({ ...body, m_block_ids: twice(body) })),
      ],
      [
        'a chain entry with an impossible height',
        () => entry((body) => ({ ...body, total_height: u64(2n ** 60n) })),
      ],
    ];
    for (const [name, options] of attacks) {
      test(name, () => attack(options()), PATIENCE + 10_000);
    }

    test(
      'blocks that were not requested',
      async () => {
        const { connection } = await dialAsPeer(ours.p2pPort, { chain: good }, nextHost());
        const { block, txs } = builder.blockWith(builder.signed());
        connection.notify(COMMAND.objects, {
          blocks: [{ block, txs }],
          current_blockchain_height: u64(builder.height + 1),
        });
        await within(PATIENCE, 'closing the connection', connection.closed);
        expect(await ours.tip()).toEqual(tipOfLab());
      },
      PATIENCE + 10_000,
    );

    test('a handshake for another network', async () => {
      const connection = await LevinConnection.connect(ours.p2pPort, nextHost());
      const answer = await connection.invoke(COMMAND.handshake, {
        node_data: { ...nodeData(5n), network_id: Buffer.alloc(16, 1) },
        payload_data: new EvilChain({ chain: good }).claim(),
      });
      expect(answer).toBeUndefined();
    });

    test(
      'bytes that are not Levin',
      async () => {
        const connection = await LevinConnection.connect(ours.p2pPort, nextHost());
        connection.raw(Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(4)));
        await within(PATIENCE, 'closing the connection', connection.closed);
      },
      PATIENCE + 10_000,
    );

    test(
      'a length beyond all limits',
      async () => {
        const connection = await LevinConnection.connect(ours.p2pPort, nextHost());
        const header = Buffer.alloc(33);
        header.writeBigUInt64LE(0x0101010101012101n, 0);
        header.writeBigUInt64LE(2n ** 62n, 8);
        header.writeUInt32LE(COMMAND.handshake, 17);
        header.writeUInt32LE(1, 25);
        header.writeUInt32LE(1, 29);
        connection.raw(header);
        await within(PATIENCE, 'closing the connection', connection.closed);
      },
      PATIENCE + 10_000,
    );
  });

  describe('that announce a changed block as new', () => {
    let pusher: BlockPusher;
    beforeAll(() => {
      pusher = new BlockPusher(ours);
    });

    for (const [group, cases] of CASE_GROUPS) {
      // Accepted blocks would have to be popped again; mutations.spec.ts covers them.
      const judged = cases.filter(({ verdict }) => verdict !== 'accepted');
      test(`${group}: ${judged.length} cases`, async () => {
        for (const each of judged) {
          const { block, txs } = each.make(builder);
          const reaction = await pusher.push(block, txs);
          expect([each.name, reaction]).not.toEqual([each.name, 'accepted']);
          expect([each.name, reaction]).not.toEqual([each.name, 'silent']);
          expect(await ours.tip()).toEqual(tipOfLab());
        }
      }, 120_000);
    }
  });

  test('rejects a block with too little proof of work', async () => {
    const strict = await startOurDaemon({ name: 'strict-daemon', fixedDifficulty: 1_000_000 });
    const [, first] = builder.blocks;
    const pusher = new BlockPusher(strict);
    expect(await pusher.push(first?.block ?? Buffer.alloc(0), [])).toBe('dropped');
    expect((await strict.tip()).height).toBe(1);
    await strict.stop();
  });

  test('bans a peer that continues', async () => {
    const from = nextHost();
    const banned = async (): Promise<boolean> =>
      objectsOf(await ours.rpc.call('get_bans'), 'bans').some((ban) => ban['host'] === from);
    let offenses = 0;
    while (!(await banned())) {
      expect(++offenses).toBeLessThan(20);
      // A different wrong block each time.
      const unlockTime = BigInt(offenses);
      const bad = builder.block({ edit: (block) => (block.minerTx.unlockTime = unlockTime) });
      const { connection } = await dialAsPeer(
        ours.p2pPort,
        { chain: withNext(bad), claimedHeight: builder.height + 1, peerId: unlockTime },
        from,
      );
      await within(PATIENCE, 'closing the connection', connection.closed);
    }
    await expect(dialAsPeer(ours.p2pPort, { chain: good }, from)).rejects.toThrow();
  }, 70_000);

  test('still synchronizes from an honest monerod', async () => {
    const monerod = await startMonerod({ dataDir: await monerodDataWithChain(RECORDED) });
    const pusher = new BlockPusher(monerod);
    for (const { block, txs } of builder.blocks.slice(RECORDED)) await pusher.push(block, txs);
    const { block, txs } = builder.blockWith(builder.signed());
    expect(await pusher.push(block, txs)).toBe('accepted');
    await monerod.stop();
    const honest = await startMonerod({ dataDir: monerod.dataDir, peers: [ours.p2p] });
    const tip = await honest.tip();
    expect(tip.height).toBe(builder.height + 1);
    await waitForSameTip(ours, tip, 60_000);
    await honest.stop();
  }, 150_000);
});

/** Returns a chain entry with every id twice. */
function twice(body: Section): Buffer {
  const ids = body['m_block_ids'];
  if (!(ids instanceof Uint8Array)) throw new Error('no ids');
  return Buffer.concat([ids, ids]);
}
