/** How many rows the queue shows before "load more", and how many one request may hold. */
export const rowsPerPage = 50;
export const mostPerRequest = 100;
