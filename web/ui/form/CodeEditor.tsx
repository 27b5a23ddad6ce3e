/** The editor itself: CodeMirror in a shadow root, in a chunk with everything that only it needs. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { linter, lintKeymap } from '@codemirror/lint';
import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { EDITOR_THEME, ONE_LINE_THEME } from './codeEditorTheme.ts';
import type { EditorHandle, EditorVariable, TextEditorProps } from './editorProps.ts';

type CodeEditorProps = Required<
  Pick<TextEditorProps, 'label' | 'oneLine' | 'value' | 'onChange' | 'variables' | 'faultsOf'>
> & {
  /** What is wrong with the text, announced with the field; '' for nothing. */
  problem: string;
  ref?: Ref<EditorHandle> | undefined;
};

const VARIABLE = /\{\{\s*([A-Za-z_]\w*)\s*\}\}/g;
const LINT_AFTER_MS = 200;

export function CodeEditor(props: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  // Latest props for the editor's callbacks, so that the editor is created only once.
  const latest = useRef(props);
  latest.current = props;
  // Reported texts that have not come back as `value` yet: on a slow machine the user types on meanwhile, and a late
  // echo must not count as an external change.
  const reported = useRef<string[]>([]);

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const tell = (text: string): void => {
      if (reported.current.length === 0 && text === latest.current.value) return;
      reported.current.push(text);
      latest.current.onChange(text);
    };
    // In a shadow root CodeMirror adds its styles as a stylesheet object; in a document as a style element, which our
    // content security policy blocks.
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const editor = new EditorView({
      parent: root,
      root,
      state: EditorState.create({ doc: latest.current.value, extensions: extensionsOf(() => latest.current, tell) }),
    });
    view.current = editor;
    return () => {
      editor.destroy();
      view.current = null;
    };
  }, []);

  useEffect(() => {
    const editor = view.current;
    const shown = editor?.state.doc.toString() ?? props.value;
    const back = reported.current.indexOf(props.value);
    reported.current = shown === props.value || back === -1 ? [] : reported.current.slice(back + 1);
    if (back === -1 && shown !== props.value)
      editor?.dispatch({ changes: { from: 0, to: shown.length, insert: props.value } });
  }, [props.value]);

  useEffect(
    () => view.current?.dispatch({ effects: validity.reconfigure(validityOf(props.problem)) }),
    [props.problem],
  );
  useImperativeHandle(props.ref, () => ({ focus: () => view.current?.focus() }), []);

  return <div ref={host} />;
}

const validity = new Compartment();

/** An element outside the shadow root cannot describe one inside it, so the words themselves do. */
const validityOf = (problem: string): Extension =>
  EditorView.contentAttributes.of(problem === '' ? {} : { 'aria-invalid': 'true', 'aria-description': problem });

function extensionsOf(latest: () => CodeEditorProps, tell: (text: string) => void): Extension {
  return [
    history(),
    bracketMatching(),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': latest().label, spellcheck: 'true' }),
    validity.of(validityOf(latest().problem)),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) tell(state.doc.toString());
    }),
    autocompletion({ override: [(context) => complete(context, latest().variables)], icons: false }),
    linter(
      ({ state }) =>
        latest()
          .faultsOf(state.doc.toString())
          .map((fault) => ({ ...fault, severity: 'error' as const })),
      { delay: LINT_AFTER_MS },
    ),
    marksOf(() => latest().variables),
    latest().oneLine ? ONE_LINE : [],
    // No Tab binding: Tab leaves the editor, as in any other field.
    keymap.of([...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
    EDITOR_THEME,
  ];
}

const ONE_LINE: Extension = [
  EditorView.contentAttributes.of({ 'aria-multiline': 'false' }),
  EditorState.transactionFilter.of((transaction) =>
    transaction.newDoc.lines === 1
      ? transaction
      : [transaction, { changes: breaksIn(transaction.newDoc), sequential: true }],
  ),
  keymap.of([{ key: 'Enter', run: sendForm }]),
  ONE_LINE_THEME,
];

const breaksIn = (text: Text) =>
  Array.from({ length: text.lines - 1 }, (_, before) => text.line(before + 1).to).map((from) => ({
    from,
    to: from + 1,
    insert: ' ',
  }));

function sendForm({ dom }: EditorView): boolean {
  const root = dom.getRootNode();
  if (root instanceof ShadowRoot) root.host.closest('form')?.requestSubmit();
  return true;
}

/** Completes variables after two opening braces, and adds the closing ones unless they exist. */
function complete(context: CompletionContext, variables: readonly EditorVariable[]): CompletionResult | null {
  const begun = context.matchBefore(/\{\{\s*\w*$/);
  if (!begun) return null;
  const options = variables.map(
    ({ name, description }): Completion => ({ label: `{{${name}}}`, detail: description, apply: insert }),
  );
  return { from: begun.from, options, validFor: /^\{\{\s*\w*$/ };
}

function insert(view: EditorView, { label }: Completion, from: number, to: number): void {
  const closed = /^\s*\}{1,2}/.exec(view.state.sliceDoc(to, to + 10))?.[0].length ?? 0;
  view.dispatch({
    changes: { from, to: to + closed, insert: label },
    selection: { anchor: from + label.length },
    userEvent: 'input.complete',
  });
}

function marksOf(variables: () => readonly EditorVariable[]): Extension {
  const mark = Decoration.mark({ class: 'cm-known-variable' });
  const decorator = new MatchDecorator({
    regexp: VARIABLE,
    decoration: ([, name]) => (variables().some((known) => known.name === name) ? mark : null),
  });
  const create = (view: EditorView) => ({
    decorations: decorator.createDeco(view),
    update(update: ViewUpdate) {
      this.decorations = decorator.updateDeco(update, this.decorations);
    },
  });
  return ViewPlugin.define<{ decorations: DecorationSet; update(update: ViewUpdate): void }>(create, {
    decorations: ({ decorations }) => decorations,
  });
}
