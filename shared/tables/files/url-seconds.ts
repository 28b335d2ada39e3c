/** How long the signed URL of an upload or a download is valid. */
export const urlSeconds = 15 * 60
