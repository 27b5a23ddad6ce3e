import { statfs } from 'node:fs/promises';

/**
 * Disk space of the volume that holds a folder, in bytes. Null if the folder does not exist, as in most processes that
 * share stores.
 */
export async function diskOf(dir: string): Promise<{ readonly free: number; readonly total: number } | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(dir);
    return { free: bavail * bsize, total: blocks * bsize };
  } catch {
    return null;
  }
}
