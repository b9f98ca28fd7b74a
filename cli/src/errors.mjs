// @ts-check

/** What the user can mend: a wrong flag, a file that cannot be read, a server that does not come up. Ends the command with status 2. */
export class InputError extends Error {}
