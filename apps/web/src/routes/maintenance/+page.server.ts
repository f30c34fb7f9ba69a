/** Replaces every page during maintenance; admins may open it at any time. */
import { error } from '@sveltejs/kit';
import type { PageServerLoad } from './$types.js';

export const csr = false;

export const load: PageServerLoad = ({ locals }) => {
  const { maintenance } = locals.wide;
  const mayLook = maintenance?.enabled === true || locals.user?.role === 'admin';
  if (maintenance === null || !mayLook) error(404);
  return { message: maintenance.message, minutes: maintenance.retry_minutes };
};
