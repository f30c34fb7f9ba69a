/**
 * Checks a proof before the upload. The API checks the content; this only saves an upload that must
 * fail. Pure.
 */
import type { Exchange, ExchangeState } from '@cambist/contract/exchanges';
import { numberFormat } from '#lib/format/intl.ts';

/** 5 × 1024 × 1024 bytes, the API's limit. */
export const maxProofBytes = 5_242_880;
export const maxProofs = 5;

/** The states in which the API accepts proofs. */
const open: ReadonlySet<ExchangeState> = new Set([
  'awaiting_payment',
  'payment_submitted',
  'under_review',
  'on_hold',
]);

/** Whether only the number of files prevents another one. */
export function isFull({ state, proofs }: Pick<Exchange, 'state' | 'proofs'>): boolean {
  return open.has(state) && proofs.length >= maxProofs;
}

/** For the `accept` of a file input. */
export const acceptedTypes =
  'image/jpeg,image/png,image/webp,application/pdf,.jpg,.jpeg,.png,.webp,.pdf';

export type ProofKind = 'image' | 'pdf';
export type ProofFault = 'too_large' | 'wrong_type' | 'empty';

type ProofFile = Pick<File, 'name' | 'type' | 'size'>;

const imageTypes = new Set(['image/jpeg', 'image/png', 'image/webp']);

/** By the type the browser gives, else by the name's extension; null for anything else. */
export function proofKind({ name, type }: Pick<ProofFile, 'name' | 'type'>): ProofKind | null {
  if (imageTypes.has(type)) return 'image';
  if (type === 'application/pdf') return 'pdf';
  if (type !== '' && type !== 'application/octet-stream') return null;
  if (/\.(jpe?g|png|webp)$/i.test(name)) return 'image';
  return /\.pdf$/i.test(name) ? 'pdf' : null;
}

export function proofFault(file: ProofFile): ProofFault | null {
  if (proofKind(file) === null) return 'wrong_type';
  if (file.size === 0) return 'empty';
  return file.size > maxProofBytes ? 'too_large' : null;
}

/** `1.4 MB`, `812 kB`: in the limit's units, rounded up. */
export function fileSize(bytes: number, locale: string): string {
  const [value, unit] =
    bytes >= 1_048_576 ? [bytes / 1_048_576, 'megabyte'] : [bytes / 1024, 'kilobyte'];
  const format = numberFormat(locale, {
    style: 'unit',
    unit,
    maximumFractionDigits: unit === 'megabyte' ? 2 : 0,
    roundingMode: 'ceil',
  } as Intl.NumberFormatOptions);
  return format.format(value);
}

/** Pasted pictures have no name, or all the same one. */
export function pastedName(type: string, now: Date): string {
  const ending = type === 'image/jpeg' ? 'jpg' : (type.split('/')[1] ?? 'png');
  const stamp = now.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
  return `pasted-${stamp}.${ending}`;
}
