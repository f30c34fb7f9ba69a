/** A submission outside of any browser: its state is plain here, and navigations are written down. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { standIn } from '#lib/stand-in.ts';

const went: unknown[][] = [];
Object.assign(globalThis, { $state: <Value>(value: Value): Value => value, went });
standIn({
  svelte: 'export const tick = async () => {}',
  '$app/env/public': `export const API_URL = 'https://api.test'`,
  '$app/navigation': `const told = (name) => async (...given) => void went.push([name, ...given]);
    export const goto = told('goto'), invalidateAll = told('invalidateAll'), refreshAll = told('refreshAll');`,
});
const { AuthForm } = await import('./auth-form.svelte.ts');

describe('a form of sign-in and its kin', () => {
  beforeEach(() => went.splice(0));

  it('leads on at once: this page, asked anew, would lead elsewhere first', async () => {
    await new AuthForm(null).run(() => Promise.resolve('/preview'));
    assert.deepEqual(went, [['goto', '/preview', { replace: true, refreshAll: true }]]);
  });

  it('stays where its work says so', async () => {
    await new AuthForm(null).run(() => Promise.resolve(null));
    assert.deepEqual(went, []);
  });
});
