import { Invalid } from '../../../kernel/failures/faults.ts'
import type { ErrorList } from '../error-list.ts'
import type { Automation } from '../table.ts'

/**
 * Parses a script; throws Invalid with `errors.script`, naming line and column. Injected, because the parser is large.
 */
export type CheckScript = (script: string) => unknown

/** Checks the syntax of new and changed scripts. */
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
      for (const message of error.problems.script ?? [error.message]) list.add(`automations.${index}.script`, message)
    }
  })
}
