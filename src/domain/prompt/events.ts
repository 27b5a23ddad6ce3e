/** Storage format, version with care. Stream: `prompt-{key}`: the versions of one prompt after the delivered one, each with all of its text. */
import type { PromptKey } from '../../model/prompts/prompt.ts';

type Version = {
  readonly key: PromptKey;
  /** From 2: the delivered prompt is version 1 and stands in no event. */
  readonly version: number;
  readonly name: string;
  readonly description: string;
  readonly content: string;
  /** While the newest version is not, the delivered text is used. */
  readonly active: boolean;
  /** Who wrote it. Their address stands nowhere here: it is looked up for as long as there is an account. */
  readonly adminId: string;
};

export type PromptEvent =
  | {
      readonly type: 'PromptSaved';
      /** Null note: none was given. */
      readonly data: Version & { readonly note: string | null; readonly savedAt: string };
    }
  | {
      /** The text of an earlier version is the newest again; name, description and switch stay. */
      readonly type: 'PromptReverted';
      readonly data: Version & { readonly revertedTo: number; readonly revertedAt: string };
    };
