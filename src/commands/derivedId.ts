import { createHash } from 'node:crypto';

const SUFFIX_CHARACTERS = 16;

/** The same as 64 bits in hex, for an id that begins with another one. */
export const derivedSuffix = (commandId: string, ...parts: readonly string[]): string =>
  derivedId(commandId, ...parts)
    .replaceAll('-', '')
    .slice(-SUFFIX_CHARACTERS);

/** A UUID (version 8) derived from a command's id and its purpose: the same parts give the same id on every repeat. */
export function derivedId(commandId: string, ...parts: readonly string[]): string {
  return uuidOf(
    createHash('sha256')
      .update(JSON.stringify([commandId, ...parts]))
      .digest(),
  );
}

/** The same for many ids that differ in their last part alone: however long the others are, they are hashed once. */
export function derivedIds(commandId: string, ...parts: readonly string[]): (last: string) => string {
  const begun = createHash('sha256').update(JSON.stringify([commandId, ...parts]).slice(0, -1));
  return (last) =>
    uuidOf(
      begun
        .copy()
        .update(`,${JSON.stringify(last)}]`)
        .digest(),
    );
}

function uuidOf(digest: Buffer): string {
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x80;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  return digest.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
