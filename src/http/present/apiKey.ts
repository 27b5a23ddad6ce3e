/** An API key as its owner sees it. */
import { scopeOf } from '../../domain/apiKeys/apiKeys.ts';
import type { ApiKeyScope } from '../../model/programs.ts';
import type { ApiKeyDocument } from '../../projections/apiKeys.ts';
import type { ToolUse } from '../usage/toolUses.ts';

type PresentedApiKey = Omit<ApiKeyDocument, 'scope'> & { readonly scope: ApiKeyScope };

export const presentApiKey = (key: ApiKeyDocument): PresentedApiKey => ({ ...key, scope: scopeOf(key) });

export const presentToolUse = ({ tool, calls, lastAt }: ToolUse) => ({ tool, calls, last_at: lastAt });
