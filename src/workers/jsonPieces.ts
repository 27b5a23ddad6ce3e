/** The lines of large plain JSON, in pieces of about the same size. */
import { createPace } from '../eventStore/pacing.ts';
import { jsonLines } from './jsonLines.ts';

/** Characters that are handled at once. */
const PIECE = 64 * 1024;

/** Pauses in between. The data must not change before the last piece. */
export async function* jsonPieces(value: unknown): AsyncGenerator<string> {
  const pace = createPace('background');
  let piece = '';
  for (const line of jsonLines(value)) {
    piece += line;
    if (piece.length >= PIECE) {
      yield piece;
      piece = '';
    }
    if (pace.isDue()) await pace.pass();
  }
  yield piece;
}
