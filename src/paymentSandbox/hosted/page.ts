/** Hosted pages as data in and out. */
import type { Form } from '../server/form.ts';

export type PageRequest = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: Form;
  readonly form: Form;
};
export type PageAnswer = { readonly status: number; readonly html: string } | { readonly location: string };
export type Page = (request: PageRequest) => PageAnswer;
