import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { PASSWORD } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });

const signUp = (name: string) =>
  api.client().post('/api/auth/signup', {
    name,
    email: `${randomUUID()}@example.com`,
    password: PASSWORD,
    terms_accepted: true,
  });

describe('the name of an account', () => {
  it('is refused with invisible characters', async () => {
    for (const name of [
      'Alex\u202emolraM',
      'Alex\u2067Marlow',
      'Al\u200bex',
      'Alex\u200c Marlow',
      '\u200b',
      '\u200c\u200d',
      '\u3164',
      '\u2800',
      '\ufe0f',
      'Al\u200dex',
      'Al\u200cex',
      'علی\u200c\u200cرضا',
      'علی\u200c',
      'ക്\u200d\u200d',
      'Alex\ufe0f',
      'Agent 0\ufe0f07',
      '葛\u{e0100}\u{e0101}',
      'Alex\u{e0100}',
      'Alex\u180b',
    ]) {
      const answer = await signUp(name);
      assert.equal(answer.status, 422, JSON.stringify(name));
      assert.deepEqual(answer.body.errors, {
        name: ['The name field contains characters that cannot be seen.'],
      });
    }
  });

  it('is accepted in any script', async () => {
    for (const name of [
      'علی\u200cرضا نوری',
      '葛\u{e0100}城',
      'क्\u200dषमा',
      'র\u200d্যাম',
      'അവന്\u200d',
      'കണ്\u200d നായര്\u200d',
      'ශ්\u200dරී',
      'Ada ❤\ufe0f',
      'Zoë O’Neill',
      '李 🦊',
    ]) {
      const answer = await signUp(name);
      assert.equal(answer.status, 201, answer.text);
      assert.equal(answer.body.data.name, name);
    }
  });
});
