/** A prompt edited by admins: nothing is ever overwritten, each change is a new version. */
import { BUILT_IN_PROMPTS } from '../../model/prompts/builtIn.ts';
import { type PromptKey, promptFaults } from '../../model/prompts/prompt.ts';
import { type Decider, DomainError, unreachable } from '../decider.ts';
import type { PromptEvent } from './events.ts';

type Newest = Pick<PromptEvent['data'], 'version' | 'name' | 'description' | 'active'>;

export type PromptState = {
  /** Null if unchanged from the delivered prompt. */
  readonly newest: Newest | null;
  /** Keyed by version. */
  readonly contents: Readonly<Record<number, string>>;
};

/** `at` is the time of the command, UTC ISO. */
export type PromptCommand =
  | {
      readonly type: 'SavePrompt';
      readonly key: PromptKey;
      readonly name: string;
      readonly description: string;
      readonly content: string;
      readonly active: boolean;
      readonly note: string | null;
      /** The version that was edited; null: whichever is the newest. */
      readonly basedOn: number | null;
      readonly adminId: string;
      readonly at: string;
    }
  | {
      readonly type: 'RevertPrompt';
      readonly key: PromptKey;
      readonly revertTo: number;
      /** The version that was newest for the caller; null: whichever is. */
      readonly basedOn: number | null;
      readonly adminId: string;
      readonly at: string;
    };

type Command<Type extends PromptCommand['type']> = Extract<PromptCommand, { readonly type: Type }>;

const DELIVERED_VERSION = 1;

function decide(command: PromptCommand, state: PromptState): readonly PromptEvent[] {
  switch (command.type) {
    case 'SavePrompt':
      return save(command, state);
    case 'RevertPrompt':
      return revert(command, state);
    default:
      return unreachable(command);
  }
}

export const promptDecider: Decider<PromptState, PromptCommand, PromptEvent> = {
  initialState: () => ({ newest: null, contents: {} }),
  evolve: (state, { data: { version, name, description, content, active } }) => ({
    newest: { version, name, description, active },
    contents: { ...state.contents, [version]: content },
  }),
  decide,
};

const versionOf = ({ newest }: PromptState): number => newest?.version ?? DELIVERED_VERSION;

function save({ type: _, basedOn, at, ...saved }: Command<'SavePrompt'>, state: PromptState): readonly PromptEvent[] {
  const newest = versionOf(state);
  if (basedOn !== null && basedOn !== newest)
    throw new DomainError(
      'PROMPT_CHANGED',
      `Version ${newest} was saved while you were editing version ${basedOn}. Compare the two before you save yours.`,
    );
  checkPromptText(saved.key, saved.content);
  return [{ type: 'PromptSaved', data: { ...saved, version: newest + 1, savedAt: at } }];
}

function revert(
  { key, revertTo, basedOn, adminId, at }: Command<'RevertPrompt'>,
  state: PromptState,
): readonly PromptEvent[] {
  const { name, description, ...delivered } = BUILT_IN_PROMPTS[key];
  const content = revertTo === DELIVERED_VERSION ? delivered.content : state.contents[revertTo];
  if (content === undefined) throw new DomainError('PROMPT_VERSION_NOT_FOUND', 'There is no such version.');
  const version = versionOf(state);
  if (basedOn !== null && basedOn !== version)
    throw new DomainError(
      'PROMPT_CHANGED',
      `Version ${version} was saved while you were reading the history of version ${basedOn}. Read it before you revert.`,
    );
  // It is already the newest.
  if (revertTo === version) return [];
  // A variable it uses may no longer exist.
  checkPromptText(key, content);
  const kept = state.newest ?? { name, description, active: true };
  return [
    {
      type: 'PromptReverted',
      data: { ...kept, key, version: version + 1, content, adminId, revertedTo: revertTo, revertedAt: at },
    },
  ];
}

/** @throws DomainError PROMPT_INVALID listing every error in the text */
export function checkPromptText(key: PromptKey, content: string): void {
  const faults = promptFaults({ content, variables: BUILT_IN_PROMPTS[key].variables });
  const [first] = faults;
  if (first !== undefined)
    throw new DomainError('PROMPT_INVALID', first, { issues: faults.map((message) => ({ path: 'content', message })) });
}
