/** The thread of `pdf.ts`: finds the fault of one PDF. About the library: docs/decisions/0033. */
import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { constants, inflateSync } from 'node:zlib';
import { PDF, PdfArray, PdfDict, PdfName, PdfRef, PdfStream, type PdfObject } from '@libpdf/core';
import { MAX_PAGES } from './inspection.ts';

/** `locked` needs a password to be opened, `long` has more than `MAX_PAGES`. */
export type PdfFault = 'broken' | 'active' | 'locked' | 'long';

/** The end mark is within the last kilobyte (ISO 32000-1, annex H.3, note 18). */
const TAIL_BYTES = 1024;
/** For all object and cross-reference streams; pages, fonts and images are not unpacked. */
const MAX_UNPACKED_BYTES = 8 * 1024 * 1024;

const activeNames = new Set([
  'JavaScript',
  'JS',
  'Launch',
  'EmbeddedFile',
  'EmbeddedFiles',
  'RichMedia',
  'XFA',
]);
/** Long enough not to occur in compressed bytes by chance. */
const activeText = /\/(JavaScript|Launch|EmbeddedFiles?|RichMedia)(?![A-Za-z0-9])/;

async function faultOf(bytes: Buffer): Promise<PdfFault | null> {
  const ended = bytes.subarray(-TAIL_BYTES).includes('%%EOF');
  if (!ended) return 'broken';
  // Also in unreferenced objects: another reader may show an older revision.
  if (activeText.test(withoutEscapes(bytes).toString('latin1'))) return 'active';
  let pdf: PDF;
  try {
    pdf = await PDF.load(bytes);
  } catch {
    return 'broken';
  }
  if (!pdf.isAuthenticated) return 'locked';
  const pages = pdf.getPageCount();
  if (pages === 0) return 'broken';
  if (pages > MAX_PAGES) return 'long';
  const active = holdsActiveName(pdf);
  // Checked after the walk, which misses objects that could not be unpacked.
  if (isIncomplete) return 'broken';
  return active ? 'active' : null;
}

/** `#61` is `a` in a name: decoded first, or /J#61vaScript would pass. */
function withoutEscapes(bytes: Buffer): Buffer {
  const text = Buffer.allocUnsafe(bytes.byteLength);
  let length = 0;
  for (let at = 0; at < bytes.byteLength; at += 1) {
    const [high, low] =
      bytes[at] === 0x23 ? [digit(bytes[at + 1]), digit(bytes[at + 2])] : [-1, -1];
    const isEscape = high >= 0 && low >= 0;
    text[length] = isEscape ? high * 16 + low : (bytes[at] ?? 0);
    length += 1;
    if (isEscape) at += 2;
  }
  return text.subarray(0, length);
}

/** The value of a hexadecimal digit, or -1. */
function digit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** Walks everything reachable from the catalog, also in compressed object streams. */
function holdsActiveName(pdf: PDF): boolean {
  const seen = new Set<string>();
  const waiting: PdfObject[] = [pdf.getCatalog()];
  for (let object = waiting.pop(); object !== undefined; object = waiting.pop()) {
    if (object instanceof PdfRef) {
      const key = `${object.objectNumber} ${object.generation}`;
      const target = seen.has(key) ? null : pdf.getObject(object);
      seen.add(key);
      if (target) waiting.push(target);
    } else if (object instanceof PdfArray) {
      for (const item of object) waiting.push(item);
    } else if (object instanceof PdfDict) {
      for (const [key, value] of object) {
        if (activeNames.has(key.value)) return true;
        waiting.push(value);
      }
    } else if (object instanceof PdfName && activeNames.has(object.value)) return true;
  }
  return false;
}

let unpackedBytes = 0;
let isIncomplete = false;

/**
 * The library unpacks without a limit, into memory outside `resourceLimits`, and ignores what it
 * cannot unpack. Parsing only unpacks streams with objects, which writers compress with Flate only.
 */
const unpack = PdfStream.prototype.getDecodedData;
PdfStream.prototype.getDecodedData = function unpackWithinLimit(this: PdfStream): Uint8Array {
  const filter = this.get('Filter');
  const filters = filter instanceof PdfArray ? [...filter] : filter === undefined ? [] : [filter];
  try {
    if (filters.length > 1) throw new Error('More than one filter.');
    for (const one of filters) {
      if (!(one instanceof PdfName) || one.value !== 'FlateDecode') throw new Error('Not Flate.');
      const maxOutputLength = MAX_UNPACKED_BYTES - unpackedBytes;
      // Some writers omit the end of the compressed data.
      const options = { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH };
      unpackedBytes += inflateSync(this.data, options).byteLength;
    }
  } catch (error) {
    isIncomplete = true;
    throw error;
  }
  return unpack.call(this);
};

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node has no origins
parentPort?.postMessage(await faultOf(await readFile(String(workerData))));
