/** What a tool is. Each calls one route of the API, or a few. */
import type { InputRequiredResult, ToolAnnotations } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { ApiKeyScope } from '../../../model/programs.ts';
import type { CallRoute } from '../callRoute.ts';

/** A question to the user, and what to do once it is answered. */
export type Question = {
  readonly message: string;
  /** What the answer is about: an answer to anything else does not count. */
  readonly about: string;
};

/**
 * `asked`: the user is asked now, by this result of the tool. `yes` comes with a key for the write, the same however
 * often the answer is sent. `cannot`: there is nobody who can be asked.
 */
export type Reply =
  | { readonly is: 'asked'; readonly result: InputRequiredResult }
  | { readonly is: 'yes'; readonly key: string }
  | { readonly is: 'no' }
  | { readonly is: 'cannot' };

export type ToolContext = {
  readonly call: CallRoute;
  readonly signal: AbortSignal;
  /** What the key may do; null: only the routes know. */
  readonly scope: ApiKeyScope | null;
  ask(question: Question): Promise<Reply>;
  /** Tells the client how far it is, in percent, if it wants to know. */
  progress(percent: number, message: string): Promise<void>;
  /** Calls until it is done or the time is over. Without a pause where too many calls of the same key wait already. */
  until<T>(seconds: number, read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T>;
};

export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly annotations: ToolAnnotations;
  readonly run: (args: never, ctx: ToolContext) => Promise<object>;
};

export function tool<Input extends z.ZodObject>(
  definition: Omit<Tool, 'input' | 'run'> & {
    readonly input: Input;
    readonly run: (args: z.output<Input>, ctx: ToolContext) => Promise<object>;
  },
): Tool {
  return definition;
}

/** Changes nothing, anywhere. */
export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

export const AuditId = z.string().min(1).max(200).describe('From audit_site or list_audits');
export const TaskId = z.string().min(1).max(200).describe('From list_tasks or get_audit');
export const OfAudit = z.string().min(1).max(100).optional().describe('Default: your newest audit that has it');
export const DetailOf = z.enum(['short', 'full']).default('short').describe('full: up to five times as much');
export const CursorOf = z.string().max(600).optional().describe('next_cursor of the answer before');
export const KeyOf = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('Any text of your own; a repeat with it does nothing twice');
export const WAIT_MAX = 25;
export const Wait = z.number().int().min(0).max(WAIT_MAX).default(0).describe('Seconds to wait for the end');
