/** The body of a request. */
export const maxBodyBytes = 4 * 1024 * 1024
/** The body of a request that needs no token; of those that take messages in, 4 MB. */
export const maxOpenBodyBytes = 16 * 1024
/** Objects and arrays in each other in a body. */
export const maxBodyDepth = 32
/** Keys in a body; of an import, in each row. */
export const maxBodyKeys = 10_000
/** Elements of all lists in a body; of an import, in each row. */
export const maxBodyElements = 100_000
/** One page of a list. The largest JSON of one page of a list (contract §1). */
export const maxPageBytes = 4 * 1024 * 1024
/** Paths that `errors` of a failure names. */
export const maxNamedPaths = 500
/** A path in `errors`. */
export const maxPathCharacters = 200
/** A message of a failure. */
export const maxMessageCharacters = 2000
/** `per_page` of records, and of what happens to them. */
export const maxPerPage = 1000
/** `per_page` of a list of objects that are configured: roles, channels, rules. */
export const maxListedPerPage = 100
/** Rows that one write of a record may make: itself, unique values, files and messages. Writes that one transaction of DynamoDB takes. */
export const maxWritesAtOnce = 100
/** What those rows hold together. DynamoDB takes 4 MB; the rest is for the names of attributes and for keys. */
export const maxBytesAtOnce = 4 * 1024 * 1024 - 128 * 1024
/** For how long a write is repeated while others change the same record. */
export const maxConflictMs = 5000
/** Names of tables, fields, roles and providers. */
export const maxNameCharacters = 63
/** `cursor` of a list. */
export const maxPageCursorCharacters = 2000
