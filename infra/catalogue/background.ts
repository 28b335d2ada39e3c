import type { DeployedFunction } from './deployed-function.ts'

/** A function that no HTTP request waits for. */
export const background = (
  name: string,
  description: string,
  own: Pick<DeployedFunction, 'trigger' | 'grants'> & Partial<DeployedFunction>,
): DeployedFunction => ({
  name,
  description,
  memoryMb: 512,
  timeoutSeconds: 60,
  logRetentionDays: 30,
  environment: ['TABLE_NAME'],
  ...own,
})
