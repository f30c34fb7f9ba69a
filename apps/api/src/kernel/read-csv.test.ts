import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { csvLine } from './csv.ts';
import { readCsv, UnreadableCsv } from './read-csv.ts';

/** In pieces of `size` bytes, wherever they cut. */
async function* pieces(text: string | Buffer, size: number) {
  const bytes = Buffer.from(text as string);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const read = async (text: string | Buffer, size = 3) =>
  Array.fromAsync(readCsv(pieces(text, size)));

describe('a spreadsheet file', () => {
  it('is read the same however it arrives, with lines as an editor counts them', async () => {
    const text = '\ufeffemail,note\r\n"a@b.example","one\ntwo, ""three"""\r\n\r\nc@d.example,é\n';
    for (const size of [1, 2, 7, 1000]) {
      assert.deepEqual(await read(text, size), [
        { line: 1, cells: ['email', 'note'] },
        { line: 2, cells: ['a@b.example', 'one\ntwo, "three"'] },
        { line: 5, cells: ['c@d.example', 'é'] },
      ]);
    }
  });

  it('may have semicolons or tabs, and no line break at its end', async () => {
    assert.deepEqual(
      (await read('name;email\nA, B;a@b.example')).map(({ cells }) => cells),
      [
        ['name', 'email'],
        ['A, B', 'a@b.example'],
      ],
    );
    assert.deepEqual(
      (await read('name\temail\n')).map(({ cells }) => cells),
      [['name', 'email']],
    );
    assert.deepEqual(await read('one@b.example'), [{ line: 1, cells: ['one@b.example'] }]);
    assert.deepEqual(await read(''), []);
  });

  it('comes back as it was written', async () => {
    const cells = ['plain', 'with "quotes"', 'and, commas', 'and\nbreaks', ''];
    assert.deepEqual(await read(csvLine(cells)), [{ line: 1, cells }]);
  });

  it('is refused where it cannot be one', async () => {
    const why = async (text: string | Buffer) => {
      const error = await read(text, 1000).catch((thrown: unknown) => thrown);
      assert.ok(error instanceof UnreadableCsv);
      return [error.why, error.line];
    };
    assert.deepEqual(await why(Buffer.from([0x61, 0xff, 0xfe, 0x0a])), ['not_utf8', null]);
    assert.deepEqual(await why('email\n"closed"\n"two\nlines","never closed\nx'), [
      'unclosed_quote',
      4,
    ]);
    const long = 'x'.repeat(30_000);
    assert.deepEqual(await why(`email\na\n"${long}`), ['unclosed_quote', 3]);
    assert.deepEqual(await why(`email\na\n${long}`), ['endless_line', 3]);
  });
});
