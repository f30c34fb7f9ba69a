/** PDFs for tests, written from their objects. */
import { deflateSync } from 'node:zlib';

/** The catalog and all else of a PDF with one page; `catalog` is added to the former. */
export function onePage(catalog = '', ...more: readonly string[]): string[] {
  return [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] >>',
    ...more,
  ];
}

/** Object n is `objects[n - 1]`, with a cross-reference table. */
export function plainPdf(objects: readonly string[]): Buffer {
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return String(offset).padStart(10, '0');
  });
  const table = offsets.map((offset) => `${offset} 00000 n \n`).join('');
  const size = objects.length + 1;
  return Buffer.from(
    `${text}xref\n0 ${size}\n0000000000 65535 f \n${table}` +
      `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  );
}

/** The same with all objects in one compressed object stream, and a compressed cross-reference stream. */
export function packedPdf(objects: readonly string[]): Buffer {
  const holder = objects.length + 1;
  const table = holder + 1;
  let body = '';
  const index = objects.map((object, at) => {
    const entry = `${at + 1} ${body.length}`;
    body += `${object}\n`;
    return entry;
  });
  const head = `${index.join(' ')} `;
  const held = stream(
    holder,
    `/Type /ObjStm /N ${objects.length} /First ${head.length}`,
    Buffer.from(head + body, 'latin1'),
  );
  const start = Buffer.from('%PDF-1.5\n');
  const at = start.byteLength + held.byteLength;
  const rows = [
    [0, 0, 255],
    ...objects.map((_object, place) => [2, holder, place]),
    [1, start.byteLength, 0],
    [1, at, 0],
  ].map(([type = 0, second = 0, third = 0]) =>
    Buffer.from([type, second >> 24, second >> 16, second >> 8, second, third]),
  );
  const entries = `/Type /XRef /W [1 4 1] /Size ${table + 1} /Root 1 0 R`;
  return Buffer.concat([
    start,
    held,
    stream(table, entries, Buffer.concat(rows)),
    Buffer.from(`startxref\n${at}\n%%EOF\n`),
  ]);
}

function stream(number: number, entries: string, bytes: Buffer): Buffer {
  const packed = deflateSync(bytes, { level: 9 });
  return Buffer.concat([
    Buffer.from(
      `${number} 0 obj\n<< ${entries} /Filter /FlateDecode /Length ${packed.byteLength} >>\nstream\n`,
    ),
    packed,
    Buffer.from('\nendstream\nendobj\n'),
  ]);
}
