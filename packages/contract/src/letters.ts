/** Letters that are typed in two ways and read as one. Both applications compare by them. Pure. */

/** Arabic keyboards type other letters than Persian ones, which look the same in most words. */
export const folded = (text: string): string => text.replaceAll('ي', 'ی').replaceAll('ك', 'ک');

/** Tags with the same name are one tag, however it is spelled. */
export const nameOfTag = (tag: string): string => folded(tag).toLowerCase();
