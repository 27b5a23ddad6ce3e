/** Storage format, version with care. Stream: `prompt-{key}`: the versions of one prompt after the delivered one, each with its full text. */
import type { PromptKey } from '../../model/prompts/prompt.ts';

type Version = {
  readonly key: PromptKey;
  /** From 2: the delivered prompt is version 1 and has no event. */
  readonly version: number;
  readonly name: string;
  readonly description: string;
  readonly content: string;
  /** While the newest version is inactive, the delivered text is used. */
  readonly active: boolean;
  /** The author. Their address is not stored here: it is looked up while the account exists. */
  readonly adminId: string;
};

export type PromptEvent =
  | {
      readonly type: 'PromptSaved';
      /** Null note: none was given. */
      readonly data: Version & { readonly note: string | null; readonly savedAt: string };
    }
  | {
      /** The text of an earlier version becomes the newest again; name, description and `active` stay. */
      readonly type: 'PromptReverted';
      readonly data: Version & { readonly revertedTo: number; readonly revertedAt: string };
    };
