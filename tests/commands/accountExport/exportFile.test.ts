import { describe, expect, it } from 'vitest';
import { inPieces, readExportFile, writeExportPart } from '../../../src/commands/accountExport/exportFile.ts';
import { product } from '../../given/commands.ts';

async function* chunks(...texts: readonly string[]) {
  yield* texts;
}
async function all(pieces: AsyncIterable<string>): Promise<string[]> {
  const read: string[] = [];
  for await (const piece of pieces) read.push(piece);
  return read;
}

describe('a text in pieces', () => {
  it('is the same text, whatever the sizes of its chunks', async () => {
    expect(await all(inPieces(chunks('ab', 'cdefgh', '', 'i'), 3))).toEqual(['abc', 'def', 'ghi']);
    expect(await all(inPieces(chunks('abcd'), 3))).toEqual(['abc', 'd']);
    expect(await all(inPieces(chunks(), 3))).toEqual([]);
  });

  it('is never cut inside a character', async () => {
    expect(await all(inPieces(chunks('ab😀😀'), 3))).toEqual(['ab', '😀', '😀']);
  });
});

describe('the file of an export', () => {
  it('has what the named attempt wrote, and nothing of another', async () => {
    const made = product();
    const write = (attempt: number, part: number, text: string) =>
      writeExportPart(made.context(), { userId: 'ann', fileId: 'f', attempt }, part, text);
    await write(1, 0, 'lost ');
    for (let part = 0; part < 9; part += 1) await write(2, part, `é${part} `);
    await write(1, 1, 'late ');
    expect((await all(readExportFile(made.store, { fileId: 'f', attempt: 2, parts: 9 }))).join('')).toBe(
      'é0 é1 é2 é3 é4 é5 é6 é7 é8 ',
    );
    await made.store.close();
  });

  it('is not half a file when it is removed while it is read', async () => {
    const made = product();
    for (let part = 0; part < 9; part += 1)
      await writeExportPart(made.context(), { userId: 'ann', fileId: 'f', attempt: 1 }, part, 'x');
    const reading = readExportFile(made.store, { fileId: 'f', attempt: 1, parts: 9 });
    await reading.next();
    await made.store.delete('export-file-f');
    await expect(all(reading)).rejects.toThrow('8 of 9 parts of the export file f are missing.');
    await made.store.close();
  });
});
