/** Roles, tables, relations, processes, channels, templates or subscriptions of one configuration document. */
export const maxConfiguredItems = 10_000
/** Incoming rules of one configuration document. */
export const maxConfiguredRules = 200
/** A setting. */
export const maxSettingCharacters = 1000
/** The name of a host. */
export const maxHostCharacters = 253
/** `IMAP_MAILBOX`. */
export const maxMailboxCharacters = 255
/** A configuration document that is applied as a file. */
export const maxConfigurationBytes = 32 * 1024 * 1024
