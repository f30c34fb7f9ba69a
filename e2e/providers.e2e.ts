/** Coming in through Google and Facebook, in a browser that goes there and back. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { codeAt } from '../apps/api/test/factories/second-factor.ts';
import { confirmAddress } from './local-mail.ts';
import {
  addFacebook,
  agree,
  arrive,
  ask,
  come,
  goAlmost,
  labels,
  letConfirmationsExpire,
  password,
  press,
  register,
  signInByPassword,
  signOut,
  startProviderDesk,
  whoIsIn,
  type ProviderDesk,
} from './provider-desk.ts';

let desk: ProviderDesk;

before(async () => {
  desk = await startProviderDesk();
});
after(async () => {
  await desk?.stop();
});

async function buttons(page: Page, path: string): Promise<string[]> {
  await page.goto(`${desk.web}${path}`);
  return page.getByRole('link', { name: /^Continue with/ }).allInnerTexts();
}

describe('the buttons', () => {
  it('are those of the providers that are set up', async () => {
    const page = await desk.newPage();
    for (const path of ['/signin', '/signup']) {
      assert.deepEqual(await buttons(page, path), ['Continue with Google']);
    }
    await addFacebook(desk);
    for (const path of ['/signin', '/signup']) {
      assert.deepEqual(await buttons(page, path), [
        'Continue with Google',
        'Continue with Facebook',
      ]);
    }
    await page.context().close();
  });
});

for (const provider of ['google', 'facebook'] as const) {
  describe(`coming through ${labels[provider]}`, () => {
    it('opens an account at the first time and leads to the same one from then on', async () => {
      const person = desk.knownTo(provider);
      const page = await desk.newPage();
      const landed = await come(page, desk, { provider, as: person, from: '/signup' });
      assert.doesNotMatch(landed.href, /_=_/);
      const opened = await whoIsIn(page, desk);
      assert.equal(opened?.email, person.email);

      const elsewhere = await desk.newPage();
      await come(elsewhere, desk, { provider, as: person, from: '/signin' });
      assert.equal((await whoIsIn(elsewhere, desk))?.id, opened?.id);

      await signOut(page, desk);
      await page.goto(`${desk.web}/signin`);
      await press(page, provider);
      // Google knows the browser and what was consented to; Facebook asks each time.
      if (provider === 'facebook') await agree(page, provider, person);
      await arrive(page, desk, '/exchanges');
      assert.equal((await whoIsIn(page, desk))?.id, opened?.id);
      await Promise.all([page.context().close(), elsewhere.context().close()]);
    });

    for (const confirmed of [true, false]) {
      const kind = confirmed ? 'a confirmed' : 'an unconfirmed';
      it(`opens nothing for ${kind} address that has an account already`, async () => {
        const person = desk.knownTo(provider);
        const owner = await desk.newPage();
        await register(owner, desk, person.email);
        if (confirmed) await confirmAddress(owner.context(), desk, person.email);

        const page = await desk.newPage();
        const { searchParams } = await come(page, desk, {
          provider,
          as: person,
          from: '/signin?next=%2Faccount',
          to: '/signin',
        });
        assert.equal(searchParams.get('trouble'), 'email_in_use');
        await page.getByText(/There’s already an account with this e-mail address/).waitFor();
        assert.equal(await whoIsIn(page, desk), null);
        // The way that the reason names is open, and leads to where one was going.
        await page.goto(`${desk.web}/signin?${searchParams}`);
        await signInByPassword(page, person.email);
        await arrive(page, desk, '/account');
        await Promise.all([page.context().close(), owner.context().close()]);
      });
    }

    it('says so when it was cancelled, and still knows where one was going', async () => {
      const person = desk.knownTo(provider);
      const page = await desk.newPage();
      await page.goto(`${desk.web}/signup?next=%2Faccount%3Ffrom%3Dhere`);
      await press(page, provider);
      await page.getByRole('button', { name: 'Cancel' }).click();
      const { searchParams } = await arrive(page, desk, '/signin');
      assert.equal(searchParams.get('trouble'), 'cancelled');
      await page.getByText(/You stopped before the end/).waitFor();
      assert.equal(await whoIsIn(page, desk), null);

      await page.goto(`${desk.web}/signin?${searchParams}`);
      await press(page, provider);
      await agree(page, provider, person);
      const { search } = await arrive(page, desk, '/account');
      assert.equal(search, '?from=here');
      await page.context().close();
    });

    it('opens one from the sign-in page too, and never leads on to another site', async () => {
      const person = desk.knownTo(provider);
      const page = await desk.newPage();
      const from = `/signin?next=${encodeURIComponent('//evil.test/')}`;
      await come(page, desk, { provider, as: person, from });
      assert.equal((await whoIsIn(page, desk))?.email, person.email);
      for (const next of ['/\\evil.test/', 'https://evil.test/']) {
        await page.goto(await goAlmost(page, desk, { provider, as: person, next }));
        await arrive(page, desk, '/exchanges');
      }
      await page.context().close();
    });

    it('takes a return once', async () => {
      const person = desk.knownTo(provider);
      const page = await desk.newPage();
      const returning = page.waitForRequest((request) => /\/callback\?/.test(request.url()));
      await come(page, desk, { provider, as: person });
      const address = (await returning).url();
      await signOut(page, desk);
      await page.goto(address);
      const { searchParams } = await arrive(page, desk, '/signin');
      assert.equal(searchParams.get('trouble'), 'expired');
      await page.getByText(/started in another browser/).waitFor();
      assert.equal(await whoIsIn(page, desk), null);
      await page.context().close();
    });

    it("signs nobody in by another browser's return", async () => {
      const person = desk.knownTo(provider);
      const mine = await desk.newPage();
      const address = await goAlmost(mine, desk, { provider, as: person, next: '/account' });

      const lured = await desk.newPage();
      await lured.goto(address);
      const { searchParams } = await arrive(lured, desk, '/signin');
      assert.equal(searchParams.get('trouble'), 'expired');
      assert.equal(await whoIsIn(lured, desk), null);

      await mine.goto(address);
      await arrive(mine, desk, '/account');
      assert.equal((await whoIsIn(mine, desk))?.email, person.email);
      await Promise.all([mine.context().close(), lured.context().close()]);
    });

    it('is linked and unlinked on the account page, after a fresh confirmation', async () => {
      const label = labels[provider];
      const person = desk.knownTo(provider);
      const page = await desk.newPage();
      await register(page, desk, `owner-of-${person.email}`);
      const owner = await whoIsIn(page, desk);
      const confirmIn = async () => {
        const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
        await dialog.getByLabel('Your password').fill(password);
        await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
        await dialog.waitFor({ state: 'hidden' });
      };

      await letConfirmationsExpire(desk);
      await page.goto(`${desk.web}/account`);
      const linking = page.getByRole('link', { name: `Link ${label}` });
      await linking.click();
      await page.waitForLoadState('networkidle');
      await page.getByRole('button', { name: 'Confirm that it is you' }).click();
      await confirmIn();
      await linking.click();
      await agree(page, provider, person);
      await arrive(page, desk, '/account');
      const row = page.locator('#providers li', { hasText: label });
      await row.getByText(person.email).waitFor();
      await page.waitForLoadState('networkidle');

      const elsewhere = await desk.newPage();
      await come(elsewhere, desk, { provider, as: person });
      assert.deepEqual(await whoIsIn(elsewhere, desk), owner);

      await letConfirmationsExpire(desk);
      await row.getByRole('button', { name: `Unlink ${label}` }).click();
      const question = page.getByRole('dialog', { name: `Unlink ${label}?` });
      await question.getByRole('button', { name: 'Unlink' }).click();
      await confirmIn();
      await row.getByRole('link', { name: `Link ${label}` }).waitFor();
      assert.equal(await question.isVisible(), false);
      await Promise.all([page.context().close(), elsewhere.context().close()]);
    });

    it('is not offered to be unlinked while it is the only way in', async () => {
      const person = desk.knownTo(provider);
      const page = await desk.newPage();
      await come(page, desk, { provider, as: person });
      await page.goto(`${desk.web}/account`, { waitUntil: 'networkidle' });
      const row = page.locator('#providers li', { hasText: labels[provider] });
      await row.getByText('This is your only way to sign in').waitFor();
      assert.equal(await row.getByRole('button').count(), 0);
      await page.context().close();
    });

    it('still asks for the second step', async () => {
      const person = desk.knownTo(provider);
      const page = await desk.newPage();
      await come(page, desk, { provider, as: person });
      const { data } = (await ask(page, desk, 'POST', '/api/user/two-factor/totp')).body;
      const code = codeAt(data.secret, new Date());
      const confirmation = '/api/user/two-factor/totp/confirmation';
      assert.equal((await ask(page, desk, 'POST', confirmation, { code })).status, 200);

      const elsewhere = await desk.newPage();
      const from = '/signin?next=%2Faccount';
      await come(elsewhere, desk, { provider, as: person, from, to: '/two-factor' });
      assert.equal(await whoIsIn(elsewhere, desk), null);
      // The next one: a code that was used is used up.
      const next = codeAt(data.secret, new Date(Date.now() + 30_000));
      await elsewhere.goto(elsewhere.url());
      await elsewhere.getByLabel('Code from your app').fill(next);
      await elsewhere.getByRole('button', { name: 'Sign in', exact: true }).click();
      await arrive(elsewhere, desk, '/account');
      assert.equal((await whoIsIn(elsewhere, desk))?.email, person.email);
      await Promise.all([page.context().close(), elsewhere.context().close()]);
    });

    it('says so when the provider is down', async () => {
      const person = desk.knownTo(provider);
      const page = await desk.newPage();
      const address = await goAlmost(page, desk, { provider, as: person, next: '/account' });
      desk.peers[provider].condition = 'down';
      try {
        await page.goto(address);
        const { searchParams } = await arrive(page, desk, '/signin');
        assert.equal(searchParams.get('trouble'), 'unavailable');
        assert.equal(searchParams.get('next'), '/account');
        await page.getByText(/isn’t responding right now/).waitFor();
      } finally {
        desk.peers[provider].condition = 'up';
      }
      await page.context().close();
    });
  });
}

describe('an ID token', () => {
  it('with a nonce that nobody asked for signs nobody in', async () => {
    const person = desk.knownTo('google');
    const page = await desk.newPage();
    desk.peers.google.spoilNextNonce();
    const { searchParams } = await come(page, desk, {
      provider: 'google',
      as: person,
      to: '/signin',
    });
    assert.equal(searchParams.get('trouble'), 'failed');
    await page.getByText(/couldn’t sign you in/).waitFor();
    assert.equal(await whoIsIn(page, desk), null);
    await page.context().close();
  });

  it('that proves an address joins the account that has proved it too', async () => {
    // Google speaks for its own addresses.
    const person = desk.knownTo('google', { email: `mara.${Date.now()}@gmail.com` });
    const owner = await desk.newPage();
    await register(owner, desk, person.email);
    await confirmAddress(owner.context(), desk, person.email);
    const known = await whoIsIn(owner, desk);
    assert.ok(known);
    const page = await desk.newPage();
    await come(page, desk, { provider: 'google', as: person });
    assert.equal((await whoIsIn(page, desk))?.id, known.id);
    // As every change of the ways in, it ends the other sessions.
    assert.equal(await whoIsIn(owner, desk), null);
    await Promise.all([page.context().close(), owner.context().close()]);
  });
});
