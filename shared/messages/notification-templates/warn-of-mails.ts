import type { Warning } from '../../kernel/failures/warning.ts'
import { thereIsNo } from '../../kernel/text/did-you-mean.ts'
import { mailCalls } from '../../scripts/source/script-warnings.ts'
import { missingVariables } from './missing-variables.ts'

/**
 * Warns of the mails of a script whose template does not exist, and of what their templates name and do not get. `path`:
 * where the script stands. `templates`: what each of them names, by its code; asked for only when a script sends mails.
 */
export async function warnOfMails(
  script: string | null,
  path: string,
  fields: Iterable<string> | undefined,
  templates: () => Promise<ReadonlyMap<string, readonly string[]>>,
): Promise<Warning[]> {
  if (script === null || !script.includes('sendEmail')) return []
  const calls = mailCalls(script)
  const known = calls.length > 0 ? await templates() : new Map<string, readonly string[]>()
  const names = fields && [...fields]
  return calls.flatMap(({ template, params, line, column }): Warning[] => {
    const placeholders = known.get(template)
    const found = placeholders
      ? missingVariables(template, placeholders, { names: params, fields: names })
      : [
          {
            code: 'unknown_template' as const,
            message: `The template ${template}: ${thereIsNo('notification template', template, [...known.keys()])}`,
          },
        ]
    return found.map((warning) => ({ path, line, column, ...warning }))
  })
}
