const LONGEST_MS = 200;

/**
 * Waits before the next attempt after that many lost ones: a random time, so that processes which collided do not
 * collide again, of up to twice as long each time.
 * @throws the signal's reason as soon as it aborts
 */
export function backOff(
  tries: number,
  signal: AbortSignal | undefined,
  random: () => number = Math.random,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, random() * Math.min(LONGEST_MS, 2 ** tries));
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}
