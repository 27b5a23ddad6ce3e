/** The editor of long texts, whose value may be set from outside while the user types. */
import { EditorView } from '@codemirror/view';
import { act, fireEvent, render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { CodeEditor } from '../../../web/ui/form/CodeEditor.tsx';

function editorWith(initial: string, oneLine = false) {
  const told: string[] = [];
  const sent: string[] = [];
  const shown = (value: string, problem = '') => (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        sent.push(value);
      }}
    >
      <CodeEditor
        label="Content"
        oneLine={oneLine}
        value={value}
        onChange={(text) => told.push(text)}
        variables={[]}
        faultsOf={() => []}
        problem={problem}
      />
    </form>
  );
  const { container, rerender } = render(shown(initial));
  const content = container.querySelector('div')?.shadowRoot?.querySelector<HTMLElement>('.cm-content');
  const view = content && EditorView.findFromDOM(content);
  if (!view) throw new Error('There is no editor.');
  return {
    told,
    sent,
    content,
    text: () => view.state.doc.toString(),
    type: (text: string) => act(() => view.dispatch({ changes: { from: view.state.doc.length, insert: text } })),
    erase: (count: number) =>
      act(() => view.dispatch({ changes: { from: view.state.doc.length - count, to: view.state.doc.length } })),
    comesBack: (value: string, problem?: string) => rerender(shown(value, problem)),
  };
}

describe('the code editor', () => {
  it('is marked and described as invalid while something is wrong with its text', () => {
    const editor = editorWith('Hi');
    expect(editor.content).not.toHaveAttribute('aria-invalid');
    editor.comesBack('Hi', 'Please enter a subject');
    expect(editor.content).toHaveAttribute('aria-invalid', 'true');
    expect(editor.content).toHaveAttribute('aria-description', 'Please enter a subject');
    editor.comesBack('Hi');
    expect(editor.content).not.toHaveAttribute('aria-invalid');
    expect(editor.content).not.toHaveAttribute('aria-description');
  });

  it('keeps typed text when an earlier value is set', () => {
    const editor = editorWith('');
    editor.type('a');
    editor.type('b');
    editor.type('c');
    editor.comesBack('a');
    expect(editor.text()).toBe('abc');
    editor.comesBack('abc');
    expect([editor.text(), editor.told]).toEqual(['abc', ['a', 'ab', 'abc']]);
  });

  it('reports text typed and undone, so that both sides agree in the end', () => {
    const editor = editorWith('');
    editor.type('a');
    editor.erase(1);
    editor.comesBack('a');
    expect([editor.text(), editor.told]).toEqual(['', ['a', '']]);
    editor.comesBack('');
    expect(editor.text()).toBe('');
  });

  it('accepts a value from outside, then text typed after it', () => {
    const editor = editorWith('old');
    editor.type('!');
    editor.comesBack('old!');
    editor.comesBack('reverted');
    expect([editor.text(), editor.told]).toEqual(['reverted', ['old!']]);
    editor.type('?');
    expect(editor.told.at(-1)).toBe('reverted?');
  });

  it('of one line turns pasted line breaks into spaces, and sends the form with Enter', () => {
    const editor = editorWith('', true);
    editor.type('Hi\nthere,\nAnn');
    expect([editor.text(), editor.told]).toEqual(['Hi there, Ann', ['Hi there, Ann']]);
    editor.comesBack('Hi there, Ann');
    fireEvent.keyDown(editor.content, { key: 'Enter' });
    expect([editor.text(), editor.sent]).toEqual(['Hi there, Ann', ['Hi there, Ann']]);
    expect(editor.content).toHaveAttribute('aria-multiline', 'false');
  });

  it('of several lines keeps them', () => {
    const editor = editorWith('');
    editor.type('Hi\nthere');
    expect([editor.text(), editor.sent]).toEqual(['Hi\nthere', []]);
    expect(editor.content).toHaveAttribute('aria-multiline', 'true');
  });
});
