/**
 * parse5's tokenizer, extended to take plain text in whole runs. The original reads one character at a time and emits
 * words and the white space between them separately; where the tree builder treats both alike, the result is the same,
 * only faster.
 */
import { type DefaultTreeAdapterMap, InsertionMode, type Parser, Token, Tokenizer, TokenizerMode } from 'parse5';

/** In these modes, white space and other characters go to the same place in the tree. */
const BODY: ReadonlySet<InsertionMode> = new Set([
  InsertionMode.IN_BODY,
  InsertionMode.IN_CELL,
  InsertionMode.IN_CAPTION,
]);
/** Scripts, styles and titles. */
const RAW: ReadonlySet<number> = new Set([TokenizerMode.SCRIPT_DATA, TokenizerMode.RAWTEXT, TokenizerMode.RCDATA]);

const LESS_THAN = 0x3c;
const AMPERSAND = 0x26;
const RETURN = 0x0d;

/** Replaces the tokenizer of one parser. Does not support source locations and parse errors. */
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
    // Only if the pending text ends exactly here in the source: a newline after <pre> and an LF after a CR are dropped.
    if (
      this.runEnd !== preprocessor.pos + 1 ||
      this.#parser.skipNextNewLine ||
      preprocessor.html.charCodeAt(preprocessor.pos) === RETURN
    )
      return false;
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
      if (
        code === LESS_THAN ||
        code === AMPERSAND ||
        code === RETURN ||
        code === 0 ||
        (code >= 0xd800 && code <= 0xdfff)
      )
        break;
      if (isBlank && !isBlankCode(code)) isBlank = false;
    }
    if (!isBlank) token.type = Token.TokenType.CHARACTER;
    this.runEnd = end;
    this.preprocessor.pos = end - 1;
  }
}

/** White space as defined by the HTML parser. */
function isBlankCode(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0c;
}
