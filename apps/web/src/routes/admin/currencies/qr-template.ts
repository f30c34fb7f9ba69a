/** What a QR template becomes for a sample exchange, for the preview beside it. Pure. */
export interface QrSample {
  /** Major units, as a decimal string. */
  readonly amount: string;
  readonly amount_minor: string;
  readonly reference: string;
}

const place = /\{(\w*)\}/g;

/** An amount of 100 in a currency of these decimals. */
export function sampleOf(decimals: string): QrSample {
  const count = /^\d{1,2}$/.test(decimals) ? Math.min(Number.parseInt(decimals, 10), 18) : 0;
  const zeros = '0'.repeat(count);
  return {
    amount: count > 0 ? `100.${zeros}` : '100',
    amount_minor: `100${zeros}`,
    reference: '7F3K92QD',
  };
}

/** Unknown places stay as they are: the service names them when the form is saved. */
export function fillTemplate(template: string, sample: QrSample): string {
  const values = new Map<string, string>(Object.entries(sample));
  return template.replace(place, (whole, name: string) => values.get(name) ?? whole);
}
