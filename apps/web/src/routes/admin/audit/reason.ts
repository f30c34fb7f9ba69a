/** Why something was done, as a line of the log. Pure. */
import type { AuditEvent } from '@cambist/contract/audit';
import { quarantineReasons, type QuarantineReason } from '@cambist/contract/rate-quarantine';
import { m } from '#lib/paraglide/messages.js';

const waits: Readonly<Record<QuarantineReason, () => string>> = {
  jump: m.people_audit_rate_jump,
  drift: m.people_audit_rate_drift,
};

/** Of a rate, why it waited, by a code; of everything else, what somebody typed, in quotation marks. */
export function reasonOf({
  subject_kind,
  data,
}: Pick<AuditEvent, 'subject_kind' | 'data'>): string | null {
  const { reason } = data;
  if (typeof reason !== 'string') return null;
  if (subject_kind !== 'rate') return `“${reason}”`;
  const code = quarantineReasons.find((each) => each === reason);
  return code === undefined ? null : waits[code]();
}
