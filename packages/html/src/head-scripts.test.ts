import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attacks } from './attacks.ts';
import { readHeadScripts, staysInside, writeHeadScripts } from './head-scripts.ts';
import { MarkupFault } from './json-ld.ts';

const thing = { '@context': 'https://schema.org', '@type': 'Thing', name: 'A </script> B' };
const json = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Thing"}</script>`;

describe('scripts of a head', () => {
  it('stand beside structured data, which may still be bare', () => {
    const read = readHeadScripts(
      `${json}\n<script>a()</script><SCRIPT type='text/javascript'>b()</SCRIPT >`,
    );
    assert.deepEqual(read.scripts, ['a()', 'b()']);
    assert.equal(read.structured.length, 1);
    assert.deepEqual(readHeadScripts(JSON.stringify(thing)), { structured: [thing], scripts: [] });
    assert.deepEqual(readHeadScripts('  <script> </script>'), { structured: [], scripts: [] });
  });

  it('are read back as they were kept', () => {
    const kept = { structured: [thing], scripts: ['if (1 < 2) a("</p>")', 'b()\n'] };
    assert.deepEqual(readHeadScripts(writeHeadScripts(kept)), kept);
    assert.deepEqual(readHeadScripts(writeHeadScripts({ ...kept, scripts: [] })).scripts, []);
    assert.equal(writeHeadScripts({ structured: [], scripts: [] }), '');
  });

  it('have the ends of lines that a browser hashes', () => {
    assert.deepEqual(readHeadScripts('<script>a()\r\nb()\rc()</script>').scripts, [
      'a()\nb()\nc()',
    ]);
  });

  const refused = [
    '<script src="https://elsewhere.test/x.js"></script>',
    '<script src=/own.js></script>',
    '<script type="module">a()</script>',
    '<script async>a()</script>',
    '<script nonce="x">a()</script>',
    '<script data-x=">">a()</script>',
    '<script>a()</script><p>text</p>',
    '<p>text</p><script>a()</script>',
    '<script>a()',
    '<script>a()</script/x>b()</script>',
    '<script><!-- <script> </script>a()</script>',
    '<script>"<!--"</script>',
    '<script>"<SCRIPT"</script>',
    '<script type="application/ld+json">a()</script>',
    '<script type="application/ld+json" src="x">{}</script>',
    'a()',
  ];
  for (const source of refused) {
    it(`are not ${source}`, () => {
      assert.throws(() => readHeadScripts(source), MarkupFault);
    });
  }

  it('are none of the known attacks but those that are an element with a text alone', () => {
    for (const attack of attacks) {
      try {
        for (const script of readHeadScripts(attack).scripts)
          assert.ok(staysInside(script), attack);
      } catch (error) {
        assert.ok(error instanceof MarkupFault, attack);
      }
    }
  });
});
