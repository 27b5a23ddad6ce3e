/** Takes the wanted port, or the next free one when it is taken. */

const TRIES = 20;

/** Tries `port`, then the ones after it. With 0 the system chooses. @throws what `listen` throws for any other reason */
export async function onFreePort<T>(port: number, listen: (port: number) => Promise<T>): Promise<T> {
  for (let candidate = port; ; candidate += 1) {
    try {
      return await listen(candidate);
    } catch (error) {
      const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!taken || port === 0 || candidate >= Math.min(port + TRIES, 65_535)) throw error;
    }
  }
}
