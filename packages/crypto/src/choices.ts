import { PATHS } from './native/paths.ts';

/** `auto` takes the fastest backend that works on this machine. */
export const BACKEND_CHOICES = ['auto', 'native', 'wasm', 'reference'] as const;
export type BackendChoice = (typeof BACKEND_CHOICES)[number];

/** The code of the native backend; `portable` uses no optional feature of the processor, `auto` is the fastest. */
export const CPU_CHOICES = ['auto', ...PATHS] as const;
export type CpuChoice = (typeof CPU_CHOICES)[number];

/** The environment variable with the default `CpuChoice`. */
export const CPU_VARIABLE = 'MONERO_NODE_CRYPTO_CPU';
