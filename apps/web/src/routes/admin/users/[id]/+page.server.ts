import { getUserDetail, listUserSessions } from '@cambist/contract/users';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params }) => {
  const [user, sessions] = await Promise.all([
    locals.call(getUserDetail, { params }),
    locals.call(listUserSessions, { params }),
  ]);
  return { person: user.data, sessions: sessions.data };
};
