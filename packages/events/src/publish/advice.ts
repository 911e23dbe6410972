import { JetStreamApiError, JetStreamError } from '@nats-io/jetstream';
import {
  AuthorizationError,
  NoRespondersError,
  PermissionViolationError,
  RequestError,
  UserAuthenticationExpiredError,
} from '@nats-io/transport-node';
import { CredentialsError } from '../broker/connect.ts';
import { UnfitStreamError } from '../broker/fit-stream.ts';
import { exceedsPayload } from '../broker/streams.ts';
import { reasonOf } from '../trouble.ts';
import { withoutControls } from '../without-controls.ts';
import { OtherChainError } from './removals.ts';

const ROOM =
  'Make room: a larger limit (nats stream edit STREAM --max-bytes, --max-msgs), or --discard old';
const DISK =
  "Give JetStream more room: space on the broker's disk, or higher limits (max_file_store, those of the account)";

/** What to do about refusals of JetStream, by their codes. Source: server/errors.json of nats-server */
const BY_CODE: Readonly<Record<number, string>> = {
  10023: DISK,
  10026: DISK,
  10027: DISK,
  10028: DISK,
  10047: DISK,
  10054: 'Allow longer messages: nats stream edit STREAM --max-msg-size -1',
  10077: ROOM,
};
/** JetStream is off on the server, or for the account. */
const NO_JETSTREAM = [10039, 10076];

/**
 * Returns the warning about what keeps events from being published: the reason, and what to do about it.
 *
 * @param server as the operator named it
 */
export function publishWarning(error: unknown, server: string): string {
  // A server may have written parts of both.
  return withoutControls(
    `Events are not published: ${reasonOf(error)}. The node goes on and publishes what is missing later. ` +
      `${adviceOn(error, server)} (docs/operating/events.md).`,
  );
}

function adviceOn(failure: unknown, server: string): string {
  const error = causeOf(failure);
  if (error instanceof UnfitStreamError || error instanceof OtherChainError) return error.advice;
  if (error instanceof CredentialsError) {
    return 'Correct the file of --events-credentials, and let the node read it; it is read again for each attempt';
  }
  const allow = allowAdvice(error);
  if (allow !== undefined) return `${allow}; docs/operating/events.md lists all that it needs`;
  if (error instanceof AuthorizationError || error instanceof UserAuthenticationExpiredError) {
    return 'Check --events-credentials and the users of the broker';
  }
  if (error instanceof JetStreamApiError) {
    const advice = BY_CODE[error.code];
    if (advice !== undefined) return advice;
  }
  if (exceedsPayload(error)) {
    return 'Allow longer messages: max_payload in the configuration of nats-server';
  }
  if (lacksJetStream(error)) {
    return `Start nats-server at ${server} with JetStream (-js), and allow it to the account of this login`;
  }
  if (error instanceof JetStreamError)
    return 'Ask the broker: nats stream report, nats stream info';
  return `Check that nats-server runs at ${server} with JetStream`;
}

/** Returns what to allow where a permission is missing; undefined for another error. */
export function allowAdvice(error: unknown): string | undefined {
  if (!(error instanceof PermissionViolationError)) return undefined;
  const verb = error.operation === 'publish' ? 'publish to' : 'subscribe to';
  return `Allow this login to ${verb} ${error.subject}`;
}

/** The client library wraps the reason why a request failed. */
function causeOf(error: unknown): unknown {
  return error instanceof RequestError && error.cause !== undefined ? error.cause : error;
}

/** Nobody answers questions about streams where JetStream is off. */
function lacksJetStream(error: unknown): boolean {
  if (error instanceof JetStreamApiError) return NO_JETSTREAM.includes(error.code);
  return (
    error instanceof NoRespondersError ||
    (error as Error | undefined)?.name === 'JetStreamNotEnabled'
  );
}
