/**
 * The service names a field by its place (`label of payout field 1`); beside the
 * field itself the label says that better. Pure.
 */
import { fieldName } from '@cambist/contract/field-name';

export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** The messages for one path, with the field's own name in the place of its path. */
export function messagesAt(
  errors: FieldErrors | undefined,
  path: string,
  label: string,
): readonly string[] | undefined {
  const messages = errors?.[path];
  if (messages === undefined) return undefined;
  const spelled = fieldName(path);
  // Either is written, never both: a second replacement would find the path in the name itself.
  return messages.map((message) =>
    plainly(message.replace(message.includes(path) ? path : spelled, () => `“${label}”`)),
  );
}

/** What a schema says of a value, as a person would. */
function plainly(message: string): string {
  return message
    .replace(/^The selected (“.+”) is invalid\.$/, '$1 has a value that cannot be used here.')
    .replace(/^The (“.+”) format is invalid\.$/, '$1 cannot be read as it is written.')
    .replace(/ must be an integer\.$/, ' must be a whole number.')
    .replace(/^The (“.+”) field /, '$1 ')
    .replace(/^The (“.+”) /, '$1 ');
}

/** The other fields of which a message speaks (`… below min_send`), by their names too. */
export function withNames(message: string, labelOf: (path: string) => string | undefined): string {
  return message.replace(/\b[a-z]+_[a-z_]+(?:\.[a-z_]+)*\b/g, (path) => {
    const label = labelOf(path);
    return label === undefined ? path : `“${label}”`;
  });
}

export interface Mistake {
  readonly path: string;
  readonly message: string;
}

/** All messages above the form, each with the name that its field has there; `labelOf` knows it. */
export function allMessages(
  errors: FieldErrors,
  labelOf: (path: string) => string | undefined,
): readonly Mistake[] {
  return Object.entries(errors).flatMap(([path, messages]) => {
    const label = labelOf(path);
    const named = label === undefined ? messages : messagesAt(errors, path, label);
    return (named ?? []).map((message) => ({ path, message: withNames(message, labelOf) }));
  });
}
