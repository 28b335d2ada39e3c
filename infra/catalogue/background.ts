import type { FunctionEntry } from './deployed-function.ts'

/** A function that no HTTP request waits for. */
export const background = (
  name: string,
  description: string,
  own: Pick<FunctionEntry, 'grants'> & Partial<FunctionEntry>,
): FunctionEntry => ({
  name,
  description,
  memoryMb: 512,
  timeoutSeconds: 60,
  environment: ['TABLE_NAME'],
  ...own,
})
