/**
 * What admins wrote about a user's bill. In a stream of its own, because the bill outlives the account and free text
 * does not: this stream is deleted with it.
 */
import { type Decider, DomainError } from '../decider.ts';
import type { BillingNoteWritten } from './events.ts';

/** Texts by the id of the note. */
export type BillingNotes = Readonly<Record<string, string>>;

export type BillingNotesCommand = {
  readonly type: 'WriteBillingNote';
  readonly noteId: string;
  readonly userId: string;
  readonly text: string;
  /** UTC ISO. */
  readonly at: string;
};

export const billingNotesDecider: Decider<BillingNotes, BillingNotesCommand, BillingNoteWritten> = {
  initialState: () => ({}),
  evolve: (notes, { data: { noteId, text } }) => ({ ...notes, [noteId]: text }),
  decide({ noteId, userId, text, at }, notes) {
    if (Object.hasOwn(notes, noteId)) return [];
    if (text.trim() === '') throw new DomainError('REASON_MISSING', 'Please give a reason.');
    return [{ type: 'BillingNoteWritten', data: { noteId, userId, text: text.trim(), writtenAt: at } }];
  },
  keptFrom: 100,
};
