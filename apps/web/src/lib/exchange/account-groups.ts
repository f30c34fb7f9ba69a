import { isIban } from './answer-checks.ts';

/** An IBAN in groups of four, as it stands on cards and statements; anything else in one piece. */
export function accountGroups(text: string): readonly string[] {
  const plain = text.replace(/\s/g, '');
  return isIban(plain) ? (plain.match(/.{1,4}/g) ?? [text]) : [text];
}
