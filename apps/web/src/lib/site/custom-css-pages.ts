/** On which pages the desk's own style sheet is, and how the browser finds it there. Pure. */

export const customStyleId = 'custom-style';

const bare =
  /^\/(\((account|auth)\)|admin|\(email-link\)\/verify-email|\(site\)\/(account|signout))(\/|$)/;

/** The preview of the home page looks as visitors will see it. */
const previewed = '/admin/settings/home-page/preview';

/** Everywhere but where people sign in, keep their account and run the desk. */
export function isDressed(routeId: string | null): boolean {
  return routeId === null || routeId === previewed || !bare.test(routeId);
}
