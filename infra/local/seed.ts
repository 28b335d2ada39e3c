import type { LocalCloud } from './cloud.ts'

/** Makes the first tenant and its administrator when there is none; answers the lines to print. */
export async function seed(_given: { cloud: LocalCloud; environment: Readonly<Record<string, string | undefined>> }): Promise<string[]> {
  return []
}
