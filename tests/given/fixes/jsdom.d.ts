/** As far as it is used here: its own types need those of a browser, which Node's programs do not have. */
declare module 'jsdom' {
  export type DomElement = {
    readonly tagName: string;
    readonly innerHTML: string;
    readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
    readonly children: Iterable<DomElement>;
    readonly content: { readonly firstElementChild: DomElement | null };
    querySelector(selector: string): DomElement | null;
    querySelectorAll(selector: string): Iterable<DomElement>;
  };
  export type DomDocument = DomElement & { readonly head: DomElement; readonly documentElement: DomElement };
  export class JSDOM {
    static fragment(html: string): DomElement;
    constructor(html: string, options?: { readonly includeNodeLocations?: boolean });
    readonly window: { readonly document: DomDocument };
    nodeLocation(element: DomElement): unknown;
  }
}
