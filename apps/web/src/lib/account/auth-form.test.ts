/** A submission outside of any browser: its state is plain here, and navigations are written down. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { standIn } from '#lib/test/stand-in.ts';

const went: unknown[][] = [];
const location = { replace: (...given: unknown[]) => void went.push(['replace', ...given]) };
Object.assign(globalThis, { $state: <Value>(value: Value): Value => value, went, location });
standIn({
  svelte: 'export const tick = async () => {}',
  '$app/env/public': `export const API_URL = 'https://api.test'`,
  '$app/paths': `export const match = async (path) => path.endsWith('.csv') ? null : { id: path }`,
  '$app/navigation': `const told = (name) => async (...given) => void went.push([name, ...given]);
    export const goto = told('goto'), invalidateAll = told('invalidateAll'), refreshAll = told('refreshAll');`,
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

describe('a form of sign-in and its kin', () => {
  beforeEach(() => went.splice(0));

  it('leads on at once: this page, asked anew, would lead elsewhere first', async () => {
    await new AuthForm(null).run(() => Promise.resolve('/preview'));
    assert.deepEqual(went, [['goto', '/preview', { replace: true, refreshAll: true }]]);
  });

  it('leaves to the browser what is no page', async () => {
    await new AuthForm(null).run(() => Promise.resolve('/exchanges.csv'));
    assert.deepEqual(went, [['replace', '/exchanges.csv']]);
  });

  it('stays where its work says so', async () => {
    await new AuthForm(null).run(() => Promise.resolve(null));
    assert.deepEqual(went, []);
  });

  it('is told above its fields what they were refused, and nothing of the passkey', async () => {
    const form = new AuthForm(null);
    const refused = () => Promise.reject(new ApiError(tooOften));
    await form.run(refused, 'passkey');
    assert.deepEqual([form.way, form.failure, form.plainFailure], ['passkey', tooOften, null]);
    await form.run(refused);
    assert.deepEqual([form.way, form.plainFailure], ['fields', tooOften]);
  });
});
