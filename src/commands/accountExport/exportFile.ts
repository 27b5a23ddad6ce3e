/**
 * The file of an account's export: compressed parts in a stream of its own, written and read one after the other,
 * whatever its size.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type ExportFileEvent, exportFileStream } from '../../domain/accountExport/events.ts';
import { eventsOf } from '../../domain/stored/eventOf.ts';
import type { EventStore } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { envelope } from '../handle.ts';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** An attempt at a file. */
export type FileAttempt = { readonly userId: string; readonly fileId: string; readonly attempt: number };

/** Characters per part: even if they do not compress, an event stays below the limit of every store. */
const PART_CHARACTERS = 192 * 1024;

/** The same text in pieces of that size, none of which ends inside a character. */
export async function* inPieces(chunks: AsyncIterable<string>, size: number = PART_CHARACTERS): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    rest += chunk;
    let start = 0;
    while (rest.length - start >= size) {
      const end = start + size - (isHighSurrogate(rest.charCodeAt(start + size - 1)) ? 1 : 0);
      yield rest.slice(start, end);
      start = end;
    }
    rest = rest.slice(start);
  }
  if (rest !== '') yield rest;
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/**
 * Appends one part. Parts of a replaced attempt do no harm: nobody reads them.
 * @throws StreamDeleted once the export has been removed
 */
export async function writeExportPart(
  ctx: CommandContext,
  { userId, fileId, attempt }: FileAttempt,
  part: number,
  content: string,
): Promise<void> {
  const stream = exportFileStream(fileId);
  const text = (await pack(content, { level: 1 })).toString('base64');
  const event: ExportFileEvent = {
    type: 'AccountExportPartWritten',
    data: { fileId, userId, attempt, part, text, writtenAt: ctx.now() },
  };
  await ctx.store.append(stream, [envelope(ctx, derivedId(ctx.commandId, stream, String(part)), event)], {
    expected: 'any',
  });
}

/** Its content, a part at a time, so that a slow reader keeps no more in memory: a few hundred KB. @throws if it is removed meanwhile, so that nobody takes half of it for the whole */
export async function* readExportFile(
  store: EventStore,
  { fileId, attempt, parts }: Pick<FileAttempt, 'fileId' | 'attempt'> & { readonly parts: number },
): AsyncGenerator<string> {
  const stream = exportFileStream(fileId);
  let from = 0n;
  for (let left = parts; left > 0; ) {
    const read = await store.read(stream, { from, limit: 1 });
    const last = read.status === 'found' ? read.events.at(-1) : undefined;
    if (read.status !== 'found' || last === undefined)
      throw new Error(`${left} of ${parts} parts of the export file ${fileId} are missing.`);
    for (const { data } of eventsOf(read.events, 'AccountExportPartWritten')) {
      if (data.attempt !== attempt) continue;
      left -= 1;
      yield (await unpack(Buffer.from(data.text, 'base64'))).toString('utf8');
    }
    from = last.revision + 1n;
  }
}
