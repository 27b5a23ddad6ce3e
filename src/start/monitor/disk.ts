import { statfs } from 'node:fs/promises';

/** Bytes of the disk that a folder is on. Null where there is no such folder, as in most processes that share stores. */
export async function diskOf(dir: string): Promise<{ readonly free: number; readonly total: number } | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(dir);
    return { free: bavail * bsize, total: blocks * bsize };
  } catch {
    return null;
  }
}
