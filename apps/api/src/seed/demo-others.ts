/** The demo desk's card, wallet, cash and chain currencies; nobody holds a key to the addresses. */
import {
  account,
  base,
  COMPANY,
  DEMONSTRATION,
  field,
  type DemoCurrency,
} from './demo-currency.ts';

export const others: DemoCurrency[] = [
  {
    reserve: '860000.00',
    draft: {
      ...base,
      slug: 'pln-card',
      unit: 'PLN',
      name: 'Polish zloty',
      symbol: 'zł',
      channel: 'Visa or Mastercard',
      kind: 'card',
      decimals: 2,
      export_code: 'CARDPLN',
      max_send: '20000.00',
      max_receive: '20000.00',
      payout_time: 'within 30 minutes',
      sender_fields: [field('card_holder', 'Name on the sending card', 'name')],
      payout_fields: [
        field('holder', 'Name on the card', 'name'),
        field('card', 'Card number', 'card'),
      ],
      payee_accounts: [
        account(
          'Card',
          { 'Card number': '4111 1111 1111 1111', Name: COMPANY },
          'Send from a card in your own name.',
        ),
      ],
    },
  },
  {
    reserve: '24500000.00',
    draft: {
      ...base,
      slug: 'kes-mpesa',
      unit: 'KES',
      name: 'Kenyan shilling',
      symbol: 'KSh',
      channel: 'M-Pesa',
      kind: 'wallet',
      decimals: 2,
      export_code: 'MPESAKES',
      min_receive: '500.00',
      max_receive: '250000.00',
      payout_time: 'within 10 minutes',
      sender_fields: [field('sender_phone', 'Number you pay from', 'phone')],
      payout_fields: [
        field('holder', 'Registered name', 'name'),
        field('phone', 'M-Pesa number', 'phone', {
          hint: 'With the country code, such as +254 700 000 000',
        }),
      ],
      payee_accounts: [
        account(
          'Paybill',
          { 'Business number': '000000', Name: COMPANY },
          'Enter the reference as the account number.',
        ),
      ],
    },
  },
  {
    reserve: '82000.00',
    draft: {
      ...base,
      slug: 'usd-cash',
      unit: 'USD',
      name: 'US dollar in cash',
      symbol: '$',
      channel: 'At our counter',
      kind: 'cash',
      decimals: 2,
      export_code: 'CASHUSD',
      min_send: '100.00',
      min_receive: '100.00',
      max_receive: '9500.00',
      payout_time: 'on the next working day, 9 to 17',
      sender_fields: [field('visitor', 'Who will bring it', 'name')],
      payout_fields: [
        field('visitor', 'Who will collect it', 'name', { hint: 'As in the passport' }),
        field('phone', 'Phone', 'phone'),
      ],
      payee_accounts: [
        account(
          'Counter',
          { Address: '14 Lantern Quay, ground floor', Hours: 'Monday to Friday, 9 to 17' },
          'Bring an identity document and the reference.',
        ),
      ],
    },
  },
];

export const chains: DemoCurrency[] = [
  {
    reserve: '510000.000000',
    draft: {
      ...base,
      slug: 'usdt-trc20',
      unit: 'USDT',
      name: 'Tether USD',
      symbol: '₮',
      channel: 'TRON (TRC-20)',
      kind: 'chain',
      decimals: 6,
      export_code: 'USDTTRC20',
      min_send: '20.000000',
      payout_time: 'within 15 minutes',
      payout_fields: [
        field('address', 'TRON address', 'address', {
          pattern: 'T[1-9A-HJ-NP-Za-km-z]{33}',
          hint: 'Begins with T',
        }),
      ],
      payee_accounts: [
        account(
          'TRON wallet',
          { Address: 'TBF1FJYdMyQVW2hCRWJHVquQnfLtaKGQCo', Network: 'TRON (TRC-20)' },
          `Only USDT on TRON arrives here. ${DEMONSTRATION}`,
          'TBF1FJYdMyQVW2hCRWJHVquQnfLtaKGQCo',
        ),
      ],
    },
  },
  {
    reserve: '11.75000000',
    draft: {
      ...base,
      slug: 'btc',
      unit: 'BTC',
      name: 'Bitcoin',
      symbol: '₿',
      channel: 'Bitcoin network',
      kind: 'chain',
      decimals: 8,
      export_code: 'BTC',
      min_send: '0.00050000',
      min_receive: '0.00020000',
      payout_time: 'after two confirmations',
      payout_fields: [
        field('address', 'Bitcoin address', 'address', {
          pattern: '(bc1|BC1|[13])[0-9A-Za-z]{25,59}',
        }),
      ],
      payee_accounts: [
        account(
          'Bitcoin wallet',
          { Address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' },
          DEMONSTRATION,
          'bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount={amount}&message={reference}',
        ),
      ],
    },
  },
  {
    reserve: '148.000000000000000000',
    draft: {
      ...base,
      slug: 'eth',
      unit: 'ETH',
      name: 'Ether',
      symbol: 'Ξ',
      channel: 'Ethereum mainnet',
      kind: 'chain',
      decimals: 18,
      export_code: 'ETH',
      min_send: '0.010000000000000000',
      payout_time: 'within 15 minutes',
      payout_fields: [
        field('address', 'Ethereum address', 'address', {
          pattern: '0x[0-9a-fA-F]{40}',
          hint: 'Begins with 0x',
        }),
      ],
      payee_accounts: [
        account(
          'Ethereum wallet',
          { Address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', Network: 'Ethereum mainnet' },
          `Only ether on Ethereum arrives here. ${DEMONSTRATION}`,
          'ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed@1?value={amount_minor}',
        ),
      ],
    },
  },
];
