/** An invalid option of libp2p, or packages that it needs and that are not installed; the message is for the user. */
export class Libp2pOptionError extends Error {
  override readonly name = 'Libp2pOptionError';
  readonly code = 'bad-option';
}
