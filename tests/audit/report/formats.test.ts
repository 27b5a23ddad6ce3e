/** The report for spreadsheets, for code scanning, and as one HTML file. */
import { parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import { findingsCsv } from '../../../src/audit/report/findingsCsv.ts';
import { html } from '../../../src/audit/report/html.ts';
import { reportHtml } from '../../../src/audit/report/reportHtml.ts';
import { sarif } from '../../../src/audit/report/sarif.ts';
import { inputOf } from '../../given/audit/reportInput.ts';

const HOSTILE =
  '</code></style><script>alert(1)</script><img src=https://evil.example/p.gif onerror=alert(1)>" onmouseover="alert(1)';
const hostile = () =>
  inputOf(
    `<html lang="en"><head><title>${HOSTILE.replaceAll('<', '&lt;').repeat(3)}</title></head><body><h1>${HOSTILE.replaceAll('<', '&lt;')}</h1><h1>=cmd()</h1><img src="/a.png${'"'.replaceAll('"', '&quot;')}&gt;"></body></html>`,
  );

type Node = {
  readonly nodeName: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly Node[];
};

function elementsOf(node: Node): readonly Node[] {
  return [node, ...(node.childNodes ?? []).flatMap(elementsOf)];
}

describe('the HTML report', () => {
  it('has the score, the causes with their evidence, and the coverage', () => {
    const page = reportHtml(inputOf('<html><head></head><body><p>Tea</p></body></html>'));
    expect(page).toContain('Page has no title');
    expect(page).toMatch(/aria-label="Score \d+ of 100"/);
    expect(page).toContain('How the score is calculated');
    expect(page).toContain('Passed checks');
  });

  it('runs nothing and loads nothing, whatever a page contains', () => {
    const page = reportHtml(hostile());
    const elements = elementsOf(parse(page) as unknown as Node);
    const names = new Set(elements.map((element) => element.nodeName));
    for (const name of ['script', 'img', 'iframe', 'link', 'object', 'form']) expect(names).not.toContain(name);
    const attributes = elements.flatMap((element) => element.attrs ?? []);
    expect(
      attributes.filter(({ name }) => name.startsWith('on') || ['src', 'href', 'srcset', 'action'].includes(name)),
    ).toEqual([]);
    expect(elements.filter((element) => element.nodeName === 'style')).toHaveLength(1);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).toContain("default-src 'none'");
  });

  it('shows code in steps as code', () => {
    const page = reportHtml(inputOf('<body><p>Tea'));
    const at = page.indexOf('What to do.', page.indexOf('No HTML5 doctype'));
    expect(page.slice(at, at + 200)).toContain('Make <code>&lt;!DOCTYPE html&gt;</code> the very first line');
    expect(page).not.toContain('`');
  });

  it('says plainly when there was nothing to score', () => {
    const page = reportHtml(inputOf({ pages: [{ status: 500 }] }));
    expect(page).toContain('Not scored.');
  });

  it('escapes every value in its templates, and takes lists of their own kind', () => {
    expect(html`<a title="${'"><b>'}">${[html`<i>${'&'}</i>`, html`<i>${1}</i>`]}${null}</a>`.text).toBe(
      '<a title="&quot;&gt;&lt;b&gt;"><i>&amp;</i><i>1</i></a>',
    );
  });
});

describe('the table of findings', () => {
  it('has a row per finding, and no cell that a spreadsheet would run', () => {
    const { findings, checks } = hostile();
    const csv = findingsCsv(
      [
        {
          ...(findings[0] as (typeof findings)[number]),
          evidence: { url: 'https://example.com/', place: '=HYPERLINK("x")', value: 'a\r\nb' },
          root: { kind: 'template', name: '/tea/*' },
        },
      ],
      checks,
    );
    const [head, row, end] = csv.split('\r\n');
    expect(head).toMatch(/^id,check,title,category,impact,hint,url,place,value,message/);
    expect(row).toContain(`"'=HYPERLINK(""x"")"`);
    expect(row).toContain(',a b,');
    expect([head, row].map((line) => line?.split(',').slice(-2))).toEqual([
      ['root_kind', 'root'],
      ['template', '/tea/*'],
    ]);
    expect(end).toBe('');
  });
});

describe('SARIF', () => {
  it('has a rule per check and a result per finding, with a stable fingerprint', () => {
    const input = inputOf('<html><head></head><body><p>Tea</p></body></html>');
    const log = JSON.parse(sarif({ ...input, version: '1.2.3' }));
    const [run] = log.runs;
    expect(log.version).toBe('2.1.0');
    expect(run.results).toHaveLength(input.findings.length);
    for (const [index, result] of run.results.entries()) {
      expect(run.tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId);
      expect(result.partialFingerprints['findingId/v1']).toBe(input.findings[index]?.id);
      expect(['error', 'warning', 'note']).toContain(result.level);
      expect(result.locations[0].physicalLocation.artifactLocation.uri).toMatch(/^https?:/);
    }
  });
});
