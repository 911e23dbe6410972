/**
 * A page that acts as a peer: connects over libp2p to the node named in its URL, makes a handshake and
 * shows the node's top block. Parameters: `peer`, a multiaddress; `network` and `genesis`, in hex.
 */
import type { Stream } from '@libp2p/interface';
import { noise } from '@libp2p/noise';
import { webSockets } from '@libp2p/websockets';
import { yamux } from '@libp2p/yamux';
import { decodeMessage, encodeMessage, fromHex, parseBlock, toHex } from '@monero-node/codec';
import {
  COMMANDS,
  FrameReader,
  HANDSHAKE_REQUEST,
  HANDSHAKE_RESPONSE,
  REQUEST_OBJECTS,
  RESPONSE_OBJECTS,
  encodeInvoke,
  encodeNotify,
} from '@monero-node/p2p/levin';
import { multiaddr } from '@multiformats/multiaddr';
import { createLibp2p } from 'libp2p';

const MAX_PACKET = 16 * 1024 * 1024;

/** Sends one message at a time and waits for the message of a given command. */
class Link {
  readonly #stream: Stream;
  #asked: number | undefined;

  constructor(stream: Stream) {
    this.#stream = stream;
  }

  /** Sends a frame; resolves with the body of the next message of command `answer`. */
  ask(frame: Uint8Array, answer: number): Promise<Uint8Array> {
    const reader = new FrameReader({
      maxPacket: () => MAX_PACKET,
      expectedResponse: () => this.#asked,
    });
    this.#asked = answer;
    return new Promise((resolve, reject) => {
      const stop = new AbortController();
      const onMessage = ({ data }: { data: { subarray(): Uint8Array } }): void => {
        try {
          reader.push(data.subarray());
          for (let message = reader.next(); message; message = reader.next()) {
            if (message.command !== answer) continue;
            stop.abort();
            this.#stream.removeEventListener('message', onMessage);
            resolve(message.body);
          }
        } catch (error) {
          reject(error as Error);
        }
      };
      this.#stream.addEventListener('message', onMessage);
      this.#stream.addEventListener('close', () => reject(new Error('the node closed the link')));
      this.#stream.send(frame);
    });
  }
}

function parameter(name: string): string {
  const value = new URLSearchParams(location.search).get(name);
  if (value === null) throw new Error(`no ${name} is named`);
  return value;
}

/** The handshake data of a node that has only the genesis block. */
function introduction(): Uint8Array {
  return encodeMessage(HANDSHAKE_REQUEST, {
    node_data: {
      my_port: 0,
      network_id: fromHex(parameter('network')),
      peer_id: crypto.getRandomValues(new BigUint64Array(1))[0] ?? 2n,
      rpc_credits_per_hash: 0,
      rpc_port: 0,
      support_flags: 1,
    },
    payload_data: {
      cumulative_difficulty: 1n,
      cumulative_difficulty_top64: 0n,
      current_height: 1,
      pruning_seed: 0,
      top_id: fromHex(parameter('genesis')),
      top_version: 1,
    },
  });
}

async function topBlock(): Promise<{ height: number; id: string }> {
  const node = await createLibp2p({
    transports: [webSockets()],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()],
    // In a page, libp2p would not dial a WebSocket without TLS, nor this machine.
    connectionGater: { denyDialMultiaddr: () => false },
  });
  const stream = await node.dialProtocol(multiaddr(parameter('peer')), '/monero/levin/1');
  const link = new Link(stream);
  const welcome = decodeMessage(
    HANDSHAKE_RESPONSE,
    await link.ask(encodeInvoke(COMMANDS.handshake, introduction()), COMMANDS.handshake),
  );
  const request = encodeMessage(REQUEST_OBJECTS, {
    blocks: [welcome.payload_data.top_id],
    prune: false,
  });
  const answer = decodeMessage(
    RESPONSE_OBJECTS,
    await link.ask(encodeNotify(COMMANDS.requestObjects, request), COMMANDS.responseObjects),
  );
  const [entry] = answer.blocks;
  if (!entry) throw new Error('the node sent no block');
  const { block, id } = parseBlock(entry.block);
  const [input] = block.minerTx.inputs;
  await node.stop();
  return { height: input?.kind === 'gen' ? input.height : -1, id: toHex(id) };
}

function show(name: string, text: string): void {
  const element = document.createElement('p');
  element.id = name;
  element.textContent = text;
  document.body.append(element);
}

topBlock().then(
  ({ height, id }) => {
    show('height', String(height));
    show('id', id);
  },
  (error: Error) => show('error', error.stack ?? String(error)),
);
