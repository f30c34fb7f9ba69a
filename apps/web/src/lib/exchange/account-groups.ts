import { isIban } from './answer-checks.ts';

/** An answer as the service will keep it: an IBAN in capitals, however it was typed. */
export function answerShown(check: string, answer: string): string {
  return check === 'iban' ? answer.replace(/[\s-]/g, '').toUpperCase() : answer;
}

/** An IBAN in groups of four, as it stands on cards and statements; anything else in one piece. */
export function accountGroups(text: string): readonly string[] {
  const plain = text.replace(/\s/g, '');
  return isIban(plain) ? (plain.match(/.{1,4}/g) ?? [text]) : [text];
}
