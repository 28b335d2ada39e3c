import { useTranslation } from 'react-i18next'
import type { WholeProcess } from '../../api/processes.ts'
import { Moment } from '../../parts/time.tsx'

/** What a process waits for besides tasks and the retry of what failed; nothing where there is nothing. */
export function ProcessWaits({ process }: { readonly process: WholeProcess }) {
  const { t } = useTranslation()
  const waits = process.tokens.flatMap(({ kind, ...token }) =>
    kind === 'task' || kind === 'failed' ? [] : [{ kind, ...token }],
  )
  if (waits.length === 0) return null
  return (
    <ul className="plain-list" aria-label={t('process.waits')}>
      {waits.map((token, index) => (
        <li key={index} className="process-entry">
          <b>{token.name ?? token.element_id}</b>
          <span className="quiet">
            {t(words[token.kind])} {token.event} {token.due_at && <Moment at={token.due_at} />}
          </span>
        </li>
      ))}
    </ul>
  )
}

const words = {
  timer: 'process.timer',
  message: 'process.message',
  signal: 'process.signal',
  condition: 'process.condition',
  call: 'process.call',
} as const
