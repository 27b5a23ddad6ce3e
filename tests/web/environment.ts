/**
 * jsdom with only those rules of its style sheet that decide what is displayed and can be pressed. Whenever an
 * element's style is read, jsdom matches every rule against it, and a search by role reads the styles of all
 * candidates: the rules about appearance took a fifth of the web tests' time.
 */
import fs from 'node:fs';
import { builtinEnvironments, type Environment } from 'vitest/runtime';

const SHEET = /[\\/]jsdom[\\/]browser[\\/]default-stylesheet\.css$/;
const DECIDES = /^(?:display|visibility|pointer-events)\s*:/;

/** As jsdom matches it fast: it has no open popovers, and no page here writes these attributes in capitals. */
const plain = (selector: string): string =>
  selector.trim().replaceAll(':not(:popover-open)', '').replaceAll(' i]', ']');

function rulesThatDecide(sheet: string): string {
  const rules = sheet.replace(/\/\*.*?\*\//gs, '').matchAll(/([^{}]+)\{([^{}]*)\}/g);
  return [...rules]
    .map(([, selector = '', body = '']) => ({
      selector: plain(selector),
      declarations: body.split(';').filter((each) => DECIDES.test(each.trim())),
    }))
    .filter(({ selector, declarations }) => declarations.length > 0 && !selector.includes(':popover-open'))
    .map(({ selector, declarations }) => `${selector} { ${declarations.join(';')} }`)
    .join('\n');
}

export default {
  ...builtinEnvironments.jsdom,
  async setup(global, options) {
    const { readFileSync } = fs;
    // jsdom reads the file when it is loaded, which Vitest does here.
    fs.readFileSync = ((file: fs.PathOrFileDescriptor, how: BufferEncoding) => {
      const content = readFileSync(file, how);
      return SHEET.test(String(file)) ? rulesThatDecide(content.toString()) : content;
    }) as typeof readFileSync;
    try {
      return await builtinEnvironments.jsdom.setup(global, options);
    } finally {
      fs.readFileSync = readFileSync;
    }
  },
} satisfies Environment;
