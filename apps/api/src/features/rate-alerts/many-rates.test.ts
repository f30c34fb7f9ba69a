/** Alerts over many rates, compared with a simple model of the same rules. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { compare, parseDecimal } from '@cambist/money/decimal';
import { startTestApi } from '#test/harness.ts';
import { emailsTo } from '#test/factories/emails.ts';
import { addAlert, openAlertDesk } from '#test/factories/rate-alerts.ts';
import { checkAlerts } from './check.ts';

const api = await startTestApi({ after });
const { change, setRate } = await openAlertDesk(api);
const check = () => checkAlerts(api.deps);
const passADay = () =>
  api.deps.sql`update rate_alerts set quiet_until = quiet_until - interval '1 day'`;
const alertsTo = async (email: string) =>
  (await emailsTo(api, email)).filter(({ kind }) => kind === 'rate-alert');

describe('a check', () => {
  it('agrees with a simple model of the rules over many rates', async () => {
    await change('usd-to-eur', { rate_digits: 18 });
    const { client, user } = await api.asMember();
    const lines = ['0.900000000000000001', '0.93', '0.95', '0.999999999999999999'];
    await setRate('0.92');
    await check();
    const oracle: Oracle[] = [];
    for (const [at, target] of lines.entries()) {
      const direction =
        parseDecimal(target).units * 100n >= 92n * 10n ** BigInt(parseDecimal(target).scale)
          ? ('at_least' as const)
          : ('at_most' as const);
      const repeats = at % 2 === 0;
      const { id } = await addAlert(client, { target, direction, repeats });
      oracle.push({ id, target, direction, repeats, armed: true, sent: 0 });
    }
    const next = random(20_261_121);
    for (let step = 0; step < 60; step += 1) {
      // Near a target, on it, and anywhere.
      const line = parseDecimal(lines[next(lines.length)] ?? '1');
      const units = line.units * 10n ** BigInt(18 - line.scale) + BigInt(next(3) - 1);
      const rate =
        next(4) === 0 ? 880_000_000_000_000_000n + BigInt(next(200)) * 10n ** 15n : units;
      const text = `0.${String(rate).padStart(18, '0')}`;
      if (rate >= 10n ** 18n) continue;
      await setRate(text);
      await api.db.deleteFrom('email_counts').execute();
      assert.equal(await check(), modelCheck(oracle, text), `at ${text}`);
      await passADay();
    }
    assert.ok(oracle.some(({ repeats, sent }) => repeats && sent > 2));
    assert.equal(
      (await alertsTo(user.email)).length,
      oracle.reduce((sum, { sent }) => sum + sent, 0),
    );
  });
});

interface Oracle {
  id: string;
  target: string;
  direction: 'at_least' | 'at_most';
  repeats: boolean;
  armed: boolean;
  sent: number;
}

/** A day passes between two rates. */
function modelCheck(alerts: Oracle[], rate: string): number {
  let sent = 0;
  for (const alert of alerts) {
    const side = compare(parseDecimal(rate), parseDecimal(alert.target));
    const past = alert.direction === 'at_least' ? side >= 0 : side <= 0;
    if (!past) alert.armed ||= alert.repeats;
    else if (alert.armed) {
      alert.armed = false;
      alert.sent += 1;
      sent += 1;
    }
  }
  return sent;
}

/** The same numbers each time, so that a failure can be reproduced. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
