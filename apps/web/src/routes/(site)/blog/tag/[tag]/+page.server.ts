import { error } from '@sveltejs/kit';
import { blogList } from '../../list.ts';
import type { PageServerLoad } from './$types.js';

const LONGEST_TAG = 40;

export const load: PageServerLoad = ({ locals, url, params }) => {
  // Not a valid tag: no request is needed.
  if (params.tag.length > LONGEST_TAG) error(404);
  return blogList({ locals, url, tag: params.tag });
};
