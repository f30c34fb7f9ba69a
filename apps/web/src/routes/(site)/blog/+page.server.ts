import { blogList } from './list.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = ({ locals, url }) => blogList({ locals, url });
