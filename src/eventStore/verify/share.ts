/**
 * Which keys of a log (ids of events, names of things) are remembered during a pass. All of them for a short log; for a
 * longer one every second, fourth … one, a different part with each pass, so that memory stays bounded and enough
 * passes cover every key.
 */

/** `parts`: a power of two. `turn`: which of them, by the number of the pass. */
export type Share = { readonly parts: number; readonly turn: number };

export const EVERYTHING: Share = { parts: 1, turn: 0 };

/** `key`: 32 uniformly distributed bits. */
export const isIn = ({ parts, turn }: Share, key: number): boolean => ((key ^ turn) & (parts - 1)) === 0;

export const isTextIn = (share: Share, text: string): boolean => share.parts === 1 || isIn(share, textKey(text));

/** Half of the previous share. */
export const halved = ({ parts, turn }: Share): Share => ({ parts: parts * 2, turn });

/** FNV-1a, with its better bits mixed into the lower ones. */
function textKey(text: string): number {
  let key = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) key = Math.imul(key ^ text.charCodeAt(at), 0x01000193);
  return key ^ (key >>> 16);
}
