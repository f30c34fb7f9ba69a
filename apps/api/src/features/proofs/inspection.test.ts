import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { proofType } from './inspection.ts';

const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]);
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const webp = Buffer.from('RIFF\x10\0\0\0WEBPVP8 ');

describe('the type of a proof', () => {
  it('is recognised by its content', () => {
    assert.equal(proofType(jpeg), 'image/jpeg');
    assert.equal(proofType(png), 'image/png');
    assert.equal(proofType(webp), 'image/webp');
    assert.equal(proofType(Buffer.from('%PDF-1.7\n')), 'application/pdf');
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
