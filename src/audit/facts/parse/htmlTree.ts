/**
 * Parses decoded text into a parse5 tree, and reports what only the parser knows: which element ended the head early.
 */
import { type DefaultTreeAdapterMap, defaultTreeAdapter, html, InsertionMode, Parser, type Token } from 'parse5';
import type { HtmlDocument } from './element.ts';
import { TextRunTokenizer } from './textRuns.ts';

export type HtmlTree = { readonly document: HtmlDocument; readonly mode: 'no-quirks' | 'quirks' | 'limited-quirks' };

export function parseTree(text: string): HtmlTree {
  const parser = new Parser<DefaultTreeAdapterMap>();
  parser.tokenizer = new TextRunTokenizer(parser);
  parser.tokenizer.write(text, true);
  const { document } = parser;
  return { document, mode: defaultTreeAdapter.getDocumentMode(document) as HtmlTree['mode'] };
}

class HeadWatchingParser extends Parser<DefaultTreeAdapterMap> {
  headEndedBy: string | null = null;
  headEndStands = false;

  override onStartTag(token: Token.TagToken): void {
    const inHead = this.insertionMode === InsertionMode.IN_HEAD;
    super.onStartTag(token);
    if (inHead && this.insertionMode === InsertionMode.IN_BODY) this.headEndedBy = token.tagName;
  }

  override onCharacter(token: Token.CharacterToken): void {
    const inHead = this.insertionMode === InsertionMode.IN_HEAD;
    super.onCharacter(token);
    if (inHead && this.insertionMode === InsertionMode.IN_BODY) this.headEndedBy = '#text';
  }

  override onEndTag(token: Token.TagToken): void {
    if (token.tagID === html.TAG_ID.HEAD && this.insertionMode === InsertionMode.IN_BODY) this.headEndStands = true;
    super.onEndTag(token);
  }
}

/**
 * The element, or '#text', that made the parser leave the head while the source's head continued; null if nothing did.
 * Parses again, so call it only for pages where a head element was found in the body.
 */
export function headBreaker(text: string): string | null {
  const parser = new HeadWatchingParser({ treeAdapter: defaultTreeAdapter });
  parser.tokenizer.write(text, true);
  return parser.headEndStands ? parser.headEndedBy : null;
}
