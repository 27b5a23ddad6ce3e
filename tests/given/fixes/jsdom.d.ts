/** As far as it is used here: its own types need those of a browser, which Node's programs do not have. */
declare module 'jsdom' {
  export type DomNode = { readonly nodeType: number; readonly nodeValue: string | null };
  export type DomElement = {
    readonly tagName: string;
    readonly innerHTML: string;
    readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
    readonly children: Iterable<DomElement>;
    readonly childNodes: Iterable<DomNode>;
    readonly content: { readonly firstElementChild: DomElement | null; readonly children: Iterable<DomElement> };
    querySelector(selector: string): DomElement | null;
    querySelectorAll(selector: string): Iterable<DomElement>;
  };
  export type DomDocument = DomElement & { readonly head: DomElement; readonly documentElement: DomElement };
  export class JSDOM {
    constructor(html: string);
    readonly window: {
      readonly DOMParser: new () => { parseFromString(text: string, type: string): DomDocument };
    };
  }
}
