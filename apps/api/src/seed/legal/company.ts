/** Who the legal pages speak for. */
export interface Company {
  /** As it stands in a sentence: `Cambist Exchange Ltd`. */
  readonly name: string;
  readonly address: string;
  readonly email: string;
}

/** Text for HTML: names and addresses come from settings. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** One line that says who and where: `Cambist Exchange Ltd, 14 Lantern Quay`. */
export function whoAndWhere({ name, address }: Company): string {
  return escapeHtml(address === '' ? name : `${name}, ${address}`);
}

export function mailLink({ email }: Company): string {
  return `<a href="mailto:${encodeURI(email)}">${escapeHtml(email)}</a>`;
}
