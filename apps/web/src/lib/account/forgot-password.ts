let typedEmail = '';

/** Hands the address typed on the sign-in page over in memory: in a link it would reach logs. */
export function passEmail(email: string): void {
  typedEmail = email;
}

/** Returns the address that was passed, once. */
export function takeEmail(): string {
  const email = typedEmail;
  typedEmail = '';
  return email;
}
