import type { PowRequest } from '../pow-hasher.ts';

/** A failure of one engine that another engine made up for. It is a fault of this machine or of the engine. */
export type PowIncident =
  | {
      readonly kind: 'wrong-hash';
      /** Name of the engine. */
      readonly engine: string;
      readonly request: PowRequest;
      /** The hash of that engine, 32 bytes. */
      readonly wrong: Uint8Array;
      /** The hash on which two others agree, 32 bytes. */
      readonly right: Uint8Array;
    }
  | {
      /** The engine failed, or did not answer in time. */
      readonly kind: 'no-hash';
      /** Name of the engine. */
      readonly engine: string;
      readonly error: unknown;
    };
