/** Downloads a text as a file. */
export function saveFile(name: string, content: string): void {
  const type = name.endsWith('.json') ? 'application/json' : name.endsWith('.csv') ? 'text/csv' : 'text/markdown';
  const url = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replaceAll(/[^\w.-]+/g, '-');
  link.click();
  URL.revokeObjectURL(url);
}
