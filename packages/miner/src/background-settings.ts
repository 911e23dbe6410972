/** Settings of background mining. Source: BACKGROUND_MINING_* in src/cryptonote_basic/miner.h. */
export interface BackgroundSettings {
  /** Seconds over which the processors must have been idle; 10 to 3,600. */
  readonly minIdleSeconds: number;
  /** Percent of the processors' time that must be idle, where the time of mining counts as idle; 0 to 99. */
  readonly idleThreshold: number;
  /** Percent of the processors' time that mining may take; 1 to 100. */
  readonly target: number;
}

/** The settings that apply unless others are given: those of monerod. */
export const DEFAULT_BACKGROUND: BackgroundSettings = {
  minIdleSeconds: 10,
  idleThreshold: 90,
  target: 40,
};

/** Bounds of each setting. A value out of bounds is replaced by the default, as in monerod. */
export const BACKGROUND_BOUNDS: Readonly<
  Record<keyof BackgroundSettings, { readonly min: number; readonly max: number }>
> = {
  minIdleSeconds: { min: 10, max: 3600 },
  idleThreshold: { min: 0, max: 99 },
  target: { min: 1, max: 100 },
};

/** Returns the requested settings, with defaults for absent values and for values out of bounds. */
export function backgroundSettings(asked: Partial<BackgroundSettings>): BackgroundSettings {
  const pick = (key: keyof BackgroundSettings): number => {
    const value = asked[key];
    const { min, max } = BACKGROUND_BOUNDS[key];
    return value !== undefined && value >= min && value <= max ? value : DEFAULT_BACKGROUND[key];
  };
  return {
    minIdleSeconds: pick('minIdleSeconds'),
    idleThreshold: pick('idleThreshold'),
    target: pick('target'),
  };
}
