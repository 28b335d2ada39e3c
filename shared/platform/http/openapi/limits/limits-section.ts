import { amountOf } from './explained.ts'
import { limitAreas } from './limit-areas.ts'

/** The areas whose limits most callers meet. The others would make the description long. */
const shown: ReadonlySet<string> = new Set(['Requests and answers', 'Tables', 'Records', 'Imports, exports and jobs'])

/** The section of the API's description that names the limits, and what happens beyond them. */
export function limitsSection(): string {
  const areas = limitAreas
    .filter(({ title }) => shown.has(title))
    .map(({ title, limits }) => {
      const lines = limits.map((limit) => `- ${limit.what}: ${amountOf(limit)}. Beyond: ${limit.beyond}.`)
      return `**${title}**\n\n${lines.join('\n')}`
    })
  return ['## Limits', 'Every limit is in `x-limits` of this document. Those that most callers meet:', ...areas].join(
    '\n\n',
  )
}
