/** Why a link to a file of a person led back to a page: the `trouble` of its query. */
export type LinkTrouble = 'too_many' | 'gone';
