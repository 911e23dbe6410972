/** Returns the median of numbers; of an even count, the upper one. */
export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
