/**
 * Reading a key file. One that cannot be used is never replaced silently: what was made with its key would be lost
 * without a word.
 */
import { readFileSync } from 'node:fs';

/** The message names the file and says what to do; it never quotes the file's content. */
export class DamagedKeyFile extends Error {
  readonly code = 'KEY_FILE_DAMAGED';
  constructor(message: string) {
    super(message);
    this.name = 'DamagedKeyFile';
  }
}

/** Null: there is no such file. @throws DamagedKeyFile when it cannot be read */
export function readKeyFile(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new DamagedKeyFile(
      `${file} cannot be read (${code}). It must be a file that belongs to the user of this process; a backup has a copy of it.`,
    );
  }
}
