const TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  md: 'text/markdown',
};

/** Downloads a file, whose type follows from its name. */
export function saveFile(name: string, content: BlobPart): void {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain';
  const url = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replaceAll(/[^\w.-]+/g, '-');
  link.click();
  URL.revokeObjectURL(url);
}
