/** The frozen samples of stored events, upcast to the current shape. */
import { readdirSync, readFileSync } from 'node:fs';
import { currentEvent } from '../../src/domain/stored/current.ts';
import type { EventMetadata } from '../../src/domain/stored/metadata.ts';

type Stored = {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata: EventMetadata;
};
/** `sample`: its file, a name that stays. */
type Frozen = Stored & { readonly sample: string };

const folder = new URL('../stored/frozen/', import.meta.url);

/** One of each version of each type. */
export const FROZEN_EVENTS: readonly Frozen[] = readdirSync(folder)
  .sort()
  .map((file) => ({
    ...currentEvent(JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Stored),
    sample: file,
  }));
