/** The clock is passed in, so that tests can set it. Deadlines of money use the database's clock. */
export type Clock = () => Date;

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
