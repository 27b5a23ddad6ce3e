/** How the uses of promotion codes are stored. A code is no secret: it is in the bills of those who used it. */
import { CODE_EVENTS } from '../code/events.ts';
import { stored } from './storedType.ts';

export const CODE_TYPES = stored(CODE_EVENTS, ['codeId', 'useId']);
