import { Invalid } from '../kernel/faults.ts'
import type { Automation, ErrorList } from './table.ts'

/** Reads the source of a script; throws Invalid with `errors.script`, naming line and column. Handed in, for it is large. */
export type CheckScript = (script: string) => unknown

/** Scripts that are new or have changed must be scripts. */
export function checkScripts(
  check: CheckScript,
  automations: readonly { readonly script: string }[],
  before: readonly Pick<Automation, 'script'>[],
  list: ErrorList,
): void {
  const known = new Set(before.map(({ script }) => script))
  automations.forEach(({ script }, index) => {
    if (known.has(script)) return
    try {
      check(script)
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      for (const message of error.errors.script ?? [error.message]) list.add(`automations.${index}.script`, message)
    }
  })
}
