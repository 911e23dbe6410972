import { decodeMessage, encodeMessage, parseBlock, toHex } from '@monero-node/codec';
import { encodeNotify, encodeResponse } from '../../levin/frame.ts';
import { REQUEST_OBJECTS, RESPONSE_OBJECTS } from '../../messages/blocks.ts';
import { COMMANDS } from '../../messages/commands.ts';
import { RawListener, type RawPeer } from '../raw-peer.ts';
import { readForkFrames, type ForkFrame } from './fork-frames.ts';

/** The node A of the recorded messages, for a node that has no block and dials it. */
export class UpstreamPeer {
  readonly frames = readForkFrames();
  readonly #listener: RawListener;
  #peer: RawPeer | undefined;

  private constructor(listener: RawListener) {
    this.#listener = listener;
  }

  static async listen(): Promise<UpstreamPeer> {
    return new UpstreamPeer(await RawListener.open());
  }

  get address(): string {
    return `127.0.0.1:${this.#listener.port}`;
  }

  get closed(): Promise<void> {
    return this.#connected.closed;
  }

  get #connected(): RawPeer {
    if (this.#peer === undefined) throw new Error('nobody has dialled');
    return this.#peer;
  }

  /** Waits for the node and answers its handshake with the recorded bytes. */
  async introduce(): Promise<void> {
    this.#peer = await this.#listener.next();
    await this.#peer.next(COMMANDS.handshake);
    const [{ body }] = this.#sent(COMMANDS.handshake) as [ForkFrame];
    this.#peer.write(encodeResponse(COMMANDS.handshake, 1, body));
  }

  /** Returns the body of the node's next message of a command. */
  async next(command: number): Promise<Uint8Array> {
    return (await this.#connected.next(command)).body;
  }

  /** Sends the recorded notification. */
  send({ command, body }: ForkFrame): void {
    this.#connected.write(encodeNotify(command, body));
  }

  /** Answers the next request for blocks with those of the recorded answers. Returns their number. */
  async serveBlocks(): Promise<number> {
    const asked = decodeMessage(REQUEST_OBJECTS, await this.next(COMMANDS.requestObjects)).blocks;
    const answers = this.#sent(COMMANDS.responseObjects).map(({ body }) =>
      decodeMessage(RESPONSE_OBJECTS, body),
    );
    const all = new Map(
      answers.flatMap(({ blocks }) =>
        blocks.map((each) => [toHex(parseBlock(each.block).id), each]),
      ),
    );
    const blocks = asked.flatMap((id) => all.get(toHex(id)) ?? []);
    if (blocks.length !== asked.length) throw new Error('blocks that were not recorded');
    const body = encodeMessage(RESPONSE_OBJECTS, {
      blocks,
      missed_ids: [],
      current_blockchain_height: answers[0]?.current_blockchain_height ?? 0,
    });
    this.#connected.write(encodeNotify(COMMANDS.responseObjects, body));
    return blocks.length;
  }

  #sent(command: number): ForkFrame[] {
    return this.frames.filter((frame) => frame.command === command && frame.from === 'A');
  }

  close(): void {
    this.#peer?.socket.destroy();
    this.#listener.close();
  }
}
