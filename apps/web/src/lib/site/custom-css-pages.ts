/** On which pages the desk's own style sheet is, and how the browser finds it there. Pure. */

export const customStyleId = 'custom-style';

const bare =
  /^\/(\((account|auth)\)|admin|\(email-link\)\/verify-email|\(site\)\/(account|signout))(\/|$)/;

/** A draft of the home page, or of what search engines read of it, is looked at as it would be. */
const previewed = '/admin/settings/[slug]/preview';

/** Everywhere but where people sign in, keep their account and run the desk. */
export function isDressed(routeId: string | null): boolean {
  return routeId === null || routeId === previewed || !bare.test(routeId);
}
