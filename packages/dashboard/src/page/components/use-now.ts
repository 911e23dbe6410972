import { useEffect, useState } from 'preact/hooks';

/**
 * Returns the time of the node's clock, anew every second.
 *
 * @param offset milliseconds by which that clock is ahead
 */
export function useNow(offset: number): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now + offset;
}
