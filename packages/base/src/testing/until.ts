const INTERVAL_MS = 5;

/** Resolves when a condition holds. Throws Error when it does not within the milliseconds. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  milliseconds = 10_000,
): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('the condition never came true');
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
  }
}
