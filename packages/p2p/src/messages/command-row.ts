/** The minimum cost of a message to its sender. */
export interface MessageCost {
  /** Milliseconds of CPU time: handling it may also take time elsewhere, such as in threads. */
  readonly milliseconds: number;
  /** Honest peers send only a few of these a minute. */
  readonly isRare: boolean;
}

/** A Levin command: a row stands beside the schema of its message. */
export interface CommandRow {
  /** Source: src/p2p/p2p_protocol_defs.h and src/cryptonote_protocol/cryptonote_protocol_defs.h. */
  readonly number: number;
  /** Whether Levin itself answers it ('request') or it is sent without an answer in Levin's sense ('notification'). */
  readonly kind: 'request' | 'notification';
  /** Largest body in bytes. Source: get_max_bytes in src/cryptonote_basic/connection_context.cpp. */
  readonly bodyLimit: number;
  readonly cost: MessageCost;
  /** Whether its answer can be long, so that the next message of the peer waits until most of it is sent. */
  readonly hasLongAnswer?: true;
  /** Whether peers over Tor and I2P may send it: introductions and transactions. */
  readonly isForHidden?: true;
}

export const KIB = 1024;
export const MIB = 1024 * KIB;

/** Returns the cost of a message that honest peers send rarely. @param milliseconds of CPU time */
export const rare = (milliseconds: number): MessageCost => ({ milliseconds, isRare: true });
/** Returns the cost of a message that honest peers send often. @param milliseconds of CPU time */
export const common = (milliseconds: number): MessageCost => ({ milliseconds, isRare: false });
/** Received only when asked for. */
export const FREE: MessageCost = common(0);
