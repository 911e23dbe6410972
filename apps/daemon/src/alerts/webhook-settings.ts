/** Where alerts are sent. */
export interface WebhookSettings {
  /** Of http or https. All but its origin may be a secret. */
  readonly url: URL;
  /** Signs what is sent; undefined: nothing does. */
  readonly secret: string | undefined;
  /** Whether the server is on this machine: it is reached without a proxy. */
  readonly isLocal: boolean;
}

/** Who is told of alerts. */
export interface AlertSettings {
  /** Command line to run for each, split as NotifyProgram says. */
  readonly command: string | undefined;
  readonly webhook: WebhookSettings | undefined;
  /** Blocks that a reorganization must remove to be told of. */
  readonly reorgDepth: number;
}
