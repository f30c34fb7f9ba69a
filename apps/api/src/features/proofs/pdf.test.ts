import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { PDF } from '@libpdf/core';
import { onePage, packedPdf, plainPdf } from '#test/factories/pdf.ts';
import { MAX_PAGES } from './inspection.ts';
import { inspectPdf } from './pdf.ts';

const folder = mkdtempSync(join(tmpdir(), 'cambist-pdf-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'proof.pdf');

async function faultOf(bytes: Uint8Array) {
  writeFileSync(path, bytes);
  return inspectPdf(path);
}

/** Encrypted with AES-256 without a password to open it, as banks do. */
async function encrypted(bytes: Uint8Array, userPassword: string): Promise<Uint8Array> {
  const pdf = await PDF.load(bytes);
  pdf.setProtection({ userPassword, ownerPassword: 'the bank', permissions: { modify: false } });
  return pdf.save({ useXRefStream: true });
}

const script = ['/OpenAction 4 0 R', '<< /S /JavaScript /JS (app.alert) >>'] as const;
const pages = (count: number) => [
  '<< /Type /Catalog /Pages 2 0 R >>',
  `<< /Type /Pages /Kids [${Array.from({ length: count }, (_, at) => `${at + 3} 0 R`).join(' ')}] /Count ${count} >>`,
  ...Array.from({ length: count }, () => '<< /Type /Page /Parent 2 0 R >>'),
];

describe('inspecting a PDF', () => {
  it('accepts one with a page, whether its objects are plain or compressed', async () => {
    const objects = onePage('/OpenAction [3 0 R /Fit]', '<< /JSON (app) >>');
    assert.equal(await faultOf(plainPdf(objects)), null);
    assert.equal(await faultOf(packedPdf(objects)), null);
    assert.equal(await faultOf(plainPdf(pages(MAX_PAGES))), null);
  });

  it('accepts one that is encrypted only against editing', async () => {
    assert.equal(await faultOf(await encrypted(plainPdf(onePage()), '')), null);
  });

  it('accepts one whose cross-reference table is wrong, as viewers do', async () => {
    const shifted = plainPdf(onePage()).toString('latin1').replace('%PDF-1.4', '%PDF-1.4 % mailed');
    assert.equal(await faultOf(Buffer.from(shifted, 'latin1')), null);
  });

  it('refuses scripts, programs and attachments, however their names are written', async () => {
    for (const inside of [
      '/S /JavaScript /JS (app.alert)',
      '/JS (app.alert)',
      '/#4a#53 (app.alert)',
      '/S /J#61vaScript',
      '/S /Launch',
      '/Names << /EmbeddedFiles [] >>',
      '/Type /EmbeddedFile',
      '/Subtype /RichMedia',
      '/XFA []',
    ]) {
      const objects = onePage('/More 4 0 R', `[ << ${inside} >> ]`);
      assert.equal(await faultOf(plainPdf(objects)), 'active', inside);
      assert.equal(await faultOf(packedPdf(objects)), 'active', `${inside}, compressed`);
    }
  });

  it('refuses a script in an older revision that nothing leads to any more', async () => {
    const [catalog, action] = script;
    const both = Buffer.concat([plainPdf(onePage(catalog, action)), plainPdf(onePage())]);
    assert.equal(await faultOf(both), 'active');
  });

  it('refuses a script in one that is encrypted', async () => {
    const bytes = plainPdf(onePage('/More 4 0 R', '<< /JS (app.alert) >>'));
    assert.equal(await faultOf(await encrypted(bytes, '')), 'active');
  });

  it('refuses one with objects that it does not unpack', async () => {
    const [objects = ''] = plainPdf(onePage('/More 9 0 R')).toString('latin1').split('xref\n');
    const hidden = Buffer.from('9 0 << /JS (app.alert) >>').toString('hex');
    const entries = `/Type /ObjStm /N 1 /First 4 /Length ${hidden.length}`;
    const packed = `5 0 obj\n<< ${entries} /Filter /ASCIIHexDecode >>\nstream\n${hidden}\nendstream\nendobj\n`;
    assert.equal(await faultOf(Buffer.from(`${objects}${packed}%%EOF\n`)), 'broken');
  });

  it('refuses what no parser reads, what is cut off, and what has no page', async () => {
    const whole = plainPdf(onePage());
    for (const bytes of [
      Buffer.from('%PDF-1.7\n'),
      Buffer.from('%PDF-1.7\n1 0 obj\n%%EOF\n'),
      Buffer.from(`%PDF-1.4\n${'#41'.repeat(10_000)}\n%%EOF\n`),
      whole.subarray(0, whole.byteLength - 20),
      Buffer.concat([whole, Buffer.alloc(2000)]),
      plainPdf(pages(0)),
      plainPdf(['<< /Type /Catalog >>']),
    ]) {
      assert.equal(await faultOf(bytes), 'broken', bytes.toString('latin1', 0, 200));
    }
  });

  it('refuses a password and more pages than an operator looks through', async () => {
    assert.equal(await faultOf(await encrypted(plainPdf(onePage()), 'secret')), 'locked');
    assert.equal(await faultOf(packedPdf(pages(MAX_PAGES + 1))), 'long');
  });

  it('refuses one that swells when it is unpacked', async () => {
    const objects = onePage('/More 4 0 R', `(${' '.repeat(9 * 1024 * 1024)})`);
    const bytes = packedPdf(objects);
    assert.ok(bytes.byteLength < 100_000);
    assert.equal(await faultOf(bytes), 'broken');
  });

  it('gives up one that takes too much memory, and goes on', async () => {
    const objects = onePage(`/More [${'<<>>'.repeat(1_300_000)}]`);
    assert.equal(await faultOf(plainPdf(objects)), 'costly');
    assert.equal(await faultOf(plainPdf(onePage())), null);
  });

  it('fails where the file cannot be read, which says nothing of the proof', async () => {
    await assert.rejects(inspectPdf(join(folder, 'missing.pdf')), { code: 'ENOENT' });
  });
});
