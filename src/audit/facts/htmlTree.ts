/** Bytes' text to parse5's tree, and what only the parser sees: which element ended the head early. */
import { type DefaultTreeAdapterMap, defaultTreeAdapter, html, InsertionMode, Parser, type Token } from 'parse5';
import type { HtmlDocument } from './element.ts';

export type HtmlTree = {
  readonly document: HtmlDocument;
  readonly mode: 'no-quirks' | 'quirks' | 'limited-quirks';
  /** Null unless the source's head went on after the parser had left it. */
  readonly headBrokenBy: string | null;
};

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

export function parseTree(text: string): HtmlTree {
  const parser = new HeadWatchingParser({ treeAdapter: defaultTreeAdapter });
  parser.tokenizer.write(text, true);
  return {
    document: parser.document,
    mode: defaultTreeAdapter.getDocumentMode(parser.document) as HtmlTree['mode'],
    headBrokenBy: parser.headEndStands ? parser.headEndedBy : null,
  };
}
