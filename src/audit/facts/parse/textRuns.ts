/**
 * parse5's tokenizer, which here takes plain text in whole runs. By itself it goes through text a character at a time and hands over words
 * and the blanks between them one by one; where the tree builder treats both alike that changes nothing but the time it takes.
 */
import { type DefaultTreeAdapterMap, InsertionMode, type Parser, Token, Tokenizer, TokenizerMode } from 'parse5';

/** In these modes white space and other characters go to the same place of the tree. */
const BODY: ReadonlySet<InsertionMode> = new Set([InsertionMode.IN_BODY, InsertionMode.IN_CELL, InsertionMode.IN_CAPTION]);
/** Scripts, styles and titles. */
const RAW: ReadonlySet<number> = new Set([TokenizerMode.SCRIPT_DATA, TokenizerMode.RAWTEXT, TokenizerMode.RCDATA]);

const LESS_THAN = 0x3c;
const AMPERSAND = 0x26;
const RETURN = 0x0d;

/** For one parser, instead of its own tokenizer. Source locations and parse errors are not to be asked for. */
export class TextRunTokenizer extends Tokenizer {
  readonly #parser: Parser<DefaultTreeAdapterMap>;

  constructor(parser: Parser<DefaultTreeAdapterMap>) {
    super(parser.options, parser);
    this.#parser = parser;
  }

  protected override _emitCodePoint(cp: number): void {
    super._emitCodePoint(cp);
    if (this.#takesRuns()) this.#takeRun();
  }

  #takesRuns(): boolean {
    const { preprocessor } = this;
    // What was read is the end of the pending text as it stands in the source; after <pre> a line end is left out, after a CR an LF.
    if (this.runEnd !== preprocessor.pos + 1 || this.#parser.skipNextNewLine || preprocessor.html.charCodeAt(preprocessor.pos) === RETURN) return false;
    if (this.state === TokenizerMode.DATA) return !this.inForeignNode && BODY.has(this.#parser.insertionMode);
    return RAW.has(this.state) && this.#parser.insertionMode === InsertionMode.TEXT;
  }

  #takeRun(): void {
    const token = this.currentCharacterToken;
    if (token === null || token.type === Token.TokenType.NULL_CHARACTER) return;
    const { html: source } = this.preprocessor;
    let isBlank = token.type === Token.TokenType.WHITESPACE_CHARACTER;
    let end = this.runEnd;
    for (; end < source.length; end += 1) {
      const code = source.charCodeAt(end);
      if (code === LESS_THAN || code === AMPERSAND || code === RETURN || code === 0 || (code >= 0xd800 && code <= 0xdfff)) break;
      if (isBlank && !isBlankCode(code)) isBlank = false;
    }
    if (!isBlank) token.type = Token.TokenType.CHARACTER;
    this.runEnd = end;
    this.preprocessor.pos = end - 1;
  }
}

/** White space as HTML's parser knows it. */
function isBlankCode(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0c;
}
