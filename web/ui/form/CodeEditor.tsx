/** The editor itself: CodeMirror, in a room of its own. What only this file needs is fetched with it. */
import { autocompletion, type Completion, type CompletionContext, type CompletionResult, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { linter, lintKeymap } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap, MatchDecorator, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { EDITOR_LOOK } from './codeEditorLook.ts';
import type { EditorVariable, TextEditorProps } from './editorProps.ts';

type CodeEditorProps = Required<Pick<TextEditorProps, 'label' | 'value' | 'onChange' | 'variables' | 'faultsOf'>>;

const VARIABLE = /\{\{\s*([A-Za-z_]\w*)\s*\}\}/g;
const LINT_AFTER_MS = 200;

export function CodeEditor(props: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  // What the editor asks for when something happens in it, so that it is made once.
  const latest = useRef(props);
  latest.current = props;
  // What was told and has not come back as `value` yet: on a busy machine somebody types on meanwhile, and what comes back late is no change from outside.
  const told = useRef<string[]>([]);

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const tell = (text: string): void => {
      if (told.current.length === 0 && text === latest.current.value) return;
      told.current.push(text);
      latest.current.onChange(text);
    };
    // Into a shadow root CodeMirror puts its styles as a sheet; into a document as an element, which our security policy does not allow.
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
    const back = told.current.indexOf(props.value);
    told.current = shown === props.value || back === -1 ? [] : told.current.slice(back + 1);
    if (back === -1 && shown !== props.value) editor?.dispatch({ changes: { from: 0, to: shown.length, insert: props.value } });
  }, [props.value]);

  return <div ref={host} />;
}

function extensionsOf(latest: () => CodeEditorProps, tell: (text: string) => void): Extension {
  return [
    history(),
    bracketMatching(),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': latest().label, spellcheck: 'true' }),
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
    // No Tab: it leaves the editor, as it leaves every other field.
    keymap.of([...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
    EDITOR_LOOK,
  ];
}

/** After two braces. The braces that close it are written, too, and not twice. */
function complete(context: CompletionContext, variables: readonly EditorVariable[]): CompletionResult | null {
  const begun = context.matchBefore(/\{\{\s*\w*$/);
  if (!begun) return null;
  const options = variables.map(({ name, description }): Completion => ({ label: `{{${name}}}`, detail: description, apply: insert }));
  return { from: begun.from, options, validFor: /^\{\{\s*\w*$/ };
}

function insert(view: EditorView, { label }: Completion, from: number, to: number): void {
  const closed = /^\s*\}{1,2}/.exec(view.state.sliceDoc(to, to + 10))?.[0].length ?? 0;
  view.dispatch({ changes: { from, to: to + closed, insert: label }, selection: { anchor: from + label.length }, userEvent: 'input.complete' });
}

function marksOf(variables: () => readonly EditorVariable[]): Extension {
  const mark = Decoration.mark({ class: 'cm-known-variable' });
  const decorator = new MatchDecorator({ regexp: VARIABLE, decoration: ([, name]) => (variables().some((known) => known.name === name) ? mark : null) });
  const create = (view: EditorView) => ({
    decorations: decorator.createDeco(view),
    update(update: ViewUpdate) {
      this.decorations = decorator.updateDeco(update, this.decorations);
    },
  });
  return ViewPlugin.define<{ decorations: DecorationSet; update(update: ViewUpdate): void }>(create, { decorations: ({ decorations }) => decorations });
}
