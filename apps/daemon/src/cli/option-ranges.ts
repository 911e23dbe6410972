/** Least and greatest values of numeric options. */
export const PORT = [0, 65_535] as const;
export const U32 = [0, 4_294_967_295] as const;
export const COUNT = [-1, 2_147_483_647] as const;
export const BYTES = [0, Number.MAX_SAFE_INTEGER] as const;
/** Seconds. */
export const DRAIN = [0, 3600] as const;
