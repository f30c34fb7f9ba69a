import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pixelsIn } from './picture-size.ts';

/** The first bytes of pictures of 700 × 40 pixels, up to where their size is said. */
const heads = {
  png: 'iVBORw0KGgoAAAANSUhEUgAAArwAAAAo',
  gif: 'R0lGODlhvAIoAA==',
  'lossy WebP': 'UklGRnwAAABXRUJQVlA4IHAAAABQCgCdASq8AigA',
  'lossless WebP': 'UklGRiQAAABXRUJQVlA4TBcAAAAvu8IJAA==',
  'see-through WebP': 'UklGRqgAAABXRUJQVlA4WAoAAAAQAAAAuwIAJwAA',
  JPEG: '/9j/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYnKSopGR8tMC0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCj/wAARCAAoArw=',
  'progressive JPEG with a note':
    '/9j/4QDIRXhpZgAASUkqAAgAAAAHABIBAwABAAAAAQAAABoBBQABAAAAYgAAABsBBQABAAAAagAAACgBAwABAAAAAgAAABMCAwABAAAAAQAAAJiCAgACAAAAQwAAAGmHBAABAAAAcgAAAAAAAAA4YwAA6AMAADhjAADoAwAABgAAkAcABAAAADAyMTABkQcABAAAAAECAwAAoAcABAAAADAxMDABoAMAAQAAAP//AAACoAQAAQAAALwCAAADoAQAAQAAACgAAAAAAAAA/9sAQwAGBAUGBQQGBgUGBwcGCAoQCgoJCQoUDg8MEBcUGBgXFBYWGh0lHxobIxwWFiAsICMmJykqKRkfLTAtKDAlKCko/9sAQwEHBwcKCAoTCgoTKBoWGigoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgo/8IAEQgAKAK8',
};

describe('the pixels of a picture', () => {
  for (const [name, head] of Object.entries(heads)) {
    it(`are read from a ${name}`, () => {
      const bytes = new Uint8Array(Buffer.from(head, 'base64'));
      assert.equal(pixelsIn(bytes), 28_000);
      assert.equal(pixelsIn(bytes.subarray(0, -1)), null);
    });
  }

  it('are not known of other files and of too few bytes', () => {
    for (const bytes of [
      [],
      [1, 2, 3],
      [0xff, 0xd8, 0xff, 0xe0],
      [0x89, 0x50, 0x4e, 0x47],
      [0xff, 0xd8, 0, 0, 0, 0],
    ]) {
      assert.equal(pixelsIn(new Uint8Array(bytes)), null);
    }
  });
});
