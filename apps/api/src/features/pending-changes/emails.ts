/** Pure: the emails to admins about the desk's own money, with before and after. */
import type { PayeeAccount } from '@cambist/contract/currencies';
import { spokenTime } from '#kernel/spoken-time.ts';
import type { AdminEmail } from '#features/auth/admin/admin-emails.ts';
import type { Fact } from '#features/email/email.ts';
import type { ChangeContent, ChangeRow } from './store.ts';

type Named = Pick<ChangeRow, 'slug' | 'unit' | 'channel'>;

export function waitingEmail(change: ChangeRow, timeZone: string): AdminEmail {
  const { effective_at: at, lapses_at, asked_by_name: by, kind } = change;
  const until = spokenTime(at ?? lapses_at ?? change.asked_at, timeZone);
  const what = kind === 'payee_accounts' ? 'where customers pay' : 'a reserve by a large amount';
  const when =
    at === null
      ? `It needs another admin, and ends without effect on ${until}.`
      : `Until ${until}, or until another admin confirms it, customers see what was before.`;
  return {
    ...about(change, 'change-waits', ': a change waits', [
      `${by} wants to change ${what}.`,
      `${when} Object to it if the desk does not want it.`,
    ]),
    action: { label: 'Confirm or object', path: '/admin/pending-changes' },
  };
}

const outcomes = {
  confirmed: 'was confirmed and is in effect',
  effective: 'is in effect, since nobody objected in time',
  objected: 'was cancelled by an objection',
  lapsed: 'ended without effect, since nobody confirmed it in time',
} as const;

/** `by`: who decided; null where it was the time. */
export function endedEmail(
  change: ChangeRow,
  outcome: keyof typeof outcomes,
  by: string | null,
): AdminEmail {
  const words = outcomes[outcome];
  return about(change, 'change-ended', `: the change ${words}`, [
    `The change that ${change.asked_by_name} asked for ${words}.${by === null ? '' : ` ${by} decided it.`}`,
  ]);
}

/** Of a change that was made at once. */
export function changedEmail(change: Named & ChangeContent, by: string): AdminEmail {
  return change.kind === 'adjustment'
    ? about(change, 'reserve-adjusted', ' was adjusted', [`${by} changed this reserve.`])
    : about(change, 'payees-changed', ' were changed', [
        `${by} changed where customers pay. It is in effect.`,
      ]);
}

function about(
  change: Named & ChangeContent,
  kind: string,
  ending: string,
  paragraphs: readonly string[],
): AdminEmail {
  const { slug, unit, channel } = change;
  const [what, action] =
    change.kind === 'adjustment'
      ? ['Reserve', { label: 'Open the reserve', path: `/admin/reserves/${slug}` }]
      : ['Payee accounts', { label: 'Open the currency', path: `/admin/currencies/${slug}` }];
  const subject = `${what} of ${unit} (${channel})${ending}`;
  return { kind, subject, paragraphs, facts: factsOf(change), action };
}

function factsOf(change: Named & ChangeContent): Fact[] {
  if (change.kind === 'payee_accounts')
    return [...accountFacts('Before', change.before), ...accountFacts('After', change.after)];
  const { before, after, unit } = change;
  const sign = after.direction === 'in' ? '+' : '−';
  return [
    { label: 'Before', value: `${before.available} ${unit}` },
    { label: 'After', value: `${after.available} ${unit} (${sign}${after.amount})` },
    { label: 'Reason', value: after.reason },
  ];
}

function accountFacts(label: string, accounts: readonly PayeeAccount[]): Fact[] {
  if (accounts.length === 0) return [{ label, value: 'no account' }];
  return accounts.map(({ label: name, details, instructions, qr_template, active }) => ({
    label,
    value: [
      `${name}${active ? '' : ' (switched off)'}`,
      ...details.map((line) => `${line.label} ${line.value}`),
      ...[instructions, qr_template ?? ''].filter((text) => text !== ''),
    ].join(', '),
  }));
}
