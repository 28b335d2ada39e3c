/** An uploaded file. */
export const maxFileBytes = 100 * 1024 * 1024
/** The name of a file in its path. */
export const maxFileNameBytes = 200
/** The name of a file to upload. */
export const maxGivenFileNameCharacters = 500
