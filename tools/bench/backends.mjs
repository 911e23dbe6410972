import { createReferenceBackend } from '../../packages/crypto/dist/index.js';

/** Backends to measure. */
export const backends = [createReferenceBackend()];
