/** Shared by all adapters. The body is read before the status, since errors may have status 200. */
import type { RateFailure } from '@cambist/contract/rate-settings';
import { JsonRefused } from '#platform/http/strict-json.ts';
import { field, Numeral, parseLosslessly, type Json } from './lossless-json.ts';
import { plainDecimal } from './plain-decimal.ts';
import type { Quote, RateAnswer, Reading } from './provider.ts';

/** A text instead of a rate is only shown if it looks like a figure, since it could be part of a key. */
const SHOWN_TEXT = /^[-+]?(\d{1,8}([.,]\d{1,8})?|NaN|Infinity)?$/;

const LIKE_A_FIGURE = /^-?\d/;

const ONE = /^1(\.0+)?$/;

/** `read` returns null where the body is neither a documented success nor an error; then the status decides. */
export function readJson(answer: RateAnswer, read: (body: Json) => Reading | null): Reading {
  let body: Json;
  try {
    body = parseLosslessly(answer.text);
  } catch (error) {
    return byStatus(answer.status, whatItIs(answer.text, error));
  }
  const reading =
    read(body) ?? byStatus(answer.status, 'JSON that its documentation does not know');
  if (!reading.ok || (answer.status >= 200 && answer.status <= 299)) return reading;
  if (!reading.rates.some(({ rate }) => LIKE_A_FIGURE.test(rate)))
    return byStatus(answer.status, 'no rates');
  // Rates with an error status are not trusted.
  return failed('unavailable', `It answered ${answer.status} together with rates.`);
}

export function failed(failure: RateFailure, detail: string): Reading {
  return { ok: false, failure, detail };
}

/** An error of unknown kind, classified by the status. */
export function failedByStatus(status: number, detail: string): Reading {
  // 429 means a rate limit or the monthly quota.
  const monthly = status === 429 && /\b(month(ly)?|quota)\b/i.test(detail);
  return failed(monthly ? 'quota_exceeded' : failureOf(status), detail);
}

export function lacking(what: string): Reading {
  return failed('malformed', `Its answer lacks ${what}.`);
}

function byStatus(status: number, what: string): Reading {
  return failed(failureOf(status), `It answered ${status} with ${what}.`);
}

function failureOf(status: number): RateFailure {
  if (status === 401) return 'invalid_key';
  if (status === 402) return 'quota_exceeded';
  if (status === 429) return 'rate_limited';
  // 403 without a message is from a firewall, not the plan.
  const absent = [403, 404, 408, 410, 425].includes(status) || (status >= 300 && status < 400);
  return absent || status >= 500 ? 'unavailable' : 'malformed';
}

function whatItIs(text: string, error: unknown): string {
  if (error instanceof JsonRefused && error.message === 'duplicate key')
    return 'JSON that gives one of its keys twice';
  if (text.trim() === '') return 'an empty body';
  return /^\s*</.test(text) ? 'a page (HTML) instead of JSON' : 'something that is not JSON';
}

export function wordsOf(json: Json | undefined): string {
  return typeof json === 'string' ? json : '';
}

/** A code that is a number or text. */
export function codeOf(json: Json | undefined): string {
  return json instanceof Numeral ? json.text : wordsOf(json);
}

/** For a rate with a missing or unreadable time, which is rejected. */
export const NO_TIME = new Date(Number.NaN);

/** Seconds since 1970, as a whole number. */
export function timeOf(json: Json | undefined): Date | null {
  if (!(json instanceof Numeral) || !/^\d{1,12}$/.test(json.text)) return null;
  return new Date(Number.parseInt(json.text, 10) * 1000);
}

/** `2026-11-21T10:15:59Z`; null for a day that does not exist, which `Date` would shift. */
export function instantOf(json: Json | undefined): Date | null {
  const text = wordsOf(json);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(text)) return null;
  const time = new Date(text);
  const exists = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text.slice(0, 19));
  return exists ? time : null;
}

/** Null for anything but letters and digits. */
export function unitOf(json: Json | undefined): string | null {
  const text = wordsOf(json);
  return /^[A-Z0-9]{2,12}$/.test(text) ? text : null;
}

/** The rates of the requested units. The base itself is included only where it is not 1. */
export function ratesOf(
  { units }: RateAnswer,
  base: string,
  asOf: Date,
  find: (unit: string) => Json | undefined,
): Quote[] {
  return [...new Set(units)].flatMap((unit) => {
    const value = find(unit);
    if (value === undefined) return [];
    const rate = rateText(value);
    return unit === base && ONE.test(rate) ? [] : [{ unit, base, rate, inverted: false, asOf }];
  });
}

export interface Shape {
  /** The field with the base of the rates. */
  readonly base: string;
  /** The field with their time, in seconds since 1970. */
  readonly time: string;
  /** The field with the rates. */
  readonly table: string;
  /** The name of a unit in the table; its code by default. */
  readonly nameOf?: (base: string, unit: string) => string;
}

/** An answer with one base, one time and one table of rates. */
export function readRates(answer: RateAnswer, body: Json, shape: Shape): Reading {
  const { nameOf = (_base, unit) => unit } = shape;
  const base = unitOf(field(body, shape.base));
  const asOf = timeOf(field(body, shape.time));
  const find = tableOf(body, shape.table);
  if (base === null) return lacking(shape.base);
  if (asOf === null) return lacking(shape.time);
  if (find === null) return lacking(shape.table);
  return { ok: true, rates: ratesOf(answer, base, asOf, (unit) => find(nameOf(base, unit))) };
}

/** The text of `Quote.rate`. */
export function rateText(value: Json): string {
  if (value instanceof Numeral) return plainDecimal(value.text);
  // With its quotes, or `"0.9"` would be a valid rate.
  if (typeof value === 'string') {
    return SHOWN_TEXT.test(value) ? JSON.stringify(value) : 'a text';
  }
  return value === null || typeof value === 'boolean' ? String(value) : 'no number';
}

/** An entry without its rate, as an invalid rate. */
export function withoutFigure(entry: Json): Json {
  return entry instanceof Numeral ? {} : entry;
}

/** The table of rates under a key, or null. */
export function tableOf(body: Json, key: string): ((name: string) => Json | undefined) | null {
  const table = field(body, key);
  if (typeof table !== 'object' || table === null || Array.isArray(table)) return null;
  return table instanceof Numeral ? null : (name) => field(table, name);
}
