/**
 * The receipt of an exchange that has ended with money as PDF, on one page: what came, what was paid out
 * and paid back. DejaVu has the letters of most names, which the fonts of PDF itself have not.
 */
import { fileURLToPath } from 'node:url';
import type { Exchange as ExchangeView } from '@cambist/contract/exchanges';
import type { Actor } from '#kernel/actor.ts';
import { Refusal } from '#kernel/refusal.ts';
import { spokenTime } from '#kernel/spoken-time.ts';
import type { Deps } from '#platform/deps.ts';
import * as settings from '#features/content/settings/settings.ts';
import { getOwn } from './customer-reads.ts';

const REGULAR = fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'));
const BOLD = fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'));
/** Points: A4 is 595 wide. */
const MARGIN = 56;
const LABEL_WIDTH = 170;

type Line = readonly [label: string, value: string | null];

/** @throws Refusal 404, also for another customer's exchange; 409 `state_conflict` before its end */
export async function receiptOf(deps: Deps, actor: Actor, number: string): Promise<Buffer> {
  const { data: exchange } = await getOwn(deps, actor, number);
  if (exchange.state !== 'completed' && exchange.state !== 'refunded') {
    throw new Refusal(409, 'state_conflict', 'There is a receipt once the exchange has ended.');
  }
  const general = await settings.read(deps, 'general');
  return draw(exchange, general);
}

async function draw(
  exchange: ExchangeView,
  desk: { company_name: string; company_address: string; site_name: string; time_zone: string },
): Promise<Buffer> {
  // Loaded when it is first asked for, since few are.
  const { default: PDFDocument } = await import('pdfkit');
  const { number, state, created_at } = exchange;
  const title = state === 'completed' ? 'Receipt' : 'Confirmation of refund';
  const company = desk.company_name || desk.site_name;
  const pdf = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    info: { Title: `${title} ${number}`, Author: company },
    lang: 'en',
    tagged: true,
    displayTitle: true,
    font: REGULAR,
  });
  const parts: Buffer[] = [];
  const done = new Promise<Buffer>((settle, fail) => {
    pdf.on('data', (part: Buffer) => parts.push(part));
    pdf.on('end', () => settle(Buffer.concat(parts)));
    pdf.on('error', fail);
  });
  pdf.fontSize(10).text(company).text(desk.company_address).moveDown(2);
  pdf.font(BOLD).fontSize(20).text(`${title} ${number}`).moveDown();
  pdf.fontSize(10);
  for (const [label, value] of linesOf(exchange, (at) =>
    spokenTime(new Date(at), desk.time_zone),
  )) {
    if (value === null) continue;
    const top = pdf.y;
    pdf.font(REGULAR).text(label, MARGIN, top, { width: LABEL_WIDTH });
    const left = pdf.y;
    pdf
      .font(BOLD)
      .text(value, MARGIN + LABEL_WIDTH, top, { width: 595 - 2 * MARGIN - LABEL_WIDTH });
    pdf.y = Math.max(left, pdf.y) + 5;
  }
  const [begun, made] = [created_at, exchange.server_time].map((at) =>
    spokenTime(new Date(at), desk.time_zone),
  );
  pdf.font(REGULAR).fontSize(8);
  pdf.text(`Exchange made on ${begun}. Receipt made on ${made}.`, MARGIN, pdf.y + 16);
  pdf.end();
  return done;
}

function linesOf(exchange: ExchangeView, time: (at: string) => string): Line[] {
  const sent = (amount: string) => `${amount} ${exchange.send.unit}`;
  const received = (amount: string) => `${amount} ${exchange.receive.unit}`;
  const fee = (amount: string, text: string): string | null => (/[1-9]/.test(amount) ? text : null);
  const paidOut: Line[] = [
    ['Rate', `1 ${exchange.send.unit} = ${received(exchange.rate)}`],
    ['Fee', fee(exchange.send_fee, sent(exchange.send_fee))],
    ['Payout fee', fee(exchange.receive_fee, received(exchange.receive_fee))],
    ['Rounded down by', fee(exchange.rounding, received(exchange.rounding))],
    ['Paid out', received(exchange.receive_amount)],
    ['Paid out on', exchange.completed_at && time(exchange.completed_at)],
    ...exchange.payout_fields.map(({ label, value }): Line => [label, value]),
    ['Payout reference', exchange.payout_reference],
  ];
  const refunds = exchange.refunds
    .filter(({ state }) => state === 'paid')
    .flatMap((refund): Line[] => [
      ['Paid back', sent(refund.amount)],
      ['of which a charge of', fee(refund.charge, sent(refund.charge))],
      ['to', refund.account],
      ['Reference of the refund', refund.reference],
    ]);
  return [
    ['Exchange', exchange.number],
    ['Received', sent(exchange.received_amount)],
    ['Your reference', exchange.payment_reference],
    ...(exchange.state === 'completed'
      ? [['Exchanged', sent(exchange.send_amount)] as const, ...paidOut]
      : []),
    ...refunds,
  ];
}
