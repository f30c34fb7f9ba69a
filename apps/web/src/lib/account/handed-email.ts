/**
 * The e-mail address that was typed on one page, for the next one that asks for
 * it: handed over in memory, since an address in a link would reach logs.
 */
let handed = '';

export function handEmail(email: string): void {
  handed = email;
}

/** Once: whoever comes later did not type it. */
export function takeEmail(): string {
  const email = handed;
  handed = '';
  return email;
}
