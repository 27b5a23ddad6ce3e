/** Long texts that a crawl keeps of each page take about a third of their size. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Of what any packed text unpacks to, in bytes. */
const MOST_BYTES = 1024 * 1024;

export const packText = (text: string): string => deflateRawSync(text).toString('base64');

/** @throws for anything that `packText` did not make */
export const unpackText = (packed: string): string =>
  inflateRawSync(Buffer.from(packed, 'base64'), { maxOutputLength: MOST_BYTES }).toString('utf8');
