/** HTML piece by piece: of a tag its slash, its name and its attributes; without a name a remark, or text. */
export const pieces = /<(\/?)([a-z][a-z0-9]*)([^<>]*)>|<[!?][^<>]*>|[^<]+|</gi;
