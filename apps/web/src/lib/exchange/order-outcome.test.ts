import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { orderOutcome, type OrderOutcome } from './order-outcome.ts';

const cases: [number, string, string[], OrderOutcome][] = [
  [0, 'unreachable', [], 'unknown'],
  [0, 'timeout', [], 'unknown'],
  [401, 'unauthenticated', [], 'unknown'],
  [419, 'csrf', [], 'unknown'],
  [429, 'throttled', [], 'unknown'],
  [500, 'server_error', [], 'unknown'],
  [503, 'http_503', [], 'unknown'],
  [409, 'idempotency_in_progress', [], 'unknown'],
  [409, 'signed_in_as_another', [], 'unknown'],
  [409, 'quote_expired', [], 'price_gone'],
  [409, 'quote_invalid', [], 'price_gone'],
  [409, 'quote_used', [], 'already_made'],
  [409, 'insufficient_reserve', [], 'amounts_refused'],
  [409, 'limit_exceeded', [], 'amounts_refused'],
  [409, 'too_many_open', [], 'refused'],
  [403, 'email_unverified', [], 'refused'],
  [422, 'validation', ['payout_fields.iban'], 'answers_refused'],
  [422, 'validation', ['sender_fields'], 'answers_refused'],
  [422, 'validation', ['terms_accepted'], 'refused'],
];

describe('orderOutcome', () => {
  for (const [status, code, fields, expected] of cases) {
    it(`reads ${status} ${code} ${fields.join()} as ${expected}`, () => {
      const errors = Object.fromEntries(fields.map((field) => [field, ['Wrong.']]));
      assert.equal(orderOutcome({ status, code, message: '', errors, request_id: null }), expected);
    });
  }
});
