import { useTranslation } from 'react-i18next'
import type { WholeProcess } from '../../api/processes.ts'
import { Moment } from '../../parts/time.tsx'

/** What a process has reached so far, and what administrators did to it, newest first. */
export function ProcessHistory({ process }: { readonly process: WholeProcess }) {
  const { t } = useTranslation()
  const { history, operations, has_more_history: hasMore } = process
  return (
    <>
      <details>
        <summary>{t('process.history', { count: history.length })}</summary>
        <ul className="plain-list">
          {history
            .toReversed()
            .map(({ execution_id: pass, element_id: element, name, status, started_at: at, ended_at: ended }) => (
              <li key={pass} className="process-entry">
                <span>{name ?? element}</span>
                <span className={status === 'failed' ? 'problem small' : 'quiet small'}>
                  {t(`process.step_${status}`)}
                </span>
                <span className="quiet small push">
                  <Moment at={ended ?? at} />
                </span>
              </li>
            ))}
          {hasMore && <li className="quiet small">{t('process.moreHistory')}</li>}
        </ul>
      </details>
      {operations.length > 0 && (
        <details>
          <summary>{t('process.operations', { count: operations.length })}</summary>
          <ul className="plain-list">
            {operations.map(({ action, by, at, details }, index) => (
              <li key={index} className="process-entry">
                <span>{t(`process.did_${action}`, { name: by?.name ?? t('record.somebody') })}</span>
                {typeof details['reason'] === 'string' && <span className="quiet small">{details['reason']}</span>}
                <span className="quiet small push">
                  <Moment at={at} />
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
