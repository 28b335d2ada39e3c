import type { Finding } from '../definition/compiled-process.ts'

/** What the engine cannot run of a document. `moddleContext`: what `fromXML` resolves to. */
export function findUnsupported(_moddleContext: unknown): readonly Finding[] {
  return []
}
