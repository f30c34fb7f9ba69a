/** The form outside a browser: its state is plain, and navigations are recorded. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { standIn } from '#lib/test/stand-in.ts';

const went: unknown[][] = [];
const location = { replace: (...given: unknown[]) => void went.push(['replace', ...given]) };
const identity = <Value>(value: Value): Value => value;
Object.assign(globalThis, { $state: Object.assign(identity, { raw: identity }), went, location });
standIn({
  svelte: 'export const tick = async () => {}',
  '$app/env/public': `export const API_URL = 'https://api.test'`,
  '$app/paths': `export const match = async (path) => path.endsWith('.csv') ? null : { id: path }`,
  '$app/navigation': `export const goto = async (...given) => void went.push(['goto', ...given]);`,
});
const { AuthForm } = await import('./auth-form.svelte.ts');
const { ApiError } = await import('#lib/api/client.ts');

const tooOften = {
  status: 429,
  code: 'too_many_requests',
  message: 'Too often.',
  errors: {},
  request_id: null,
};

describe('the sign-in form', () => {
  beforeEach(() => went.splice(0));

  it('goes on and refreshes in one step', async () => {
    await new AuthForm(null).attempt(() => Promise.resolve('/preview'));
    assert.deepEqual(went, [['goto', '/preview', { replace: true, refreshAll: true }]]);
  });

  it('leaves files to the browser', async () => {
    await new AuthForm(null).attempt(() => Promise.resolve('/exchanges.csv'));
    assert.deepEqual(went, [['replace', '/exchanges.csv']]);
  });

  it('stays on the page when there is no path', async () => {
    await new AuthForm(null).attempt(() => Promise.resolve(null));
    assert.deepEqual(went, []);
  });

  it('shows the failure of its fields above them, but not that of the passkey', async () => {
    const form = new AuthForm(null);
    const fail = () => Promise.reject(new ApiError(tooOften));
    await form.attempt(fail, 'passkey');
    assert.deepEqual([form.method, form.failure, form.plainFailure], ['passkey', tooOften, null]);
    await form.attempt(fail);
    assert.deepEqual([form.method, form.plainFailure], ['fields', tooOften]);
  });

  it('leaves to a field what the field shows; a passkey has no field', () => {
    const plain = (errors: Record<string, string[]>) =>
      new AuthForm({ failure: { ...tooOften, errors } }).plainFailure;
    assert.equal(plain({ code: ['Wrong.'] }), null);
    assert.equal(plain({ passkey: ['Wrong.'], code: ['Wrong.'] }), null);
    assert.equal(plain({ passkey: ['Wrong.'] })?.message, 'Too often.');
    assert.equal(plain({})?.message, 'Too often.');
  });
});
