import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pdfFault, proofType } from './inspection.ts';

const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]);
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const webp = Buffer.from('RIFF\x10\0\0\0WEBPVP8 ');
const pdf = (inside = '') => Buffer.from(`%PDF-1.7\n${inside}\ntrailer\n%%EOF\n`);

describe('the type of a proof', () => {
  it('is told by its content', () => {
    assert.equal(proofType(jpeg), 'image/jpeg');
    assert.equal(proofType(png), 'image/png');
    assert.equal(proofType(webp), 'image/webp');
    assert.equal(proofType(pdf()), 'application/pdf');
  });

  it('is none where the content is none of ours', () => {
    for (const bytes of [
      Buffer.from('MZ\x90\0'),
      Buffer.from('\x7fELF\x02\x01\x01'),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      Buffer.from('GIF89a'),
      Buffer.from('\n%PDF-1.7'),
      Buffer.alloc(0),
      Buffer.from('RIFF\x10\0\0\0WAVE'),
    ]) {
      assert.equal(proofType(bytes), null, bytes.toString('latin1'));
    }
  });
});

describe('a PDF', () => {
  it('may be plain, with an action that only opens a page', () => {
    assert.equal(pdfFault(pdf('/OpenAction [3 0 R /Fit] /JSON 1')), null);
  });

  it('is refused with scripts, programs and attachments, however their names are written', () => {
    for (const name of [
      '/JavaScript',
      '/JS (app.alert(1))',
      '/J#61vaScript',
      '/#4a#53<61>',
      '/Launch',
      '/EmbeddedFile',
      '/EmbeddedFiles',
      '/RichMedia',
      '/XFA',
    ]) {
      assert.equal(pdfFault(pdf(`<< ${name} >>`)), 'active', name);
    }
  });

  it('is broken without its end', () => {
    assert.equal(pdfFault(Buffer.from('%PDF-1.7\n')), 'broken');
    assert.equal(pdfFault(Buffer.concat([pdf(), Buffer.alloc(2000)])), 'broken');
  });
});
