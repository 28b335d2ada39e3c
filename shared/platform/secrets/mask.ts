/** What stands for a secret in answers. Written back, it means: unchanged. */
export const mask = '********'
