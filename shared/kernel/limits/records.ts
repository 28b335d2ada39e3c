/** The values of a record. Leaves space for keys, slots and attribute names below DynamoDB's limit of 400 KB per item. */
export const maxRecordBytes = 350 * 1024
/** Files in a field. */
export const maxFilesPerField = 50
/** The path of a file. */
export const maxFilePathCharacters = 1024
/** Files that one write adds to a record. A transaction takes 100 writes, and a record also needs writes for unique guards and notifications. */
export const maxFilesPerWrite = 50
/** Files that a merge adds to a record. Its transaction has other writes as well. */
export const maxFilesPerMerge = 40
/** Files that one write names. Each file may cost one request to S3. */
export const maxFilesPerCheck = 200
/** Records that are merged into one, and into those. All of them are read with its comments. */
export const maxMergedRecords = 50
/** Organisational units below each other. How many levels of units there may be. */
export const maxOrgUnitLevels = 20
