import { assemble } from '../infra/local/template/assemble.ts'

/** Vitest's global setup: the workers find the assembly ready instead of each making it. */
export async function setup(): Promise<void> {
  await assemble()
}
