import {
  AckPolicy,
  DeliverPolicy,
  jetstream,
  jetstreamManager,
  type Consumer,
  type ConsumerInfo,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import { streamInfo } from '../broker/stream-info.ts';
import { hasCode, missingStream } from '../broker/streams.ts';
import { NO_CONSUMER } from '../broker/take-messages.ts';

/** Most messages that all members of a group handle at a time. */
const MAX_TOGETHER = 1000;

/** What a group takes, and how. */
export interface GroupSettings {
  readonly stream: string;
  /** Subjects of the stream whose messages the group handles. */
  readonly subject: string;
  /** Whether the stream keeps all messages for a time, and the group takes all. Elsewhere newer messages replace older ones. */
  readonly isLog: boolean;
  /** Name of the consumer that its members share. */
  readonly group: string;
  /** Where a group that there was not before begins. */
  readonly begin: 'first' | 'new';
  /** Whether one message at a time is handled, in the order of the stream. */
  readonly inOrder: boolean;
  /** Milliseconds without a sign of a member after which another one gets its messages. */
  readonly takeOverMs: number;
}

/** What a broker says of the place of a consumer in its stream. */
type ConsumerPlace = Readonly<Pick<ConsumerInfo, 'num_ack_pending'>> &
  Record<'ack_floor' | 'delivered', Readonly<Pick<ConsumerInfo['delivered'], 'stream_seq'>>>;

/** A group has the name of a consumer of another kind. */
class UnfitGroupError extends Error {
  override readonly name = 'UnfitGroupError';
}

/** The consumer that the members of a group share. */
export interface SharedConsumer {
  readonly consumer: Consumer;
  /** At most so many messages were dropped by the stream before a member had handled them; 0 for a stream that is no log. */
  readonly lost: number;
}

/**
 * Resolves to the consumer of a group, which the first member makes. It stays when all members are gone, so that nothing that the
 * stream still keeps is left out. Rejects with UnfitGroupError when a consumer of that name works otherwise, and with errors of the
 * broker.
 */
export async function groupConsumer(
  connection: NatsConnection,
  settings: GroupSettings,
): Promise<SharedConsumer> {
  const { stream, group } = settings;
  const manager = await jetstreamManager(connection, { checkAPI: false });
  const state = await streamInfo(connection, stream);
  if (state === undefined) throw await missingStream(connection, stream);
  const found = (await foundConsumer(manager, settings)) ?? (await makeConsumer(manager, settings));
  checkGroup(found, settings);
  const lost = settings.isLog ? lostOf(found, state.firstSequence) : 0;
  return { consumer: await jetstream(connection).consumers.get(stream, group), lost };
}

/** Returns up to how many of the messages before the first one that a stream keeps no member has handled. */
export function lostOf(
  { ack_floor, delivered, num_ack_pending: pending }: ConsumerPlace,
  firstSequence: number,
): number {
  const handled = ack_floor.stream_seq;
  // A group that has handled nothing yet has no place in the stream, unless it began at its first message.
  if (handled === 0) return 0;
  // Of those that members were given, all but the pending ones are handled, in whatever order.
  const given = Math.max(handled, delivered.stream_seq);
  const dropped = Math.max(0, firstSequence - 1 - handled);
  return Math.min(dropped, pending + Math.max(0, firstSequence - 1 - given));
}

async function foundConsumer(
  manager: JetStreamManager,
  { stream, group }: GroupSettings,
): Promise<ConsumerInfo | undefined> {
  try {
    return await manager.consumers.info(stream, group);
  } catch (error) {
    if (hasCode(error, NO_CONSUMER)) return undefined;
    throw error;
  }
}

/** Two members that make it at once make one: their settings are the same. */
function makeConsumer(
  manager: JetStreamManager,
  { stream, subject, group, begin, inOrder, takeOverMs }: GroupSettings,
): Promise<ConsumerInfo> {
  return manager.consumers.add(stream, {
    durable_name: group,
    filter_subject: subject,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(takeOverMs),
    deliver_policy: begin === 'first' ? DeliverPolicy.All : DeliverPolicy.New,
    max_ack_pending: inOrder ? 1 : MAX_TOGETHER,
  });
}

function checkGroup({ config }: ConsumerInfo, settings: GroupSettings): void {
  const { stream, subject, group, inOrder, takeOverMs } = settings;
  const filter = config.filter_subject ?? '';
  const troubles = [
    config.deliver_subject !== undefined && 'is pushed its messages',
    config.ack_policy !== AckPolicy.Explicit && 'confirms nothing',
    filter !== subject && `takes ${filter === '' ? 'every subject' : filter}, not ${subject}`,
    (config.max_ack_pending === 1) !== inOrder && `keeps ${inOrder ? 'no' : 'the'} order`,
    config.ack_wait !== nanos(takeOverMs) &&
      `waits ${(config.ack_wait ?? 0) / 1e6} ms for a member, not ${takeOverMs}`,
  ].filter((text) => text !== false);
  const [trouble] = troubles;
  if (trouble === undefined) return;
  throw new UnfitGroupError(
    `the consumer ${group} of the stream ${stream} ${trouble}. Choose another name of the group, or remove it: nats consumer rm ${stream} ${group}`,
  );
}
