/** An uploaded file. */
export const maxFileBytes = 100 * 1024 * 1024
/** The name of a file in its path. */
export const maxFileNameBytes = 200
/** The name of a file to upload. */
export const maxGivenFileNameCharacters = 500
/** Files that leave inside a mail, together: 20 MB as they are sent, in lines of 57 bytes that become 78. */
export const maxMailedFilesBytes = Math.floor((20 * 1024 * 1024 * 57) / 78)
