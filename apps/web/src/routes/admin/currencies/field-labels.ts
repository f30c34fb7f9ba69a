/** What the form of a currency calls its fields: beside each, and in the list of mistakes above. */
import { m } from '#lib/paraglide/messages.js';

export function currencyLabels() {
  return {
    name: m.ui_name(),
    channel: m.admin_channel(),
    symbol: m.admin_symbol(),
    unit: m.admin_unit(),
    decimals: m.admin_decimals(),
    slug: m.admin_slug(),
    export_code: m.admin_export_code(),
    min_send: m.admin_limit_min_send(),
    max_send: m.admin_limit_max_send(),
    min_receive: m.admin_limit_min_receive(),
    max_receive: m.admin_limit_max_receive(),
    payout_time: m.admin_payout_time(),
    position: m.admin_position(),
  };
}

/** The label of a path of the service, also inside the lists: `payout_fields.0.key`. */
export function labelAt(path: string): string | undefined {
  const labels: Readonly<Record<string, string>> = currencyLabels();
  const inside = /^(payout_fields|sender_fields|payee_accounts)\.(\d+)(?:\.(.+))?$/.exec(path);
  if (inside === null) return labels[path];
  const [, list = '', index = '0', field = ''] = inside;
  const [, line] = /^details\.(\d+)\./.exec(field) ?? [];
  const account = `${listNames[list]?.() ?? list} ${Number.parseInt(index, 10) + 1}`;
  const place =
    line === undefined
      ? account
      : `${account}, ${m.admin_payee_line({ number: Number.parseInt(line, 10) + 1 })}`;
  const name = innerNames[field.replace(/^details\.\d+\./, 'line.')]?.();
  return name === undefined ? place : `${place}, ${name}`;
}

const listNames: Readonly<Record<string, () => string>> = {
  payout_fields: m.admin_payout_fields,
  sender_fields: m.admin_sender_fields,
  payee_accounts: m.admin_payees,
};

const innerNames: Readonly<Record<string, () => string>> = {
  label: m.admin_field_label,
  key: m.admin_field_key,
  hint: m.admin_field_hint,
  pattern: m.admin_field_pattern,
  instructions: m.admin_payee_instructions,
  qr_template: m.admin_payee_qr,
  'line.label': m.admin_field_label,
  'line.value': m.admin_line_value_name,
};
