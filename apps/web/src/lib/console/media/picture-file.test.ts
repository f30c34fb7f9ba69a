import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { maxPictureBytes, pictureFault } from './picture-file.ts';

const file = (name: string, type: string, size = 1000) => ({ name, type, size });

describe('a file for the library', () => {
  it('is a picture by its type, or by its name where the browser knows no type', () => {
    for (const good of [
      file('a.jpg', 'image/jpeg'),
      file('a', 'image/avif'),
      file('a.AVIF', ''),
      file('a.png', 'application/octet-stream'),
    ]) {
      assert.equal(pictureFault(good), null, good.name);
    }
    for (const other of [
      file('a.svg', 'image/svg+xml'),
      file('a.jpg', 'application/pdf'),
      file('a.pdf', ''),
      file('a', ''),
    ]) {
      assert.equal(pictureFault(other), 'wrong_type', other.name);
    }
  });

  it('has something in it, and not too much', () => {
    assert.equal(pictureFault(file('a.jpg', 'image/jpeg', 0)), 'empty');
    assert.equal(pictureFault(file('a.jpg', 'image/jpeg', maxPictureBytes)), null);
    assert.equal(pictureFault(file('a.jpg', 'image/jpeg', maxPictureBytes + 1)), 'too_large');
  });
});
