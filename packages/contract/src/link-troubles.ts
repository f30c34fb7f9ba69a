/** Why a link to a file redirected to a page: `trouble` in its query. */
export type LinkTrouble = 'too_many' | 'gone';
