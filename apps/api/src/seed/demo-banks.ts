/** The demo desk's bank currencies; account numbers are the published examples of their formats. */
import {
  account,
  base,
  COMPANY,
  field,
  holder,
  iban,
  sender,
  WITH_REFERENCE,
  type DemoCurrency,
} from './demo-currency.ts';

// EPC069-12, version 002: after the amount come purpose, structured and free remittance.
const EPC = [
  'BCD',
  '002',
  '1',
  'SCT',
  '',
  COMPANY,
  'DE89370400440532013000',
  'EUR{amount}',
  '',
  '',
  '{reference}',
].join('\n');

export const banks: DemoCurrency[] = [
  {
    reserve: '240000.00',
    draft: {
      ...base,
      slug: 'eur',
      unit: 'EUR',
      name: 'Euro',
      symbol: '€',
      channel: 'SEPA transfer',
      kind: 'bank',
      decimals: 2,
      export_code: 'SEPAEUR',
      max_receive: '50000.00',
      payout_time: 'within one hour',
      sender_fields: [sender],
      payout_fields: [holder, iban],
      payee_accounts: [
        account(
          'Euro account',
          { Recipient: COMPANY, IBAN: 'DE89 3704 0044 0532 0130 00', BIC: 'COBADEFFXXX' },
          WITH_REFERENCE,
          EPC,
        ),
      ],
    },
  },
  {
    reserve: '380000.00',
    draft: {
      ...base,
      slug: 'usd',
      unit: 'USD',
      name: 'US dollar',
      symbol: '$',
      channel: 'Bank transfer',
      kind: 'bank',
      decimals: 2,
      export_code: 'WIREUSD',
      max_receive: '60000.00',
      payout_time: 'the same business day',
      sender_fields: [sender],
      payout_fields: [
        holder,
        field('routing', 'Routing number', 'pattern', { pattern: '[0-9]{9}', hint: 'Nine digits' }),
        field('account', 'Account number', 'pattern', {
          pattern: '[0-9]{4,17}',
          hint: '4 to 17 digits',
        }),
      ],
      payee_accounts: [
        account(
          'Dollar account',
          { Recipient: COMPANY, 'Routing number': '110000000', 'Account number': '000123456789' },
          WITH_REFERENCE,
        ),
      ],
    },
  },
  {
    reserve: '175000.00',
    draft: {
      ...base,
      slug: 'gbp',
      unit: 'GBP',
      name: 'Pound sterling',
      symbol: '£',
      channel: 'Faster Payments',
      kind: 'bank',
      decimals: 2,
      export_code: 'FPSGBP',
      payout_time: 'within 30 minutes',
      sender_fields: [sender],
      payout_fields: [
        holder,
        field('sort_code', 'Sort code', 'pattern', {
          pattern: '[0-9]{2}-?[0-9]{2}-?[0-9]{2}',
          hint: 'Such as 60-16-13',
        }),
        field('account', 'Account number', 'pattern', {
          pattern: '[0-9]{8}',
          hint: 'Eight digits',
        }),
      ],
      payee_accounts: [
        account(
          'Sterling account',
          { Recipient: COMPANY, 'Sort code': '60-16-13', 'Account number': '31926819' },
          WITH_REFERENCE,
        ),
      ],
    },
  },
  {
    reserve: '345000000.00',
    draft: {
      ...base,
      slug: 'ngn',
      unit: 'NGN',
      name: 'Nigerian naira',
      symbol: '₦',
      channel: 'Bank transfer',
      kind: 'bank',
      decimals: 2,
      export_code: 'BANKNGN',
      min_receive: '5000.00',
      payout_time: 'within 20 minutes',
      payout_fields: [
        holder,
        field('bank', 'Bank', 'text', { hint: 'As your bank writes its name' }),
        field('account', 'Account number (NUBAN)', 'pattern', {
          pattern: '[0-9]{10}',
          hint: 'Ten digits',
        }),
      ],
      payee_accounts: [
        account(
          'Naira account',
          { Recipient: COMPANY, Bank: 'Example Bank Nigeria', 'Account number': '0123456789' },
          WITH_REFERENCE,
        ),
      ],
    },
  },
  {
    reserve: '38000000',
    draft: {
      ...base,
      slug: 'jpy',
      unit: 'JPY',
      name: 'Japanese yen',
      symbol: '¥',
      channel: 'Bank transfer',
      kind: 'bank',
      decimals: 0,
      export_code: 'BANKJPY',
      min_receive: '1000',
      payout_time: 'the next business day in Tokyo',
      payout_fields: [
        field('holder', 'Account holder', 'name', { hint: 'In katakana, as the bank has it' }),
        field('bank', 'Bank', 'text'),
        field('branch', 'Branch code', 'pattern', { pattern: '[0-9]{3}', hint: 'Three digits' }),
        field('account', 'Account number', 'pattern', {
          pattern: '[0-9]{7}',
          hint: 'Seven digits',
        }),
      ],
      payee_accounts: [
        account(
          'Yen account',
          {
            Recipient: COMPANY,
            Bank: 'Example Bank Tokyo',
            Branch: '001',
            'Ordinary account': '1234567',
          },
          WITH_REFERENCE,
        ),
      ],
    },
  },
  {
    reserve: '58000.000',
    draft: {
      ...base,
      slug: 'kwd',
      unit: 'KWD',
      name: 'Kuwaiti dinar',
      symbol: 'KD',
      channel: 'Bank transfer',
      kind: 'bank',
      decimals: 3,
      export_code: 'BANKKWD',
      payout_time: 'the same business day',
      payout_fields: [holder, iban],
      payee_accounts: [
        account(
          'Dinar account',
          { Recipient: COMPANY, IBAN: 'KW81 CBKU 0000 0000 0000 1234 5601 01' },
          WITH_REFERENCE,
        ),
      ],
    },
  },
];
