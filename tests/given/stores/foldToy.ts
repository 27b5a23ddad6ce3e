/** A decider whose state records everything folded, and whose events record the state at their decision. */
import { randomUUID } from 'node:crypto';
import { type Decider, DomainError } from '../../../src/domain/decider.ts';
import type { NewEvent } from '../../../src/eventStore/eventStore.ts';
import { metadataAt } from './metadata.ts';

export type Diary = { readonly notes: readonly string[] };
export type Noted = {
  readonly type: 'Noted';
  readonly data: { readonly text: string; readonly after?: readonly string[] };
};

/** A repeat of a command is harmless by its id alone. Nothing is noted after a note that ends with a full stop. */
export const diary: Decider<Diary, { readonly type: 'Note'; readonly text: string }, Noted> = {
  initialState: () => ({ notes: [] }),
  evolve: ({ notes }, { data }) => ({ notes: [...notes, data.text] }),
  decide: ({ text }, { notes }) => {
    if (notes.at(-1)?.endsWith('.')) throw new DomainError('DIARY_CLOSED', 'Nothing more is noted.');
    return [{ type: 'Noted', data: { text, after: notes } }];
  },
};

/** An event of the diary that nobody has decided. */
export const noted = (text: string): NewEvent => ({
  id: randomUUID(),
  type: 'Noted',
  data: { text },
  metadata: metadataAt('2026-03-01T00:00:00.000Z'),
});
