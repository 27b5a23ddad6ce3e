import { CATEGORY_NAMES, type Category } from '../../../src/model/findings.ts';
import { titleCase } from './wording.ts';

/** `Structured data` for `schema`; a category that this version does not know keeps its own word. */
export const categoryName = (category: string): string => CATEGORY_NAMES[category as Category] ?? titleCase(category);
