/** Pages as trees that answer selectors, with the places of their elements in the source. */
import { type DomDocument, type DomElement, JSDOM } from 'jsdom';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';

export type Span = { readonly startOffset: number; readonly endOffset: number };
type Place = Span & { readonly startTag?: Span | undefined; readonly endTag?: Span | undefined };
export type Source = {
  readonly document: DomDocument;
  /** Null for an element that the source does not write. */
  readonly placeOf: (element: DomElement) => Place | null;
};

/** A window takes megabytes, and keeps the documents that it made. */
const DOCUMENTS_PER_WINDOW = 50;
let made = 0;
let { DOMParser } = new JSDOM('').window;

function parsed(text: string, type: string): DomDocument {
  made += 1;
  if (made % DOCUMENTS_PER_WINDOW === 0) ({ DOMParser } = new JSDOM('').window);
  return new DOMParser().parseFromString(text, type);
}

export const documentOf = (source: string): DomDocument => parsed(source, 'text/html');

/** Null if it is well-formed. */
export function xmlProblem(text: string): string | null {
  const { documentElement } = parsed(text, 'application/xml');
  return documentElement.tagName === 'parsererror' ? documentElement.innerHTML : null;
}

/** By its start tag. */
export const elementOf = (code: string): DomElement | null =>
  /^<html/i.test(code)
    ? documentOf(code).documentElement
    : (documentOf(`<template>${code}</template>`).querySelector('template')?.content.firstElementChild ?? null);

/** All elements that a selector of a fix names; its ampersands are escaped, which the library does not find otherwise. */
export const found = (document: DomDocument, selector: string): readonly DomElement[] => [
  ...document.querySelectorAll(selector.replaceAll('&', '\\26 ')),
];

/** The last ones: one page is changed again and again. */
const RECENT = 3;
const recent = new Map<string, Source>();

export function sourceOf(source: string): Source {
  const known = recent.get(source) ?? located(source);
  recent.delete(source);
  recent.set(source, known);
  for (const oldest of recent.keys()) if (recent.size > RECENT) recent.delete(oldest);
  return known;
}

function located(source: string): Source {
  const document = documentOf(source);
  const places = placesIn(parse(source, { sourceCodeLocationInfo: true, scriptingEnabled: false }));
  const nth = new Map([...document.querySelectorAll('*')].map((element, index) => [element, index]));
  return { document, placeOf: (element) => places[nth.get(element) ?? -1] ?? null };
}

/** Of every element, in document order. */
function placesIn({ childNodes }: DefaultTreeAdapterTypes.ParentNode): (Place | null)[] {
  return childNodes.flatMap((node) =>
    'tagName' in node ? [(node.sourceCodeLocation as Place | undefined) ?? null, ...placesIn(node)] : [],
  );
}
