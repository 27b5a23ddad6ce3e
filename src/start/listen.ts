/** Opens the requested port, or the next free one if it is taken. */

const TRIES = 20;

/** Tries `port`, then the following ones. With 0 the system chooses. @throws any other error of `listen` */
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
