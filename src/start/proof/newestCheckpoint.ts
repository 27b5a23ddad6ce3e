/**
 * The checkpoint that the daily verification compares the log with: the newest one in the configured folder, if it is
 * known to be ours.
 */
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { publicKeyOf, readCheckpoint } from '../../eventStore/verify/checkpointFile.ts';
import type { Sealed } from '../../eventStore/verify/seals.ts';
import { descending } from '../../model/order.ts';
import type { Config } from '../config.ts';
import { findCheckpointKey } from './checkpointKey.ts';

/** `id`: distinguishes checkpoints. `problem`: why it proves nothing. */
export type DailyProof = { readonly id: string } & ({ readonly sealed: Sealed } | { readonly problem: string });

/** A larger checkpoint is verified in parts, one per pass. About 60 bytes of memory each. */
const MOST_SEALED = 250_000;

const ENDING = '.checkpoint.gz';

type CheckpointConfig = Pick<
  Config,
  'CHECKPOINT_DIR' | 'CHECKPOINT_PUBLIC_KEY' | 'CHECKPOINT_KEY_FILE' | 'DATA_DIR' | 'servers'
>;

/** Null: no folder is configured, or it is empty. `turn`: the number of the pass. Never rejects. */
export async function newestCheckpoint(
  config: CheckpointConfig,
  turn: number,
  most = MOST_SEALED,
): Promise<DailyProof | null> {
  const { CHECKPOINT_DIR: folder } = config;
  if (folder === undefined) return null;
  let file: string | null = null;
  try {
    file = await newestIn(folder);
    if (file === null) return null;
    const trusted = config.CHECKPOINT_PUBLIC_KEY ?? ownPublicKey(config);
    const { statement, sealed } = await readCheckpoint(file, { most, turn });
    if (statement.publicKey === trusted) return { id: statement.digest, sealed };
    const whose =
      trusted === null
        ? 'there is no key of this installation, and CHECKPOINT_PUBLIC_KEY names none'
        : 'it was signed with another key';
    return { id: statement.digest, problem: `The checkpoint ${basename(file)} proves nothing: ${whose}.` };
  } catch (error) {
    return { id: file ?? folder, problem: error instanceof Error ? error.message : String(error) };
  }
}

function ownPublicKey(config: CheckpointConfig): string | null {
  const key = findCheckpointKey(config);
  return key === null ? null : publicKeyOf(key);
}

/** By modification time. */
async function newestIn(folder: string): Promise<string | null> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(ENDING)).map((name) => join(folder, name));
  const times = await Promise.all(files.map(async (file) => ({ file, at: (await stat(file)).mtimeMs })));
  return times.toSorted((a, b) => b.at - a.at || descending(a.file, b.file))[0]?.file ?? null;
}
