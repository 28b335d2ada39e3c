import { amountOf } from '../../../../../shared/platform/http/openapi/limits/explained.ts'
import { limitAreas } from '../../../../../shared/platform/http/openapi/limits/limit-areas.ts'

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
const cell = (text: string): string => text.replaceAll('|', '\\|')

/** The text of docs/limits.md. */
export function limitsDocument(): string {
  const areas = limitAreas.map(({ title, limits }) => {
    const rows = limits.map(
      (limit) => `| ${cell(capitalized(limit.what))} | ${amountOf(limit)} | ${cell(limit.beyond)} |`,
    )
    return [`## ${title}`, '', '| what | at most | beyond it |', '|---|---|---|', ...rows].join('\n')
  })
  return `# Limits

Every limit that a client can meet. Code takes its numbers from \`shared/kernel/limits/\`, and \`x-limits\` of
\`/api/openapi.json\` holds the same. This page is generated: \`UPDATE_LIMITS=1 npm test -- test/unit/shared/kernel/limits\`.

A refused request is answered by the status that the last column names; \`errors\` names the field, and nothing is
stored. 422 without a code is \`validation_failed\`.

${areas.join('\n\n')}
`
}
