/** The paths through the code of the addon, from the slowest on. Its functions take the index of one here. */
export const PATHS = ['portable', 'avx2', 'avx512-ifma'] as const;
export type NativePath = (typeof PATHS)[number];
