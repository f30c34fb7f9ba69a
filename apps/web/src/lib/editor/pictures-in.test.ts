import assert from 'node:assert/strict';
import { it } from 'node:test';
import { picturesIn } from './pictures-in.ts';

it('the pictures of a text are those of the library, each once', () => {
  const [one, two] = ['/media/bcdfghjkmnpqrstv-640.webp', '/media/bcdfghjkmnpqrstw-320.webp'];
  const html = `<p><img alt="A door" src="${one}" /><img src="${two}"><img src="${one}" alt="again" /></p>
    <img src="https://elsewhere.example/x.png" /><img alt="none">`;
  assert.deepEqual(picturesIn(html), [one, two]);
});
