import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const web = join(import.meta.dirname, '../..');
const catalogues = globSync('messages/*/*.json', { cwd: web }).toSorted();

function keysOf(path: string): string[] {
  const messages: Record<string, unknown> = JSON.parse(readFileSync(join(web, path), 'utf8'));
  return Object.keys(messages).filter((key) => key !== '$schema');
}

describe('the message catalogue', () => {
  it('says nothing that no page shows', () => {
    const code = globSync('src/**/*.{ts,svelte}', { cwd: web, exclude: ['src/lib/paraglide/**'] })
      .map((path) => readFileSync(join(web, path), 'utf8'))
      .join('\n');
    const named = new Set(
      code.match(/\bm\s*\.\s*\w+/g)?.map((use) => use.replace(/^m\s*\.\s*/, '')),
    );
    const idle = catalogues.flatMap((path) =>
      keysOf(path)
        .filter((key) => !named.has(key))
        .map((key) => `${path}: ${key}`),
    );
    assert.ok(catalogues.length > 0 && named.size > 0);
    assert.deepEqual(idle, []);
  });

  it('gives a key to one area only, and begins it with the name of that area', () => {
    const places = new Map<string, string>();
    const wrong: string[] = [];
    for (const path of catalogues) {
      const [, area = '', language = ''] = path.split('/');
      for (const key of keysOf(path)) {
        const place = `${key} in ${language}`;
        const before = places.get(place);
        if (before !== undefined) wrong.push(`${path}: ${key} is in ${before} too`);
        if (!key.startsWith(`${area}_`)) wrong.push(`${path}: ${key}`);
        places.set(place, path);
      }
    }
    assert.deepEqual(wrong, []);
  });

  it('has no key twice in one file, where the second would silently win', () => {
    const twice = catalogues.flatMap((path) => {
      const keys: string[] =
        readFileSync(join(web, path), 'utf8').match(/^ {2}"[^"]+"(?=:)/gm) ?? [];
      return keys.filter((key, index) => keys.indexOf(key) !== index).map((key) => path + key);
    });
    assert.deepEqual(twice, []);
  });
});
