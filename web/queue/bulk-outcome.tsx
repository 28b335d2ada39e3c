import { useTranslation } from 'react-i18next'
import type { BulkResult } from '../api/bulk.ts'

const shownErrors = 8
const shownNames = 3

/** The names of processes, each once. */
export function processNames(processes: readonly { readonly template: { readonly name: string } }[]): string {
  const names = [...new Set(processes.map(({ template }) => template.name))]
  return names.slice(0, shownNames).join(', ') + (names.length > shownNames ? ' …' : '')
}

/** What a bulk change would do or did, and what was refused, in the words of the service. */
export function BulkOutcome({ result, isDone }: { readonly result: BulkResult; readonly isDone: boolean }) {
  const { t } = useTranslation()
  const { matched, changed, unchanged, failed, errors, cancelled_processes: processes = [] } = result
  return (
    <div role="status">
      <p>{t(isDone ? 'bulk.didChange' : 'bulk.willChange', { changed, matched })}</p>
      {unchanged > 0 && <p className="quiet">{t('bulk.unchanged', { count: unchanged })}</p>}
      {processes.length > 0 && <p>{t('bulk.cancels', { count: processes.length, names: processNames(processes) })}</p>}
      {failed > 0 && (
        <>
          <p className="problem">{t('bulk.failed', { count: failed })}</p>
          <ul className="bulk-errors">
            {errors.slice(0, shownErrors).map(({ id, message }) => (
              <li key={id}>
                <b>{id}</b> {message}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
