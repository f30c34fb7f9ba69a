/** The pages with custom CSS, and the id of its element. Pure. */

export const customStyleId = 'custom-style';

const excluded =
  /^\/(\((account|auth)\)|admin|\(email-link\)\/verify-email|\(site\)\/(account|signout))(\/|$)/;

/** The preview of the home page looks as visitors will see it. */
const previews = '/admin/settings/home-page/preview';

/** All pages but sign-in, the account and the console. */
export function hasCustomCss(routeId: string | null): boolean {
  return routeId === null || routeId === previews || !excluded.test(routeId);
}
